# SPDX-License-Identifier: MIT
"""Reductions along an axis or several, with or without keeping them as axes of length 1.

An argument that is left out is None: its type chooses the branch when the code is compiled.
The compiler passes `keepdims` only where it is True. What lies along the axes is brought into
rows that are contiguous, so that each reduction is compiled for few kinds of rows. Where memory
cannot be had, on a device, whole arrays are reduced as they lie (device.py).
"""
import operator

import numpy as np

from gridcell.library import (
    C, COMPLEX, F, FLOAT, NUMBER, TIME, bits, compiled, dtype_of, form, kind, layout, result_dtype, row_of, small,
    tuple_full, tuple_set, tuple_take)
from gridcell.library.reduced import row_var
from gridcell.library.reductions import (
    array_all, array_any, array_argmax, array_argmin, array_count_nonzero, array_max, array_mean, array_min,
    array_prod, array_ptp, array_sum, squared_distance, zero)
from gridcell.library.views import axes_of, flat, order_of, place, rows_along, unpermuted, with_ones


def total_of(array_total, neutral, combine):
    """A sum or product: `neutral` stands for what a mask leaves out."""
    @compiled
    def function(a, axis=None, dtype=None, initial=None, where=None, keepdims=None):
        if where is not None:
            return function(only(a, where, neutral), axis, dtype, initial, None, keepdims)
        elif initial is not None:
            total = function(a, axis, dtype, None, None, keepdims)
            return combine(total, dtype_of(total)(initial))
        elif dtype is None:
            return reduce(array_total, a, axis, keepdims)
        else:
            return typed(reduce(array_total, a.astype(dtype), axis, keepdims), dtype)

    return function


sum = total_of(array_sum, 0, np.add)
prod = total_of(array_prod, 1, np.multiply)


@compiled
def typed(value, dtype):
    if form(value) == NUMBER:
        return dtype(value)
    else:
        return value.astype(dtype)


@compiled
def only(a, where, value):
    """The items where the mask holds, others replaced by the value."""
    return np.where(where, a, a.dtype(value))


@small
def check_identity(where):
    """A mask may leave nothing, of which there is no smallest."""
    if where is not None:
        raise ValueError("reduction operation minimum or maximum does not have an identity, so to use a where mask "
                         "one has to specify 'initial'")


def extreme_of(array_extreme, better):
    @compiled
    def from_initial(a, initial):
        return better(array_extreme(a), initial) if a.size > 0 else initial

    @compiled
    def function(a, axis=None, initial=None, where=None, keepdims=None):
        if initial is None:
            check_identity(where)
            return reduce(array_extreme, a, axis, keepdims)
        elif where is not None:
            return function(only(a, where, initial), axis, initial, None, keepdims)
        else:
            return reduce_with(from_initial, a, axis, keepdims, a.dtype(initial))

    return function


min = extreme_of(array_min, np.minimum)
max = extreme_of(array_max, np.maximum)


def truth_of(array_truth, neutral):
    @compiled
    def function(a, axis=None, where=None, keepdims=None):
        if where is None:
            return reduce(array_truth, a, axis, keepdims)
        else:
            return reduce(array_truth, only(a, where, neutral), axis, keepdims)

    return function


any = truth_of(array_any, 0)
all = truth_of(array_all, 1)


@compiled
def ptp(a, axis=None, keepdims=None):
    return reduce(array_ptp, a, axis, keepdims)


@compiled
def count_nonzero(a, axis=None, keepdims=None):
    return reduce(array_count_nonzero, a, axis, keepdims)


@compiled
def find_place(f, a, axis, keepdims):
    """As reduce, for functions that return the place of an item, counted in C order."""
    if axis is not None:
        return reduce(f, a, axis, keepdims)
    elif layout(a) == C:
        return kept_whole(a, f(row_of(a)), keepdims)
    else:
        return kept_whole(a, f(a), keepdims)


def place_by(array_place):
    @compiled
    def function(a, axis=None, keepdims=None):
        return find_place(array_place, a, axis, keepdims)

    return function


argmin = place_by(array_argmin)
argmax = place_by(array_argmax)


@compiled
def mean(a, axis=None, dtype=None, where=None, keepdims=None):
    if where is not None:
        counts = sum(np.broadcast_to(where, a.shape), axis, None, None, None, keepdims)
        zeroed = only(a, where, 0)
        return mean_of_sums(sum(zeroed if dtype is None else zeroed.astype(dtype), axis, None, None, None, keepdims), counts)
    elif dtype is None:
        return reduce(array_mean, a, axis, keepdims)
    else:
        return reduce(array_mean, a.astype(dtype), axis, keepdims)


@compiled
def mean_of_sums(sums, counts):
    means = np.divide(sums, counts)
    if kind(sums) >= FLOAT:
        return typed(means, dtype_of(sums))
    else:
        return means


@compiled
def array_var(a, ddof):
    mean = array_mean(a)
    if kind(mean) == FLOAT and a.ndim == 1 and kind(a) != TIME:
        if bits(mean) > 16:
            return row_var(a, mean, freedom(a.size, ddof))
    return dtype_of(abs(mean))(np.divide(squared_distance(a, mean), freedom(a.size, ddof)))


@compiled
def array_std(a, ddof):
    return np.sqrt(array_var(a, ddof))


def variance_of(array_variance, finish):
    """`finish` makes of a variance what array_variance returns."""
    @compiled
    def function(a, axis=None, dtype=None, ddof=0, where=None, mean=None, correction=None, keepdims=None):
        if correction is not None:
            return function(a, axis, dtype, correction, where, mean, None, keepdims)
        elif dtype is not None:
            return function(a.astype(dtype), axis, None, ddof, where, mean, None, keepdims)
        elif where is None and mean is None:
            return reduce_with(array_variance, a, axis, keepdims, ddof)
        else:
            return finish(var_around(a, axis, ddof, where, mean, keepdims))

    return function


