"""@vectorize(target='cuda') and cuda.reduce."""
import math
import warnings

import numpy as np
from gridcell.cuda.reduction import ThreadsFold
from numba import guvectorize, vectorize

from common import cuda, equal, raises, rng


@vectorize(["int64(int64, int64)", "float32(float32, float32)", "float64(float64, float64)"],
           target="cuda")
def add(x, y):
    return x + y


@vectorize(["float32(float32, float32, float32)"], target="cuda")
def gaussian(x, mean, sigma):
    """A bell curve."""
    return math.exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * 2.5066282746310002)


def test_host_arrays():
    for dtype in (np.int64, np.float32, np.float64):
        a, b = (rng.random((2, 1001)) * 100).astype(dtype)
        r = add(a, b)
        assert type(r) is np.ndarray
        equal(r, a + b)


def test_device_arrays_stay_on_the_device():
    a, b = rng.random((2, 1001)).astype(np.float32)
    da, db = cuda.to_device(a), cuda.to_device(b)
    r = add(da, db)
    assert isinstance(r, cuda.DeviceNDArray)
    equal(r, a + b)
    assert isinstance(add(da, b), cuda.DeviceNDArray)
    out = cuda.device_array_like(da)
    assert add(da, db, out=out) is out
    equal(out, a + b)
    host = np.empty_like(a)
    add(a, b, out=host)
    equal(host, a + b)


def test_broadcasting():
    a = rng.random((5, 1, 7))
    b = rng.random((4, 1))
    equal(add(a, b), a + b)
    r = add(cuda.to_device(a), cuda.to_device(b))
    equal(r, a + b)
    equal(add(np.arange(12).reshape(3, 4), np.arange(4)), np.arange(12).reshape(3, 4) + np.arange(4))
    with raises(ValueError, "failed to broadcast argument #1"):
        add(np.zeros(3), np.zeros(4))


def test_layouts():
    a = rng.random((6, 8))
    for x in (a[::2], a[:, ::2], a.T, np.asfortranarray(a), a[::-1], a[:, 3:5]):
        equal(add(x, x), x + x)
        if x.flags.c_contiguous or x.flags.f_contiguous:
            equal(add(cuda.to_device(x), cuda.to_device(x)), x + x)
    d = cuda.to_device(a)
    equal(add(d[:, 1], d[:, 2]), a[:, 1] + a[:, 2])


def test_sizes():
    for size in (0, 1, 2, 255, 256, 257, 1025):
        x = rng.random(size)
        equal(add(x, x), x + x)


def test_scalars_are_coerced():
    x = rng.random(100).astype(np.float32)
    r = gaussian(x, 0.0, 1)
    assert r.dtype == np.float32
    np.testing.assert_allclose(r, np.exp(-0.5 * x**2) / math.sqrt(2 * math.pi), rtol=1e-5)
    equal(add(np.arange(5), 3), np.arange(5) + 3)
    equal(add(np.float32(2), x), x + np.float32(2))


def test_all_scalars_give_one_element():
    r = gaussian(np.float32(0), 0.0, 1.0)
    assert r.shape == (1,) and r.dtype == np.float32
    equal(add(12, 17), np.array([29]))


def test_array_types_are_exact():
    with raises(TypeError, "No matching version.  GPU ufunc requires array arguments to have the "
                "exact types.  This behaves like regular ufunc with casting='no'."):
        gaussian(np.zeros(3), 0.0, 1.0)
    with raises(TypeError, "Failed to resolve ufunc due to ambiguous signature."):
        add(1, 2.0)


def test_device_functions_and_attributes():
    @cuda.jit(device=True)
    def clip(x):
        return min(max(x, 0.0), 1.0)

    @vectorize(["float64(float64)"], target="cuda")
    def clipped(x):
        return clip(x)

    x = rng.random(100) * 4 - 2
    equal(clipped(x), np.clip(x, 0, 1))
    assert gaussian.__name__ == "gaussian" and gaussian.__doc__ == "A bell curve."


