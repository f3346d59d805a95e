# SPDX-License-Identifier: MIT
"""Differences, integrals and filters of samples; numbers made to fit."""
import math

import numpy as np

from gridcell.library import (
    A, ARRAY, BOOL, C, COMPLEX, F, FLOAT, LIST, NUMBER, TIME, TUPLE, bits, compiled, dtype_of, form, kind, layout, small,
    strided, tuple_full, tuple_set, tuple_take)
from gridcell.library.elementwise import agree, line, map1, number_of
from gridcell.library.indexing import item, scalar, shape_of, spread
from gridcell.library.reductions import zero
from gridcell.library.rearranging import part
from gridcell.library.shapes import ravel
from gridcell.library.views import (
    broadcast_shape, conjugated, contiguous, flat, lengths, order_of, permuted, place, product, spread_out, unpermuted)

SHORT = 16  # items of a row, up to which rows are not gone over one by one


# --- Differences and integrals


@small
def end_of(a, value, k):
    """What stands before or behind the items along an axis, as an array."""
    if np.ndim(value) == 0:
        return np.full(tuple_set(a.shape, k, 1), value)
    else:
        return value


@compiled
def diff(a, n=1, axis=-1, prepend=None, append=None):
    if n < 0:
        raise ValueError("order must be non-negative but got %s", n)
    k = place(axis, a.ndim)
    if prepend is not None:
        return diff(np.concatenate((end_of(a, prepend, k), a), k), n, k, None, append)
    elif append is not None:
        return diff(np.concatenate((a, end_of(a, append, k)), k), n, k)
    elif kind(a) == TIME:
        return diff_of_times(a, n, k)
    elif n == 0:
        return a.copy()
    out = differences(contiguous(a), k)
    for i in range(min(n, a.shape[k]) - 1):  # then nothing is left
        out = differences(out, k)
    return out


@compiled
def differences(a, k):
    """Of neighbours along an axis of an array in C order. Of many short rows they are taken along the whole array, and
    those between rows left out."""
    inner, n = lengths(a.shape, k + 1, a.ndim), max(a.shape[k] - 1, 0)
    out = np.empty(tuple_set(a.shape, k, n), a.dtype)
    rows, length = lengths(a.shape, 0, k), n * inner
    is_short = 0 < length < SHORT and rows > 1
    steps = np.empty(a.size - inner, a.dtype) if is_short else line(out)
    fill_differences(a, inner, 1 if is_short else rows, len(steps) if is_short else length, steps)
    if is_short:
        row = a.shape[k] * inner * a.itemsize
        strided(out, a.dtype, C, 0, (rows, length), None)[...] = strided(
            steps, a.dtype, A, 0, (rows, length), (row, a.itemsize))
    return out


@compiled
def fill_differences(a, inner, rows, length, out):
    step = length + inner
    for r in range(rows if length > 0 else 0):
        fill_difference(strided(a, a.dtype, C, r * step * a.itemsize, (length + inner,), None), inner,
                        strided(out, a.dtype, C, r * length * a.itemsize, (length,), None))


@compiled
def fill_difference(a, inner, out):
    for i in range(len(out)):
        left, right = a[np.uint64(i)], a[np.uint64(i) + np.uint64(inner)]
        out[i] = right != left if kind(a) == BOOL else out.dtype(right - left)


@compiled
def steps_along(a, k):
    length = max(0, a.shape[k] - 1)
    return part(a, k, 1, length) - part(a, k, 0, length)


@compiled
def diff_of_times(a, n, k):
    """Spans, of dates too: so at least one step is taken."""
    if n == 0:
        raise ValueError("np.diff of dates and times takes an order of 1 or more")
    out = steps_along(a, k)
    for i in range(min(n, a.shape[k]) - 1):
        out = steps_along(out, k)
    return out


@compiled
def ediff1d(ary, to_end=None, to_begin=None):
    if kind(ary) == BOOL:
        raise TypeError("np.ediff1d of booleans: they cannot be subtracted, convert them by astype() first")
    steps = diff(flat(ary), 1, -1)
    if to_end is None and to_begin is None:
        return steps
    elif to_begin is None:
        return np.concatenate((steps, ravel(to_end).astype(ary.dtype)))
    elif to_end is None:
        return np.concatenate((ravel(to_begin).astype(ary.dtype), steps))
    else:
        return np.concatenate((ravel(to_begin).astype(ary.dtype), steps, ravel(to_end).astype(ary.dtype)))


