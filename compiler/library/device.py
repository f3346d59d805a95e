# SPDX-License-Identifier: MIT
"""Functions of CUDA kernels that are made of others, and those of NumPy that need no memory here."""
import math
import operator

import numpy as np
from numba import cuda

from gridcell.library import A, C, compiled, dtype_of, layout
from gridcell.library.axes import freedom, itself, root_of, variance_of
from gridcell.library.elementwise import value
from gridcell.library.fused import item, stretched
from gridcell.library.products import product_of
from gridcell.library.reductions import array_mean, folded, squared_distance, zero
from gridcell.library.statistics import array_nanmean, count_numbers, has_nan, median_by
from gridcell.library.views import flat


@compiled
def into1(f, a, out):
    """A ufunc's results in `out`."""
    fill1(f, stretched(a, out.shape), out)


@compiled
def fill1(f, a, out):
    if out.ndim == 0:
        out[()] = f(value(a))
    elif out.ndim == 1:
        for i in range(len(out)):
            out[i] = f(item(a, i))
    else:
        for i in range(len(out)):
            fill1(f, item(a, i), out[i])


@compiled
def into2(f, a, b, out):
    fill2(f, stretched(a, out.shape), stretched(b, out.shape), out)


@compiled
def fill2(f, a, b, out):
    if out.ndim == 0:
        out[()] = f(value(a), value(b))
    elif out.ndim == 1:
        for i in range(len(out)):
            out[i] = f(item(a, i), item(b, i))
    else:
        for i in range(len(out)):
            fill2(f, item(a, i), item(b, i), out[i])


@compiled
def into6(f, a, b, c, d, e, g, out):
    """What a function of six numbers makes of arrays and numbers, in `out`."""
    shape = out.shape
    into_rows6(f, stretched(a, shape), stretched(b, shape), stretched(c, shape), stretched(d, shape),
               stretched(e, shape), stretched(g, shape), out)


@compiled
def into_rows6(f, a, b, c, d, e, g, out):
    if out.ndim == 0:
        out[()] = f(value(a), value(b), value(c), value(d), value(e), value(g))
    elif out.ndim == 1:
        for i in range(len(out)):
            out[i] = f(item(a, i), item(b, i), item(c, i), item(d, i), item(e, i), item(g, i))
    else:
        for i in range(len(out)):
            into_rows6(f, item(a, i), item(b, i), item(c, i), item(d, i), item(e, i), item(g, i),
                       out[i])


# An atomic operation that the device has none for puts its result in place of the value that it began with,
# and begins anew where another thread has changed that meanwhile.


def atomic_extreme(beats):
    """A NaN gives way to any number."""
    @compiled
    def function(ary, idx, val):
        old = ary[idx]
        while beats(val, old) or old != old:
            seen = cuda.atomic.cas(ary, idx, old, val)
            if seen == old or (seen != seen and old != old):
                return seen
            old = seen
        return old

    return function


def atomic_count(next_number):
    """next_number(old, limit, dtype) comes after old."""
    @compiled
    def function(ary, idx, val):
        limit = ary.dtype(val)
        old = ary[idx]
        while True:
            seen = cuda.atomic.cas(ary, idx, old, next_number(old, limit, ary.dtype))
            if seen == old:
                return old
            old = seen

    return function


@compiled
def counted_up(old, limit, dtype):
    return dtype(0) if old >= limit else dtype(old + 1)


@compiled
def counted_down(old, limit, dtype):
    return limit if old == 0 or old > limit else dtype(old - 1)


atomic_nanmax = atomic_extreme(operator.gt)
atomic_nanmin = atomic_extreme(operator.lt)
atomic_inc = atomic_count(counted_up)
atomic_dec = atomic_count(counted_down)


# --- Reductions


@compiled
def items_of(a):
    return a if a.ndim == 1 else flat(a)


@compiled
def row_of(a):
    """As on the host; items that lie apart stay where they are."""
    if a.ndim == 1 or layout(a) == A:
        return a
    else:
        return flat(a if layout(a) == C else a.T)


@compiled
def array_var(a, ddof):
    mean = array_mean(a)
    return dtype_of(abs(mean))(np.divide(squared_distance(a, mean), freedom(a.size, ddof)))


