# SPDX-License-Identifier: MIT
"""Reductions along an axis or several, with or without keeping them as axes of length 1.

An argument that is left out is None: its type chooses the branch when the code is compiled.
The compiler passes `keepdims` only where it is True. What lies along the axes is brought into
rows that are contiguous, so that each reduction is compiled for few kinds of rows. Where memory
cannot be had, on a device, whole arrays are reduced as they lie (device.py).
"""
import numpy as np

from gridcell.library import (
    C, COMPLEX, F, FLOAT, NUMBER, TIME, bits, compiled, dtype_of, form, kind, layout, result_dtype, row_of, small,
    tuple_full, tuple_set, tuple_take)
from gridcell.library.reduced import row_var
from gridcell.library.reductions import (
    array_all, array_any, array_argmax, array_argmin, array_count_nonzero, array_max, array_mean, array_min,
    array_prod, array_ptp, array_sum, squared_distance, zero)
from gridcell.library.views import axes_of, flat, order_of, place, rows_along, unpermuted, with_ones


@compiled
def sum(a, axis=None, dtype=None, initial=None, where=None, keepdims=None):
    if where is not None:
        return sum(only(a, where, 0), axis, dtype, initial, None, keepdims)
    elif initial is not None:
        total = sum(a, axis, dtype, None, None, keepdims)
        return np.add(total, dtype_of(total)(initial))
    elif dtype is None:
        return reduce(array_sum, a, axis, keepdims)
    else:
        return typed(reduce(array_sum, a.astype(dtype), axis, keepdims), dtype)


@compiled
def prod(a, axis=None, dtype=None, initial=None, where=None, keepdims=None):
    if where is not None:
        return prod(only(a, where, 1), axis, dtype, initial, None, keepdims)
    elif initial is not None:
        total = prod(a, axis, dtype, None, None, keepdims)
        return np.multiply(total, dtype_of(total)(initial))
    elif dtype is None:
        return reduce(array_prod, a, axis, keepdims)
    else:
        return typed(reduce(array_prod, a.astype(dtype), axis, keepdims), dtype)


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


@compiled
def min(a, axis=None, initial=None, where=None, keepdims=None):
    if initial is None:
        check_identity(where)
        return reduce(array_min, a, axis, keepdims)
    elif where is not None:
        return min(only(a, where, initial), axis, initial, None, keepdims)
    else:
        return reduce_with(min_from, a, axis, keepdims, a.dtype(initial))


@compiled
def max(a, axis=None, initial=None, where=None, keepdims=None):
    if initial is None:
        check_identity(where)
        return reduce(array_max, a, axis, keepdims)
    elif where is not None:
        return max(only(a, where, initial), axis, initial, None, keepdims)
    else:
        return reduce_with(max_from, a, axis, keepdims, a.dtype(initial))


@compiled
def min_from(a, initial):
    return np.minimum(array_min(a), initial) if a.size > 0 else initial


@compiled
def max_from(a, initial):
    return np.maximum(array_max(a), initial) if a.size > 0 else initial


@compiled
def any(a, axis=None, where=None, keepdims=None):
    if where is None:
        return reduce(array_any, a, axis, keepdims)
    else:
        return reduce(array_any, only(a, where, 0), axis, keepdims)


@compiled
def all(a, axis=None, where=None, keepdims=None):
    if where is None:
        return reduce(array_all, a, axis, keepdims)
    else:
        return reduce(array_all, only(a, where, 1), axis, keepdims)


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


@compiled
def argmin(a, axis=None, keepdims=None):
    return find_place(array_argmin, a, axis, keepdims)


@compiled
def argmax(a, axis=None, keepdims=None):
    return find_place(array_argmax, a, axis, keepdims)


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


@compiled
def var(a, axis=None, dtype=None, ddof=0, where=None, mean=None, correction=None, keepdims=None):
    if correction is not None:
        return var(a, axis, dtype, correction, where, mean, None, keepdims)
    elif dtype is not None:
        return var(a.astype(dtype), axis, None, ddof, where, mean, None, keepdims)
    elif where is None and mean is None:
        return reduce_with(array_var, a, axis, keepdims, ddof)
    else:
        return var_around(a, axis, ddof, where, mean, keepdims)


@compiled
def std(a, axis=None, dtype=None, ddof=0, where=None, mean=None, correction=None, keepdims=None):
    if correction is not None:
        return std(a, axis, dtype, correction, where, mean, None, keepdims)
    elif dtype is not None:
        return std(a.astype(dtype), axis, None, ddof, where, mean, None, keepdims)
    elif where is None and mean is None:
        return reduce_with(array_std, a, axis, keepdims, ddof)
    else:
        return np.sqrt(var_around(a, axis, ddof, where, mean, keepdims))


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
def cumsum(a, axis=None, dtype=None):
    if dtype is None:
        return accumulate(running_sum, a, axis)
    else:
        return accumulate(running_sum, a.astype(dtype), axis)


@compiled
def cumprod(a, axis=None, dtype=None):
    if dtype is None:
        return accumulate(running_product, a, axis)
    else:
        return accumulate(running_product, a.astype(dtype), axis)


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
def running_sum(a, out):
    total = out.dtype(0)
    for i in range(len(a)):
        total += a[i]
        out[i] = total


@compiled
def running_product(a, out):
    total = out.dtype(1)
    for i in range(len(a)):
        total *= a[i]
        out[i] = total
