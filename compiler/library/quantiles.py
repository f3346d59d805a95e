# SPDX-License-Identifier: MIT
"""Quantiles and percentiles, by each of NumPy's methods, of all items or along axes.

What is a quantile of a sorted row, `of`, is one of its items by some methods, and has their dtype; by the others it
lies on the line between two of them. Places are computed in the precision of q, as NumPy does.
"""
import math

import numpy as np

from gridcell.library import (
    ARRAY, COMPLEX, FLOAT, NUMBER, TIME, TUPLE, compiled, dtype_of, form, kind, result_dtype, small, tuple_take)
from gridcell.library.axes import reduce_with
from gridcell.library.reductions import extreme_of_row, place_of, precedes
from gridcell.library.sorting import select_row, sort_row
from gridcell.library.views import axes_of, flat, number_among, order_of, rows_along, with_ones

FEW = 4  # quantiles, for which the items need not be sorted
METHODS = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf",
           "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased",
           "normal_unbiased")


number_of = number_among(METHODS, "method of quantiles must be one of " + ", ".join(map(repr, METHODS)))


@small
def spread_place(n, q, alpha, beta):
    number = dtype_of(q)
    return n * q + (number(alpha) + q * number(1 - alpha - beta)) - number(1)


@small
def virtual_place(count, q, method):
    """Where in a sorted row the quantile lies, by methods that interpolate."""
    number = dtype_of(q)
    n = number(count)
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
    return n * q - number(1) if method == 6 else q * number(count - 1)


@small
def observed_place(count, q, method):
    """The place of one of the items, by the methods that choose one; -1 by the others."""
    number = dtype_of(q)
    last = q * number(count - 1)
    if method == 1:
        return np.int64(math.floor(last))
    if method == 2:
        return np.int64(math.ceil(last))
    if method == 4:
        return np.int64(np.rint(last))
    if method != 5 and method != 7:
        return -1
    virtual = number(count) * q - number(1)
    if method == 7:
        virtual -= number(0.5)
    low = np.int64(math.floor(virtual))
    stays = virtual == low and (method == 5 or low % 2 == 1)
    return max(low if stays else low + 1, 0)


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
    if len(row) > 0:
        k = first_needed(len(row), q, method)
        select_row(row, k)
        if k + 1 < len(row) and row[len(row) - 1] == row[len(row) - 1]:
            at = k + 1 + place_of(row[k + 1:], extreme_of_row(row[k + 1:], precedes))
            row[k + 1], row[at] = row[at], row[k + 1]


@small
def nothing_of(row):
    """The quantile of no items, where there is a number for it."""
    if kind(row) == FLOAT:
        return row.dtype(math.nan)
    elif kind(row) == TIME:
        return row.dtype(-9223372036854775807 - 1)  # NaT
    else:
        raise IndexError("cannot do a non-empty take from an empty axes.")


@compiled
def chosen(row, q, method):
    """The item of a sorted row that is its quantile."""
    n = len(row)
    if n == 0:
        return nothing_of(row)
    elif row[n - 1] != row[n - 1]:
        return row[n - 1]
    else:
        # of integers, 0 and 1, lines lead to an item, too
        return row[min(n - 1, observed_place(n, q, 1 if method == 0 else method))]


@small
def real(x):
    return x if kind(x) == TIME else float(x)


@compiled
def interpolated(row, q, method):
    """The quantile of a sorted row. On a line to or from an infinite item there is none but where NumPy has it, too."""
    n = len(row)
    if n == 0 or row[n - 1] != row[n - 1]:
        return real(nothing_of(row)) if kind(row) == TIME else math.nan
    number = dtype_of(q)
    virtual = virtual_place(n, q, method)
    low = np.int64(math.floor(virtual))
    t = virtual - number(low)
    if virtual >= number(n - 1):
        low = n - 1
    elif virtual < 0:
        low = 0
        t = number(0)
    if method == 3 and t != 0:
        t = number(0.5)
    elif method == 6:
        t = number(0.5 if t == 0 else 1)
    x = real(row[low])
    y = real(row[low if virtual < 0 else min(low + 1, n - 1)])
    return y - (y - x) * (number(1) - t) if t >= 0.5 else x + (y - x) * t


