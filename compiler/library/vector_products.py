# SPDX-License-Identifier: MIT
"""Outer, Kronecker and cross products, and sums of diagonals."""
import numpy as np

from gridcell.library import ARRAY, NUMBER, compiled, dtype_of, form, small, tuple_set
from gridcell.library.reductions import array_sum
from gridcell.library.shapes import ravel
from gridcell.library.views import broadcast_shape, contiguous, flat, named_place, spread_out


@compiled
def outer(a, b, out=None):
    if out is not None:
        return spread_out(out, outer(a, b))
    x = flat(a) if form(a) == ARRAY else ravel(a)
    y = flat(b) if form(b) == ARRAY else ravel(b)
    made = np.empty((len(x), len(y)), dtype_of(np.multiply(x.dtype(0), y.dtype(0))))
    for i in range(len(x)):
        put_multiple(x[i], y, made[i])
    return made


@compiled
def put_multiple(x, y, out):
    for j in range(len(y)):
        out[j] = x * y[j]


@small
def outer_vectors(a, b):
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError("Input arrays must be one-dimensional")
    return outer(a, b)


@small
def with_axes(shape, n):
    """The shape with axes of length 1 before it, as many as `n` has items."""
    if len(n) == 0:
        return shape
    else:
        return with_axes((1,) + shape, n[1:])


@compiled
def kron(a, b):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    elif a.ndim < b.ndim:
        return kron(contiguous(a).reshape(with_axes(a.shape, b.shape[a.ndim:])), b)
    elif b.ndim < a.ndim:
        return kron(a, contiguous(b).reshape(with_axes(b.shape, a.shape[b.ndim:])))
    elif a.ndim == 1:
        return outer(a, b).ravel()
    else:
        return kron_blocks(a, b)


@compiled
def kron_blocks(a, b):
    """Row by row of the last axes."""
    m, n = a.shape[a.ndim - 1], b.shape[b.ndim - 1]
    shape = a.shape
    for k in range(a.ndim):
        shape = tuple_set(shape, k, a.shape[k] * b.shape[k])
    rows = contiguous(a).reshape((a.size // max(m, 1), m))
    blocks = contiguous(b).reshape((b.size // max(n, 1), n))
    out = np.empty((len(rows) * len(blocks), m * n), dtype_of(np.multiply(a.dtype(0), b.dtype(0))))
    for i in range(len(rows) if m * n > 0 else 0):
        for j in range(len(blocks)):
            row = out[kron_place(i, j, a.shape, b.shape)]
            for k in range(m):
                for l in range(n):
                    row[k * n + l] = rows[i, k] * blocks[j, l]
    return out.reshape(shape)


@compiled
def kron_place(i, j, a, b):
    """Which row of the product the rows i and j of the factors make, of arrays with these shapes."""
    place = 0
    step = 1
    for k in range(len(a) - 2, -1, -1):
        place += ((i % a[k]) * b[k] + j % b[k]) * step
        step *= a[k] * b[k]
        i //= a[k]
        j //= b[k]
    return place


@compiled
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        return cross(a, b, axis, axis, axis)
    k, l = named_place(axisa, a.ndim, "axisa"), named_place(axisb, b.ndim, "axisb")
    check_lengths(a.shape[k], b.shape[l])
    if a.ndim == 1 and b.ndim == 1:
        named_place(axisc, 1, "axisc")
        out = np.empty(3, np.result_type(a, b))
        put_cross(a, b, out)
        return out
    else:
        products = cross_last(np.moveaxis(a, k, -1), np.moveaxis(b, l, -1))
        return np.moveaxis(products, -1, named_place(axisc, products.ndim, "axisc"))


@compiled
def check_lengths(m, n):
    if m + n < 5 or m > 3 or n > 3:
        raise ValueError("incompatible dimensions for cross product (one must be 3, the other 2 or 3; use cross2d() for "
                         "vectors of two)")


@compiled
def put_cross(x, y, out):
    """The product of two vectors; of two items, where the third is 0."""
    x2 = x[2] if len(x) == 3 else x.dtype(0)
    y2 = y[2] if len(y) == 3 else y.dtype(0)
    out[0] = x[1] * y2 - x2 * y[1]
    out[1] = x2 * y[0] - x[0] * y2
    out[2] = x[0] * y[1] - x[1] * y[0]


@compiled
def cross_last(a, b):
    """Of vectors along the last axis."""
    m, n = a.shape[a.ndim - 1], b.shape[b.ndim - 1]
    shape = broadcast_shape(a.shape[:a.ndim - 1], b.shape[:b.ndim - 1])
    x = flat(np.broadcast_to(a, shape + (m,))).reshape((-1, m))
    y = flat(np.broadcast_to(b, shape + (n,))).reshape((-1, n))
    out = np.empty((len(x), 3), np.result_type(a, b))
    for i in range(len(x)):
        put_cross(x[i], y[i], out[i])
    return out.reshape(shape + (3,))


@small
def cross_vectors(a, b, axis=-1):
    m, n = a.shape[axis], b.shape[axis]
    if m != 3 or n != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they are %d and %d dimensional "
                         "instead.", m, n)
    return cross(a, b, axis, axis, axis)


@compiled
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    lines = np.diagonal(a, offset, axis1, axis2)
    if out is not None:
        return np.sum(lines, -1, dtype, out)
    elif dtype is not None:
        return np.sum(lines, -1, dtype)
    elif a.ndim == 2:
        return array_sum(lines)
    else:
        return np.sum(lines, -1)


@small
def last_trace(x, offset=0, dtype=None):
    return trace(x, offset, -2, -1, dtype)
