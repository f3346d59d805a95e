# SPDX-License-Identifier: MIT
"""Reductions along an axis or several, with or without keeping them as axes of length 1.

An argument that is left out is None: its type chooses the branch when the code is compiled.
The compiler passes `keepdims` only where it is True. Along axes one goes in the order of memory (lines.py).
Where memory cannot be had, on a device, whole arrays are reduced as they lie (device.py).
"""
import operator

import numpy as np

from gridcell.library import (
    A, C, COMPLEX, F, FLOAT, NUMBER, TIME, bits, compact, compiled, dtype_of, form, kind, layout, result_dtype, row_of, small,
    tuple_full, tuple_set, tuple_take)
from gridcell.library.elementwise import line
from gridcell.library.indexing import check_where
from gridcell.library.lines import (
    base_of, dense, each_line, find_along, finished, fold, is_last, length_of_lines, plan_of, reduce_by, shaped, RESULTS)
from gridcell.library.reduced import row_var
from gridcell.library.reductions import (
    array_all, array_any, array_argmax, array_argmin, array_count_nonzero, array_max, array_mean, array_min,
    array_prod, array_sum, follows, mean_total, portion, precedes, squared_distance, wide_sum, zero)
from gridcell.library.views import axes_of, flat, is_hollow, order_of, out_of_bounds, place, rows_along, unpermuted

FEW = 128  # items


def rows_of(whole):
    """`whole`, a function of an array, as one of a row (lines.py)."""
    @compiled
    def row(a, center):
        return whole(a)

    return row


@compiled
def started(x, center):
    return x


def stepping(combine):
    @compiled
    def step(total, x, center):
        return combine(total, x)

    return step


@compiled
def axes_within(a, axis):
    """The axes to reduce; of an array that has none, NumPy's ufuncs let 0 and -1 be none."""
    if a.ndim == 0 and form(axis) == NUMBER:
        if axis != 0 and axis != -1:
            out_of_bounds(axis, 0)
        return ()
    else:
        return axes_of(axis)


@compiled
def given_axes(a, axis):
    return axes_of(axis)


def folding(whole, start, step, combine, total=None, finish=None, axes_by=axes_within):
    """A reduction: of a whole array, and by steps (lines.py) of `total`s, `whole` unless told."""
    row = rows_of(whole if total is None else total)

    @compiled
    def function(a, axis, keepdims):
        if axis is None:
            return kept_whole(a, of_all(whole, a), keepdims)
        else:
            axes = axes_by(a, axis)
            if a.ndim == 1 and keepdims is None and len(axes) == 1:
                place(axes[0], 1)
                return whole(row_of(a))
            else:
                dtype = result_dtype(row, dense(base_of(a), 0, 1), 0)
                return fold(row, start, step, combine, finish, a, axes, keepdims, dtype)

    return function


@compiled
def as_item(total, n, a):
    return a.dtype(total)


@compiled
def half_sum(a):
    return a.dtype(wide_sum(a))


@compiled
def begun(x, center):
    return x if kind(x) < FLOAT else x + dtype_of(x)(0)


plus_item = stepping(operator.add)
along_sum = folding(array_sum, begun, plus_item, operator.add)
along_half_sum = folding(half_sum, started, plus_item, operator.add, wide_sum, as_item)


@compiled
def sum_along(a, axis, keepdims):
    if kind(a) == FLOAT and bits(a) == 16:
        return along_half_sum(a, axis, keepdims)
    else:
        return along_sum(a, axis, keepdims)


prod_along = folding(array_prod, started, stepping(operator.mul), operator.mul)


def total_of(along, neutral, combine):
    """A sum or product: `neutral` stands for what a mask leaves out."""
    @compiled
    def function(a, axis=None, dtype=None, initial=None, where=None, keepdims=None):
        if where is not None:
            return function(only(a, where, neutral), axis, dtype, initial, None, keepdims)
        elif initial is not None:
            total = function(a, axis, dtype, None, None, keepdims)
            return combine(total, dtype_of(total)(initial))
        elif dtype is None:
            return along(a, axis, keepdims)
        else:
            return typed(along(a.astype(dtype), axis, keepdims), dtype)

    return function


sum = total_of(sum_along, 0, np.add)
prod = total_of(prod_along, 1, np.multiply)


@compiled
def typed(value, dtype):
    if form(value) == NUMBER:
        return dtype(value)
    else:
        return value.astype(dtype)


@compiled
def only(a, where, value):
    """The items where the mask holds, others replaced by the value."""
    check_where(a, where)
    return np.where(where, a, a.dtype(value))


@small
def check_identity(where):
    """A mask may leave nothing, of which there is no smallest."""
    if where is not None:
        raise ValueError("reduction operation minimum or maximum does not have an identity, so to use a where mask "
                         "one has to specify 'initial'")


def better_by(beats):
    """The better of a total and an item, a NaN where there is one."""
    @compiled
    def better(total, x):
        return x if beats(x, total) or x != x else total

    return better


