# SPDX-License-Identifier: MIT
"""Going through the items of arrays and their indices."""
import numpy as np

from gridcell.library import ARRAY, C, COMPLEX, F, LIST, NUMBER, TUPLE, compiled, form, kind, layout, small, strided
from gridcell.library.joining import each_turned
from gridcell.library.shapes import each_broadcast, only_item, shape_of_all
from gridcell.library.views import axes_of, flat


@compiled
def range_item(r, i):
    n = len(r)
    if i < 0:
        i += n
    if i < 0 or i >= n:
        raise IndexError("range object index out of range")
    return r.start + i * r.step


@compiled
def ranges_equal(a, b):
    n = len(a)
    if n != len(b):
        return False
    if n == 0:
        return True
    return a.start == b.start and (n == 1 or a.step == b.step)


@compiled
def range_contains(r, x):
    if kind(x) == COMPLEX:
        return x.imag == 0 and range_contains(r, x.real)
    n = len(r)
    if n == 0 or x != int(x):
        return False
    distance = int(x) - r.start
    return distance % r.step == 0 and 0 <= distance // r.step < n


@compiled
def range_index(r, x):
    if not range_contains(r, x):
        raise ValueError("%s is not in range", x)
    return (int(x) - r.start) // r.step


@compiled
def range_count(r, x):
    return int(range_contains(r, x))


@compiled
def slices_equal(a, b):
    return a.start == b.start and a.stop == b.stop and a.step == b.step


@compiled
def refuse_longer(number):
    """What zip(strict=True) says of the first of its arguments that is not as long as those before it."""
    if number == 2:
        raise ValueError("zip() argument 2 is longer than argument 1")
    raise ValueError(f"zip() argument {number} is longer than arguments 1-{number - 1}")


@compiled
def refuse_shorter(number):
    if number == 2:
        raise ValueError("zip() argument 2 is shorter than argument 1")
    raise ValueError(f"zip() argument {number} is shorter than arguments 1-{number - 1}")


@compiled
def check_lengths(first, others, number):
    if len(others) != 0:
        if len(others[0]) < len(first):
            refuse_shorter(number)
        elif len(others[0]) > len(first):
            refuse_longer(number)
        check_lengths(first, others[1:], number + 1)


@compiled
def zip_strict(*iterables):
    check_lengths(iterables[0], iterables[1:], 2)


@compiled
def range_slice(r, s):
    first, last, step = s.indices(len(r))
    return range(r.start + first * r.step, r.start + last * r.step, r.step * step)


# A loop over a call of one of the next three goes over the places themselves (typing/rules/arrays/iteration.c).
# These generators are for all else that is done with one.
@compiled
def ndindex(*shape):
    if len(given_shape(shape)) == 0:
        yield ()
    else:
        for index in np.ndindex(given_shape(shape)):
            yield index


@compiled
def shape_given(*shape):
    return given_shape(shape)


@compiled
def given_shape(shape):
    if len(shape) == 1:
        return whole(axes_of(shape[0]))
    else:
        return whole(shape)


@compiled
def whole(shape):
    if len(shape) == 1:
        return (np.int64(shape[0]),)
    elif len(shape) == 0:
        return shape
    else:
        return whole(shape[:1]) + whole(shape[1:])


@compiled
def ndenumerate(arr):
    for index in np.ndindex(arr.shape):
        yield index, arr[index]


@compiled
def flat_of(a):
    """The items in C order: a view where they lie so, else a copy that cannot be written."""
    if layout(a) == C:
        return a.ravel()
    elif a.ndim == 1:
        return a[:]
    else:
        return np.broadcast_to(flat(a), a.size)


@compiled
def numbered(a, index):
    """The item with this number in C order, as a view."""
    n = a.size
    at = index + n if index < 0 else index
    if at < 0 or at >= n:
        raise IndexError("index %s is out of bounds for size %s", index, n)
    if layout(a) == C:
        return strided(a, a.dtype, C, at * a.itemsize, (), ())
    else:
        return strided(a, a.dtype, C, offset_of_number(at, a.shape, a.strides), (), ())


@compiled
def offset_of_number(number, shape, strides):
    """Where the item with this number in C order is, from the first."""
    if len(shape) == 0:
        return 0
    elif len(shape) == 1:
        return number * strides[0]
    else:
        rest = number // shape[-1]
        return (number - rest * shape[-1]) * strides[-1] + offset_of_number(rest, shape[:-1], strides[:-1])


