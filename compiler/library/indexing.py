# SPDX-License-Identifier: MIT
"""Indexing by arrays of integers and by masks; where, nonzero, take and their like.

The compiler calls get() and set() for `a[index]` where an array is part of the index: with a view
by the basic parts, the order of its axes that brings those that arrays index to the front, the
arrays, and a tuple with an item for each axis that comes before those of the arrays.
"""
import numpy as np

from gridcell.library import (
    ARRAY, BOOL, C, F, FLOAT, LIST, NUMBER, STRING, TEXT, compiled, external, form, kind, layout, small, tuple_range, tuple_take)
from gridcell.library.elementwise import agree, joined, turned, value
from gridcell.library.casting import check_cast, check_casting
from gridcell.library.views import (
    broadcast_shape, check_kind, check_mode, check_truths, flat, order_of, permuted, place, product, put_out, take_blocks)


@compiled
def get(a, order, indices, before, axes):
    """axes: those that the arrays index, as messages name them."""
    if len(indices) == 1 and a.ndim == 1 and indices[0].ndim == 1:
        return get_masked(a, indices[0]) if kind(indices[0]) == BOOL else get_line(a, indices[0], axes[0])
    elif len(indices) == 1 and kind(indices[0]) == BOOL and a.ndim == indices[0].ndim:
        check_mask(indices[0].shape, a.shape)
        return get_masked(flat(a), flat(indices[0]))
    else:
        return get_blocks(a, order, indices, before, axes)


@compiled
def get_line(a, index, axis=0):
    out = np.empty(len(index), a.dtype)
    n = len(a)
    for i in range(len(index)):
        out[i] = a[place_in(np.int64(index[i]), n, axis)]
    return out


@compiled
def get_masked(a, mask):
    check_mask(mask.shape, a.shape)
    out = np.empty(count_true(mask), a.dtype)
    at = i = np.uint64(0)
    while at < np.uint64(len(out)):  # what is written in vain is written again
        out[at] = a[i]
        at += np.uint64(mask[i])
        i += np.uint64(1)
    return out


@small
def check_mask(mask, shape):
    """Along an axis where it has no items a mask chooses none, of any number."""
    if not selects_from(mask, shape):
        raise IndexError("boolean index did not match indexed array: the mask has shape %s, the array %s",
                         mask, shape)


@small
def selects_from(mask, shape):
    if len(mask) == 0:
        return True
    else:
        return (mask[0] == shape[0] or mask[0] == 0) and selects_from(mask[1:], shape[1:])


@compiled
def count_true(mask):
    count = 0
    if mask.ndim == 1:
        for i in range(len(mask)):
            count += mask[i]
    else:
        for part in mask:
            count += count_true(part)
    return count


@compiled
def get_blocks(a, order, indices, before, axes):
    arrays = expanded(indices, tuple_take(a.shape, order))
    moved = permuted(a, order)
    outer = shape_of_all(arrays)
    inner = moved.shape[len(arrays):]
    out = np.empty(inner[:len(before)] + outer + inner[len(before):], a.dtype)
    front = fronted(out, outer, before, inner)
    offsets = offsets_of(arrays, outer, moved.shape, moved.strides, axes)
    external("gridcell_copy_blocks", None, moved, front, offsets, outer, len(outer), inner,
             moved.strides[len(arrays):], len(inner), front.strides, a.itemsize, 0)
    return out


@compiled
def set(a, order, indices, before, axes, value):
    if len(indices) == 1 and np.ndim(value) == 0 and kind(indices[0]) == BOOL and a.ndim == indices[0].ndim:
        check_mask(indices[0].shape, a.shape)
        fill_masked(a, indices[0], as_item(a, value))
    elif len(indices) == 1 and a.ndim == 1 and indices[0].ndim == 1 and np.ndim(value) == 0:
        set_line(a, indices[0], as_item(a, value), axes[0])
    else:
        set_blocks(a, order, indices, before, axes, value)


@compiled
def as_item(a, value):
    if kind(a) >= TEXT:
        return value
    else:
        return a.dtype(scalar(value))


@compiled
def scalar(value):
    return value[()] if form(value) == ARRAY else value


@compiled
def set_line(a, index, value, axis):
    n = len(a)
    for i in range(len(index)):
        a[place_in(np.int64(index[i]), n, axis)] = value


@compiled
def fill_masked(a, mask, value):
    if a.ndim == 1:
        for i in range(len(mask)):
            if mask[i]:
                a[i] = value
    else:
        for i in range(len(mask)):
            fill_masked(a[i], mask[i], value)


