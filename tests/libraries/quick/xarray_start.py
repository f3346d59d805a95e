"""xarray, numbagg: rolling, exponential and grouped windows by numbagg, and compiled functions by apply_ufunc"""
import numpy as np
import xarray as xr
from numba import float64, guvectorize, njit, vectorize

random = np.random.default_rng(5)
values = random.random((12, 30, 200))
values[random.random(values.shape) < 0.1] = np.nan
array = xr.DataArray(values, dims=("level", "place", "time"), coords={"time": np.arange(200), "place": np.arange(30) % 4})


@guvectorize([(float64[:], float64[:])], "(n)->()")
def trend(x, out):
    n, mean = 0, 0.0
    for value in x:
        if value == value:
            n += 1
            mean += (value - mean) / n
    out[0] = mean


@vectorize
def squashed(x, scale):
    return x / (scale + abs(x))


@njit
def longest_run(x):
    best = run = 0
    for value in x:
        run = run + 1 if value == value else 0
        best = max(best, run)
    return best


with xr.set_options(use_numbagg=True, use_bottleneck=False):
    for name in ("mean", "sum", "std", "var", "min", "max"):
        rolled = getattr(array.rolling(time=10, min_periods=2), name)()
        print("rolling", name, repr(float(rolled.sum())))
    for name in ("mean", "sum", "std", "var"):
        print("exp", name, repr(float(getattr(array.rolling_exp(time=5), name)().sum())))
    print("fill", repr(float(array.ffill("time").sum())), repr(float(array.bfill("time").sum())))
    for name in ("mean", "sum", "std", "median", "max", "count"):
        print("reduced", name, repr(float(getattr(array, name)("time").sum())))
    print("quantile", *map(repr, map(float, array.quantile([0.1, 0.9], "time").sum(["level", "place"]))))
    print("grouped", *map(repr, map(float, array.groupby("place").mean().mean(["level", "time"]))))
print("gufunc", repr(float(xr.apply_ufunc(trend, array, input_core_dims=[["time"]]).sum())))
print("ufunc", repr(float(xr.apply_ufunc(squashed, array, 2.0).sum())), repr(float(squashed(array, 3.0).sum())))
print("vectorized", int(xr.apply_ufunc(longest_run, array, input_core_dims=[["time"]], vectorize=True).sum()))
