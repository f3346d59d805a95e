# SPDX-License-Identifier: MIT
"""Items in another order, or several times: flips, rolls, repeats, tiles; axes of one item away."""
import numpy as np

from gridcell.library import (
    A, ARRAY, NUMBER, TUPLE, compiled, external, form, small, strided, tuple_drop, tuple_full, tuple_range, tuple_set,
    tuple_take)
from gridcell.library.indexing import check_integers, scalar
from gridcell.library.shapes import expand_dims, swapaxes
from gridcell.library.views import (axes_of, contiguous, flat, length_plus, length_times, lengths,
                                    order_of, order_of_different, out_of_bounds, place, take_blocks)


@small
def flip(a, axis=None):
    if form(a) == NUMBER and axis is None:
        return a
    elif a.ndim == 0 and axis is None:
        return a[()]
    elif axis is None:
        return flip_axes(a, tuple_range(a.ndim, 0))
    else:
        order_of_different(a, axes_of(axis), "repeated axis")
        return flip_axes(a, axes_of(axis))


@small
def flip_axes(a, axes):
    if len(axes) == 0:
        return a
    else:
        return flip_axes(flip_axis(a, place(axes[0], a.ndim)), axes[1:])


@small
def flip_axis(a, axis):
    n = a.shape[axis]
    step = a.strides[axis]
    offset = (n - 1) * step if n > 0 else 0
    return strided(a, a.dtype, A, offset, a.shape, tuple_set(a.strides, axis, -step))


@small
def flipud(a):
    return flip_axis(a, place(0, a.ndim))


@small
def fliplr(a):
    if a.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    else:
        return flip_axis(a, 1)


@small
def rot90(m, k=1, axes=(0, 1)):
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    elif axes[0] == axes[1] or abs(axes[0] - axes[1]) == m.ndim:
        raise ValueError("Axes must be different.")
    else:
        for axis in axes:
            if axis < -m.ndim or axis >= m.ndim:
                raise ValueError("Axes=%s out of range for array of ndim=%s.", axes, m.ndim)
        i, j = place(axes[0], m.ndim), place(axes[1], m.ndim)
        turns = k % 4
        if turns == 0:
            return flip_axes(flip_axes(m, (i, j)), (i, j))
        elif turns == 1:
            return flip_axis(swapaxes(m, i, j), i)
        elif turns == 2:
            return flip_axes(m, (i, j))
        else:
            return swapaxes(flip_axis(m, i), i, j)


@small
def roll(a, shift, axis=None):
    if axis is None:
        return roll_axis(flat(a), sum_of(shift), 0).reshape(a.shape)
    elif form(axis) == TUPLE:
        return roll_axes(a, shift, axis)
    else:
        return roll_axis(a, sum_of(shift), place(axis, a.ndim))


@small
def sum_of(shift):
    if form(shift) == NUMBER:
        return shift
    else:
        total = 0
        for n in shift:
            total += n
        return total


@small
def roll_axes(a, shift, axes):
    if len(axes) == 0:
        return a.copy()
    elif form(shift) == NUMBER:
        return roll_axes(roll_axis(a, shift, place(axes[0], a.ndim)), shift, axes[1:])
    elif len(shift) == 1:
        return roll_axes(a, shift[0], axes)
    elif len(axes) == 1:
        return roll_axis(a, sum_of(shift), place(axes[0], a.ndim))
    elif len(shift) != len(axes):
        raise ValueError("shape mismatch: %s shifts cannot be made along %s axes", len(shift), len(axes))
    else:
        return roll_axes(roll_axis(a, shift[0], place(axes[0], a.ndim)), shift[1:], axes[1:])


@small
def roll_axis(a, shift, axis):
    n = a.shape[axis]
    out = np.empty(a.shape, a.dtype)
    if a.size > 0:
        k = shift % n
        part(out, axis, k, n - k)[...] = part(a, axis, 0, n - k)
        part(out, axis, 0, k)[...] = part(a, axis, n - k, k)
    return out


@small
def part(a, axis, start, count):
    """The view of `count` places from `start` along the axis."""
    return strided(a, a.dtype, A, start * a.strides[axis], tuple_set(a.shape, axis, count), a.strides)