def extreme_of(array_extreme, choose, better):
    """`better` chooses as the reduction does, of arrays too; `choose` of two numbers."""
    step = stepping(choose)
    along = folding(array_extreme, started, step, choose)

    @compiled
    def row_or(a, initial):
        return array_extreme(a) if a.size > 0 else initial

    @compiled
    def function(a, axis=None, initial=None, where=None, keepdims=None):
        if initial is None:
            check_identity(where)
            if axis is not None:
                if is_hollow(a, axes_of(axis)):
                    array_extreme(a)  # which says so
            return along(a, axis, keepdims)
        elif where is not None:
            return function(only(a, where, initial), axis, initial, None, keepdims)
        elif axis is None:
            return kept_whole(a, better(row_or(row_of(a), a.dtype(initial)), a.dtype(initial)), keepdims)
        else:
            first = a.dtype(initial)
            return better(fold(lambda a, center: row_or(a, first), started, step, choose, None, a,
                               axes_within(a, axis), keepdims, a.dtype), first)

    return function


min = extreme_of(array_min, better_by(precedes), np.minimum)
max = extreme_of(array_max, better_by(follows), np.maximum)


@compiled
def truth(x, center):
    return bool(x)


def truth_of(array_truth, combine, neutral):
    @compiled
    def step(total, x, center):
        return combine(total, bool(x))

    along = folding(array_truth, truth, step, combine)

    @compiled
    def function(a, axis=None, where=None, keepdims=None):
        if where is None:
            return along(a, axis, keepdims)
        else:
            return along(only(a, where, neutral), axis, keepdims)

    return function


any = truth_of(array_any, operator.or_, 0)
all = truth_of(array_all, operator.and_, 1)


@compiled
def ptp(a, axis=None, keepdims=None):
    return np.subtract(max(a, axis, None, None, keepdims), min(a, axis, None, None, keepdims))


@compiled
def counted(total, x, center):
    return total + bool(x)


count_along = folding(array_count_nonzero, truth, counted, operator.add)


@compiled
def count_nonzero(a, axis=None, keepdims=None):
    return count_along(a, axis, keepdims)


@compiled
def unchecked(best):
    pass


def place_by(array_place, wins, check):
    """Where an item is that wins(item, best so far), counted in C order, or from the first of a line."""
    @compiled
    def function(a, axis=None, keepdims=None):
        if axis is not None and a.ndim == 0:
            place(axis, 1)
            return function(a, None, keepdims)
        elif axis is not None:
            axes = axes_of(axis)
            if a.ndim == 1 and keepdims is None and len(axes) == 1:
                place(axes[0], 1)
                return array_place(row_of(a))
            else:
                if is_hollow(a, axes):
                    array_place(a)
                return find_along(array_place, wins, check, a, axes, keepdims)
        elif layout(a) == C:
            return kept_whole(a, array_place(row_of(a)), keepdims)
        else:
            return kept_whole(a, array_place(a), keepdims)

    return function


def first_nan_or(beats):
    @compiled
    def wins(x, best):
        return beats(x, best) or (x != x and best == best)

    return wins


argmin = place_by(array_argmin, first_nan_or(precedes), unchecked)
argmax = place_by(array_argmax, first_nan_or(follows), unchecked)


@compiled
def mean_sum(a):
    """What a mean is a part of."""
    if kind(a) == FLOAT and bits(a) == 16:
        return wide_sum(a)
    else:
        return mean_total(a)


@compiled
def share_of(total, n, a):
    if kind(a) == FLOAT and bits(a) == 16:
        return a.dtype(total / n)
    elif kind(a) == TIME:
        return total / n
    else:
        return portion(total, n)


mean_along = folding(array_mean, started, plus_item, operator.add, mean_sum, share_of, given_axes)


@compiled
def mean(a, axis=None, dtype=None, where=None, keepdims=None):
    if where is not None:
        zeroed = only(a, where, 0)
        counts = sum(np.broadcast_to(np.asarray(where), a.shape), axis, None, None, None, keepdims)
        return mean_of_sums(sum(zeroed if dtype is None else zeroed.astype(dtype), axis, None, None, None, keepdims), counts)
    elif dtype is None:
        return mean_along(a, axis, keepdims)
    else:
        return mean_along(a.astype(dtype), axis, keepdims)


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


def root_of(array_variance):
    @compiled
    def array_deviation(a, ddof):
        return np.sqrt(array_variance(a, ddof))

    return array_deviation


array_std = root_of(array_var)


@compiled
def square_of(x, center):
    return abs(x - center) ** 2


@compiled
def plus_square(total, x, center):
    return total + abs(x - center) ** 2


@compact
def row_squares(a, center):
    """The sum of the squared distances from the center, four at a time."""
    none = square_of(a[0], center) * 0
    t0, t1, t2, t3 = none, none, none, none
    whole = len(a) - len(a) % 4
    for i in range(0, whole, 4):
        t0 += square_of(a[i], center)
        t1 += square_of(a[i + 1], center)
        t2 += square_of(a[i + 2], center)
        t3 += square_of(a[i + 3], center)
    for i in range(whole, len(a)):
        t0 += square_of(a[i], center)
    return (t0 + t1) + (t2 + t3)