@compiled
def get_flat(a, index):
    """a.flat[index]"""
    if form(index) == NUMBER:
        return numbered(a, index)[()]
    else:
        return flat_of(a)[index]


@compiled
def set_flat(a, index, values):
    """a.flat[index] = values"""
    if form(index) == NUMBER:
        numbered(a, index)[()] = values
    elif layout(a) == C:
        set_cycled(a.ravel(), index, values)
    else:
        items = np.empty(a.size, a.dtype)
        items[:] = flat(a)
        set_cycled(items, index, values)
        a[...] = items.reshape(a.shape)


@compiled
def set_cycled(items, index, values):
    """Sets the items to the values, which begin again where they come to an end."""
    if form(values) == TUPLE or form(values) == LIST:
        set_cycled(items, index, np.array(values))
    elif form(values) != ARRAY or np.ndim(values) == 0:
        items[index] = values
    elif values.size > 0:
        given, places = flat(values), np.arange(len(items))[index]
        items[places] = given[np.arange(len(places)) % len(given)]


@compiled
def fill_flat(a, values):
    """a.flat = values"""
    set_flat(a, slice(None), values)


@small
def fill_real(a, values):
    """a.real = values"""
    a.real[...] = values


@small
def fill_imag(a, values):
    """a.imag = values"""
    if kind(a) != COMPLEX:
        raise TypeError("array does not have imaginary part to set")
    a.imag[...] = values


@compiled
def item(a, *args):
    if len(args) == 0 and a.ndim == 0:
        return a[()]
    elif len(args) == 0:
        return only_item(a)
    elif len(args) == 1 and form(args[0]) == TUPLE:
        return item(a, *args[0])
    elif form(args[0]) == ARRAY and args[0].ndim > 0:
        raise TypeError("only integers and tuples of integers are places of an item")
    elif len(args) == a.ndim:
        check_places(args, a.shape)
        return a[args]
    elif len(args) == 1:
        check_number(args[0], a.size)
        return flat(a)[args[0]]
    else:
        raise ValueError("incorrect number of indices for array")


@compiled
def check_places(index, shape):
    for k in range(len(shape)):
        if index[k] < -shape[k] or index[k] >= shape[k]:
            raise IndexError("index %s is out of bounds for axis %s with size %s", index[k], k, shape[k])


@compiled
def check_number(number, size):
    if number < -size or number >= size:
        raise IndexError("index %s is out of bounds for size %s", number, size)


@small
def itemset(a, *args):
    if len(args) == 1:
        if a.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        a[...] = args[0]
    elif len(args) == a.ndim + 1:
        check_places(args, a.shape)
        a[args[:len(args) - 1]] = args[len(args) - 1]
    elif len(args) == 2:
        check_number(args[0], a.size)
        a.flat[args[0]] = args[1]
    else:
        raise ValueError("incorrect number of indices for array")


@compiled
def offset_of(index, strides):
    if len(index) == 0:
        return 0
    else:
        return index[0] * strides[0] + offset_of(index[1:], strides[1:])


@compiled
def item_view(a, index):
    return strided(a, a.dtype, C, offset_of(index, a.strides), (), ())


@compiled
def views_of(arrays, index):
    if len(arrays) == 0:
        return ()
    else:
        return (item_view(arrays[0], index),) + views_of(arrays[1:], index)


@compiled
def lying(a):
    """All items as a view of one axis, of an array without gaps: as they lie."""
    return a.T.ravel() if layout(a) == F else a.ravel()


@compiled
def has_axes(op, ndim, order):
    """Whether one of the operands has so many axes, and this layout."""
    if len(op) == 0:
        return False
    elif form(op[0]) == ARRAY:
        return (op[0].ndim == ndim and layout(op[0]) == order) or has_axes(op[1:], ndim, order)
    else:
        return has_axes(op[1:], ndim, order)


@compiled
def operands_of(op):
    """Broadcast to one shape; turned where that is how they lie, as NumPy then goes over them in that order."""
    shape = shape_of_all(op)
    if has_axes(op, len(shape), F) and not has_axes(op, len(shape), C):
        return each_turned(each_broadcast(op, shape))
    else:
        return each_broadcast(op, shape)


@compiled
def nditer(op):
    if form(op) == NUMBER:
        yield np.asarray(op)
    elif form(op) == ARRAY:
        turned = op.T if layout(op) == F else op
        for index in np.ndindex(turned.shape):
            yield item_view(turned, index)
    else:
        arrays = operands_of(op)
        for index in np.ndindex(arrays[0].shape):
            yield views_of(arrays, index)
