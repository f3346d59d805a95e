# SPDX-License-Identifier: MIT
"""Order statistics, averages, reductions that pass NaN over, covariance."""
import math
import operator

import numpy as np

from gridcell.library import (
    COMPLEX, FLOAT, INT, NUMBER, TIME, UINT, bits, compact, compiled, dtype_of, external, form, kind, row_of, small,
    tuple_set)
from gridcell.library.axes import (
    array_var, extreme_of, folding, freedom, itself, kept_whole, mean, mean_along, mean_of_sums, place_by, reduce_with,
    rows_of, running_of, sum_along, total_of, var_along, var_around, whole_or_along)
from gridcell.library.indexing import check_where
from gridcell.library.lines import RESULTS, each_line, is_last, plan_of, reduce_by, shaped
from gridcell.library.products import dot_matrices
from gridcell.library.reductions import array_mean, first, folded, follows, of_items, place_of, precedes, zero
from gridcell.library.quantiles import without_nan
from gridcell.library.views import axes_of, contiguous, flat, order_of, place, with_ones


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
    if n == 0:
        return np.divide(result, result)  # of complex numbers both parts are NaN
    if has_nan(row):
        select(row, n - 1)
        return result + row[n - 1]  # of complex numbers it says which part is NaN
    select(row, n // 2)
    upper = row[n // 2]
    if n % 2 == 1:
        return np.divide(result + upper, dtype_of(result)(1))  # the mean of it: of infinite numbers NaN is left
    lower = row[0]
    for i in range(1, n // 2):
        if follows(row[i], lower):
            lower = row[i]
    # from zero on, as means are: of negative zeros it is a positive one
    return dtype_of(result)(np.divide(result + (dtype_of(result)(lower) + dtype_of(result)(upper)), dtype_of(result)(2)))


@compiled
def array_nanmedian(a):
    return array_median(without_nan(a))


def median_by(array_median):
    of_line = rows_of(array_median)

    @compiled
    def function(a, axis=None, overwrite_input=False, keepdims=None):
        return reduce_with(of_line, a, axis, keepdims, 0)

    return function


median = median_by(array_median)
nanmedian = median_by(array_nanmedian)


# --- Reductions that pass NaN over


def passing_nan(neutral, combine):
    """A reduction to which a NaN is the neutral number."""
    @compiled
    def whole(a):
        return folded(a, zero(a.dtype) + a.dtype(neutral), lambda total, x: combine(total, x) if x == x else total, combine)

    @compiled
    def start(x, center):
        return x if x == x else dtype_of(x)(neutral)

    @compiled
    def step(total, x, center):
        return combine(total, x) if x == x else total

    return whole, start, step, folding(whole, start, step, combine)


array_nansum, number_or_zero, plus_number, nansum_along = passing_nan(0, operator.add)
array_nanprod, _, _, nanprod_along = passing_nan(1, operator.mul)
rows_nansum = rows_of(array_nansum)


@compiled
def count_numbers(a):
    """How many items are no NaN."""
    return folded(a, 0, lambda count, x: count + (x == x), operator.add)


@compiled
def is_number_first(x, center):
    return x == x


@compiled
def number_counted(count, x, center):
    return count + (x == x)


rows_count = rows_of(count_numbers)
count_along = folding(count_numbers, is_number_first, number_counted, operator.add)


@compiled
def is_number(x):
    return x == x


@compiled
def array_nanmean(a):
    if kind(a) == FLOAT or kind(a) == COMPLEX or kind(a) == TIME:
        total = array_nansum(a)
        return np.divide(total, dtype_of(total)(count_numbers(a)))
    else:  # integers are no NaN, and their sum may not fit into one
        return array_mean(a)


@compiled
def nanmean_along(a, axis, keepdims):
    if kind(a) >= FLOAT and axis is not None:
        return mean_of_sums(nansum_along(a, axis, keepdims), count_along(a, axis, keepdims))
    elif axis is None:
        return kept_whole(a, array_nanmean(row_of(a)), keepdims)
    else:
        return mean(a, axis, None, None, keepdims)


@compiled
def square_of_number(x, center):
    return abs(x - center) ** 2 if x == x else abs(center) * 0


@compiled
def plus_square_of_number(total, x, center):
    return total + abs(x - center) ** 2 if x == x else total


@compact
def row_number_squares(a, center):
    return folded(a, abs(center) * 0, lambda total, x: plus_square_of_number(total, x, center), operator.add)


@compiled
def nanvar_along(a, axes, keepdims, ddof):
    if kind(a) < FLOAT:
        return var_along(a, axes, keepdims, ddof)
    elif is_last(a, axes):
        return each_line(array_nanvar, a, axes, keepdims, ddof)
    else:
        order = order_of(a, axes)
        plan = plan_of(a, axes)
        counts, means = np.empty(plan[RESULTS], np.int64), np.empty(plan[RESULTS], a.dtype)
        reduce_by(rows_count, is_number_first, number_counted, operator.add, a, axes, plan, counts, None)
        reduce_by(rows_nansum, number_or_zero, plus_number, operator.add, a, axes, plan_of(a, axes), means, None)
        for i in range(len(means)):
            means[i] = np.divide(means[i], a.dtype(counts[i]))
        squares = np.empty(len(means), dtype_of(abs(a.dtype(0))))
        reduce_by(row_number_squares, square_of_number, plus_square_of_number, operator.add, a, axes, plan_of(a, axes), squares,
                  means)
        for i in range(len(squares)):
            squares[i] = np.divide(squares[i], freedom(counts[i], ddof)) if counts[i] > ddof else math.nan
        return shaped(squares, plan, a, order, axes, keepdims)


@compiled
def array_nanvar(a, ddof):
    items = without_nan(a)
    value = array_var(items, ddof)
    return dtype_of(value)(math.nan) if len(items) <= ddof else value


def better_number(beats):
    @compiled
    def better(best, x):
        return x if beats(x, best) or (best != best and x == x) else best

    return better


@compiled
def best_number(a, beats):
    """The item that beats the others; the first NaN where there is nothing else."""
    if kind(a) == COMPLEX:  # whose NaN differ
        better = lambda best, x: x if beats(x, best) or (best != best and x == x) else best
        return folded(a, first(a), better, better)
    else:
        better = lambda best, x: x if beats(x, best) or best != best else best
        return folded(a, first(a), better, better)


array_nanmin = of_items(best_number, precedes, "zero-size array to reduction operation fmin which has no identity")
array_nanmax = of_items(best_number, follows, "zero-size array to reduction operation fmax which has no identity")


@compiled
def check_numbers(best):
    for x in best:
        if x != x:
            raise ValueError("All-NaN slice encountered")


def place_of_number(beats):
    """place_by of a function that finds the item which beats the others that are numbers."""
    @compiled
    def find(a):
        if a.size > 0:
            best = best_number(a, beats)
            if best == best:
                return place_of(a, best)
        raise ValueError("All-NaN slice encountered")

    @compiled
    def wins(x, best):
        return beats(x, best) or (best != best and x == x)

    return place_by(find, wins, check_numbers)


@small
def converted(a, dtype):
    if dtype is None:
        return a
    else:
        return a.astype(dtype)


nansum = total_of(nansum_along, 0, np.add)
nanprod = total_of(nanprod_along, 1, np.multiply)


@compiled
def chosen(a, where):
    """As floats, with NaN where the mask does not hold."""
    check_where(a, where)
    if kind(a) >= FLOAT:
        return np.where(where, a, a.dtype(math.nan))
    else:
        return np.where(where, np.multiply(a, 1.0), math.nan)


@compiled
def nanmean(a, axis=None, dtype=None, where=None, keepdims=None):
    if where is None:
        return nanmean_along(converted(a, dtype), axis, keepdims)
    else:
        return nanmean_along(chosen(converted(a, dtype), where), axis, keepdims)


@compiled
def nanvar(a, axis=None, dtype=None, ddof=0, where=None, mean=None, correction=None, keepdims=None):
    if correction is not None:
        return nanvar(a, axis, dtype, correction, where, mean, None, keepdims)
    elif where is not None:
        return nanvar(chosen(a, where), axis, dtype, ddof, None, mean, None, keepdims)
    elif mean is None:
        return whole_or_along(array_nanvar, itself, nanvar_along, converted(a, dtype), axis, keepdims, ddof)
    else:
        return var_around(converted(a, dtype), axis, ddof, np.equal(a, a), mean, keepdims)


@compiled
def nanstd(a, axis=None, dtype=None, ddof=0, where=None, mean=None, correction=None, keepdims=None):
    return np.sqrt(nanvar(a, axis, dtype, ddof, where, mean, correction, keepdims))


nanmin = extreme_of(array_nanmin, better_number(precedes), np.fmin)
nanmax = extreme_of(array_nanmax, better_number(follows), np.fmax)
nanargmin = place_of_number(precedes)
nanargmax = place_of_number(follows)
nancumsum = running_of(0, operator.add, is_number)
nancumprod = running_of(1, operator.mul, is_number)


# --- Averages and covariance


@compiled
def average(a, axis=None, weights=None, returned=False, keepdims=None):
    if returned:
        means = average(a, axis, weights, False, keepdims)
        ones = np.ones(a.shape, np.result_type(means))
        if weights is None:
            return means, sum_along(ones, axis, keepdims)
        elif form(weights) == NUMBER:
            return average(a, axis, np.full((), weights), True, keepdims)
        else:
            return means, sum_along(weights_of(ones, axis, weights), axis, keepdims)
    elif weights is None:
        return mean_along(a, axis, keepdims)
    elif form(weights) == NUMBER:
        return average(a, axis, np.full((), weights), False, keepdims)
    elif kind(a) < FLOAT and kind(weights) == FLOAT and bits(weights) < 64:
        return average(a, axis, weights.astype(np.float64), False, keepdims)
    elif kind(a) < FLOAT and kind(weights) == COMPLEX and bits(weights) < 128:
        return average(a, axis, weights.astype(np.complex128), False, keepdims)
    elif axis is None:
        if a.shape != weights.shape:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        return weighed(sum_along(weights_of(a, axis, weights), None, keepdims), np.sum(weights))
    else:
        check_along(a, axis, weights)
        sums = sum_along(weights_of(a, axis, weights), axis, keepdims)
        return weighed(sums, sum_along(weights, axis, keepdims) if weights.ndim == a.ndim else np.sum(weights))


@small
def check_along(a, axis, weights):
    """Weights have the shape of the items, or are one for each place along the axis."""
    if a.ndim == 0:
        place(axis, 0)  # which there is none of
    if weights.ndim == a.ndim:
        fits = weights.shape == a.shape
    else:
        fits = weights.ndim == 1 and weights.size == a.shape[place(axis, a.ndim)]
    if not fits:
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")


@small
def weights_of(a, axis, weights):
    """The items times their weights, which may lie along an axis."""
    if (kind(weights) == INT or kind(weights) == UINT) and bits(weights) > 16:
        return weights_of(a, axis, weights.astype(np.float64))
    elif axis is None or weights.ndim == a.ndim:
        if weights.shape != a.shape:
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        return np.multiply(a, weights)
    else:
        shape = tuple_set(with_ones(a.shape, tuple_all(a.shape)), place(axis, a.ndim), len(weights))
        return np.multiply(a, weights.reshape(shape))


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
def variables(m, rowvar, is_second=False):
    """Variables as rows of floats."""
    if m.ndim == 0:
        return np.full((1, 1), m[()] * 1.0)
    elif m.ndim == 1:
        return np.multiply(contiguous(m).reshape((1, len(m))), 1.0)
    elif rowvar or is_second and m.shape[0] == 1:  # as NumPy has it, which turns one row of m alone
        return np.multiply(m, 1.0)
    else:
        return np.multiply(m.T, 1.0)


@small
def times(f, w):
    if f is None:
        return w
    elif w is None:
        return f
    else:
        return np.multiply(f, w)


@small
def check_weights(w, n):
    if w is not None:
        if len(w) != n:
            raise RuntimeError("incompatible numbers of samples and weights")
        if (w < 0).any():
            raise ValueError("weights cannot be negative")


@compiled
def weighted_covariance(x, ddof, fweights, aweights):
    """Samples count as often as `fweights` says, and as much as `aweights` says."""
    check_weights(fweights, x.shape[1])
    check_weights(aweights, x.shape[1])
    w = np.multiply(times(fweights, aweights), 1.0)
    total = w.sum()
    centred = x - (np.dot(x, w.astype(x.dtype)) / total)[:, None]
    lost = 0.0
    if ddof != 0:
        lost = ddof * (1.0 if aweights is None else (w * aweights).sum() / total)
    return np.dot(centred * w, np.conjugate(centred.T)) / max(total - lost, 0.0)


@compiled
def covariance(x, ddof, fweights, aweights):
    if fweights is None and aweights is None:
        return plain_covariance(x, ddof)
    else:
        return weighted_covariance(x, ddof, fweights, aweights)


@compiled
def plain_covariance(x, ddof):
    rows, n = x.shape
    centred = np.empty(x.shape, x.dtype)
    for i in range(rows):
        center(x[i], array_mean(x[i]), centred[i])
    out = products_of_rows(centred)
    finish_covariance(out, x.dtype(max(0.0, float(n) - float(ddof))))
    return out


@compiled
def products_of_rows(x):
    if kind(x) == COMPLEX:
        return dot_matrices(x, np.conjugate(x).T)
    else:
        return dot_matrices(x, x.T)


@compiled
def center(row, mean, out):
    for k in range(len(row)):
        out[k] = row[k] - mean


@compact
def finish_covariance(sums, divisor):
    """The same on both sides of the diagonal, whatever the order of additions."""
    for i in range(len(sums)):
        for j in range(i + 1):
            sums[i, j] = np.divide(sums[i, j], divisor)
            sums[j, i] = np.conjugate(sums[i, j])
        if kind(sums) == COMPLEX:
            sums[i, i] = sums.dtype(sums[i, i].real)


@small
def degrees(bias, ddof):
    if ddof is None:
        return 0 if bias else 1
    elif form(ddof) != NUMBER:
        raise ValueError("ddof must be an integer")
    else:
        if ddof != np.floor(ddof):
            raise ValueError("ddof must be an integer")
        return ddof


@compiled
def cov_matrix(m, y, rowvar, ddof, fweights, aweights):
    if y is None:
        rows = variables(m, rowvar)
        if m.ndim == 2 and len(rows) == 1 and rowvar:
            raise RuntimeError("a 2-d array of a single variable: NumPy gives an array of no dimensions for it, "
                               "but its shape is not known when the code is compiled. Pass the row as a 1-d array")
        return covariance(rows, ddof, fweights, aweights)
    else:
        both = np.concatenate((variables(m, rowvar), variables(y, rowvar, True)))
        return covariance(both, ddof, fweights, aweights)


@compiled
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    if form(m) == NUMBER:
        return cov(np.full((), m), y, rowvar, bias, ddof, fweights, aweights)
    elif y is not None and form(y) == NUMBER:
        return cov(m, np.full((), y), rowvar, bias, ddof, fweights, aweights)
    out = cov_matrix(m, y, rowvar, degrees(bias, ddof), fweights, aweights)
    if m.ndim < 2 and y is None:
        result = np.empty((), out.dtype)
        result[()] = out[0, 0]
        return result
    else:
        return out


@compiled
def corrcoef(x, y=None, rowvar=True):
    if form(x) == NUMBER:
        return corrcoef(np.full((), x), y, rowvar)
    elif y is not None and form(y) == NUMBER:
        return corrcoef(x, np.full((), y), rowvar)
    elif x.ndim < 2 and y is None:
        variance = cov_matrix(x, y, rowvar, 1, None, None)[0, 0]
        return np.divide(variance, variance)  # NaN for one that is constant
    else:
        c = cov_matrix(x, y, rowvar, 1, None, None)
        n = len(c)
        out = np.empty(c.shape, c.dtype)
        for i in range(n):
            for j in range(n):
                out[i, j] = bounded(np.divide(np.divide(c[i, j], deviation(c[i, i])), deviation(c[j, j])))
        return out


@compiled
def deviation(variance):
    return np.sqrt(variance.real if kind(variance) == COMPLEX else variance)


@compiled
def bounded(x):
    if kind(x) == COMPLEX:
        return dtype_of(x)(complex(bounded(x.real), bounded(x.imag)))
    else:
        return min(max(x, -1.0), 1.0) if x == x else x
