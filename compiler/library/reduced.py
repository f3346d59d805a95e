# SPDX-License-Identifier: MIT
"""Reductions of expressions of up to six arrays and numbers: (a - b).max() and the like. No array is made
of the expression where its operands lie side by side: what sums and extremes take at a time fills a block."""
import numpy as np

from gridcell.library import FLOAT, compiled, dtype_of, float_sum, kind, result_dtype, threaded
from gridcell.library.fused import dense6, fill6_apart, flat, number, shape6, turn
from gridcell.library.reductions import (
    array_all, array_any, array_argmax, array_argmin, array_count_nonzero, array_max, array_min, array_prod,
    array_sum, extreme_of_row, follows, place_of, portion, precedes, zero)


class _Prange:
    __gridcell_builtin__ = "numba.prange"


prange = _Prange()
BLOCK = 1024
FEW = 8  # floats, up to which they are added one after another
CHUNK = 16384  # what a thread takes at a time
LARGE = 32768  # from so many elements on threads pay


@compiled
def made(f, a, b, c, d, e, g, shape, dtype):
    out = np.empty(shape, dtype)
    fill6_apart(f, a, b, c, d, e, g, shape, out)
    return out


@compiled
def count_of(shape):
    n = 1
    for length in shape:
        n *= length
    return n


@compiled
def reduce(f, one, over_array, combine, a, b, c, d, e, g, dtype):
    x, y, z, u, v, w = number(a), number(b), number(c), number(d), number(e), number(g)
    shape = shape6(x, y, z, u, v, w)
    if dense6(x, y, z, u, v, w, shape):
        return one(f, flat(x), flat(y), flat(z), flat(u), flat(v), flat(w), 0, count_of(shape), dtype)
    else:
        return over_array(made(f, x, y, z, u, v, w, shape, dtype))


