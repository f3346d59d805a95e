# SPDX-License-Identifier: MIT
"""Order statistics, averages, reductions that pass NaN over, covariance."""
import math

import numpy as np

from gridcell.library import (
    COMPLEX, NUMBER, TIME, bits, compiled, dtype_of, external, form, kind, small, tuple_set)
from gridcell.library.axes import accumulate, array_var, reduce, reduce_with
from gridcell.library.reductions import array_mean, zero
from gridcell.library.quantiles import without_nan
from gridcell.library.views import contiguous, flat, place, with_ones


@small
def work_row(a):
    """A copy in one row, to be put in order."""
    return flat(a).copy()


@small
def select(row, k):
    external("gridcell_select", "status", row, len(row), k, kind(row) * 1000 + bits(row))


@compiled
def has_nan(a):
    for i in range(len(a)):
        if a[i] != a[i]:
            return True
    return False


# --- Median


@compiled
def middle_of_times(row, n):
    if n == 0 or has_nan(row):
        return row.dtype(-9223372036854775807 - 1)  # NaT
    ordered = np.sort(row)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


@compiled
def array_median(a):
    row = work_row(a)
    n = len(row)
    if kind(a) == TIME:
        return middle_of_times(row, n)
    result = np.divide(zero(a.dtype), dtype_of(zero(a.dtype))(2))
    if n == 0 or has_nan(row):
        return result + dtype_of(result)(math.nan)
    select(row, n // 2)
    upper = row[n // 2]
    if n % 2 == 1:
        return result + upper
    lower = row[0]
    for i in range(1, n // 2):
        if row[i] > lower:
            lower = row[i]
    return dtype_of(result)(np.divide(dtype_of(result)(lower) + dtype_of(result)(upper), dtype_of(result)(2)))


@compiled
def median(a, axis=None, keepdims=None):
    return reduce(array_median, a, axis, keepdims)


@compiled
def array_nanmedian(a):
    return array_median(without_nan(a))


@compiled
def nanmedian(a, axis=None, keepdims=None):
    return reduce(array_nanmedian, a, axis, keepdims)


# --- Reductions that pass NaN over


@compiled
def array_nansum(a):
    total = zero(a.dtype)
    for x in flat(a):
        if x == x:
            total += x
    return total


@compiled
def array_nanprod(a):
    total = zero(a.dtype) + a.dtype(1)
    for x in flat(a):
        if x == x:
            total *= x
    return total


@compiled
def array_nanmean(a):
    items = flat(a)
    total = zero(a.dtype)
    count = 0
    for x in items:
        if x == x:
            total += x
            count += 1
    return np.divide(total, dtype_of(total)(count))


@compiled
def array_nanvar(a, ddof):
    items = without_nan(a)
    value = array_var(items, ddof)
    return dtype_of(value)(math.nan) if len(items) <= ddof else value


@compiled
def array_nanstd(a, ddof):
    return np.sqrt(array_nanvar(a, ddof))


@compiled
def array_nanmin(a):
    items = flat(a)
    if len(items) == 0:
        raise ValueError("zero-size array to reduction operation fmin which has no identity")
    best = items[0]
    for x in items:
        if x < best or best != best:
            best = x
    return best


@compiled
def array_nanmax(a):
    items = flat(a)
    if len(items) == 0:
        raise ValueError("zero-size array to reduction operation fmax which has no identity")
    best = items[0]
    for x in items:
        if x > best or best != best:
            best = x
    return best


@compiled
def array_nanargmin(a):
    items = flat(a)
    place = -1
    for i in range(len(items)):
        if items[i] == items[i] and (place < 0 or items[i] < items[place]):
            place = i
    if place < 0:
        raise ValueError("All-NaN slice encountered")
    return place


@compiled
def array_nanargmax(a):
    items = flat(a)
    place = -1
    for i in range(len(items)):
        if items[i] == items[i] and (place < 0 or items[i] > items[place]):
            place = i
    if place < 0:
        raise ValueError("All-NaN slice encountered")
    return place


@compiled
def nansum(a, axis=None, dtype=None, keepdims=None):
    return reduce(array_nansum, a if dtype is None else a.astype(dtype), axis, keepdims)


@compiled
def nanprod(a, axis=None, dtype=None, keepdims=None):
    return reduce(array_nanprod, a if dtype is None else a.astype(dtype), axis, keepdims)


@compiled
def nanmean(a, axis=None, dtype=None, keepdims=None):
    return reduce(array_nanmean, a if dtype is None else a.astype(dtype), axis, keepdims)


@compiled
def nanvar(a, axis=None, dtype=None, ddof=0, keepdims=None):
    return reduce_with(array_nanvar, a if dtype is None else a.astype(dtype), axis, keepdims, ddof)


@compiled
def nanstd(a, axis=None, dtype=None, ddof=0, keepdims=None):
    return reduce_with(array_nanstd, a if dtype is None else a.astype(dtype), axis, keepdims, ddof)


@compiled
def nanmin(a, axis=None, keepdims=None):
    return reduce(array_nanmin, a, axis, keepdims)


@compiled
def nanmax(a, axis=None, keepdims=None):
    return reduce(array_nanmax, a, axis, keepdims)


@compiled
def nanargmin(a, axis=None, keepdims=None):
    return reduce(array_nanargmin, a, axis, keepdims)


@compiled
def nanargmax(a, axis=None, keepdims=None):
    return reduce(array_nanargmax, a, axis, keepdims)


@compiled
def nan_running_sum(a, out):
    total = out.dtype(0)
    for i in range(len(a)):
        if a[i] == a[i]:
            total += a[i]
        out[i] = total


@compiled
def nan_running_product(a, out):
    total = out.dtype(1)
    for i in range(len(a)):
        if a[i] == a[i]:
            total *= a[i]
        out[i] = total


@compiled
def nancumsum(a, axis=None):
    return accumulate(nan_running_sum, a, axis)


@compiled
def nancumprod(a, axis=None):
    return accumulate(nan_running_product, a, axis)


# --- Averages and covariance


@compiled
def average(a, axis=None, weights=None, keepdims=None):
    if weights is None:
        return means_of(a, axis, keepdims)
    elif axis is None:
        if a.shape != weights.shape:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        return weighed(sums_of(np.multiply(a, weights), None, keepdims), np.sum(weights))
    elif weights.ndim == a.ndim:
        return weighed(sums_of(np.multiply(a, weights), axis, keepdims), sums_of(weights, axis, keepdims))
    else:
        spread = weights.reshape(tuple_set(with_ones(a.shape, tuple_all(a.shape)), place(axis, a.ndim), len(weights)))
        return weighed(sums_of(np.multiply(a, spread), axis, keepdims), np.sum(weights))


@compiled
def means_of(a, axis, keepdims):
    if keepdims is None:
        return np.mean(a, axis)
    else:
        return np.mean(a, axis, keepdims=True)


@compiled
def sums_of(a, axis, keepdims):
    if keepdims is None:
        return np.sum(a, axis)
    else:
        return np.sum(a, axis, keepdims=True)


@compiled
def weighed(sums, weights):
    if has_zero(weights):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.divide(sums, weights)


@small
def has_zero(weights):
    if form(weights) == NUMBER:
        return weights == 0
    else:
        return np.any(weights == 0)


@small
def tuple_all(shape):
    if len(shape) == 0:
        return ()
    else:
        return tuple_all(shape[:-1]) + (len(shape) - 1,)


@compiled
def variables(m, rowvar):
    """Variables as rows of floats."""
    if m.ndim == 1:
        return np.multiply(contiguous(m).reshape((1, len(m))), 1.0)
    elif rowvar or m.shape[0] == 1:
        return np.multiply(m, 1.0)
    else:
        return np.multiply(m.T, 1.0)


@compiled
def covariance(x, bias, ddof):
    rows, n = x.shape
    divisor = n - ddof
    centred = x.copy()
    for i in range(rows):
        mean = array_mean(x[i])
        for k in range(n):
            centred[i, k] -= mean
    out = np.empty((rows, rows), x.dtype)
    for i in range(rows):
        for j in range(rows):
            total = x.dtype(0)
            for k in range(n):
                total += centred[i, k] * np.conjugate(centred[j, k])
            out[i, j] = np.divide(total, x.dtype(max(0, divisor)))
    return out


@small
def degrees(bias, ddof):
    if ddof is None:
        return 0 if bias else 1
    else:
        return ddof


@compiled
def cov_matrix(m, y, rowvar, bias, ddof):
    if y is None:
        return covariance(variables(m, rowvar), bias, degrees(bias, ddof))
    else:
        return covariance(np.concatenate((variables(m, rowvar), variables(y, rowvar))), bias, degrees(bias, ddof))


@compiled
def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    out = cov_matrix(m, y, rowvar, bias, ddof)
    if m.ndim == 1 and y is None:
        result = np.empty((), out.dtype)
        result[()] = out[0, 0]
        return result
    else:
        return out


@compiled
def corrcoef(x, y=None, rowvar=True):
    if x.ndim == 1 and y is None:
        return dtype_of(np.multiply(zero(x.dtype), 1.0))(1)
    else:
        c = cov_matrix(x, y, rowvar, False, None)
        n = len(c)
        out = np.empty(c.shape, c.dtype)
        for i in range(n):
            for j in range(n):
                out[i, j] = bounded(np.divide(c[i, j], np.sqrt(deviation(c[i, i]) * deviation(c[j, j]))))
        return out


@compiled
def deviation(x):
    if kind(x) == COMPLEX:
        return x.real
    else:
        return x


@compiled
def bounded(x):
    if kind(x) == COMPLEX:
        return x
    else:
        return min(max(x, -1.0), 1.0) if x == x else x