@small
def set_blocks(a, order, indices, before, axes, value):
    arrays = expanded(indices, tuple_take(a.shape, order))
    moved = permuted(a, order)
    outer = shape_of_all(arrays)
    inner = moved.shape[len(arrays):]
    values = as_rows(value, a.dtype, inner[:len(before)] + outer + inner[len(before):])
    front = fronted(values, outer, before, inner)
    offsets = offsets_of(arrays, outer, moved.shape, moved.strides, axes)
    external("gridcell_copy_blocks", None, moved, front, offsets, outer, len(outer), inner,
             moved.strides[len(arrays):], len(inner), front.strides, a.itemsize, 1)


@small
def as_rows(value, dtype, shape):
    """The value as an array of the dtype and the shape."""
    if form(value) == NUMBER:
        return np.broadcast_to(np.full((), value, dtype), shape)
    else:
        trimmed = shape_within(value.shape, shape)
        if not fits(trimmed, shape) or value.size != product(value, trimmed):
            raise ValueError("cannot assign slice of shape %s from input of shape %s", shape, value.shape)
        return np.broadcast_to(value.astype(dtype).reshape(trimmed), shape)


@small
def shape_within(shape, wanted):
    """The last lengths, as many as are wanted."""
    if len(shape) <= len(wanted):
        return shape
    else:
        return shape_within(shape[1:], wanted)


@small
def fits(shape, wanted):
    if len(shape) == 0:
        return True
    else:
        return (shape[-1] == 1 or shape[-1] == wanted[-1]) and fits(shape[:-1], wanted[:-1])


@small
def check_where(a, where):
    """A mask is stretched to what it chooses from, which no mask makes larger."""
    check_truths(where)
    if np.ndim(where) > np.ndim(a):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    elif not fits(np.shape(where), np.shape(a)):
        raise ValueError("non-broadcastable operand with shape %s doesn't match the shape %s of `where`",
                         np.shape(a), np.shape(where))


@small
def fronted(a, outer, before, inner):
    """The array with the axes of the index arrays first."""
    first = tuple_range(len(outer), len(before))
    rest = tuple_range(len(inner) - len(before), len(before) + len(outer))
    return permuted(a, first + tuple_range(len(before), 0) + rest)


@small
def expanded(indices, shape):
    """The arrays of integers, with those that a mask stands for in its place."""
    if len(indices) == 0:
        return ()
    elif kind(indices[0]) == BOOL:
        check_mask(indices[0].shape, shape[:indices[0].ndim])
        return nonzero(indices[0]) + expanded(indices[1:], shape[indices[0].ndim:])
    else:
        return (indices[0],) + expanded(indices[1:], shape[1:])


@small
def shape_of_all(arrays):
    if len(arrays) == 1:
        return arrays[0].shape
    else:
        rest = shape_of_all(arrays[1:])
        if not agree(arrays[0].shape, rest):
            raise IndexError("shape mismatch: indexing arrays could not be broadcast together with shapes %s %s",
                             arrays[0].shape, rest)
        return joined(arrays[0].shape, rest)


@small
def offsets_of(arrays, outer, shape, strides, axes):
    offsets = np.zeros(outer, np.int64)
    add_each(offsets, arrays, shape, strides, axes)
    return offsets


@small
def add_each(offsets, arrays, shape, strides, axes):
    if len(arrays) > 0:
        index = flat(np.broadcast_to(arrays[0], offsets.shape))
        outside = add_offsets(offsets.ravel(), index, shape[0], strides[0])
        if outside >= 0:
            raise IndexError("index %s is out of bounds for axis %s with size %s", index[outside], axes[0], shape[0])
        add_each(offsets, arrays[1:], shape[1:], strides[1:], axes[1:])


@compiled
def add_offsets(offsets, index, n, stride):
    """The number of the first index that is out of bounds, or -1."""
    for i in range(len(offsets)):
        j = np.int64(index[i])
        if j < 0:
            j += n
        if j < 0 or j >= n:
            return i
        offsets[i] += j * stride
    return -1


# --- Where things are


@compiled
def nonzero(a):
    if np.ndim(a) == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    elif a.ndim == 1:
        return (flatnonzero(a),)
    else:
        return coordinates(flatnonzero(a), a.shape)


@compiled
def flatnonzero(a):
    if form(a) == STRING:
        return flatnonzero(len(a) > 0)
    items = flat(False if a is None else a)
    count = 0
    for i in range(len(items)):
        count += bool(items[i])
    out = np.empty(count, np.int64)
    at = i = np.uint64(0)
    while at < np.uint64(count):  # what is written in vain is written again
        out[at] = np.int64(i)
        at += np.uint64(bool(items[i]))
        i += np.uint64(1)
    return out


@small
def coordinates(numbers, shape):
    """Arrays of the index along each axis, of items that are numbered in C order."""
    found = np.empty((len(shape), numbers.size), np.int64)
    external("gridcell_unravel", None, numbers, numbers.size, shape, len(shape), found, numbers.size, 1)
    return rows_of(found, shape)