@compiled
def repeat(a, repeats, axis=None):
    if axis is None:
        if form(a) == NUMBER:
            return np.full(repeats, a)
        elif form(repeats) == NUMBER:
            return repeat_each(flat(a), repeats)
        else:
            return flat(a)[sources(a.size, repeats)]
    elif np.ndim(a) == 0:
        return repeat(np.full(1, scalar(a)), repeats, axis)
    else:
        k = place(axis, a.ndim)
        if form(repeats) == NUMBER:
            return repeat_blocks(a, repeats, k)
        else:
            return take_blocks(a, sources(a.shape[k], repeats), k)


@small
def check_repeats(n, repeats):
    """What is not there may be repeated less than never."""
    if n > 0 and repeats < 0:
        raise ValueError("negative dimensions are not allowed")


@compiled
def repeat_each(items, repeats):
    check_repeats(len(items), repeats)
    out = np.empty(length_times(len(items), np.int64(repeats)), items.dtype)
    at = 0
    for i in range(len(items)):
        for j in range(repeats):
            out[at] = items[i]
            at += 1
    return out


@small
def repeat_blocks(a, repeats, axis):
    check_repeats(a.shape[axis], repeats)
    out = np.empty(tuple_set(a.shape, axis, length_times(a.shape[axis], np.int64(repeats))), a.dtype)
    if out.size > 0:
        external("gridcell_repeat_blocks", None, out, contiguous(a), lengths(a.shape, 0, axis + 1), repeats,
                 lengths(a.shape, axis + 1, a.ndim) * a.itemsize)
    return out


@compiled
def sources(n, repeats):
    """For each item of the result the one that it repeats."""
    check_integers(repeats)
    if len(repeats) != n and len(repeats) != 1:
        raise ValueError("operands could not be broadcast together")
    total = 0
    for i in range(n):
        count = np.int64(repeats[i if len(repeats) > 1 else 0])
        if count < 0:
            raise ValueError("repeats may not contain negative values.")
        total = length_plus(total, count)
    out = np.empty(total, np.int64)
    at = 0
    for i in range(n):
        for j in range(np.int64(repeats[i if len(repeats) > 1 else 0])):
            out[at] = i
            at += 1
    return out


@small
def tile(a, reps):
    if form(a) == NUMBER:
        return tile(np.full((), a), reps)
    elif form(a) == TUPLE:
        return tile(np.array(a), reps)
    elif form(reps) == NUMBER:
        return tile_shaped(a, (reps,))
    else:
        return tile_shaped(a, reps)


@small
def tile_shaped(a, reps):
    if a.ndim < len(reps):
        return tile_shaped(expand_dims(a, 0), reps)
    elif a.ndim > len(reps):
        return tile_shaped(a, (1,) + reps)
    else:
        shape = doubled(reps, a.shape)
        out = np.broadcast_to(a.copy().reshape(doubled(tuple_full(a.ndim, 1), a.shape)), shape)
        return out.copy().reshape(multiplied(reps, a.shape))


@small
def doubled(reps, shape):
    if len(reps) == 0:
        return ()
    else:
        return (np.int64(reps[0]), shape[0]) + doubled(reps[1:], shape[1:])


@small
def multiplied(reps, shape):
    if len(reps) == 0:
        return ()
    else:
        return (reps[0] * shape[0],) + multiplied(reps[1:], shape[1:])


@small
def resize(a, new_shape):
    shape = axes_of(new_shape)
    items = flat(a) if form(a) == ARRAY else np.full(1, a)
    out = np.zeros(shape, items.dtype)
    row = out.ravel()
    at = 0
    while at < len(row) and len(items) > 0:
        count = min(len(items), len(row) - at)
        row[at:at + count] = items[:count]
        at += count
    return out


@small
def squeeze(a, axis=None):
    if axis is None:
        if a.ndim > 0 and a.size != 0:
            for n in a.shape:
                if n == 1:
                    raise ValueError("squeeze() of an array with axes of length 1 needs `axis` in compiled code: "
                                     "the number of dimensions of the result cannot depend on the shape")
        return a
    elif form(axis) == NUMBER and np.ndim(a) == 0:
        if axis != 0 and axis != -1:
            out_of_bounds(axis, 0)
        return a
    elif form(axis) == NUMBER:
        k = place(axis, a.ndim)
        if a.shape[k] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        return strided(a, a.dtype, A, 0, tuple_drop(a.shape, k), tuple_drop(a.strides, k))
    elif len(axis) == 0:
        return a
    else:
        order = order_of(a, axis)
        for k in axis:
            if a.shape[place(k, a.ndim)] != 1:
                raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        kept = order[:a.ndim - len(axis)]
        return strided(a, a.dtype, A, 0, tuple_take(a.shape, kept), tuple_take(a.strides, kept))
