# SPDX-License-Identifier: MIT
"""Functions of numbers applied to large arrays on several threads, for parallel=True."""
import numpy as np

from gridcell.library import C, COMPLEX, is_costly, kind, layout, threaded
from gridcell.library.elementwise import (
    broadcast, fill_walking1, fill_walking2, line, map1 as serial1, map2 as serial2, turned, turned1, turned2, value)
from gridcell.library.fused import dense6, flat, map6 as serial6, number, shape6, turn


class _Prange:
    __gridcell_builtin__ = "numba.prange"


prange = _Prange()
LARGE = 32768  # from so many elements on threads pay
CHUNK = 16384  # of an array that does not lie densely: what a thread takes at a time


@threaded
def spread1(f, a, out):
    for i in prange(len(out)):
        out[i] = f(a[i])


@threaded
def spread2(f, a, b, out):
    for i in prange(len(out)):
        out[i] = f(a[i], b[i])


@threaded
def map1(f, a, dtype):
    if layout(a) == C and a.ndim > 0:
        if a.size >= LARGE:
            out = np.empty(a.shape, dtype)
            spread1(f, line(a), line(out))
            return out
    elif a.ndim > 0 and is_costly(f) and kind(dtype) != COMPLEX:
        if a.size >= LARGE:
            out = np.empty(a.shape, dtype)
            spread_walking1(f, a, line(out))
            return out
    return serial1(f, a, dtype)


@threaded
def spread_walking1(f, a, out):
    for k in prange((out.size + CHUNK - 1) // CHUNK):
        start = np.int64(k) * CHUNK
        fill_walking1(f, a, out, start, min(start + CHUNK, out.size))


@threaded
def spread_walking2(f, a, b, out, shape):
    for k in prange((out.size + CHUNK - 1) // CHUNK):
        start = np.int64(k) * CHUNK
        fill_walking2(f, a, b, out, shape, start, min(start + CHUNK, out.size))


@threaded
def map2(f, a, b, dtype):
    if np.ndim(a) > 0 and np.ndim(b) == 0:
        y = value(b)
        return map1(lambda x: f(x, y), a, dtype)
    elif np.ndim(a) == 0 and np.ndim(b) > 0:
        x = value(a)
        return map1(lambda y: f(x, y), b, dtype)
    elif np.ndim(a) > 0 and np.ndim(a) == np.ndim(b) and layout(a) == C and layout(b) == C:
        if a.shape == b.shape and a.size >= LARGE:
            out = np.empty(a.shape, dtype)
            spread2(f, line(a), line(b), line(out))
            return out
    elif np.ndim(a) > 0 and np.ndim(b) > 0 and is_costly(f) and kind(dtype) != COMPLEX:
        shape = broadcast(a.shape, b.shape)
        out = np.empty(shape, dtype)
        if out.size >= LARGE:
            spread_walking2(f, np.broadcast_to(a, shape), np.broadcast_to(b, shape), line(out), shape)
            return out
    return serial2(f, a, b, dtype)


map1_turned = turned1(map1)
map2_turned = turned2(map2)


@threaded
def spread6(f, a, b, c, d, e, g, out):
    for k in prange(len(out)):
        out[np.uint64(k)] = turn(f, a, b, c, d, e, g, np.uint64(k))


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
