# SPDX-License-Identifier: MIT
"""Reductions of whole arrays of any number of dimensions, and Python's sum."""
import operator

import numpy as np

from gridcell.library import (COMPLEX, FLOAT, INT, TIME, UINT, bits, compiled, dtype_of, external,
                              float_sum, kind, small)
from gridcell.library.elementwise import number_of

BLOCK = 512  # items, between two looks at whether one has been found
LONG = 1 << 20  # a call adds no more, so that an interrupt need not wait


@compiled
def python_sum(iterable, start=0):
    total = start
    for x in iterable:
        total = total + number_of(x)
    return total


@compiled
def folded(a, start, step, combine):
    """All items added by `step` to a total that starts anew in each part; the totals of parts are combined."""
    total = start
    if a.ndim == 0:
        total = step(total, a[()])
    elif a.ndim == 1:
        for x in a:
            total = step(total, x)
    else:
        for part in a:
            total = combine(total, folded(part, start, step, combine))
    return total


@compiled
def wide_sum(a):
    """The sum of float16 numbers, unrounded."""
    return folded(a, 0.0, lambda total, x: total + float(x), operator.add)


@compiled
def array_sum(a):
    if kind(a) == FLOAT and bits(a) == 16:
        return a.dtype(wide_sum(a))
    elif a.ndim == 0:
        return zero(a.dtype) + a[()]
    elif a.ndim == 1:
        if kind(a) == FLOAT:
            return zero(a.dtype) + float_sum(a, 0, len(a))  # zeros whose sign is minus add up to one of plus
        else:
            total = zero(a.dtype)
            for x in a:
                total += x
            return total
    else:
        total = zero(a.dtype)
        for part in a:
            total += array_sum(part)
        return total


@compiled
def host_sum(a, start, n):
    return short_sum(a, start, n) if n <= LONG else long_sum(a, start, n)


@compiled
def few_added(a, start, n):
    total = a.dtype(0) if n == 0 else a[start]
    for i in range(1, n):
        total += a[start + i]
    return total


@compiled
def short_sum(a, start, n):
    """By a function of C, whose call costs more than a few additions."""
    if n < 8:
        return few_added(a, start, n)
    elif bits(a) == 64:
        return external("gridcell_sum_doubles", np.float64, a, start, n, a.strides[0])
    else:
        return external("gridcell_sum_floats", np.float32, a, start, n, a.strides[0])


@small
def long_sum(a, start, n):
    """Halves as in `pairwise`."""
    if n <= LONG:
        return short_sum(a, start, n)
    else:
        half = n // 2
        half -= half % 8
        return long_sum(a, start, half) + long_sum(a, start + half, n - half)


@compiled
def pairwise(a, start, n):
    """As NumPy adds floats: eight sums side by side, and halves of what is long."""
    if n < 8:
        return few_added(a, start, n)
    elif n <= 128:
        r0, r1, r2, r3 = a[start], a[start + 1], a[start + 2], a[start + 3]
        r4, r5, r6, r7 = a[start + 4], a[start + 5], a[start + 6], a[start + 7]
        whole = n - n % 8
        for i in range(start + 8, start + whole, 8):
            r0 += a[i]
            r1 += a[i + 1]
            r2 += a[i + 2]
            r3 += a[i + 3]
            r4 += a[i + 4]
            r5 += a[i + 5]
            r6 += a[i + 6]
            r7 += a[i + 7]
        total = ((r0 + r1) + (r2 + r3)) + ((r4 + r5) + (r6 + r7))
        for i in range(start + whole, start + n):
            total += a[i]
        return total
    else:
        half = n // 2
        half -= half % 8
        return pairwise(a, start, half) + pairwise(a, start + half, n - half)


@compiled
def zero(dtype):
    """0 of the type that sums of the dtype have."""
    return dtype(0) + dtype(0)


@compiled
def array_prod(a):
    return folded(a, zero(a.dtype) + a.dtype(1), operator.mul, operator.mul)


@compiled
def mean_total(a):
    """The sum; of wide integers it is a float, which does not overflow."""
    if (kind(a) == INT or kind(a) == UINT) and bits(a) == 64:
        return wide_sum(a) if a.ndim != 1 else four_sums(a)
    else:
        return array_sum(a)


@compiled
def four_sums(a):
    t0, t1, t2, t3 = 0.0, 0.0, 0.0, 0.0
    whole = len(a) - len(a) % 4
    for i in range(0, whole, 4):
        t0 += a[i]
        t1 += a[i + 1]
        t2 += a[i + 2]
        t3 += a[i + 3]
    for i in range(whole, len(a)):
        t0 += a[i]
    return (t0 + t1) + (t2 + t3)


@compiled
def portion(total, n):
    """The nth part, rounded once: a large n is no float32."""
    share = np.divide(total, np.float64(n))
    return share if kind(total) < FLOAT else dtype_of(total)(share)