@compiled
def trapezoid(y, x=None, dx=1.0, axis=-1):
    if form(dx) == LIST or form(dx) == TUPLE:
        return trapezoid(y, x, np.array(dx), axis)
    elif kind(y) == BOOL or kind(x) == BOOL or np.ndim(x) > 1 or form(dx) == ARRAY:
        k = place(axis, y.ndim)
        n = max(0, y.shape[k] - 1)
        both = np.add(part(y, k, 1, n), part(y, k, 0, n))
        return np.sum(widths(y, x, dx, k, axis) * both / 2.0, axis)
    order = order_of(y, (axis,))
    n = y.shape[place(axis, y.ndim)]
    check_points(x, n)
    shape = tuple_take(y.shape, order)
    rows = contiguous(permuted(y, order)).reshape((product(y, shape[:y.ndim - 1]), n))
    out = np.empty(len(rows), dtype_of(width(x, dx, 0) * zero(y.dtype) / 2.0))
    for i in range(len(rows)):
        total = out.dtype(0)
        for k in range(steps(x, n)):
            at = k if n > 2 else 0
            total += product_of(x, width(x, dx, k), rows.dtype(rows[i, at + 1] + rows[i, at])) / 2.0
        out[i] = total
    if y.ndim == 1:
        return out[0]
    else:
        return out.reshape(shape[:y.ndim - 1])


@small
def widths(y, x, dx, k, axis):
    if x is None:
        return dx
    elif x.ndim == 1:
        return np.diff(x).reshape(tuple_set(tuple_full(y.ndim, 1), k, max(0, len(x) - 1)))
    elif kind(y) >= FLOAT and kind(x) < FLOAT and bits(x) > 16:
        return np.diff(x, 1, axis).astype(np.float64)  # which beside narrow floats would be one, too
    else:
        return np.diff(x, 1, axis)


@small
def steps(x, n):
    """Of two items every step of x has the same two, as arrays of one item are broadcast."""
    if x is None or n != 2:
        return n - 1
    else:
        return len(x) - 1


@small
def check_points(x, n):
    if x is not None and len(x) != 2 and n != 2 and max(len(x) - 1, 0) != max(n - 1, 0):
        raise ValueError(f"operands could not be broadcast together with shapes ({max(len(x) - 1, 0)},) ({max(n - 1, 0)},)")


@compiled
def width(x, dx, k):
    """From one point to the next, in their own type, as np.diff() has it."""
    if x is None:
        return dx
    else:
        at = k if len(x) > 2 else 0
        return x.dtype(x[at + 1] - x[at]) if len(x) > at + 1 else x.dtype(0)


@small
def product_of(x, step, both):
    """Integers of two arrays wrap around as arrays do; dx is a number."""
    if x is not None and kind(step) < FLOAT and kind(both) < FLOAT:
        return np.multiply(step, both)
    else:
        return step * both


# --- Filters


@compiled
def correlate_full(a, v, flipped):
    """Sums of products at every overlap; of v's items from the last to the first if flipped."""
    n = len(a)
    m = len(v)
    out = np.zeros(n + m - 1, np.result_type(a, v))
    for i in range(n):
        for j in range(m):
            out[i + j] += a[i] * v[j if flipped else m - 1 - j]
    return out


@compiled
def cut(full, n, m, mode):
    if mode == "full":
        return full
    elif mode == "same":
        length = max(n, m)
        start = (min(n, m) - 1) // 2
        return full[start:start + length].copy()
    elif mode == "valid":
        length = max(n, m) - min(n, m) + 1
        start = min(n, m) - 1
        return full[start:start + length].copy()
    else:
        raise ValueError("mode must be one of 'valid', 'same', or 'full'")


@small
def check_filter(a, v):
    if len(a) == 0 or len(v) == 0:
        raise ValueError("a cannot be empty")


@compiled
def convolve(a, v, mode="full"):
    check_filter(a, v)
    return cut(correlate_full(a, v, True), len(a), len(v), mode)


@compiled
def correlate(a, v, mode="valid"):
    check_filter(a, v)
    full = correlate_full(a, conjugated(v), False)
    if mode == "same" and len(v) > len(a):
        start = len(v) - (min(len(a), len(v)) - 1) // 2
        start = len(full) - len(v) - (min(len(a), len(v)) - 1) // 2
        return full[start:start + len(v)].copy()
    else:
        return cut(full, len(a), len(v), mode)


# --- Numbers made to fit


@compiled
def at_least(x, low):
    """Integers stay integers, where only a float would hold both, beyond 2**53 not exactly."""
    if kind(x) < FLOAT and kind(np.maximum(x, low)) == FLOAT and kind(low) < FLOAT:
        return dtype_of(x)(low) if low > x else x
    else:
        return np.maximum(x, low)


