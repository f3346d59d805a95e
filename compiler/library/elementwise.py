# SPDX-License-Identifier: MIT
"""Functions of numbers applied to arrays, with NumPy's broadcasting."""
import numpy as np

from gridcell.library import compiled


@compiled
def apply1(f, a):
    return f(a)


@compiled
def apply2(f, a, b):
    return f(a, b)


@compiled
def map1(f, a, dtype):
    out = np.empty(a.shape, dtype)
    fill1(f, a, out)
    return out


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
def map2(f, a, b, dtype):
    if np.ndim(b) == 0:
        out = np.empty(a.shape, dtype)
    elif np.ndim(a) == 0:
        out = np.empty(b.shape, dtype)
    else:
        out = np.empty(broadcast(a.shape, b.shape), dtype)
    fill2(f, a, b, out)
    return out


@compiled
def broadcast(a, b):
    """The shape that arrays of shapes a and b broadcast to."""
    if len(a) == 0:
        return b
    elif len(b) == 0:
        return a
    else:
        return broadcast(a[:-1], b[:-1]) + (broadcast_length(a[-1], b[-1]),)


@compiled
def broadcast_length(m, n):
    if m != n and m != 1 and n != 1:
        raise ValueError("operands could not be broadcast together")
    return n if m == 1 else m


@compiled
def fill2(f, a, b, out):
    if out.ndim == 0:
        out[()] = f(scalar(a), scalar(b))
    elif out.ndim == 1:
        fill2_row(f, a, b, out)
    else:
        for i in range(len(out)):
            fill2(f, row(a, i, out), row(b, i, out), out[i])


@compiled
def scalar(a):
    if np.ndim(a) == 0:
        return value(a)
    else:
        return value(a[0])


@compiled
def value(a):
    if hasattr(a, "shape"):
        return a[()]
    else:
        return a


@compiled
def row(a, i, out):
    """What row i of `out` is computed from: `a` itself where it has fewer dimensions."""
    if np.ndim(a) < out.ndim:
        return a
    else:
        return a[i if len(a) != 1 else 0]


@compiled
def fill2_row(f, a, b, out):
    n = len(out)
    if np.ndim(a) == 0:
        x = value(a)
        if np.ndim(b) == 0:
            y = value(b)
            for i in range(n):
                out[i] = f(x, y)
        elif len(b) == n:
            for i in range(n):
                out[i] = f(x, b[i])
        else:
            for i in range(n):
                out[i] = f(x, b[0])
    elif np.ndim(b) == 0:
        y = value(b)
        if len(a) == n:
            for i in range(n):
                out[i] = f(a[i], y)
        else:
            for i in range(n):
                out[i] = f(a[0], y)
    elif len(a) == n and len(b) == n:
        for i in range(n):
            out[i] = f(a[i], b[i])
    else:
        step_a, step_b = len(a) != 1, len(b) != 1
        for i in range(n):
            out[i] = f(a[i * step_a], b[i * step_b])
