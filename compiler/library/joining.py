# SPDX-License-Identifier: MIT
"""Arrays put together and taken apart; items taken out and put in."""
import numpy as np

from gridcell.library import (
    A, ARRAY, BOOL, F, FLOAT, LIST, NUMBER, SLICE, STRING, compact, compiled, empty_like, form, kind, layout, list_push,
    small, strided, tuple_drop, tuple_insert, tuple_range, tuple_set)
from gridcell.library.casting import check_casting, each_cast
from gridcell.library.rearranging import part
from gridcell.library.shapes import atleast_1d, atleast_2d, atleast_3d, expand_dims, moveaxis, ravel
from gridcell.library.views import axes_of, check_shape, contiguous, flat, place, take_blocks


# --- Put together


@small
def join_all(arrays, axis):
    if form(arrays) == LIST:
        return join_list(arrays, axis, np.result_type(arrays))
    elif axis is None:
        return join_all(each_flat(arrays), 0)
    elif layout(arrays[0]) != F:  # known from the types, so that what is made has one layout
        return join(arrays, axis, np.result_type(arrays))
    elif len(others(arrays)) == 0:
        return join(each_turned(arrays), arrays[0].ndim - 1 - place(axis, arrays[0].ndim), np.result_type(arrays)).T
    else:
        return join(arrays, axis, np.result_type(arrays))


def with_options(joined):
    @small
    def function(arrays, axis=0, out=None, dtype=None, casting="same_kind"):
        if out is not None:
            return put_joined(joined(each_cast(arrays, out.dtype, casting), axis), out, dtype)
        elif dtype is not None:
            return joined(each_cast(arrays, dtype, casting), axis)
        else:
            check_casting(casting)
            return joined(arrays, axis)

    return function


concatenate = with_options(join_all)


@small
def put_joined(joined, out, dtype):
    if dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    check_shape(out, joined)
    out[...] = joined
    return out


@small
def refuse_unlike(arrays, ndim, at):
    """Arrays have as many axes as the first of all, or it is told which has not."""
    if len(arrays) > 0:
        if arrays[0].ndim != ndim:
            raise ValueError("all the input arrays must have same number of dimensions, but the array at index 0 has %d "
                             "dimension(s) and the array at index %d has %d dimension(s)", ndim, at, arrays[0].ndim)
        refuse_unlike(arrays[1:], ndim, at + 1)


@small
def others(arrays):
    """A tuple as long as there are arrays that do not lie in Fortran order, which is known from the types: where there are
    none, what they make lies so, too."""
    if len(arrays) == 0:
        return ()
    elif layout(arrays[0]) == F:
        return others(arrays[1:])
    else:
        return (0,) + others(arrays[1:])


@small
def each_turned(arrays):
    if len(arrays) == 0:
        return ()
    else:
        return (arrays[0].T,) + each_turned(arrays[1:])


@small
def each_flat(arrays):
    if len(arrays) == 0:
        return ()
    else:
        return (ravel(arrays[0]),) + each_flat(arrays[1:])


@small
def join(arrays, axis, dtype):
    refuse_unlike(arrays[1:], arrays[0].ndim, 1)
    k = place(axis, arrays[0].ndim)
    total = total_along(arrays, k, arrays[0].shape)
    out = np.empty(tuple_set(arrays[0].shape, k, total), dtype)
    fill_parts(out, arrays, k, 0)
    return out


@small
def raise_sizes(shape, first, axis):
    if len(shape) != len(first):
        raise ValueError("all the input arrays must have same number of dimensions, the shapes are %s and %s",
                         first, shape)
    for k in range(len(first)):
        if k != axis and shape[k] != first[k]:
            raise ValueError("np.concatenate(): input sizes over dimension %s do not match: %s and %s",
                             k, first, shape)


@small
def total_along(arrays, axis, shape):
    if len(arrays) == 0:
        return 0
    else:
        if arrays[0].ndim != len(shape):
            raise_sizes(arrays[0].shape, shape, axis)
        n = arrays[0].shape[axis]
        if arrays[0].shape != tuple_set(shape, axis, n):
            raise_sizes(arrays[0].shape, shape, axis)
        return n + total_along(arrays[1:], axis, shape)


@small
def fill_parts(out, arrays, axis, start):
    if len(arrays) > 0:
        n = arrays[0].shape[axis]
        part(out, axis, start, n)[...] = arrays[0]
        fill_parts(out, arrays[1:], axis, start + n)


@small
def check_some(arrays):
    if len(arrays) == 0:
        raise ValueError("need at least one array to concatenate")


