# SPDX-License-Identifier: MIT
"""Functions of up to six numbers applied to arrays and numbers: one loop for a whole expression."""
import numpy as np

from gridcell.library import C, COMPLEX, compact, compiled, is_costly, kind, layout, strided
from gridcell.library.chunks import FEW, begun6, choice, chosen, following, places
from gridcell.library.elementwise import broadcast, line, turned, value
from gridcell.library.walks import add_operand, next_piece, piece, piece_of_result, walk_over


@compiled
def shape_of(a):
    return () if np.ndim(a) == 0 else a.shape


@compiled
def is_dense(a, shape):
    """Whether a is a number, or an array of the shape without gaps."""
    if np.ndim(a) == 0:
        return True
    elif a.ndim == len(shape) and layout(a) == C:
        return a.shape == shape
    elif a.ndim == 1 and len(shape) == 1:
        return a.shape == shape and is_row(a)
    else:
        return False


@compiled
def flat(a):
    """A dense operand for one index."""
    return a if np.ndim(a) == 0 else line(a)


@compiled
def stretched(a, shape):
    return a if np.ndim(a) == 0 else np.broadcast_to(a, shape)


@compiled
def item(a, i):
    """What belongs to turn i; of an unsigned index there are no negative ones to look out for."""
    return a if np.ndim(a) == 0 else a[i]


@compiled
def is_row(a):
    """Whether an array of one dimension has no gaps."""
    return a.strides[0] == a.itemsize


@compiled
def turn(f, a, b, c, d, e, g, i):
    return f(item(a, i), item(b, i), item(c, i), item(d, i), item(e, i), item(g, i))


@compiled
def fill6(f, a, b, c, d, e, g, out):
    for k in range(len(out)):
        out[np.uint64(k)] = turn(f, a, b, c, d, e, g, np.uint64(k))


@compact
def fill6_stretched(f, a, b, c, d, e, g, out):
    if out.ndim == 1:
        fill6(f, a, b, c, d, e, g, out)
    else:
        for i in range(len(out)):
            fill6_stretched(f, item(a, i), item(b, i), item(c, i), item(d, i), item(e, i),
                            item(g, i), out[i])


@compiled
def shape6(a, b, c, d, e, g):
    left = broadcast(broadcast(shape_of(a), shape_of(b)), shape_of(c))
    return broadcast(left, broadcast(broadcast(shape_of(d), shape_of(e)), shape_of(g)))


@compiled
def dense6(a, b, c, d, e, g, shape):
    return (is_dense(a, shape) and is_dense(b, shape) and is_dense(c, shape)
            and is_dense(d, shape) and is_dense(e, shape) and is_dense(g, shape))


@compiled
def map6(f, a, b, c, d, e, g, dtype):
    shape = shape6(a, b, c, d, e, g)
    out = np.empty(shape, dtype)
    if out.ndim == 0:
        out[()] = f(value(a), value(b), value(c), value(d), value(e), value(g))
    else:
        fill(f, number(a), number(b), number(c), number(d), number(e), number(g), shape, out)
    return out


@compiled
def map6_turned(f, a, b, c, d, e, g, dtype):
    """Of arrays in Fortran order, as is the result."""
    return map6(f, turned(a), turned(b), turned(c), turned(d), turned(e), turned(g), dtype).T


@compiled
def number(a):
    """An operand without dimensions as the number that it is."""
    return value(a) if np.ndim(a) == 0 else a


@compiled
def fill(f, a, b, c, d, e, g, shape, out):
    if dense6(a, b, c, d, e, g, shape):
        fill6(f, flat(a), flat(b), flat(c), flat(d), flat(e), flat(g), line(out))
    elif is_costly(f) and kind(out) != COMPLEX:
        fill6_walking(f, stretched(a, shape), stretched(b, shape), stretched(c, shape), stretched(d, shape),
                      stretched(e, shape), stretched(g, shape), line(out), shape, 0, out.size)
    else:
        fill6_apart(f, a, b, c, d, e, g, shape, out)


@compiled
def fill6_apart(f, a, b, c, d, e, g, shape, out):
    """Of operands that do not all have the shape, or have gaps; out has none."""
    if out.ndim == 1 or out.size <= FEW:
        fill6_stretched(f, stretched(a, shape), stretched(b, shape), stretched(c, shape),
                        stretched(d, shape), stretched(e, shape), stretched(g, shape), out)
    else:
        work, way = begun6(shape, 0, a, b, c, d, e, g)
        if way > 0:
            fill6_chunks(f, a, b, c, d, e, g, work, out)
        elif way < 0:
            fill6_stretched(f, stretched(a, shape), stretched(b, shape), stretched(c, shape),
                            stretched(d, shape), stretched(e, shape), stretched(g, shape), out)


@compiled
def fill6_chunks(f, a, b, c, d, e, g, work, out):
    at = 0
    while True:
        n = following(work)
        if n == 0:
            break
        fill6_parts(f, chosen(a, work, 0, n), chosen(b, work, places(a), n), chosen(c, work, places(a, b), n),
                    chosen(d, work, places(a, b, c), n), chosen(e, work, places(a, b, c, d), n),
                    chosen(g, work, places(a, b, c, d, e), n),
                    strided(out, out.dtype, C, at * out.itemsize, (n,), None))
        at += n


@compiled
def fill6_parts(f, a, b, c, d, e, g, out):
    for k in range(len(out)):
        i = np.uint64(k)
        out[i] = f(choice(a, i), choice(b, i), choice(c, i), choice(d, i), choice(e, i), choice(g, i))


@compiled
def fill6_walking(f, a, b, c, d, e, g, out, shape, first, stop):
    """The results of items first to stop, in C order, of arrays of any layout."""
    walk = walk_over(shape, out.size, 6, first, stop)
    add_operand(walk, 0, a)
    add_operand(walk, 1, b)
    add_operand(walk, 2, c)
    add_operand(walk, 3, d)
    add_operand(walk, 4, e)
    add_operand(walk, 5, g)
    n = next_piece(walk)
    while n > 0:
        fill6(f, piece(walk, 0, a, n), piece(walk, 1, b, n), piece(walk, 2, c, n), piece(walk, 3, d, n),
              piece(walk, 4, e, n), piece(walk, 5, g, n), piece_of_result(walk, out, n))
        n = next_piece(walk)
