# SPDX-License-Identifier: MIT
"""Items taken and put along an axis, for each line of its own."""
import numpy as np

from gridcell.library import compiled, small
from gridcell.library.indexing import get_line, stretched
from gridcell.library.strides import apart
from gridcell.library.views import broadcast_shape, contiguous, flat, order_of, permuted, place, product, unpermuted


@compiled
def take_along_axis(a, indices, axis=-1):
    if axis is None:
        check_flat(indices)
        return get_line(flat(a), flat(indices))
    else:
        order = order_of(a, (axis,))
        n = a.shape[place(axis, a.ndim)]
        m = indices.shape[place(axis, a.ndim)]
        shape = broadcast_shape(permuted(a, order).shape[:-1], permuted(indices, order).shape[:-1])
        from_rows = contiguous(np.broadcast_to(permuted(a, order), shape + (n,))).reshape((product(a, shape), n))
        index_rows = contiguous(np.broadcast_to(permuted(indices, order), shape + (m,))).reshape((product(a, shape), m))
        out = np.empty(index_rows.shape, a.dtype)
        for i in range(len(out)):
            out[i] = get_line(from_rows[i], index_rows[i], place(axis, a.ndim))
        return unpermuted(out.reshape(shape + (m,)), order)


@small
def check_flat(indices):
    if indices.ndim != 1:
        raise ValueError("when axis=None, `indices` must have a single dimension.")


@compiled
def put_along_axis(a, indices, values, axis):
    if axis is None:
        check_flat(indices)
        put_rows(a.reshape(-1), flat(apart(indices, a)), stretched(apart(values, a), (indices.size,)), 0)
    else:
        order = order_of(a, (axis,))
        whole, places = permuted(a, order), permuted(apart(indices, a), order)
        shape = whole.shape[:-1] + (places.shape[-1],)
        items = permuted(stretched(apart(values, a), indices.shape), order)
        put_each(whole, np.broadcast_to(places, shape), np.broadcast_to(items, shape), place(axis, a.ndim))


@compiled
def put_each(a, indices, values, axis):
    if a.ndim == 1:
        put_rows(a, indices, values, axis)
    else:
        for i in range(len(a)):
            put_each(a[i], indices[i], values[i], axis)


@compiled
def put_rows(a, indices, values, axis):
    for k in range(len(indices)):
        i = indices[k]
        if i < -len(a) or i >= len(a):
            raise IndexError("index %s is out of bounds for axis %s with size %s", i, axis, len(a))
        a[i] = values[k]
