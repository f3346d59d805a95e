"""numpy_groupies: aggregate_numba by 31 functions"""
import numpy as np
from numpy_groupies.aggregate_numba import aggregate

random = np.random.RandomState(0)
groups, values = random.randint(0, 10, 1000), random.rand(1000)
for name in ("sum prod min max mean var std first last len all any argmin argmax cumsum cumprod cummax cummin nansum "
             "nanmean nanvar nanmin nanmax nanlen nanfirst nanlast sumofsquares sort allnan anynan nanargmax").split():
    print(name, np.asarray(aggregate(groups, values, func=name)).sum())
print("pairs", aggregate(np.array([groups, groups % 3]), values, func="sum").sum())