@small
def join_list(arrays, axis, dtype):
    check_some(arrays)
    if axis is None:
        return join_list([ravel(x) for x in arrays], 0, dtype)
    else:
        k = place(axis, arrays[0].ndim)
        total = 0
        for x in arrays:
            total += total_along((x,), k, arrays[0].shape)
        out = np.empty(tuple_set(arrays[0].shape, k, total), dtype)
        start = 0
        for x in arrays:
            part(out, k, start, x.shape[k])[...] = x
            start += x.shape[k]
        return out


@small
def stack_list(arrays, axis):
    if len(arrays) == 0:
        raise ValueError("need at least one array to stack")
    first = arrays[0]
    k = place(axis, first.ndim + 1)
    out = np.empty(tuple_insert(first.shape, k, len(arrays)), first.dtype)
    for i in range(len(arrays)):
        fill_layers(out, (arrays[i],), k, i, first.shape)
    return out


# --- Taken apart


@compact
def array_split(ary, indices_or_sections, axis=0):
    k = place(axis, ary.ndim)
    n = ary.shape[k]
    out = [part(ary, k, 0, 0) for i in range(0)]
    start = 0
    if form(indices_or_sections) == NUMBER:
        if indices_or_sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        out = empty_like(out, np.int64(indices_or_sections))  # or there is no memory for so many
        least, longer = n // indices_or_sections, n % indices_or_sections
        for i in range(indices_or_sections):
            count = least + (1 if i < longer else 0)
            list_push(out, part(ary, k, start, count))
            start += count
    else:
        for stop in indices_or_sections:
            end = min(n, max(0, stop + n if stop < 0 else stop))
            out.append(part(ary, k, start, max(0, end - start)))
            start = end
        out.append(part(ary, k, start, n - start))
    return out


@small
def split(ary, indices_or_sections, axis=0):
    if form(indices_or_sections) == NUMBER:
        if indices_or_sections == 0:
            raise ZeroDivisionError("integer modulo by zero")
        if ary.shape[place(axis, ary.ndim)] % indices_or_sections != 0:
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


@small
def hsplit(ary, indices_or_sections):
    if ary.ndim == 1:
        return split(ary, indices_or_sections, 0)
    else:
        return split(ary, indices_or_sections, 1)


@small
def vsplit(ary, indices_or_sections):
    if ary.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@small
def dsplit(ary, indices_or_sections):
    if ary.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


@small
def stack_all(arrays, axis):
    if form(arrays) == ARRAY:
        if len(arrays) == 0:
            raise ValueError("need at least one array to stack")
        return moveaxis(arrays, 0, axis).copy()
    elif form(arrays) == LIST:
        return stack_list(arrays, axis)
    else:
        first = arrays[0]
        k = place(axis, first.ndim + 1)
        out = np.empty(tuple_insert(first.shape, k, len(arrays)), np.result_type(arrays))
        fill_layers(out, arrays, k, 0, first.shape)
        return out


stack = with_options(stack_all)


@small
def fill_layers(out, arrays, axis, at, shape):
    if len(arrays) > 0:
        if arrays[0].shape != shape:
            raise ValueError("all input arrays must have the same shape")
        layer = strided(out, out.dtype, A, at * out.strides[axis], shape, tuple_drop(out.strides, axis))
        layer[...] = arrays[0]
        fill_layers(out, arrays[1:], axis, at + 1, shape)


@small
def each_atleast(f, arrays):
    if len(arrays) == 0:
        return ()
    else:
        return (f(arrays[0]),) + each_atleast(f, arrays[1:])


@small
def hstack(arrays, dtype=None, casting="same_kind"):
    check_some(arrays)
    if dtype is not None:
        return hstack(each_cast(arrays, dtype, casting))
    check_casting(casting)
    if form(arrays) == ARRAY:
        return hstack([x for x in arrays])
    elif form(arrays) == LIST:
        return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)
    else:
        parts = each_atleast(atleast_1d, arrays)
        return concatenate(parts, 0 if parts[0].ndim == 1 else 1)


@small
def vstack(arrays, dtype=None, casting="same_kind"):
    if dtype is not None:
        return vstack(each_cast(arrays, dtype, casting))
    check_casting(casting)
    if form(arrays) == ARRAY:
        check_some(arrays)
        if arrays.ndim < 3:
            return atleast_2d(arrays.copy())
        else:
            return contiguous(arrays).reshape((arrays.shape[0] * arrays.shape[1],) + arrays.shape[2:]).copy()
    elif form(arrays) == LIST:
        check_some(arrays)
        return stack_list(arrays, 0) if arrays[0].ndim == 1 else concatenate(arrays, 0)
    else:
        return concatenate(each_atleast(atleast_2d, arrays), 0)


