# SPDX-License-Identifier: MIT
"""np.unique, along an axis, too: what is compared then are the subarrays."""
import numpy as np

from gridcell.library import compiled, small
from gridcell.library.merging import merged_places
from gridcell.library.shapes import moveaxis
from gridcell.library.sorting import before, unique as unique_items, with_first
from gridcell.library.views import contiguous, place


@small
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, equal_nan=True):
    if axis is None or ar.ndim == 1:
        if axis is not None:
            place(axis, 1)
        return unique_items(ar, return_index, return_inverse, return_counts, equal_nan)
    else:
        k = place(axis, ar.ndim)
        front = contiguous(moveaxis(ar, k, 0))
        n = front.shape[0]
        rows = front.reshape((n, front.size // max(n, 1)))
        order = merged_places(rows, follows)
        starts = first_of_groups(rows, order)
        values = moveaxis(front[order[starts]], 0, k)
        if return_index or return_inverse or return_counts:
            return with_first(values, order, starts, return_index, return_inverse, return_counts, (n,))
        else:
            return values


def unique_with(index, inverse, counts):
    @small
    def function(x):
        return unique_items(x, index, inverse, counts, False)

    return function


unique_values = unique_with(False, False, False)
unique_counts = unique_with(False, False, True)
unique_inverse = unique_with(False, True, False)
unique_all = unique_with(True, True, True)


@compiled
def is_before(x, y):
    """Whether a row comes before another one."""
    for i in range(len(x)):
        if x[i] != y[i] and (x[i] == x[i] or y[i] == y[i]):
            return before(x[i], y[i])
    return False


@compiled
def follows(rows, i, k):
    return is_before(rows[k], rows[i])


@compiled
def first_of_groups(rows, order):
    out = np.empty(len(order), np.int64)
    count = 0
    for i in range(len(order)):
        if i == 0 or (rows[order[i]] != rows[order[i - 1]]).any():
            out[count] = i
            count += 1
    return out[:count]