@compiled
def itself(x):
    return x


var = variance_of(array_var, itself)
std = variance_of(array_std, np.sqrt)

# `mean` is a parameter there
mean_of = mean


@compiled
def var_around(a, axis, ddof, where, middle, keepdims):
    """The variance of the items that a mask chooses, about a mean that may be given."""
    if where is None:
        return var_around(a, axis, ddof, np.full((), True), middle, keepdims)
    elif middle is None:
        return var_around(a, axis, ddof, where, mean_of(a, axis, None, where, True), keepdims)
    else:
        counts = sum(np.broadcast_to(where, a.shape), axis, None, None, None, keepdims)
        squares = squared(np.subtract(a, middle))
        return mean_of_sums(sum(only(squares, where, 0), axis, None, None, None, keepdims),
                            np.maximum(np.subtract(counts, ddof), 0))


@compiled
def squared(distance):
    if kind(distance) == COMPLEX:
        return np.square(distance.real) + np.square(distance.imag)
    else:
        return np.square(distance)


@compiled
def check_one_axis(x, axis):
    if axis is None and x.ndim > 1:
        raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")


@compiled
def cumulative_sum(x, axis=None, dtype=None, include_initial=False):
    check_one_axis(x, axis)
    return led_by(cumsum(x, axis, dtype), axis, 0, include_initial)


@compiled
def cumulative_prod(x, axis=None, dtype=None, include_initial=False):
    check_one_axis(x, axis)
    return led_by(cumprod(x, axis, dtype), axis, 1, include_initial)


@small
def led_by(running, axis, first, is_led):
    """What runs along an axis, with another first item."""
    if axis is None:
        return led_by(running, 0, first, is_led)
    elif is_led:
        k = place(axis, running.ndim)
        return np.concatenate((np.full(tuple_set(running.shape, k, 1), first, running.dtype), running), k)
    else:
        return running


# --- How it is done


@compiled
def freedom(n, ddof):
    """What a sum of squares is divided by; not below 0."""
    left = n - ddof
    return left if left > 0 else left * 0


@compiled
def host_row_of(a):
    if a.ndim == 1:
        return a
    elif layout(a) == C:
        return a.ravel()
    elif layout(a) == F:
        return flat(a.T)
    else:
        return flat(a)


@compiled
def reduce(f, a, axis, keepdims):
    if axis is None:
        return kept_whole(a, f(row_of(a)), keepdims)
    else:
        axes = axes_of(axis)
        if a.ndim == 1 and keepdims is None and len(axes) == 1:
            place(axes[0], 1)
            return f(row_of(a))
        else:
            order = order_of(a, axes)
            rows = rows_along(a, order, axes)
            out = np.empty(len(rows), result_dtype(f, rows.ravel()))
            for i in range(len(rows)):
                out[i] = f(rows[i])
            return shaped(out, a, order, axes, keepdims)


@compiled
def reduce_with(f, a, axis, keepdims, extra):
    """As reduce, for functions that take another argument."""
    if axis is None:
        return kept_whole(a, f(row_of(a), extra), keepdims)
    else:
        axes = axes_of(axis)
        if a.ndim == 1 and keepdims is None and len(axes) == 1:
            place(axes[0], 1)
            return f(row_of(a), extra)
        else:
            order = order_of(a, axes)
            rows = rows_along(a, order, axes)
            out = np.empty(len(rows), result_dtype(f, rows.ravel(), extra))
            for i in range(len(rows)):
                out[i] = f(rows[i], extra)
            return shaped(out, a, order, axes, keepdims)


@small
def shaped(out, a, order, axes, keepdims):
    """What was reduced to one row of results, in the shape that is left of a's."""
    if keepdims is not None:
        return out.reshape(with_ones(a.shape, axes))
    elif a.ndim == len(axes):
        return out[0]
    else:
        return out.reshape(tuple_take(a.shape, order[:a.ndim - len(axes)]))


@compiled
def kept_whole(a, value, keepdims):
    if keepdims is None:
        return value
    else:
        return np.full(tuple_full(a.ndim, 1), value)


@compiled
def accumulate(f, a, axis):
    """f fills a row of results from a row of items."""
    if axis is None:
        items = a.ravel()
        out = np.empty(len(items), result_dtype(zero_of_sums, a))
        f(items, out)
        return out
    else:
        order = order_of(a, (axis,))
        rows = rows_along(a, order, (axis,))
        out = np.empty(rows.shape, result_dtype(zero_of_sums, a))
        for i in range(len(rows)):
            f(rows[i], out[i])
        return unpermuted(out.reshape(tuple_take(a.shape, order)), order)


@compiled
def zero_of_sums(a):
    return zero(a.dtype)


@compiled
def everything(x):
    return True


def running_of(neutral, combine, counts):
    """What lies before an item along an axis and the item, combined; of those that count."""
    @compiled
    def fill(a, out):
        total = out.dtype(neutral)
        for i in range(len(a)):
            if counts(a[i]):
                total = combine(total, a[i])
            out[i] = total

    @compiled
    def function(a, axis=None, dtype=None):
        if dtype is None:
            return accumulate(fill, a, axis)
        else:
            return accumulate(fill, a.astype(dtype), axis)

    return function


cumsum = running_of(0, operator.add, everything)
cumprod = running_of(1, operator.mul, everything)