@compiled
def at_most(x, high):
    if kind(x) < FLOAT and kind(np.minimum(x, high)) == FLOAT and kind(high) < FLOAT:
        return dtype_of(x)(high) if high < x else x
    else:
        return np.minimum(x, high)


@compiled
def clip_one(x, low, high):
    if low is None and high is None:
        return x
    elif low is None:
        return at_most(x, high)
    elif high is None:
        return at_least(x, low)
    else:
        return at_most(at_least(x, low), high)


@compiled
def clip_between(a, a_min=None, a_max=None, out=None, min=None, max=None):
    """np.clip, which has two names for each bound."""
    if min is not None:
        return clip_between(a, min, a_max, out, None, max)
    elif max is not None:
        return clip(a, a_min, max, out)
    else:
        return clip(a, a_min, a_max, out)


@compiled
def clip(a, a_min=None, a_max=None, out=None):
    if form(a) == NUMBER:
        return clip_one(a, a_min, a_max)
    elif out is None and layout(a) == F and np.ndim(a_min) == 0 and np.ndim(a_max) == 0:
        return clip(a.T, a_min, a_max).T
    else:
        shape = broadcast_shape(a.shape, broadcast_shape(shape_of(a_min), shape_of(a_max)))
        if out is None:
            fresh = np.empty(shape, clip_dtype(a, a_min, a_max))
            clip_into(a, a_min, a_max, fresh)
            return fresh
        else:
            done = np.empty(shape, a.dtype)
            clip_into(a, a_min, a_max, done)
            return spread_out(out, done)


@small
def clip_dtype(a, low, high):
    """Python numbers do not widen the items; arrays do."""
    if form(low) == ARRAY and form(high) == ARRAY:
        return np.result_type(a, low, high)
    elif form(low) == ARRAY:
        return with_number(np.result_type(a, low), high)
    elif form(high) == ARRAY:
        return with_number(np.result_type(a, high), low)
    else:
        return with_number(with_number(a.dtype, low), high)


@small
def with_number(dtype, bound):
    return np.float64 if kind(dtype(0)) < FLOAT and kind(bound) == FLOAT else dtype


@small
def bound_row(bound, shape):
    return None if bound is None else spread(bound, shape)


@compiled
def bound_at(bound, i):
    return None if bound is None else item(bound, i)


@compiled
def rounded_to(out, x):
    """Floats are compared in the precision of the result."""
    if x is not None and (kind(out) == FLOAT or kind(out) == COMPLEX):
        return out.dtype(x)
    else:
        return x


@compiled
def clip_into(a, low, high, out):
    rows = spread(a, out.shape)
    lows = bound_row(low, out.shape)
    highs = bound_row(high, out.shape)
    row = out.reshape(-1)
    for i in range(len(row)):
        row[i] = out.dtype(clip_one(rounded_to(out, item(rows, i)), rounded_to(out, bound_at(lows, i)), rounded_to(out, bound_at(highs, i))))


@compiled
def round_one(x, decimals):
    if kind(x) == COMPLEX:
        return dtype_of(x)(complex(round_one(x.real, decimals), round_one(x.imag, decimals)))
    elif kind(x) == FLOAT:
        if decimals == 0:
            return np.rint(x)
        elif decimals > 0:
            scale = dtype_of(x)(10.0 ** decimals)
            return dtype_of(x)(np.rint(x * scale) / scale)
        else:
            scale = dtype_of(x)(10.0 ** -decimals)
            return dtype_of(x)(np.rint(x / scale) * scale)
    elif decimals >= 0:
        return x
    else:
        return dtype_of(x)(np.rint(x / 10.0 ** -decimals) * 10.0 ** -decimals)


@small
def check_decimals(decimals):
    """In NumPy their number is an int of C."""
    if not -2**31 <= decimals < 2**31:
        raise OverflowError("signed integer is greater than maximum" if decimals > 0 else
                            "signed integer is less than minimum")


@compiled
def around(a, decimals=0, out=None):
    check_decimals(decimals)
    if form(a) == NUMBER:
        return round_one(a, decimals)
    elif out is None and layout(a) == F:
        return around(a.T, decimals).T
    elif out is None:
        return around(a, decimals, np.empty(a.shape, a.dtype))
    elif out.size != a.size:
        raise ValueError("`out` has not as many items as the array that is rounded")
    else:
        return spread_out(out, map1(lambda x: round_one(x, decimals), a, a.dtype))


@compiled
def fix(x):
    return number_of(np.trunc(x))


@compiled
def finite(x, nan, posinf, neginf):
    if x != x:
        return dtype_of(x)(nan)
    elif x == math.inf:
        return np.finfo(dtype_of(x)).max if posinf is None else dtype_of(x)(posinf)
    elif x == -math.inf:
        return np.finfo(dtype_of(x)).min if neginf is None else dtype_of(x)(neginf)
    else:
        return x