def test_options():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        vectorize(["float64(float64)"], target="cuda", nopython=True)(lambda x: x)
    assert "nopython kwarg for cuda target is redundant" in str(caught[0].message)
    with raises(TypeError, "caching is not supported"):
        vectorize(["float64(float64)"], target="cuda", cache=True)(lambda x: x)
    with raises(KeyError, "cuda vectorize target does not support option: 'x'"):
        vectorize(["float64(float64)"], target="cuda", x=1)(lambda x: x)


def test_ufunc_reduce():
    for size in (1, 2, 3, 100, 1023):
        x = np.arange(size)
        assert add.reduce(x) == x.sum()
        assert add.reduce(cuda.to_device(x)) == x.sum()
    with raises(TypeError, "Reduction on an empty array."):
        add.reduce(np.zeros(0, np.int64))


def test_stream_argument():
    stream = cuda.stream()
    x = cuda.to_device(np.arange(10.0), stream=stream)
    r = add(x, x, stream=stream)
    stream.synchronize()
    equal(r, np.arange(10.0) * 2)


# --- cuda.reduce -----------------------------------------------------------------------------

@cuda.reduce
def total(a, b):
    return a + b


def test_reduce():
    for size in (1, 2, 31, 127, 128, 129, 1000, 8192, 8193, 100003):
        x = np.arange(size, dtype=np.float64)
        assert total(x) == x.sum(), size
        assert total(cuda.to_device(x)) == x.sum(), size
    assert total(np.arange(1000, dtype=np.int32)) == 499500


def test_reduce_by_many_threads_on_either_device():
    fold = ThreadsFold(cuda.jit(device=True)(lambda a, b: a + b), np.dtype(np.int64))
    out = cuda.device_array(1, np.int64)
    for size in (1, 2, 255, 256, 257, 1023, 1024, 2048, 2049, 5000, 100003):
        x = rng.integers(-1000, 1000, size)
        for values in (x, cuda.to_device(x), cuda.to_device(np.repeat(x, 2))[::2]):
            fold(cuda.get_current_device(), values, out, 7, cuda.default_stream())
            equal(out, [x.sum() + 7])


def test_reduce_arguments():
    x = np.arange(100.0)
    assert total(x, size=10) == 45
    assert total(x, init=5) == x.sum() + 5
    assert total(np.zeros(0), init=3) == 3
    res = cuda.device_array(1)
    assert total(x, res=res) is None and res[0] == x.sum()
    with raises(TypeError, "only support 1D array"):
        total(np.zeros((2, 2)))


def test_reduce_by_other_functions():
    x = rng.random(5000)
    assert cuda.reduce(lambda a, b: max(a, b))(x) == x.max()
    near_one = 1 + rng.uniform(-1, 1, 10003) / 1e3
    product = cuda.reduce(lambda a, b: a * b)
    np.testing.assert_allclose(product(near_one, init=1), np.prod(near_one), rtol=1e-9)
    assert product(near_one) == 0


# --- guvectorize -----------------------------------------------------------------------------

def row_sums(target):
    @guvectorize(["void(int32[:,:], int32[:])", "void(float32[:,:], float32[:])"], "(n,m)->(n)",
                 target=target)
    def sum_row(a, s):
        for i in range(a.shape[0]):
            total = 0.
            for j in range(a.shape[1]):
                total += a[i, j]
            s[i] = total
    return sum_row


def test_gufunc():
    for target in ("cuda", "cpu"):
        sum_row = row_sums(target)
        a = rng.random((100, 50)).astype(np.float32)
        np.testing.assert_allclose(sum_row(a), a.sum(1), rtol=1e-4)
        ints = np.arange(12, dtype=np.int32).reshape(3, 4)
        equal(sum_row(ints), ints.sum(1).astype(np.int32))
        a3 = rng.random((5, 3, 4)).astype(np.float32)
        assert sum_row(a3).shape == (5, 3)
        np.testing.assert_allclose(sum_row(a3), a3.sum(2), rtol=1e-5)
        out = np.zeros((5, 3), np.float32)
        sum_row(a3, out)
        np.testing.assert_allclose(out, a3.sum(2), rtol=1e-5)
        text = "sum_row() takes from 1 to 2 positional arguments but 3 were given"
        if target == "cuda":
            text = ("This gufunc accepts 1 positional argument (when providing input only) or "
                    "2 positional arguments (when providing input and output). Got 3 positional arguments.")
        with raises(TypeError, text):
            sum_row(a, a, a)