@small
def rows_of(found, shape):
    if len(shape) == 0:
        return ()
    else:
        return (found[0],) + rows_of(found[1:], shape[1:])


@compiled
def argwhere(a):
    if a.ndim == 0:
        return np.empty((1 if a[()] else 0, 0), np.int64)
    else:
        numbers = flatnonzero(a)
        out = np.empty((len(numbers), a.ndim), np.int64)
        external("gridcell_unravel", None, numbers, len(numbers), a.shape, a.ndim, out, 1, a.ndim)
        return out


@compiled
def where(condition, x=None, y=None):
    if x is None:
        return nonzero(condition)
    else:
        return choose3(condition, x, y)


@compiled
def choose3(condition, x, y):
    if np.ndim(condition) == 0 and np.ndim(x) == 0 and np.ndim(y) == 0:
        out = np.empty((), np.result_type(x, y))
        out[()] = value(x) if value(condition) else value(y)
        return out
    elif ((np.ndim(condition) == 0 or layout(condition) == F) and (np.ndim(x) == 0 or layout(x) == F)
          and (np.ndim(y) == 0 or layout(y) == F)
          and (np.ndim(condition) == 0 or np.ndim(x) == 0 or np.ndim(condition) == np.ndim(x))
          and (np.ndim(condition) == 0 or np.ndim(y) == 0 or np.ndim(condition) == np.ndim(y))
          and (np.ndim(x) == 0 or np.ndim(y) == 0 or np.ndim(x) == np.ndim(y))):
        return choose3(turned(condition), turned(x), turned(y)).T
    else:
        shape = broadcast_shape(shape_of(condition), broadcast_shape(shape_of(x), shape_of(y)))
        out = np.empty(shape, np.result_type(x, y))
        fill_chosen(spread(condition, shape), spread(x, shape), spread(y, shape), out.ravel())
        return out


@small
def shape_of(a):
    return a.shape if form(a) == ARRAY else ()


@small
def spread(a, shape):
    """The items of an array of that shape in a row; a number as it is."""
    if np.ndim(a) == 0:
        return value(a)
    elif layout(a) == C and a.ndim == len(shape):
        if a.shape == shape:
            return a.ravel()
        else:
            return np.broadcast_to(a, shape).copy().ravel()
    else:
        return flat(np.broadcast_to(a, shape))


@compiled
def item(a, i):
    return a[i] if form(a) == ARRAY else a


@compiled
def fill_chosen(condition, x, y, out):
    for i in range(len(out)):
        out[i] = out.dtype(item(x, i)) if item(condition, i) else out.dtype(item(y, i))


# --- Taking


@compiled
def take(a, indices, axis=None, out=None, mode=None):
    if out is not None:
        return put_out(out, take(a, indices, axis, None, mode))
    elif kind(indices) == BOOL:
        return take(a, np.add(indices, 0), axis, None, mode)
    elif np.ndim(a) == 0 and axis is not None:
        return take(flat(a), indices, axis, None, mode)
    elif mode is not None:
        n = a.size if axis is None else a.shape[place(0 if axis is None else axis, a.ndim)]
        return take(a, brought_in(signed(indices), n, mode), axis)
    elif form(indices) == NUMBER:
        if axis is None:
            return flat(a)[place_in(indices, a.size)]
        elif a.ndim == 1:
            return a[place_in(indices, a.shape[place(axis, 1)])]
        else:
            return take_one(a, place_in(indices, a.shape[place(axis, a.ndim)], place(axis, a.ndim)), axis)
    elif axis is None:
        return flat(a)[indices]
    elif a.ndim == 1:
        place(axis, 1)
        return a[indices]
    else:
        return take_along(a, indices, place(axis, a.ndim))


@small
def check_integers(indices):
    if kind(indices) >= FLOAT:
        raise TypeError("indices must be integers")


@small
def signed(indices):
    """Of one type, so that what is done with them has one too."""
    check_integers(indices)
    if form(indices) == NUMBER:
        return np.int64(indices)
    else:
        return np.asarray(indices).astype(np.int64)


@small
def brought_in(indices, n, mode):
    """Indices within an axis of n, by 'raise', 'wrap' or 'clip'."""
    check_mode(mode)
    if mode == "wrap":
        return np.remainder(indices, n)
    if mode == "clip":
        return np.minimum(np.maximum(indices, 0), n - 1)
    return np.positive(indices)


@compiled
def take_one(a, index, axis):
    order = order_of(a, (axis,))
    moved = permuted(a, order)
    return np.copy(moved[..., index])


