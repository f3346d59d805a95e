# SPDX-License-Identifier: MIT
"""Quantiles and percentiles, by each of NumPy's methods, of all items or along axes."""
import math

import numpy as np

from gridcell.library import NUMBER, TUPLE, compiled, form, small, tuple_take
from gridcell.library.axes import reduce_with
from gridcell.library.reductions import extreme_of_row, place_of, precedes
from gridcell.library.sorting import select_row, sort_row
from gridcell.library.views import axes_of, flat, number_among, order_of, rows_along, with_ones

FEW = 4  # quantiles, for which the items need not be sorted
METHODS = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf",
           "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased",
           "normal_unbiased")


number_of = number_among(METHODS, "method of quantiles must be one of those that NumPy documents")


@small
def spread_place(n, q, alpha, beta):
    return n * q + (alpha + q * (1 - alpha - beta)) - 1


@small
def virtual_place(n, q, method):
    """Where in a sorted row of n the quantile lies, by methods that interpolate."""
    if method == 8:
        return spread_place(n, q, 0.0, 1.0)
    if method == 9:
        return spread_place(n, q, 0.5, 0.5)
    if method == 10:
        return spread_place(n, q, 0.0, 0.0)
    if method == 11:
        return spread_place(n, q, 1 / 3, 1 / 3)
    if method == 12:
        return spread_place(n, q, 3 / 8, 3 / 8)
    return n * q - 1.0 if method == 6 else q * (n - 1)


@small
def observed_place(n, q, method):
    """The place of one of the items, by the methods that choose one; -1 by the others."""
    if method == 1:
        return np.int64(math.floor(q * (n - 1)))
    if method == 2:
        return np.int64(math.ceil(q * (n - 1)))
    if method == 4:
        return np.int64(np.rint(q * (n - 1)))
    if method != 5 and method != 7:
        return -1
    virtual = n * q - 1.0 if method == 5 else n * q - 1.5
    low = math.floor(virtual)
    stays = virtual == low and (method == 5 or low % 2 == 1)
    return max(np.int64(low if stays else low + 1), 0)


@small
def first_needed(n, q, method):
    """The place of the first item that a quantile of n items is made of."""
    observed = observed_place(n, q, method)
    if observed >= 0:
        return min(observed, n - 1)
    return min(max(np.int64(math.floor(virtual_place(n, q, method))), 0), n - 1)


@compiled
def put_needed(row, q, method):
    """Brings into their places the two items that the quantile is made of, and a NaN to the end."""
    if len(row) > 0 and q == q:
        k = first_needed(len(row), q, method)
        select_row(row, k)
        if k + 1 < len(row) and row[len(row) - 1] == row[len(row) - 1]:
            at = k + 1 + place_of(row[k + 1:], extreme_of_row(row[k + 1:], precedes))
            row[k + 1], row[at] = row[at], row[k + 1]


@compiled
def at_quantile(row, q, method):
    """The quantile of a sorted row. On a line to or from an infinite item there is none but where NumPy has it, too."""
    n = len(row)
    if n == 0 or row[n - 1] != row[n - 1] or q != q:
        return math.nan
    observed = observed_place(n, q, method)
    if observed >= 0:
        return float(row[min(observed, n - 1)])
    virtual = virtual_place(n, q, method)
    low = np.int64(math.floor(virtual))
    t = virtual - low
    if virtual >= n - 1:
        low = n - 1
    elif virtual < 0:
        low = 0
        t = 0.0
    if method == 3 and t != 0:
        t = 0.5
    elif method == 6:
        t = 0.5 if t == 0 else 1.0
    x = float(row[low])
    y = float(row[low if virtual < 0 else min(low + 1, n - 1)])
    return y - (y - x) * (1 - t) if t >= 0.5 else x + (y - x) * t


@small
def check_q(q):
    if not 0 <= q <= 1:
        raise ValueError("Quantiles must be in the range [0, 1]")


@small
def without_nan(a):
    items = flat(a)
    count = 0
    out = np.empty(len(items), a.dtype)
    for i in range(len(items)):
        if items[i] == items[i]:
            out[count] = items[i]
            count += 1
    return out[:count]


@small
def items_of(a, skips_nan):
    """In a row of its own."""
    if skips_nan:
        return without_nan(a)
    else:
        return flat(a).copy()


@compiled
def one_quantile(a, how):
    q, method, skips_nan = how
    check_q(q)
    row = items_of(a, skips_nan)
    put_needed(row, q, method)
    return at_quantile(row, q, method)


@compiled
def quantiles(rows, q, method, skips_nan):
    """Of each row, each of q: the quantiles first."""
    out = np.empty((len(q), len(rows)), np.float64)
    for j in range(len(q)):
        check_q(q[j])
    for i in range(len(rows)):
        row = items_of(rows[i], skips_nan)
        if len(q) > FEW:
            sort_row(row)
        for j in range(len(q)):
            if len(q) <= FEW:
                put_needed(row, q[j], method)
            out[j, i] = at_quantile(row, q[j], method)
    return out


@compiled
def quantiles_of_all(a, q, method, skips_nan, keepdims):
    out = quantiles(flat(a).reshape((1, a.size)), flat(q), method, skips_nan)
    if keepdims is None:
        return out.reshape(q.shape)
    else:
        return out.reshape(q.shape + ones(a.shape))


@small
def ones(shape):
    if len(shape) == 0:
        return ()
    else:
        return ones(shape[1:]) + (1,)


@compiled
def quantiles_along(a, q, axes, method, skips_nan, keepdims):
    order = order_of(a, axes)
    out = quantiles(rows_along(a, order, axes), flat(q), method, skips_nan)
    if keepdims is None:
        return out.reshape(q.shape + tuple_take(a.shape, order[:a.ndim - len(axes)]))
    else:
        return out.reshape(q.shape + with_ones(a.shape, axes))


@compiled
def quantile_by(a, q, axis, method, skips_nan, keepdims):
    if form(a) == NUMBER:
        return quantile_by(np.full(1, a), q, axis, method, skips_nan, keepdims)
    elif form(q) == NUMBER:
        return reduce_with(one_quantile, a, axis, keepdims, (float(q), method, skips_nan))
    elif form(q) == TUPLE:
        return quantile_by(a, np.array(q), axis, method, skips_nan, keepdims)
    elif axis is None:
        return quantiles_of_all(a, q, method, skips_nan, keepdims)
    else:
        return quantiles_along(a, q, axes_of(axis), method, skips_nan, keepdims)


@small
def same(q):
    return q


@small
def share(q):
    """Of percents."""
    if form(q) == TUPLE:
        return np.array(q) / 100
    else:
        return np.divide(q, 100)


def quantiles_by(as_share, skips_nan):
    @compiled
    def function(a, q, axis=None, overwrite_input=False, method=None, keepdims=None):
        return quantile_by(a, as_share(q), axis, number_of(method), skips_nan, keepdims)

    return function


quantile = quantiles_by(same, False)
percentile = quantiles_by(share, False)
nanquantile = quantiles_by(same, True)
nanpercentile = quantiles_by(share, True)