@threaded
def chunks(f, one, combine, a, b, c, d, e, g, n, dtype):
    parts = np.empty((n + CHUNK - 1) // CHUNK, result_dtype(one, f, a, b, c, d, e, g, 0, n, dtype))
    for k in prange(len(parts)):
        start = np.int64(k) * CHUNK
        parts[k] = one(f, a, b, c, d, e, g, start, CHUNK if n - start > CHUNK else n - start, dtype)
    return combine(parts)


@threaded
def spread(f, one, over_array, combine, a, b, c, d, e, g, dtype):
    x, y, z, u, v, w = number(a), number(b), number(c), number(d), number(e), number(g)
    shape = shape6(x, y, z, u, v, w)
    n = count_of(shape)
    if n >= LARGE and dense6(x, y, z, u, v, w, shape):
        return chunks(f, one, combine, flat(x), flat(y), flat(z), flat(u), flat(v), flat(w), n, dtype)
    else:
        return reduce(f, one, over_array, combine, x, y, z, u, v, w, dtype)


@compiled
def fill_block(f, a, b, c, d, e, g, start, n, block):
    for k in range(n):
        i = np.uint64(start + k)
        block[np.uint64(k)] = turn(f, a, b, c, d, e, g, i)


@compiled
def sum_part(f, a, b, c, d, e, g, start, n, dtype):
    if kind(dtype) == FLOAT and n >= FEW:
        return sum_floats(f, a, b, c, d, e, g, start, n, dtype, None)
    else:
        total = dtype(-0.0) if kind(dtype) == FLOAT and n > 0 else zero(dtype)
        for k in range(start, start + n):
            total += turn(f, a, b, c, d, e, g, np.uint64(k))
        return total


@compiled
def square_distances(block, n, center):
    if center is not None:
        for k in range(n):
            i = np.uint64(k)
            distance = block[i] - center
            block[i] = distance * distance


@compiled
def sum_floats(f, a, b, c, d, e, g, start, n, dtype, center):
    """Of the squares of distances from the center where there is one."""
    block = np.empty(BLOCK if n > BLOCK else n, dtype)
    return sum_block(f, a, b, c, d, e, g, start, n, block, center)


@compiled
def sum_block(f, a, b, c, d, e, g, start, n, block, center):
    """Halves as in `reductions.pairwise`; the loop over the items is compiled once."""
    if n <= len(block):
        fill_block(f, a, b, c, d, e, g, start, n, block)
        square_distances(block, n, center)
        return float_sum(block, 0, n)
    else:
        half = n // 2
        half -= half % 8
        return (sum_block(f, a, b, c, d, e, g, start, half, block, center)
                + sum_block(f, a, b, c, d, e, g, start + half, n - half, block, center))


@compiled
def prod_part(f, a, b, c, d, e, g, start, n, dtype):
    total = zero(dtype) + dtype(1)
    for k in range(start, start + n):
        total *= turn(f, a, b, c, d, e, g, np.uint64(k))
    return total


@compiled
def count_part(f, a, b, c, d, e, g, start, n, dtype):
    count = 0
    for k in range(start, start + n):
        count += bool(turn(f, a, b, c, d, e, g, np.uint64(k)))
    return count


@compiled
def best_of_blocks(f, beats, locate, a, b, c, d, e, g, start, n, dtype):
    """The extreme, and where `locate` first finds it, counted from the start."""
    block = np.empty(BLOCK if n > BLOCK else n, dtype)
    best, place, at = dtype(0), 0, 0
    while at < n:
        count = BLOCK if n - at > BLOCK else n - at
        fill_block(f, a, b, c, d, e, g, start + at, count, block)
        x = extreme_of_row(block[:count], beats)
        if at == 0 or beats(x, best) or x != x:
            best, place = x, at + locate(block[:count], x)
        if x != x:
            break
        at += count
    return best, place


@compiled
def nowhere(row, x):
    return 0


def best_by(beats, locate, which, message):
    """The extreme (0) or its place (1)."""
    @compiled
    def part(f, a, b, c, d, e, g, start, n, dtype):
        if n == 0:
            raise ValueError(message)
        return best_of_blocks(f, beats, locate, a, b, c, d, e, g, start, n, dtype)[which]

    return part


max_part = best_by(follows, nowhere, 0, "zero-size array to reduction operation not possible")
min_part = best_by(precedes, nowhere, 0, "zero-size array to reduction operation not possible")
argmax_part = best_by(follows, place_of, 1, "attempt to get argmax or argmin of an empty sequence")
argmin_part = best_by(precedes, place_of, 1, "attempt to get argmax or argmin of an empty sequence")


@compiled
def var_part(f, a, b, c, d, e, g, start, n, dtype):
    total = sum_part(f, a, b, c, d, e, g, start, n, dtype)
    mean = np.divide(total, dtype_of(total)(n))
    kept = dtype_of(mean)
    return np.divide(sum_floats(f, a, b, c, d, e, g, start, n, kept, mean), kept(n))


@compiled
def whole(a, b, c, d, e, g):
    return a


@compiled
def row_var(a, mean, freedom):
    """Of the items of a row, whose mean is known."""
    dtype = dtype_of(mean)
    return np.divide(sum_floats(whole, a, 0, 0, 0, 0, 0, 0, len(a), dtype, mean), dtype(freedom))


@compiled
def has_block(f, a, b, c, d, e, g, start, n, dtype, is_it):
    """Whether is_it(how many items are true, of how many) for one of the blocks."""
    at = start
    while at < start + n:
        count = BLOCK if start + n - at > BLOCK else start + n - at
        if is_it(count_part(f, a, b, c, d, e, g, at, count, dtype), count):
            return True
        at += count
    return False


@compiled
def any_part(f, a, b, c, d, e, g, start, n, dtype):
    return has_block(f, a, b, c, d, e, g, start, n, dtype, lambda true, count: true > 0)


@compiled
def all_part(f, a, b, c, d, e, g, start, n, dtype):
    return not has_block(f, a, b, c, d, e, g, start, n, dtype, lambda true, count: true < count)


@compiled
def quotient(total, a, b, c, d, e, g):
    n = count_of(shape6(number(a), number(b), number(c), number(d), number(e), number(g)))
    return portion(total, n)


def reduced(one, over_array, combine):
    @compiled
    def function(f, a, b, c, d, e, g, dtype):
        return reduce(f, one, over_array, combine, a, b, c, d, e, g, dtype)

    return function


def averaged(total):
    @compiled
    def function(f, a, b, c, d, e, g, dtype):
        return quotient(total(f, a, b, c, d, e, g, dtype), a, b, c, d, e, g)

    return function


@compiled
def array_var(a):
    return np.var(a)


sum = reduced(sum_part, array_sum, array_sum)
prod = reduced(prod_part, array_prod, array_prod)
max = reduced(max_part, array_max, array_max)
min = reduced(min_part, array_min, array_min)
any = reduced(any_part, array_any, array_any)
all = reduced(all_part, array_all, array_all)
count_nonzero = reduced(count_part, array_count_nonzero, array_sum)
mean = averaged(sum)
var = reduced(var_part, array_var, array_var)
argmax = reduced(argmax_part, array_argmax, array_argmax)
argmin = reduced(argmin_part, array_argmin, array_argmin)


@compiled
def std(f, a, b, c, d, e, g, dtype):
    return np.sqrt(var(f, a, b, c, d, e, g, dtype))


# --- On threads


def spreading(one, over_array, combine):
    @threaded
    def function(f, a, b, c, d, e, g, dtype):
        return spread(f, one, over_array, combine, a, b, c, d, e, g, dtype)

    return function


spread_sum = spreading(sum_part, array_sum, array_sum)
spread_prod = spreading(prod_part, array_prod, array_prod)
spread_max = spreading(max_part, array_max, array_max)
spread_min = spreading(min_part, array_min, array_min)
spread_any = spreading(any_part, array_any, array_any)
spread_all = spreading(all_part, array_all, array_all)
spread_count_nonzero = spreading(count_part, array_count_nonzero, array_sum)
spread_mean = averaged(spread_sum)