@small
def take_along(a, indices, axis):
    """a[:, ..., indices, ..., :]: the axes of the indices take the place of the axis."""
    if form(indices) == ARRAY and kind(a) < TEXT:
        if indices.ndim == 1:
            return take_blocks(a, places_in(indices, a.shape[axis], axis), axis)
    order = order_of(a, (axis,))
    rows = permuted(a, order)[..., indices]  # the axes of the indices last
    kept = tuple_range(a.ndim - 1, 0)
    # brought back: axes before `axis`, those of the indices, axes after
    return moved_in(rows, indices, axis, kept)


@compiled
def places_in(indices, n, axis):
    """Indices along the axis as numbers that are in bounds."""
    out = np.empty(len(indices), np.int64)
    for i in range(len(indices)):
        out[i] = place_in(np.int64(indices[i]), n, axis)
    return out


@small
def moved_in(rows, indices, axis, kept):
    back = np.empty(rows.ndim, np.int64)
    for i in range(rows.ndim):
        if i < axis:
            back[i] = i
        elif i < axis + indices.ndim:
            back[i] = len(kept) + i - axis
        else:
            back[i] = i - indices.ndim
    return np.copy(permuted(rows, load(rows, back)))


@small
def load(a, order):
    return tuple_load_of(order, a.shape)


@small
def tuple_load_of(order, like):
    if len(like) == 0:
        return ()
    else:
        return tuple_load_of(order[:-1], like[:-1]) + (order[-1],)


@small
def stretched(values, shape):
    if np.ndim(values) == 0:
        return np.full(shape, scalar(values))
    else:
        return np.broadcast_to(values, shape)


@compiled
def copyto(dst, src, casting="same_kind", where=True):
    check_casting(casting)
    if form(src) == ARRAY and (casting == "no" or casting == "equiv" or casting == "safe"):
        check_cast(dst, src, casting)
    elif casting != "unsafe":
        check_kind(dst, src)
    check_truths(where)
    if form(where) != ARRAY:
        if where:
            dst[...] = src
    else:
        copy_where(dst, stretched(src, dst.shape), np.broadcast_to(where, dst.shape))


@compiled
def copy_where(dst, src, mask):
    if dst.ndim == 0:
        if mask[()]:
            dst[()] = src[()]
    elif dst.ndim == 1:
        for i in range(len(dst)):
            if mask[i]:
                dst[i] = src[i]
    else:
        for i in range(len(dst)):
            copy_where(dst[i], src[i], mask[i])


@small
def check_as_many(a, mask):
    if np.size(mask) != a.size:
        raise ValueError("mask and data must be the same size")


@compiled
def putmask(a, mask, values):
    """Where the mask holds, the value of the same position, counted around."""
    if form(values) == ARRAY:
        check_kind(a, values)
    check_as_many(a, mask)
    items = np.ravel(values)
    places = np.flatnonzero(mask)
    for k in range(len(places) if len(items) > 0 else 0):
        set_flat(a, places[k], items[places[k] % len(items)])


@compiled
def extract(condition, a):
    kept = flatnonzero(condition)
    return flat(a)[kept]


@compiled
def compress(condition, a, axis=None, out=None):
    if np.ndim(condition) != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, flatnonzero(condition), axis, out)


@small
def compress_method(a, condition, axis=None, out=None):
    return compress(condition, a, axis, out)


@compiled
def put(a, indices, values, mode="raise"):
    items = flat(values).copy() if form(values) == ARRAY else np.full(1, values)
    places = flat(indices) if form(indices) == ARRAY else np.full(1, indices)
    if kind(places) == FLOAT:
        if len(places) > 0:  # [] is an array of them
            raise TypeError("Cannot cast array data from dtype('float64') to dtype('int64') according to the rule 'safe'")
    else:
        put_items(a, places, items, mode)


@compiled
def put_items(a, places, items, mode):
    if a.size == 0 and len(places) > 0:
        raise IndexError("cannot replace elements of an empty array")
    for i in range(len(places) if len(items) > 0 else 0):
        j = place_in(brought_in(places[i], a.size, mode), a.size)
        set_flat(a, j, items[i % len(items)])


@compiled
def place_in(index, n, axis=0):
    at = index + n if index < 0 else index
    if at < 0 or at >= n:
        raise IndexError("index %s is out of bounds for axis %s with size %s", index, axis, n)
    return at


@compiled
def set_flat(a, number, value):
    """Sets the item with this number in C order."""
    if a.ndim == 1:
        a[number] = value
    else:
        size = a.size // len(a)
        set_flat(a[number // size], number % size, value)


@compiled
def place_masked(a, mask, values):
    check_kind(a, values)
    check_as_many(a, mask)
    at = 0
    items = flat(values)
    marks = flat(mask)
    for i in range(len(marks)):
        if marks[i]:
            if len(items) == 0:
                raise ValueError("Cannot insert from an empty array!")
            set_flat(a, i, items[at % len(items)])
            at += 1