@small
def dstack(arrays):
    if form(arrays) == LIST:
        check_some(arrays)
        if arrays[0].ndim == 1:
            return expand_dims(stack_list(arrays, 1), 0).copy()
        elif arrays[0].ndim == 2:
            return stack_list(arrays, 2)
        else:
            return concatenate(arrays, 2)
    else:
        return concatenate(each_atleast(atleast_3d, arrays), 2)


@small
def as_column(a):
    if np.ndim(a) < 2:
        return ravel(a).reshape((-1, 1))
    else:
        return a


@small
def column_stack(arrays):
    if form(arrays) == LIST:
        check_some(arrays)
        return stack_list(arrays, 1) if arrays[0].ndim == 1 else concatenate(arrays, 1)
    else:
        return concatenate(each_atleast(as_column, arrays), 1)


@small
def append(arr, values, axis=None):
    if axis is None:
        return concatenate((ravel(arr), ravel(values)), 0)
    else:
        return concatenate((arr, values), axis)


# --- Items taken out and put in


@small
def delete(arr, obj, axis=None):
    if axis is None:
        return delete_along(flat(arr), obj, 0)
    else:
        return delete_along(arr, obj, place(axis, arr.ndim))


@small
def delete_along(a, obj, axis):
    n = a.shape[axis]
    if form(obj) == NUMBER:
        return delete_one(a, obj, axis, n)
    keep = np.ones(n, np.bool_)
    if form(obj) == ARRAY and kind(obj) == FLOAT:
        if obj.size > 0:
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
    elif form(obj) == ARRAY and kind(obj) == BOOL:
        if obj.ndim != 1 or len(obj) != n:
            raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {n}")
        keep[obj] = False
    else:
        keep[obj] = False
    return take_blocks(a, np.flatnonzero(keep), axis)


@small
def delete_one(a, obj, axis, n):
    if obj < -n or obj >= n:
        raise IndexError("index %s is out of bounds for axis %s with size %s", obj, axis, n)
    at = obj + n if obj < 0 else obj
    out = np.empty(tuple_set(a.shape, axis, n - 1), a.dtype)
    part(out, axis, 0, at)[...] = part(a, axis, 0, at)
    part(out, axis, at, n - 1 - at)[...] = part(a, axis, at + 1, n - 1 - at)
    return out


@small
def insert(arr, obj, values, axis=None):
    if form(obj) == SLICE:
        return insert(arr, np.arange(arr.size if axis is None else arr.shape[axis])[obj], values, axis)
    elif axis is None:
        return insert_flat(flat(arr), obj, values)
    elif form(obj) == ARRAY:
        return insert_each(arr, obj, values, place(axis, arr.ndim))
    else:
        return insert_along(arr, obj, values, place(axis, arr.ndim))


@compiled
def insert_flat(a, obj, values):
    n = len(a)
    if form(obj) == NUMBER:
        new = ravel(values)
        at = inside(obj, n)
        out = np.empty(n + len(new), a.dtype)
        out[:at] = a[:at]
        out[at:at + len(new)] = new
        out[at + len(new):] = a[at:]
        return out
    else:
        places = places_inside(obj, n)
        if len(places) == 1:
            return insert_flat(a, places[0], values)
        order = np.argsort(places, kind="stable")
        new = ravel(values)
        if len(new) != 1 and len(new) != len(places):
            raise ValueError("shape mismatch: there must be one value, or as many as indices")
        out = np.empty(n + len(places), a.dtype)
        done = 0
        at = 0
        for k in range(len(order)):
            i = order[k]
            while done < places[i]:
                out[at] = a[done]
                at += 1
                done += 1
            out[at] = new[i if len(new) > 1 else 0]
            at += 1
        while done < n:
            out[at] = a[done]
            at += 1
            done += 1
        return out


@small
def inside(index, n, axis=0):
    if index < -n or index > n:
        raise IndexError("index %s is out of bounds for axis %s with size %s", index, axis, n)
    return index + n if index < 0 else index


@small
def places_inside(obj, n, axis=0):
    """Where the items of obj, indices or truth values, say to insert among n."""
    if form(obj) == ARRAY and kind(obj) == BOOL:
        return places_inside(np.flatnonzero(obj), n, axis)
    elif form(obj) == ARRAY and kind(obj) == FLOAT and obj.size > 0:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    else:
        places = np.empty(len(obj), np.int64)
        for i in range(len(obj)):
            places[i] = inside(obj[i], n, axis)
        return places


