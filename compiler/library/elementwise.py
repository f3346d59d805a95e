# SPDX-License-Identifier: MIT
"""Functions of numbers applied to arrays, with NumPy's broadcasting."""
import numpy as np

from gridcell.library import C, compact, compiled, layout, strided


@compiled
def apply(f, *args):
    return f(*args)


@compiled
def line(a):
    """The items of an array in C order, for one index."""
    return strided(a, a.dtype, C, 0, (a.size,), None)


@compiled
def map1(f, a, dtype):
    out = np.empty(a.shape, dtype)
    if layout(a) == C:
        fill1(f, line(a), line(out))
    else:
        fill1(f, a, out)
    return out


@compiled
def turned(a):
    if np.ndim(a) == 0:
        return a
    else:
        return a.T


@compiled
def map1_turned(f, a, dtype):
    """Of an array in Fortran order, as is the result."""
    return map1(f, a.T, dtype).T


@compiled
def map2_turned(f, a, b, dtype):
    return map2(f, turned(a), turned(b), dtype).T


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
def value(a):
    """The number that a number or an array without dimensions is."""
    if hasattr(a, "shape"):
        return a[()]
    else:
        return a


@compiled
def map2(f, a, b, dtype):
    if np.ndim(b) == 0:
        return map_left(f, a, value(b), dtype)
    elif np.ndim(a) == 0:
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
def map_stretched(f, a, b, dtype):
    shape = broadcast(a.shape, b.shape)
    out = np.empty(shape, dtype)
    fill_stretched(f, np.broadcast_to(a, shape), np.broadcast_to(b, shape), out)
    return out


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


@compiled
def map_left(f, a, y, dtype):
    if np.ndim(a) == 0:
        out = np.empty((), dtype)
        out[()] = f(value(a), y)
        return out
    else:
        out = np.empty(a.shape, dtype)
        if layout(a) == C:
            fill_left(f, line(a), y, line(out))
        else:
            fill_left(f, a, y, out)
        return out


@compiled
def fill_left(f, a, y, out):
    if out.ndim == 1:
        for i in range(len(out)):
            out[i] = f(a[i], y)
    else:
        for i in range(len(out)):
            fill_left(f, a[i], y, out[i])


@compiled
def map_right(f, x, b, dtype):
    out = np.empty(b.shape, dtype)
    if layout(b) == C:
        fill_right(f, x, line(b), line(out))
    else:
        fill_right(f, x, b, out)
    return out


@compiled
def fill_right(f, x, b, out):
    if out.ndim == 1:
        for i in range(len(out)):
            out[i] = f(x, b[i])
    else:
        for i in range(len(out)):
            fill_right(f, x, b[i], out[i])