@compact
def divide_all(squares, divisor):
    for i in range(len(squares)):
        squares[i] = np.divide(squares[i], divisor)


@compiled
def var_along(a, axes, keepdims, ddof):
    if is_last(a, axes):
        return each_line(array_var, a, axes, keepdims, ddof)
    order = order_of(a, axes)
    n = length_of_lines(a, order, axes)
    base = base_of(a)
    plan = plan_of(a, axes)
    sums = np.empty(plan[RESULTS], result_dtype(mean_sum, dense(base, 0, 1)))
    reduce_by(rows_mean_sum, started, plus_item, operator.add, a, axes, plan, sums, None)
    means = finished(share_of, sums, n, base)
    again = plan_of(a, axes)
    squares = np.empty(len(means), dtype_of(abs(means[0])))
    reduce_by(row_squares, square_of, plus_square, operator.add, a, axes, again, squares, means)
    divide_all(squares, freedom(n, ddof))
    return shaped(squares, plan, a, order, axes, keepdims)


@compiled
def whole_or_along(whole, finish, along, a, axis, keepdims, ddof):
    """whole(a, ddof), or finish of what `along` gives."""
    if axis is None:
        return kept_whole(a, of_all(lambda items: whole(items, ddof), a), keepdims)
    elif a.ndim == 0:
        order_of(a, axes_of(axis))
        return whole_or_along(whole, finish, along, a, None, keepdims, ddof)
    else:
        axes = axes_of(axis)
        if a.ndim == 1 and keepdims is None and len(axes) == 1:
            place(axes[0], 1)
            return whole(row_of(a), ddof)
        else:
            return finish(along(a, axes, keepdims, ddof))


def variance_of(array_variance, finish, along):
    """`finish` makes of a variance what array_variance returns; `along`: of variances along axes."""
    @compiled
    def function(a, axis=None, dtype=None, ddof=0, where=None, mean=None, correction=None, keepdims=None):
        if correction is not None:
            return function(a, axis, dtype, correction, where, mean, None, keepdims)
        elif dtype is not None:
            return function(a.astype(dtype), axis, None, ddof, where, mean, None, keepdims)
        elif where is None and mean is None:
            return whole_or_along(array_variance, finish, along, a, axis, keepdims, ddof)
        else:
            return finish(var_around(a, axis, ddof, where, mean, keepdims))

    return function


@compiled
def itself(x):
    return x


rows_mean_sum = rows_of(mean_sum)
var = variance_of(array_var, itself, var_along)
std = variance_of(array_std, np.sqrt, var_along)

# `mean` is a parameter there
mean_of = mean


@compiled
def var_around(a, axis, ddof, where, middle, keepdims):
    """The variance of the items that a mask chooses, about a mean that may be given."""
    if where is None:
        return var_around(a, axis, ddof, True, middle, keepdims)
    elif middle is None:
        return var_around(a, axis, ddof, where, mean_of(a, axis, None, where, True), keepdims)
    else:
        counts = sum(np.broadcast_to(np.asarray(where), a.shape), axis, None, None, None, keepdims)
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
        return line(a)
    elif layout(a) == F:
        return line(a.T)
    else:
        return flat(a)


@compiled
def of_all(f, a):
    """f of all items. Few that lie apart, as those of a window, stay where they are: it takes longer to put them in a row."""
    if a.ndim > 1 and layout(a) == A:
        if a.size <= FEW:
            return f(a)
        else:
            return f(row_of(a))
    else:
        return f(row_of(a))


@compiled
def reduce_with(f, a, axis, keepdims, extra):
    """f(line, extra) of all items, or of each line along the axes."""
    along = lambda a, axes, keepdims, extra: each_line(f, a, axes, keepdims, extra)
    return whole_or_along(f, itself, along, a, axis, keepdims, extra)


@compiled
def kept_whole(a, value, keepdims):
    if keepdims is None:
        return value
    else:
        return np.full(tuple_full(a.ndim, 1), value)


@compiled
def accumulate(f, a, axis, dtype):
    """f fills a row of results, of the dtype, from a row of items."""
    if axis is None:
        items = a.ravel()
        out = np.empty(len(items), dtype)
        f(items, out)
        return out
    elif a.ndim == 0:
        place(axis, 1)
        return accumulate(f, a, None, dtype)
    else:
        order = order_of(a, (axis,))
        rows = rows_along(a, order, (axis,))
        out = np.empty(rows.shape, dtype)
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
            return accumulate(fill, a, axis, result_dtype(zero_of_sums, a))
        else:
            return accumulate(fill, a.astype(dtype), axis, dtype)

    return function


cumsum = running_of(0, operator.add, everything)
cumprod = running_of(1, operator.mul, everything)
