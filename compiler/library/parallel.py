# SPDX-License-Identifier: MIT
"""Functions of numbers applied to large arrays on several threads, for parallel=True."""
import numpy as np

from gridcell.library import C, layout, threaded
from gridcell.library.elementwise import line, map1 as serial1, map2 as serial2, turned, value
from gridcell.library.fused import dense6, flat, item, map6 as serial6, number, shape6


class _Prange:
    __gridcell_builtin__ = "numba.prange"


prange = _Prange()
LARGE = 32768  # from so many elements on threads pay


@threaded
def spread1(f, a, out):
    for i in prange(len(out)):
        out[i] = f(a[i])


@threaded
def spread2(f, a, b, out):
    for i in prange(len(out)):
        out[i] = f(a[i], b[i])


@threaded
def spread_left(f, a, y, out):
    for i in prange(len(out)):
        out[i] = f(a[i], y)


@threaded
def spread_right(f, x, b, out):
    for i in prange(len(out)):
        out[i] = f(x, b[i])


@threaded
def map1(f, a, dtype):
    if layout(a) == C and a.ndim > 0:
        if a.size >= LARGE:
            out = np.empty(a.shape, dtype)
            spread1(f, line(a), line(out))
            return out
    return serial1(f, a, dtype)


@threaded
def map2(f, a, b, dtype):
    if np.ndim(b) == 0:
        if layout(a) == C and np.ndim(a) > 0:
            if a.size >= LARGE:
                out = np.empty(a.shape, dtype)
                spread_left(f, line(a), value(b), line(out))
                return out
    elif np.ndim(a) == 0:
        if layout(b) == C:
            if b.size >= LARGE:
                out = np.empty(b.shape, dtype)
                spread_right(f, value(a), line(b), line(out))
                return out
    elif a.ndim == b.ndim and layout(a) == C and layout(b) == C:
        if a.shape == b.shape and a.size >= LARGE:
            out = np.empty(a.shape, dtype)
            spread2(f, line(a), line(b), line(out))
            return out
    return serial2(f, a, b, dtype)


@threaded
def map1_turned(f, a, dtype):
    """Of an array in Fortran order, as is the result."""
    return map1(f, a.T, dtype).T


@threaded
def map2_turned(f, a, b, dtype):
    return map2(f, turned(a), turned(b), dtype).T


@threaded
def spread6(f, a, b, c, d, e, g, out):
    for k in prange(len(out)):
        i = np.uint64(k)
        out[i] = f(item(a, i), item(b, i), item(c, i), item(d, i), item(e, i), item(g, i))


@threaded
def map6(f, a, b, c, d, e, g, dtype):
    shape = shape6(a, b, c, d, e, g)
    if len(shape) > 0:
        out = np.empty(shape, dtype)
        x, y, z, u, v, w = number(a), number(b), number(c), number(d), number(e), number(g)
        if out.size >= LARGE and dense6(x, y, z, u, v, w, shape):
            spread6(f, flat(x), flat(y), flat(z), flat(u), flat(v), flat(w), line(out))
            return out
    return serial6(f, a, b, c, d, e, g, dtype)


@threaded
def map6_turned(f, a, b, c, d, e, g, dtype):
    return map6(f, turned(a), turned(b), turned(c), turned(d), turned(e), turned(g), dtype).T
