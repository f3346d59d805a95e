# SPDX-License-Identifier: MIT
"""Functions of numbers applied to arrays, with NumPy's broadcasting."""
import numpy as np

from gridcell.library import ARRAY, C, COMPLEX, compact, compiled, form, is_costly, kind, layout, strided
from gridcell.library.chunks import FEW, begun2, following, part
from gridcell.library.walks import add_operand, next_piece, piece, piece_of_result, walk_over


@compiled
def apply(f, *args):
    return f(*args)


@compiled
def number_of(value):
    """What comes of no dimensions is a number, as NumPy's ufuncs give it."""
    if form(value) == ARRAY and np.ndim(value) == 0:
        return value[()]
    else:
        return value


@compiled
def line(a):
    """The items of an array in C order, for one index."""
    return strided(a, a.dtype, C, 0, (a.size,), None)


@compiled
def map1(f, a, dtype):
    out = np.empty(a.shape, dtype)
    if layout(a) == C:
        fill1(f, line(a), line(out))
    elif a.ndim > 0 and is_costly(f) and kind(dtype) != COMPLEX:
        fill_walking1(f, a, line(out), 0, out.size)
    else:
        fill1(f, a, out)
    return out


@compiled
def turned(a):
    return a if np.ndim(a) == 0 else a.T


def turned1(map1):
    """map1 for an array in Fortran order, as is the result."""
    @compiled
    def map1_turned(f, a, dtype):
        return map1(f, a.T, dtype).T

    return map1_turned


def turned2(map2):
    @compiled
    def map2_turned(f, a, b, dtype):
        return map2(f, turned(a), turned(b), dtype).T

    return map2_turned


map1_turned = turned1(map1)


@compiled
def fill1(f, a, out):
    if out.ndim == 0:
        out[()] = f(a[()])
    elif out.ndim == 1:
        for i in range(len(out)):
            out[i] = f(a[i])
    else:
        for i in range(len(out)):
            fill1(f, a[i], out[i])


@compiled
def fill_walking1(f, a, out, first, stop):
    """The results of items first to stop, in C order, of an array of any layout."""
    walk = walk_over(a.shape, out.size, 1, first, stop)
    add_operand(walk, 0, a)
    n = next_piece(walk)
    while n > 0:
        fill1(f, piece(walk, 0, a, n), piece_of_result(walk, out, n))
        n = next_piece(walk)


@compiled
def value(a):
    """The number that a number or an array without dimensions is."""
    if hasattr(a, "shape"):
        return a[()]
    else:
        return a


@compiled
def map2(f, a, b, dtype):
    if np.ndim(a) == 0 and np.ndim(b) == 0:
        out = np.empty((), dtype)
        out[()] = f(value(a), value(b))
        return out
    elif np.ndim(b) == 0:
        if layout(a) != C and is_costly(f) and kind(dtype) != COMPLEX:
            return map_walking(f, a, value(b), a.shape, dtype)
        else:
            return map_left(f, a, value(b), dtype)
    elif np.ndim(a) == 0:
        if layout(b) != C and is_costly(f) and kind(dtype) != COMPLEX:
            return map_walking(f, value(a), b, b.shape, dtype)
        else:
            return map_right(f, value(a), b, dtype)
    elif a.ndim == b.ndim and layout(a) == C and layout(b) == C:
        if a.shape == b.shape:
            out = np.empty(a.shape, dtype)
            fill2(f, line(a), line(b), line(out))
            return out
        else:
            return map_stretched(f, a, b, dtype)
    else:
        return map_stretched(f, a, b, dtype)


@compiled
def map_left(f, a, y, dtype):
    return map1(lambda x: f(x, y), a, dtype)


@compiled
def map_right(f, x, b, dtype):
    return map1(lambda y: f(x, y), b, dtype)


map2_turned = turned2(map2)


@compiled
def map_stretched(f, a, b, dtype):
    shape = broadcast(a.shape, b.shape)
    if (layout(a) != C or layout(b) != C) and is_costly(f) and kind(dtype) != COMPLEX:
        return map_walking(f, np.broadcast_to(a, shape), np.broadcast_to(b, shape), shape, dtype)
    else:
        out = np.empty(shape, dtype)
        if a.ndim == 1 and b.ndim == 1 and layout(a) == C and layout(b) == C:
            fill_by_item(f, a, b, out)
        else:
            fill_chunks(f, a, b, out, shape)
        return out


