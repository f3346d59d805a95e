# SPDX-License-Identifier: MIT
"""Functions of CUDA kernels that are made of others."""
import numpy as np
from numba import cuda

from gridcell.library import compiled
from gridcell.library.elementwise import value
from gridcell.library.fused import item, stretched


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


@compiled
def atomic_nanmax(ary, idx, val):
    old = ary[idx]
    while val > old or old != old:
        seen = cuda.atomic.cas(ary, idx, old, val)
        if seen == old or (seen != seen and old != old):
            return seen
        old = seen
    return old


@compiled
def atomic_nanmin(ary, idx, val):
    old = ary[idx]
    while val < old or old != old:
        seen = cuda.atomic.cas(ary, idx, old, val)
        if seen == old or (seen != seen and old != old):
            return seen
        old = seen
    return old


@compiled
def atomic_inc(ary, idx, val):
    limit = ary.dtype(val)
    old = ary[idx]
    while True:
        seen = cuda.atomic.cas(ary, idx, old, ary.dtype(0) if old >= limit else ary.dtype(old + 1))
        if seen == old:
            return old
        old = seen


@compiled
def atomic_dec(ary, idx, val):
    limit = ary.dtype(val)
    old = ary[idx]
    while True:
        seen = cuda.atomic.cas(ary, idx, old, limit if old == 0 or old > limit else ary.dtype(old - 1))
        if seen == old:
            return old
        old = seen


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