@small
def insert_each(a, obj, values, axis):
    """As many subarrays as places, each before the item that stood there."""
    n = a.shape[axis]
    chosen = places_inside(obj, n, axis)
    if len(chosen) == 1:
        return insert_block(a, chosen[0], values, axis, depth_of(values, axis, a.ndim))
    order = np.argsort(chosen, kind="stable")
    chosen[order] += np.arange(len(order))
    old = np.ones(n + len(chosen), np.bool_)
    old[chosen] = False
    out = np.empty(tuple_set(a.shape, axis, len(old)), a.dtype)
    front = moveaxis(out, axis, 0)
    front[np.flatnonzero(old)] = moveaxis(a, axis, 0)
    new = np.empty(tuple_set(a.shape, axis, len(chosen)), a.dtype)
    new[...] = values
    front[chosen] = moveaxis(new, axis, 0)
    return out


@small
def depth_of(values, axis, ndim):
    """How many items values has along an axis of an array of ndim dimensions that they are to be part of."""
    if form(values) == ARRAY:
        k = axis - ndim + values.ndim
        return values.shape[k] if k >= 0 else 1
    else:
        return 1


@small
def insert_block(a, at, values, axis, count):
    """`count` subarrays, values or what is broadcast from them, before the one at `at`."""
    n = a.shape[axis]
    out = np.empty(tuple_set(a.shape, axis, n + count), a.dtype)
    part(out, axis, 0, at)[...] = part(a, axis, 0, at)
    part(out, axis, at, count)[...] = values
    part(out, axis, at + count, n - at)[...] = part(a, axis, at, n - at)
    return out


@small
def insert_along(a, obj, values, axis):
    n = a.shape[axis]
    at = inside(obj, n, axis)
    if form(values) == ARRAY and np.ndim(values) == a.ndim:
        return insert_block(a, at, moveaxis(values, 0, axis), axis, values.shape[0])
    else:
        out = np.empty(tuple_set(a.shape, axis, n + 1), a.dtype)
        part(out, axis, 0, at)[...] = part(a, axis, 0, at)
        part(out, axis, at + 1, n - at)[...] = part(a, axis, at, n - at)
        layer = strided(out, out.dtype, A, at * out.strides[axis], tuple_drop(out.shape, axis),
                        tuple_drop(out.strides, axis))
        layer[...] = values
        return out


@compiled
def trim_zeros(a, trim="fb", axis=None):
    if a.ndim == 0:
        return a
    elif a.ndim == 1:
        if axis is not None:
            for k in axes_of(axis):
                place(k, 1)
        return trimmed_row(a, trim)
    else:
        return trimmed_axes(a, trim, tuple_range(a.ndim, 0) if axis is None else axes_of(axis))


@small
def trimmed_axes(a, trim, axes):
    """Without the planes at the ends of these axes that hold zeros alone."""
    if len(axes) == 0:
        return part(a, 0, 0, a.shape[0])
    else:
        k = place(axes[0], a.ndim)
        found = np.zeros(a.shape[k], np.int64)
        front = moveaxis(a, k, 0)
        for i in range(len(found)):
            found[i] = 1 if np.any(front[i]) else 0
        first, last = ends_of(found, trim)
        return trimmed_axes(part(a, k, first, last - first), trim, axes[1:])


@compiled
def trimmed_row(a, trim):
    first, last = ends_of(a, trim)
    return a[first:last]


@small
def is_blank(item):
    if form(item) == STRING:
        return len(item) == 0
    else:
        return item == 0


@compiled
def ends_of(a, trim):
    first = 0
    last = len(a)
    both = trim == "fb" or trim == "bf" or trim == "FB" or trim == "BF"
    front = both or trim == "f" or trim == "F"
    back = both or trim == "b" or trim == "B"
    if not front and not back:
        raise ValueError("unexpected character(s) in `trim`")
    if front:
        while first < last and is_blank(a[first]):
            first += 1
    if back:
        while last > first and is_blank(a[last - 1]):
            last -= 1
    return first, last


@small
def one_or_each(make, arys):
    """One array as it is, several in a tuple."""
    if len(arys) == 1:
        return make(arys[0])
    else:
        return each_atleast(make, arys)


@small
def atleast_1d_all(*arys):
    return one_or_each(atleast_1d, arys)


@small
def atleast_2d_all(*arys):
    return one_or_each(atleast_2d, arys)


@small
def atleast_3d_all(*arys):
    return one_or_each(atleast_3d, arys)


@small
def unstack(x, axis=0):
    return [y for y in moveaxis(x, axis, 0)]