def test_gufunc_on_the_device_with_scalars():
    @guvectorize(["void(float32[:], float32, float32[:])"], "(n),()->(n)", target="cuda")
    def scale(x, factor, out):
        for i in range(x.shape[0]):
            out[i] = x[i] * factor

    x = rng.random((6, 4)).astype(np.float32)
    equal(scale(x, np.float32(2)), x * 2)
    equal(scale(x, np.arange(6, dtype=np.float32)), x * np.arange(6, dtype=np.float32)[:, None])
    r = scale(cuda.to_device(x), np.float32(3))
    assert isinstance(r, cuda.DeviceNDArray)
    equal(r, x * np.float32(3))

    @guvectorize(["void(float64[:], float64[:])"], "(n)->()", target="cuda")
    def norm(x, out):
        total = 0.0
        for i in range(x.shape[0]):
            total += x[i] * x[i]
        out[0] = math.sqrt(total)

    y = rng.random((7, 3))
    np.testing.assert_allclose(norm(y), np.sqrt((y * y).sum(1)))


def test_gufunc_converts_no_number_into_another():
    """Inputs of a wider dtype are taken, as by numba, but only with values that the signature's dtype holds."""
    @guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", target="cuda")
    def doubled(x, out):
        for i in range(x.shape[0]):
            out[i] = x[i] * 2

    for good in (np.array([3, -4]), np.array([3.0, -4.0]), np.array([1, 0], "u1")):
        equal(doubled(good), (good * 2).astype(np.int32))
        equal(doubled(cuda.to_device(good)).copy_to_host(), (good * 2).astype(np.int32))
    for bad in (np.array([2**33 + 2, 1]), np.array([1.5, 2.0]), np.array([np.nan, 1.0])):
        for x in (bad, cuda.to_device(bad)):
            with raises(TypeError, "int32"):
                doubled(x)


def test_gufunc_finds_what_its_output_held():
    @guvectorize(["void(float64[:], float64[:])"], "(n)->(n)", target="cuda")
    def put(x, out):
        out[0] = x[0] + out[1]

    x = np.arange(1.0, 4.0)
    for out in (np.full(3, 7.0), np.full(3, 7.0, np.float32), np.full(6, 7.0)[::2]):
        put(x, out)
        assert out.tolist() == [8.0, 7.0, 7.0]
    held = cuda.to_device(np.full(3, 7.0))
    put(x, held)
    equal(held.copy_to_host(), np.array([8.0, 7.0, 7.0]))


def test_what_signatures_leave_out():
    from numba import float64, int32, types, void

    @vectorize([(float64, float64)], target="cuda")
    def total(x, y):
        return x + y

    assert total(np.ones(3), 2.0).dtype == np.float64

    @vectorize([(types.NPDatetime("D"), types.NPDatetime("D"))], target="cuda")
    def days(x, y):
        return x - y

    x, y = (np.array(dates, "M8[D]") for dates in (["2020-01-03", "2020-01-05"], ["2020-01-01"] * 2))
    equal(days(x, y), x - y)
    for signature, options, text in (
            (void(int32[:], int32[:]), {"nopython": False}, "nopython flag must be True"),
            (void(int32[:], int32[:]), {"what": 1, "ever": 2}, "not supported: 'what', 'ever'"),
            (int32(int32[:], int32[:]), {}, "guvectorized functions cannot return values")):
        with raises(TypeError, text):
            guvectorize([signature], "(n)->(n)", target="cuda", **options)(lambda a, b: None)


def test_results_in_arrays_of_others():
    class Other:
        def __init__(self, array):
            self.array = array

        @property
        def __cuda_array_interface__(self):
            return self.array.__cuda_array_interface__

    out = Other(cuda.device_array((2, 3)))
    result = add(np.ones((2, 3)), np.arange(3.0), out=out)
    equal(result, 1 + np.zeros((2, 3)) + np.arange(3.0))
    equal(out.array, result.copy_to_host())
