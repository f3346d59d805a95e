"""Our functions on the blocks of dask.array, in memory of the host and of a device."""
import numpy as np
import pytest

da = pytest.importorskip("dask.array")

from numba import cuda, float64, guvectorize, njit, stencil, vectorize


@njit
def scaled(block, factor):
    out = np.empty_like(block)
    for i in range(block.shape[0]):
        for j in range(block.shape[1]):
            out[i, j] = factor * block[i, j]
    return out


@stencil
def cross(a):
    return a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1] - 4 * a[0, 0]


@njit
def laplace(block):
    return cross(block)


@vectorize
def wave(a, b):
    return np.sin(a) + b


@guvectorize([(float64[:], float64[:])], "(n)->()")
def spread(row, out):
    out[0] = row.max() - row.min()


@cuda.jit
def negate(a):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] = -a[i, j]


def negate_block(block):
    negate[(block.shape[0] // 8 + 1, block.shape[1] // 8 + 1), (8, 8)](block)
    return block


def test_blocks_of_the_host(client, rng):
    a = rng.random((40, 30))
    x = da.from_array(a, chunks=(16, 30))
    interior = (slice(1, -1), slice(1, -1))
    want_laplace = laplace(a)
    got = {"map_blocks": x.map_blocks(scaled, 3.0, dtype=float),
           "overlap": da.map_overlap(laplace, x.rechunk((16, 15)), depth=1, boundary="reflect", dtype=float),
           "blockwise": da.blockwise(wave, "ij", x, "ij", x, "ij", dtype=float),
           "ufunc": wave(x, 2.0), "gufunc": spread(x),
           "apply_gufunc": da.apply_gufunc(spread, "(n)->()", x, output_dtypes=float)}
    got = dict(zip(got, client.gather(client.compute(list(got.values())))))
    np.testing.assert_array_equal(got["map_blocks"], a * 3.0)
    np.testing.assert_allclose(got["overlap"][interior], want_laplace[interior], rtol=1e-12)
    np.testing.assert_array_equal(got["blockwise"], wave(a, a))
    np.testing.assert_array_equal(got["ufunc"], wave(a, 2.0))
    np.testing.assert_array_equal(got["gufunc"], np.ptp(a, axis=1))
    np.testing.assert_array_equal(got["apply_gufunc"], np.ptp(a, axis=1))


def test_blocks_of_devices(client, rng):
    """They stay where they were made; computed as they are, they come to the client as one array."""
    a = rng.random((20, 12))
    on_devices = da.from_array(a, chunks=(8, 12)).map_blocks(cuda.to_device, dtype=float).persist()
    negative = on_devices.map_blocks(negate_block, dtype=float)
    back = negative.map_blocks(lambda block: block.copy_to_host(), dtype=float)
    np.testing.assert_array_equal(back.compute(), -a)
    again = da.from_array(a, chunks=(8, 6)).map_blocks(cuda.to_device, dtype=float)
    np.testing.assert_array_equal(np.asarray(again.compute()), a)


@pytest.mark.parametrize("make", [lambda: np.arange(6.0), lambda: np.asfortranarray(np.ones((3, 4))),
                                  lambda: np.zeros((0, 3), np.int8), lambda: np.array(3 + 4j),
                                  lambda: np.array([(1, 2.5)], [("a", np.int16), ("b", np.float64)])])
def test_device_arrays_travel(client, make):
    a = make()
    future = client.scatter(cuda.to_device(a))
    there = client.submit(lambda d: (d.shape, d.dtype, d.copy_to_host()), future).result()
    assert there[:2] == (a.shape, a.dtype)
    np.testing.assert_array_equal(there[2], a)
    np.testing.assert_array_equal(client.submit(cuda.to_device, a, pure=False).result().copy_to_host(), a)


def test_views_of_device_arrays_travel(client, rng):
    a = rng.random((6, 8))
    d = cuda.to_device(a)
    for view, want in ((d[1:5, 2:7], a[1:5, 2:7]), (d[::2, ::-3], a[::2, ::-3]), (d.T, a.T), (d[3], a[3])):
        there = client.submit(lambda d: d.copy_to_host(), client.scatter(view)).result()
        np.testing.assert_array_equal(there, want)