@compiled
def fill_by_item(f, a, b, out):
    """Of lines of two lengths, one of which is of one item."""
    if len(b) == 1:
        fill_right(f, a, b[0], out)
    else:
        fill_left(f, a[0], b, out)


@compiled
def map_walking(f, a, b, shape, dtype):
    """Of arrays of this shape and any layout, or numbers."""
    out = np.empty(shape, dtype)
    fill_walking2(f, a, b, line(out), shape, 0, out.size)
    return out


@compiled
def fill_chunks(f, a, b, out, shape):
    left, right = np.broadcast_to(a, shape), np.broadcast_to(b, shape)
    if is_column(right, left):
        fill_right_column(f, left, right, out)
    elif is_column(left, right):
        fill_left_column(f, left, right, out)
    elif out.ndim == 1 or out.size <= FEW:
        fill_stretched(f, left, right, out)
    else:
        work, way = begun2(shape, 0, a, b)
        at = 0
        while way > 0:
            n = following(work)
            if n == 0:
                break
            fill2(f, part(a, work, 0, n), part(b, work, 1, n),
                  strided(out, out.dtype, C, at * out.itemsize, (n,), None))
            at += n
        if way < 0 and (layout(a) != C or layout(b) != C):
            fill_stretched(f, left, right, out)


@compiled
def is_column(b, a):
    """Whether each row of an array, without gaps, meets one item of another of its shape."""
    return a.shape[-1] > 1 and b.strides[-1] == 0 and a.strides[-1] == a.itemsize


@compiled
def fill_right_column(f, a, b, out):
    if out.ndim == 1:
        fill_right(f, line(a), b[0], out)
    else:
        for i in range(len(out)):
            fill_right_column(f, a[i], b[i], out[i])


@compiled
def fill_left_column(f, a, b, out):
    if out.ndim == 1:
        fill_left(f, a[0], line(b), out)
    else:
        for i in range(len(out)):
            fill_left_column(f, a[i], b[i], out[i])


@compiled
def fill_right(f, a, y, out):
    fill1(lambda x: f(x, y), a, out)


@compiled
def fill_left(f, x, b, out):
    fill1(lambda y: f(x, y), b, out)


@compiled
def fill_walking2(f, a, b, out, shape, first, stop):
    walk = walk_over(shape, out.size, 2, first, stop)
    add_operand(walk, 0, a)
    add_operand(walk, 1, b)
    n = next_piece(walk)
    while n > 0:
        fill_items2(f, piece(walk, 0, a, n), piece(walk, 1, b, n), piece_of_result(walk, out, n))
        n = next_piece(walk)


@compiled
def fill_items2(f, a, b, out):
    for i in range(len(out)):
        out[i] = f(a if np.ndim(a) == 0 else a[i], b if np.ndim(b) == 0 else b[i])


@compact
def fill_stretched(f, a, b, out):
    if out.ndim == 1:
        for i in range(len(out)):
            out[i] = f(a[i], b[i])
    else:
        for i in range(len(out)):
            fill_stretched(f, a[i], b[i], out[i])


@compiled
def broadcast(a, b):
    """The shape that arrays of shapes a and b broadcast to."""
    if not agree(a, b):
        raise ValueError("unable to broadcast argument 1 to output array: "
                         "operands could not be broadcast together with shapes %s %s", a, b)
    return joined(a, b)


@compiled
def agree(a, b):
    if len(a) == 0 or len(b) == 0:
        return True
    else:
        return (a[-1] == b[-1] or a[-1] == 1 or b[-1] == 1) and agree(a[:-1], b[:-1])


@compiled
def joined(a, b):
    if len(a) == 0:
        return b
    elif len(b) == 0:
        return a
    else:
        return joined(a[:-1], b[:-1]) + (b[-1] if a[-1] == 1 else a[-1],)


@compiled
def fill2(f, a, b, out):
    for i in range(len(out)):
        out[i] = f(a[i], b[i])