@compiled
def nan_to_num_one(x, nan, posinf, neginf):
    if kind(x) == COMPLEX:
        return dtype_of(x)(complex(finite(x.real, nan, posinf, neginf), finite(x.imag, nan, posinf, neginf)))
    elif kind(x) == FLOAT:
        return finite(x, nan, posinf, neginf)
    else:
        return x


@compiled
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if form(x) == NUMBER:
        return nan_to_num_one(x, nan, posinf, neginf)
    elif layout(x) == F:
        return nan_to_num(x.T, copy, nan, posinf, neginf).T
    else:
        out = map1(lambda item: nan_to_num_one(item, nan, posinf, neginf), x, x.dtype)
        if copy:
            return out
        else:
            x[...] = out
            return out


# --- Comparing


@compiled
def close(x, y, rtol, atol, equal_nan):
    if x == y:
        return True
    elif x != x or y != y:
        return equal_nan and x != x and y != y
    elif not np.isfinite(y) or not np.isfinite(x):
        return False
    elif kind(y) < FLOAT:
        return abs(x - float(y)) <= atol + rtol * abs(float(y))
    else:
        return abs(x - y) <= atol + rtol * abs(y)


@compiled
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    if np.ndim(a) == 0 and np.ndim(b) == 0:
        return close(scalar(a), scalar(b), rtol, atol, bool(equal_nan))
    else:
        shape = broadcast_shape(shape_of(a), shape_of(b))
        out = np.empty(shape, np.bool_)
        compare_rows(spread(a, shape), spread(b, shape), rtol, atol, bool(equal_nan), out.ravel())
        return out


@compiled
def compare_rows(a, b, rtol, atol, equal_nan, out):
    for i in range(len(out)):
        out[i] = close(item(a, i), item(b, i), rtol, atol, equal_nan)


@compiled
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(np.all(isclose(a, b, rtol, atol, equal_nan))) if np.ndim(a) + np.ndim(b) > 0 else close(
        scalar(a), scalar(b), rtol, atol, bool(equal_nan))


@compiled
def array_equal(a1, a2, equal_nan=False):
    if np.ndim(a1) != np.ndim(a2):
        return False
    elif np.ndim(a1) == 0:
        x, y = scalar(a1), scalar(a2)
        return x == y or bool(equal_nan and x != x and y != y)
    else:
        if shape_of(a1) != shape_of(a2):
            return False
        elif layout(a1) == F and layout(a2) == F:
            return array_equal(a1.T, a2.T, equal_nan)
        else:
            return rows_equal(spread(a1, shape_of(a1)), spread(a2, shape_of(a2)), equal_nan)


@compiled
def rows_equal(x, y, equal_nan):
    """Blocks are compared whole, so that the loop vectorises."""
    n = np.uint64(len(x))
    at = np.uint64(0)
    while at < n:
        end = min(at + np.uint64(1024), n)
        is_other = False
        for i in range(at, end):
            is_other |= (x[i] != y[i]) & (not equal_nan or x[i] == x[i] or y[i] == y[i])
        if is_other:
            return False
        at = end
    return True


@compiled
def array_equiv(a1, a2):
    if not agree(shape_of(a1), shape_of(a2)):
        return False
    elif np.ndim(a1) == 0 and np.ndim(a2) == 0:
        return bool(scalar(a1) == scalar(a2))
    else:
        return bool(np.all(np.equal(a1, a2)))


# --- Phases


@compiled
def unwrap_row(p, discont, period, out):
    if len(p) > 0:
        out[0] = p[0]
    shift = 0.0
    for i in range(1, len(p)):
        step = p[i] - p[i - 1]
        wrapped = np.mod(step + period / 2, period) - period / 2
        if wrapped == -period / 2 and step > 0:
            wrapped = period / 2
        if not abs(step) < discont:
            shift += wrapped - step
        out[i] = p[i] + shift


@compiled
def unwrap(p, discont=None, axis=-1, period=2 * math.pi):
    if kind(p) < FLOAT and kind(period) < FLOAT:
        return unwrap(p, discont, axis, float(period)).astype(np.result_type(p, period))
    order = order_of(p, (axis,))
    n = p.shape[place(axis, p.ndim)]
    rows = contiguous(permuted(np.multiply(p, 1.0), order)).reshape((p.size // max(n, 1), n))
    out = np.empty(rows.shape, rows.dtype)
    for i in range(len(rows)):
        unwrap_row(rows[i], period / 2 if discont is None else max(discont * 1.0, period / 2), period, out[i])
    return unpermuted(out.reshape(tuple_take(p.shape, order)), order)