@compiled
def number_distance(a, mean):
    """The sum of the squared distances of the items that are no NaN."""
    return folded(a, abs(mean) * 0, lambda total, x: total + abs(x - mean) ** 2 if x == x else total, operator.add)


@compiled
def array_nanvar(a, ddof):
    mean, count = array_nanmean(a), count_numbers(a)
    dtype = dtype_of(abs(mean))
    if count <= ddof:
        return dtype(math.nan)
    return dtype(np.divide(number_distance(a, mean), freedom(count, ddof)))


@compiled
def no_axes(a, axes, keepdims, ddof):
    return np.empty(len(a))  # which is refused here


# The last step, of what is reduced with a mask or a mean, is refused here: it needs memory.
var = variance_of(array_var, itself, no_axes)
std = variance_of(root_of(array_var), itself, no_axes)
nanvar = variance_of(array_nanvar, itself, no_axes)
nanstd = variance_of(root_of(array_nanvar), itself, no_axes)


@compiled
def ranked(items, k):
    """The item that would be at k, were they in order; NaN has no place."""
    for x in items:
        below, same = 0, 0
        for y in items:
            below += y < x
            same += y == x
        if below <= k < below + same:
            return x
    return items[0]


@compiled
def middle(items, n):
    half = dtype_of(np.divide(zero(items.dtype), dtype_of(zero(items.dtype))(2)))
    if n == 0:
        return half(np.divide(half(0), half(0)))  # of complex numbers both parts are NaN
    return half(np.divide(half(ranked(items, (n - 1) // 2)) + half(ranked(items, n // 2)), half(2)))


@compiled
def array_median(a):
    items = items_of(a)
    return middle(items, 0 if has_nan(items) else len(items))


@compiled
def array_nanmedian(a):
    items = items_of(a)
    count = 0
    for x in items:
        count += x == x
    return middle(items, count)


median = median_by(array_median)
nanmedian = median_by(array_nanmedian)


# --- Products


@compiled
def check_lengths(m, n):
    if m != n:
        raise ValueError("incompatible array sizes for np.dot(a, b)")


@compiled
def row_product(a, b):
    check_lengths(len(a), len(b))
    total = product_of(a.dtype(0), b.dtype(0))
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled
def put_products(a, b, out):
    if a.ndim == 1 and b.ndim == 1:
        out[()] = row_product(a, b)
    elif b.ndim == 1:
        for i in range(len(a)):
            out[i] = row_product(a[i], b)
    elif a.ndim == 1:
        for k in range(b.shape[1]):
            out[k] = row_product(a, b[:, k])
    else:
        for i in range(len(a)):
            for k in range(b.shape[1]):
                out[i, k] = row_product(a[i], b[:, k])
    return out


@compiled
def dot(a, b, out=None):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    elif out is not None:
        return put_products(a, b, out)
    elif a.ndim == 1 and b.ndim == 1:
        return row_product(a, b)
    else:
        return np.empty(len(a))  # which is refused here: it needs an `out`


@compiled
def matmul(x1, x2, out=None):
    return dot(x1, x2, out)


@compiled
def vdot(a, b):
    check_lengths(a.size, b.size)
    left, right = flat(a), flat(b)
    total = product_of(left.dtype(0), right.dtype(0))
    for i in range(len(left)):
        total += np.conj(left[i]) * right[i]
    return total


# --- The rest


@compiled
def lanemask_lt():
    return np.uint32((1 << cuda.laneid) - 1)


@compiled
def half_max(a, b):
    return b if a != a or a < b else a


@compiled
def half_min(a, b):
    return b if a != a or a > b else a


@compiled
def half_rcp(x):
    return np.float16(np.float32(1) / np.float32(x))


@compiled
def half_rsqrt(x):
    return np.float16(np.float32(1) / np.sqrt(np.float32(x)))


@compiled
def half_exp10(x):
    return np.float16(np.float32(10) ** np.float32(x))


@compiled
def vote_sync_intrinsic(mask, mode, predicate):
    ballot = cuda.ballot_sync(mask, predicate)
    if mode == 0:
        return np.int32(ballot), cuda.all_sync(mask, predicate) != 0
    if mode == 1:
        return np.int32(ballot), cuda.any_sync(mask, predicate) != 0
    return np.int32(ballot), cuda.eq_sync(mask, predicate) != 0
