# SPDX-License-Identifier: MIT
"""Arrays changed in place, a += b and the like, and what ufuncs put into `out`: element by element, where what is
read lies elsewhere. The function's first argument is the element itself."""
import numpy as np

from gridcell.library import C, compact, compiled, layout
from gridcell.library.chunks import beginning, begun2, begun6, choice, chosen, FEW, following, IS_WRITTEN, part, places
from gridcell.library.elementwise import broadcast, is_column, joined, line
from gridcell.library.fused import flat, is_dense, item, number


@compiled
def ends(a):
    """The addresses of the first byte of an array's items, and behind the last."""
    low = high = np.int64(a.ctypes.data)
    for k in range(a.ndim):
        reach = (a.shape[k] - 1) * a.strides[k]
        if reach < 0:
            low += reach
        else:
            high += reach
    return low, high + a.itemsize


@compiled
def is_apart(a, out):
    """Whether out may change while a is read: a has no byte of it, or the same items in the same places."""
    if np.ndim(a) == 0:
        return True
    elif a.ndim == out.ndim and a.itemsize == out.itemsize:
        if a.ctypes.data == out.ctypes.data and a.shape == out.shape and a.strides == out.strides:
            return True
        else:
            return lies_elsewhere(a, out)
    else:
        return lies_elsewhere(a, out)


@compiled
def lies_elsewhere(a, out):
    low, high = ends(a)
    begin, end = ends(out)
    return high <= begin or end <= low


@compiled
def apart(a, out):
    """The operand stretched to the array's shape, as a copy where it shares memory with it."""
    if np.ndim(a) == 0:
        return a
    else:
        if joined(broadcast(out.shape, a.shape), out.shape) != out.shape:
            raise ValueError("non-broadcastable output operand with shape %s doesn't match the broadcast shape %s",
                             out.shape, joined(out.shape, a.shape))
        if is_apart(a, out):
            return np.broadcast_to(a, out.shape)
        else:
            return np.broadcast_to(a.copy(), out.shape)


@compiled
def update2(f, out, b):
    y = number(b)
    if layout(out) == C and is_dense(y, out.shape) and is_apart(y, out):
        put2(f, line(out), flat(y))
    else:
        put2_apart(f, out, apart(y, out))


@compiled
def put2_apart(f, out, b):
    if out.ndim > 0 and np.ndim(b) > 0 and is_column(b, out):
        put2_column(f, out, b)
    elif out.ndim < 2 or out.size <= FEW:
        put2_stretched(f, out, b)
    else:
        work, way = begun2(out.shape, IS_WRITTEN, out, b)
        if way < 0:
            put2_stretched(f, out, b)
        while way > 0:
            n = following(work)
            if n == 0:
                break
            put2(f, beginning(out, work, 0, n), part(b, work, 1, n))


@compiled
def put2_column(f, out, b):
    if out.ndim == 1:
        put2(f, line(out), b[0])
    else:
        for i in range(len(out)):
            put2_column(f, out[i], b[i])


@compiled
def put2(f, out, b):
    for k in range(len(out)):
        i = np.uint64(k)
        out[i] = f(out[i], item(b, i))


@compact
def put2_stretched(f, out, b):
    if out.ndim == 0:
        out[()] = f(out[()], number(b))
    elif out.ndim == 1:
        put2(f, out, b)
    else:
        for i in range(len(out)):
            put2_stretched(f, out[i], item(b, i))


@compiled
def update6(f, out, b, c, d, e, g):
    u, v, w, x, y = number(b), number(c), number(d), number(e), number(g)
    shape = out.shape
    if (layout(out) == C and is_dense(u, shape) and is_dense(v, shape) and is_dense(w, shape)
            and is_dense(x, shape) and is_dense(y, shape) and is_apart(u, out) and is_apart(v, out)
            and is_apart(w, out) and is_apart(x, out) and is_apart(y, out)):
        put6(f, line(out), flat(u), flat(v), flat(w), flat(x), flat(y))
    else:
        put6_apart(f, out, apart(u, out), apart(v, out), apart(w, out), apart(x, out), apart(y, out))


@compiled
def put6_apart(f, out, b, c, d, e, g):
    if out.ndim < 2 or out.size <= FEW:
        put6_stretched(f, out, b, c, d, e, g)
    else:
        work, way = begun6(out.shape, IS_WRITTEN, out, b, c, d, e, g)
        if way < 0:
            put6_stretched(f, out, b, c, d, e, g)
        while way > 0:
            n = following(work)
            if n == 0:
                break
            put6_parts(f, beginning(out, work, 0, n), chosen(b, work, 1, n), chosen(c, work, places(out, b), n),
                       chosen(d, work, places(out, b, c), n), chosen(e, work, places(out, b, c, d), n),
                       chosen(g, work, places(out, b, c, d, e), n))


@compiled
def put6(f, out, b, c, d, e, g):
    for k in range(len(out)):
        i = np.uint64(k)
        out[i] = f(out[i], item(b, i), item(c, i), item(d, i), item(e, i), item(g, i))


@compiled
def put6_parts(f, out, b, c, d, e, g):
    for k in range(len(out)):
        i = np.uint64(k)
        out[i] = f(out[i], choice(b, i), choice(c, i), choice(d, i), choice(e, i), choice(g, i))


@compact
def put6_stretched(f, out, b, c, d, e, g):
    if out.ndim == 0:
        out[()] = f(out[()], number(b), number(c), number(d), number(e), number(g))
    elif out.ndim == 1:
        put6(f, out, b, c, d, e, g)
    else:
        for i in range(len(out)):
            put6_stretched(f, out[i], item(b, i), item(c, i), item(d, i), item(e, i), item(g, i))