def checking(largest, name):
    @small
    def check(q):
        if form(q) == ARRAY:
            if q.ndim > 2:
                raise ValueError("q must be a scalar or 1d")
            for x in flat(q):
                check(x)
        elif not 0 <= q <= largest:
            raise ValueError(message)

    message = f"{name} must be in the range [0, {largest}]"
    return check


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
    of, q, method, skips_nan = how
    row = items_of(a, skips_nan)
    put_needed(row, q, method)
    return of(row, q, method)


@compiled
def quantiles(of, rows, q, method, skips_nan):
    """Of each row, each of q: the quantiles first."""
    out = np.empty((len(q), len(rows)), result_dtype(of, rows[0], q[0], method))
    for i in range(len(rows)):
        row = items_of(rows[i], skips_nan)
        if len(q) > FEW:
            sort_row(row)
        for j in range(len(q)):
            if len(q) <= FEW:
                put_needed(row, q[j], method)
            out[j, i] = of(row, q[j], method)
    return out


@compiled
def quantiles_of_all(of, a, q, method, skips_nan, keepdims):
    out = quantiles(of, flat(a).reshape((1, a.size)), flat(q), method, skips_nan)
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
def quantiles_along(of, a, q, axes, method, skips_nan, keepdims):
    order = order_of(a, axes)
    out = quantiles(of, rows_along(a, order, axes), flat(q), method, skips_nan)
    if keepdims is None:
        return out.reshape(q.shape + tuple_take(a.shape, order[:a.ndim - len(axes)]))
    else:
        return out.reshape(q.shape + with_ones(a.shape, axes))


@compiled
def quantile_by(of, a, q, axis, method, skips_nan, keepdims):
    if form(q) == NUMBER:
        return reduce_with(one_quantile, a, axis, keepdims, (of, q, method, skips_nan))
    elif axis is None:
        return quantiles_of_all(of, a, q, method, skips_nan, keepdims)
    else:
        return quantiles_along(of, a, q, axes_of(axis), method, skips_nan, keepdims)


@small
def as_floats(q):
    return q if kind(q) == FLOAT else np.multiply(q, 1.0)


@small
def hundredth(q):
    return np.divide(q, dtype_of(q)(100) if kind(q) == FLOAT else 100)


def quantiles_by(check, as_share, skips_nan):
    @compiled
    def function(a, q, axis=None, overwrite_input=False, method="linear", keepdims=None):
        if form(a) == NUMBER:
            return function(np.full(1, a), q, axis, overwrite_input, method, keepdims)
        elif kind(a) == COMPLEX:
            raise TypeError("a must be an array of real numbers")
        elif form(q) == TUPLE:
            return function(a, np.array(q), axis, overwrite_input, method, keepdims)
        elif form(q) == ARRAY and q.ndim == 0:
            return function(a, q[()], axis, overwrite_input, method, keepdims)
        else:
            check(q)
            share, number = as_share(q), number_of(method)
            if (method == "lower" or method == "higher" or method == "nearest" or method == "inverted_cdf"
                    or method == "closest_observation" or (method == "linear" and kind(share) < FLOAT)):
                return quantile_by(chosen, a, as_floats(share), axis, number, skips_nan, keepdims)
            else:
                return quantile_by(interpolated, a, as_floats(share), axis, number, skips_nan, keepdims)

    return function


@small
def itself(q):
    return q


of_one, of_hundred = checking(1, "Quantiles"), checking(100, "Percentiles")
quantile = quantiles_by(of_one, itself, False)
percentile = quantiles_by(of_hundred, hundredth, False)
nanquantile = quantiles_by(of_one, itself, True)
nanpercentile = quantiles_by(of_hundred, hundredth, True)