@compiled
def array_mean(a):
    if kind(a) == FLOAT and bits(a) == 16:
        return a.dtype(wide_sum(a) / a.size)
    if kind(a) == TIME:
        return array_sum(a) / a.size
    total = mean_total(a)
    return portion(total, a.size)


@compiled
def squared_distance(a, mean):
    return folded(a, abs(mean) * 0, lambda total, x: total + abs(x - mean) ** 2, operator.add)


@compiled
def first(a):
    if a.ndim == 0:
        return a[()]
    elif a.ndim == 1:
        return a[0]
    else:
        return first(a[0])


@compiled
def precedes(x, y):
    """Complex numbers are in order by their real parts, then by their imaginary ones."""
    if kind(x) == COMPLEX:
        return x.real < y.real or (x.real == y.real and x.imag < y.imag)
    else:
        return x < y


@compiled
def follows(x, y):
    return precedes(y, x)


@compiled
def extreme(a, beats):
    """The item that beats the others; a NaN wins."""
    if a.ndim == 0:
        return a[()]
    elif a.ndim == 1:
        return extreme_of_row(a, beats)
    else:
        best = first(a)
        for part in a:
            x = extreme(part, beats)
            if beats(x, best) or x != x:
                best = x
                if x != x:
                    break
        return best


@compiled
def extreme_of_row(a, beats):
    return extreme_complex(a, beats) if kind(a) == COMPLEX else extreme_real(a, beats)


@compiled
def extreme_complex(a, beats):
    best = a[0]
    for x in a:
        if x != x:
            return x
        if beats(x, best):
            best = x
    return best


@compiled
def extreme_real(a, beats):
    """Four at a time, which a processor compares side by side."""
    n = len(a)
    r0 = r1 = r2 = r3 = a[0]
    odd = a[0] != a[0]
    whole = n - n % 4
    for i in range(0, whole, 4):
        x0, x1, x2, x3 = a[i], a[i + 1], a[i + 2], a[i + 3]
        r0 = x0 if beats(x0, r0) else r0
        r1 = x1 if beats(x1, r1) else r1
        r2 = x2 if beats(x2, r2) else r2
        r3 = x3 if beats(x3, r3) else r3
        odd = odd | (x0 != x0) | (x1 != x1) | (x2 != x2) | (x3 != x3)
    for i in range(whole, n):
        r0 = a[i] if beats(a[i], r0) else r0
        odd = odd | (a[i] != a[i])
    if odd:
        for x in a:
            if x != x:
                return x
    r0 = r1 if beats(r1, r0) else r0
    r2 = r3 if beats(r3, r2) else r2
    return r2 if beats(r2, r0) else r0


@compiled
def extreme_place(a, beats):
    return place_of(a, extreme(a, beats))


def of_items(find, beats, message):
    """find(a, beats) of an array that has items."""
    @compiled
    def function(a):
        if a.size == 0:
            raise ValueError(message)
        return find(a, beats)

    return function


array_min = of_items(extreme, precedes, "zero-size array to reduction operation not possible")
array_max = of_items(extreme, follows, "zero-size array to reduction operation not possible")
array_argmin = of_items(extreme_place, precedes, "attempt to get argmin of an empty sequence")
array_argmax = of_items(extreme_place, follows, "attempt to get argmax of an empty sequence")


@compiled
def place_of(a, x):
    """Where x, or a NaN for a NaN, is first, counted in C order; -1: nowhere."""
    if a.ndim == 1:
        start = block_with(a, lambda item: (item == x) | ((x != x) & (item != item)))
        for i in range(start, len(a)):
            if a[i] == x or (x != x and a[i] != a[i]):
                return i
    else:
        for i in range(len(a)):
            place = place_of(a[i], x)
            if place >= 0:
                return i * (a.size // len(a)) + place
    return -1


@compiled
def block_with(a, is_it):
    """Where the first block begins that has such an item, len(a): none has. Each is looked through to its end, so that
    the loop vectorises."""
    n = len(a)
    for start in range(0, n, BLOCK):
        found = False
        for i in range(start, min(start + BLOCK, n)):
            found |= is_it(a[np.uint64(i)])
        if found:
            return start
    return n


@compiled
def has_item(a, is_it):
    if a.ndim == 0:
        return is_it(a[()])
    elif a.ndim == 1:
        return block_with(a, is_it) < len(a)
    else:
        for part in a:
            if has_item(part, is_it):
                return True
    return False


@compiled
def array_any(a):
    return has_item(a, bool)


@compiled
def array_all(a):
    return not has_item(a, lambda x: not x)


@compiled
def array_count_nonzero(a):
    return folded(a, 0, lambda count, x: count + bool(x), operator.add)


@compiled
def array_ptp(a):
    return np.subtract(array_max(a), array_min(a))
