"""numbagg: moving, exponential and grouped functions"""
import numbagg
import numpy as np

random = np.random.RandomState(0)
a = random.rand(50, 400)
a[random.rand(50, 400) < 0.1] = np.nan
print("nan", numbagg.nansum(a), numbagg.nanmean(a), numbagg.nanstd(a), numbagg.nanvar(a), numbagg.nanmax(a))
print("mean", np.nansum(numbagg.move_mean(a, window=10, min_count=1)))
print("std", np.nansum(numbagg.move_std(a, window=10, min_count=2)))
print("exp", np.nansum(numbagg.move_exp_nanmean(a, alpha=0.5)), np.nansum(numbagg.move_exp_nansum(a, alpha=0.3)))
print("group", np.nansum(numbagg.group_nanmean(a, np.arange(400) % 7, axis=1)))
print("fill", np.nansum(numbagg.ffill(a, axis=1)), np.nansum(numbagg.bfill(a, axis=1)))
print("quantile", np.nansum(numbagg.nanquantile(a, quantiles=[0.25, 0.75], axis=1)))
