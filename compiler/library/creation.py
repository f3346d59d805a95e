# SPDX-License-Identifier: MIT
"""New arrays with numbers in them."""
import math

import numpy as np

from gridcell.library import compiled


@compiled
def arange(start, stop=None, step=None):
    if stop is None:
        return arange_filled(start * 0, start, start * 0 + 1)
    elif step is None:
        return arange_filled(start, stop, start * 0 + 1)
    else:
        return arange_filled(start, stop, step)


@compiled
def arange_filled(start, stop, step):
    count = max(0, math.ceil((stop - start) / step))
    out = np.full(count, start + 0 * step + 0 * stop)
    for i in range(count):
        out[i] = start + i * step
    return out


@compiled
def linspace(start, stop, num=50):
    out = np.empty(num)
    if num > 1:
        step = (stop - start) / (num - 1)
        for i in range(num):
            out[i] = start + i * step
        out[num - 1] = stop
    elif num == 1:
        out[0] = start
    return out


@compiled
def eye(n):
    out = np.zeros((n, n))
    for i in range(n):
        out[i, i] = 1
    return out
