"""dask, numpy: compiled functions, ufuncs and gufuncs on the blocks of arrays"""
import dask
import dask.array as da
import numpy as np
from numba import float64, guvectorize, int64, njit, stencil, vectorize


@stencil
def bent(a):
    return a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1] - 4 * a[0, 0]


@njit(nogil=True)
def smoothed(x):
    out = x.copy()
    for i in range(1, x.shape[0] - 1):
        for j in range(x.shape[1]):
            out[i, j] = (x[i - 1, j] + 2 * x[i, j] + x[i + 1, j]) / 4
    return out


@njit
def laplace(x):
    """By a kernel that looks at four neighbours."""
    return bent(x)


@vectorize([float64(float64, float64)])
def distance(x, y):
    return (x * x + y * y) ** 0.5


@vectorize
def clipped(x, low):
    return x if x > low else low


@guvectorize([(float64[:], int64, float64[:])], "(n),()->(n)")
def moving(x, width, out):
    total = 0.0
    for i in range(len(x)):
        total += x[i] - (x[i - width] if i >= width else 0.0)
        out[i] = total / min(i + 1, width)


@guvectorize([(float64[:], float64[:], float64[:])], "(),()->()")
def both(x, y, out):
    out[0] = x[0] * y[0] + 1


@njit
def walk(seed):
    np.random.seed(seed)
    return np.random.standard_normal(1000).cumsum().max()


with dask.config.set(scheduler="threads"):
    x = da.from_array(np.random.default_rng(1).random((600, 400)), chunks=(150, 100))
    print("blocks", repr(float(x.map_blocks(smoothed, dtype=float).sum().compute())))
    print("overlap", repr(float(x.map_overlap(laplace, depth=1, boundary="reflect", dtype=float).sum().compute())))
    print("ufunc", repr(float(da.map_blocks(distance, x, x[::-1], dtype=float).sum().compute())))
    print("called", repr(float(distance(x, x.T[:400, :400].sum(axis=0)).sum().compute())))
    print("dynamic", repr(float(x.map_blocks(clipped, 0.5).sum().compute())))
    print("gufunc", repr(float(da.apply_gufunc(moving, "(n),()->(n)", x.rechunk((150, 400)), 7, output_dtypes=float).sum().compute())))
    print("direct", repr(float(moving(x.rechunk((150, 400)), 5).mean().compute())))
    print("scalars", repr(float(both(x, 2.0).sum().compute())))
    print("delayed", *map(repr, map(float, dask.compute(*(dask.delayed(walk)(seed) for seed in range(8))))))
    print("reduced", repr(float(x.map_blocks(njit(lambda block: np.array([[block.max()]])), chunks=(1, 1)).sum().compute())))
