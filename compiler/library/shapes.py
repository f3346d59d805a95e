# SPDX-License-Identifier: MIT
"""The same items in another shape, layout or dtype."""
import numpy as np

from gridcell.library import (
    A, ARRAY, BOOL, C, F, LIST, NUMBER, RANGE, RECORD, STRING, TEXT, TUPLE, bits, bytes_of, compiled, form, kind,
    layout, row_of, small, strided, tuple_drop, tuple_insert, tuple_range, tuple_set)
from gridcell.library.casting import check_cast, check_casting
from gridcell.library.nested import fill_nested, shape_of_nested
from gridcell.library.reductions import first, has_item
from gridcell.library.views import (
    axes_of, backwards, broadcast_shape, check_order, contiguous, flat, is_dense, named_place, order_of_different,
    permuted, place)

# as NumPy has it, up to 2.1 with a warning
EMPTY_IS_FALSE = np.lib.NumpyVersion(np.__version__) < "2.2.0"
NEVER_COPIES = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


# --- The same items in another shape


@small
def copy(a, order="K"):
    if form(a) == NUMBER:
        return np.full((), a)
    elif order == "F":
        return a.T.copy().T if a.ndim > 1 else a.copy()
    elif order == "C" or (order == "A" and layout(a) != F):
        return contiguous(a.copy())
    else:
        check_order(order)
        return in_order(a)


@small
def in_order(a):
    """A copy in the array's own order."""
    if layout(a) == F:
        return a.T.copy().T
    else:
        return a.copy()


@small
def astype(a, dtype, order="K", casting="unsafe", subok=True, copy=True):
    if casting != "unsafe":
        check_casting(casting)
        check_cast(dtype, a, casting)
        return astype(a, dtype, order, "unsafe", subok, copy)
    elif order == "F":
        return in_columns(astype(a, dtype, "K", casting, subok, copy))
    elif order == "C" or (order == "A" and layout(a) != F):
        return contiguous(astype(a, dtype, "K", casting, subok, copy))
    else:
        check_order(order)
        return a.astype(dtype) if copy else asarray(a, dtype)


@small
def is_backwards(a, order):
    """Whether the order, F or the array's own, begins with the first axis."""
    check_order(order)
    if order == "A" or order == "K" or order == "a" or order == "k":
        return layout(a) == F or (layout(a) == A and a.ndim > 1 and not is_dense(a) and is_dense(a.T))
    else:
        return order == "F" or order == "f"


@small
def ravel(a, order="C"):
    if form(a) == NUMBER:
        return np.full(1, a)
    elif order == "C" or order != "F" and not is_backwards(a, order):  # known of C, so that copies can be written to
        return flat(a)
    else:
        return flat(a.T)


@small
def flatten(a, order="C"):
    if is_backwards(a, order):
        return flat(a.T.copy())
    else:
        return a.copy().ravel()


@small
def uncopied(made, a, message):
    """What was made of an array, unless its items lie elsewhere; up to NumPy 2 they might."""
    if NEVER_COPIES and made.size > 0 and made.ctypes.data != a.ctypes.data:
        raise ValueError(message)
    return made


@small
def reshape(a, shape, order="C", copy=None):
    if copy is not None and form(a) == ARRAY:
        if copy:
            return reshape(a.copy(), shape, order)
        return uncopied(reshape(a, shape, order), a, "Unable to avoid creating a copy while reshaping.")
    elif copy is not None:
        return reshape(a, shape, order)
    elif form(a) == NUMBER:
        return np.full(1, a).reshape(axes_of(shape))
    elif order == "F":
        return a.T.reshape(backwards(axes_of(shape))).T
    elif order == "f" or (order == "A" or order == "a") and layout(a) == F:
        return reshape(a, shape, "F")
    else:
        check_order(order)
        if order == "K" or order == "k":
            raise ValueError("order 'K' is not permitted for reshaping")
        return a.reshape(shape)


@small
def transpose(a, axes=None):
    if axes is None:
        return a.T
    elif len(axes) != a.ndim:
        raise ValueError("axes don't match array")
    else:
        return permuted(a, order_of_different(a, axes, "repeated axis in transpose"))


@small
def swapaxes(a, axis1, axis2):
    i = named_place(axis1, a.ndim, "axis1")
    j = named_place(axis2, a.ndim, "axis2")
    order = tuple_range(a.ndim, 0)
    return permuted(a, tuple_set(tuple_set(order, i, j), j, i))


@small
def moveaxis(a, source, destination):
    if form(source) == NUMBER and form(destination) == NUMBER:
        i, j = named_place(source, a.ndim, "source"), named_place(destination, a.ndim, "destination")
        return permuted(a, tuple_insert(tuple_drop(tuple_range(a.ndim, 0), i), j, i))
    elif form(source) == NUMBER or form(destination) == NUMBER:
        return moveaxis(a, axes_of(source), axes_of(destination))
    else:
        check_named(source, a.ndim, "source")
        check_named(destination, a.ndim, "destination")
        order = order_of_different(a, source, "repeated axis in `source` argument")
        order_of_different(a, destination, "repeated axis in `destination` argument")
        if len(source) != len(destination):
            raise ValueError("`source` and `destination` arguments must have the same number of elements")
        return permuted(a, moved(order[:a.ndim - len(source)], source, destination, a.ndim))


@small
def check_named(axes, ndim, name):
    for axis in axes:
        named_place(axis, ndim, name)


@small
def moved(order, source, destination, ndim):
    """The axes that stay, with the others put among them, lowest destination first."""
    if len(source) == 0:
        return order
    else:
        k = lowest(destination, ndim)
        return moved(tuple_insert(order, place(destination[k], ndim), place(source[k], ndim)),
                     tuple_drop(source, k), tuple_drop(destination, k), ndim)


@small
def lowest(destination, ndim):
    best = 0
    for i in range(len(destination)):
        if place(destination[i], ndim) < place(destination[best], ndim):
            best = i
    return best


@compiled
def matrix_transpose(x):
    return swapaxes(x, -1, -2)


@small
def rollaxis(a, axis, start=0):
    i = place(axis, a.ndim)
    j = start + a.ndim if start < 0 else start
    if j < 0 or j > a.ndim:
        raise np.exceptions.AxisError("'start' arg requires %s <= start < %s, but %s was passed in", -a.ndim, a.ndim + 1, j)
    return moveaxis(a, i, j - 1 if i < j else j)


@small
def check_different(axes, k, ndim):
    for i in range(len(axes)):
        if i != k and place(axes[i], ndim) == place(axes[k], ndim):
            raise ValueError("repeated axis")


@small
def expand_dims(a, axis):
    if form(a) == NUMBER:
        return expand_dims(np.full((), a), axis)
    elif form(axis) == NUMBER:
        k = place(axis, a.ndim + 1)
        return strided(a, a.dtype, A, 0, tuple_insert(a.shape, k, 1), tuple_insert(a.strides, k, 0))
    elif len(axis) == 1:
        return expand_dims(a, axis[0])
    else:
        k = lowest(axis, a.ndim + len(axis))
        check_different(axis, k, a.ndim + len(axis))
        return expand_dims(expand_dims(a, place(axis[k], a.ndim + len(axis))), tuple_drop(axis, k))


@small
def atleast_1d(a):
    if form(a) == TUPLE:
        return atleast_1d(array(a))
    elif form(a) == NUMBER:
        return np.full(1, a)
    elif a.ndim == 0:
        return contiguous(a).reshape(1)
    else:
        return a


@small
def atleast_2d(a):
    row = atleast_1d(a)
    return row[None, :] if row.ndim == 1 else row


@small
def atleast_3d(a):
    plane = atleast_2d(a)
    return plane[:, :, None] if plane.ndim == 2 else plane


@small
def broadcast_arrays(*arrays):
    given = as_arrays(arrays)
    return each_broadcast(given, shape_of_all(given))


@small
def each_broadcast(arrays, shape):
    if len(arrays) == 0:
        return ()
    else:
        return (np.broadcast_to(asarray(arrays[0]), shape),) + each_broadcast(arrays[1:], shape)


@small
def as_arrays(items):
    if len(items) == 0:
        return ()
    else:
        return (asarray(items[0]),) + as_arrays(items[1:])


@small
def shape_of_all(arrays):
    return broadcast_by(shape, arrays)


@small
def broadcast_shapes(*shapes):
    return broadcast_by(axes_of, shapes)


@small
def broadcast_by(shape_of, items):
    """The shape that those of all items broadcast to."""
    if len(items) == 1:
        return shape_of(items[0])
    else:
        return broadcast_shape(shape_of(items[0]), broadcast_by(shape_of, items[1:]))


@small
def shape(a):
    if form(a) == NUMBER:
        return ()
    else:
        return a.shape


@small
def size(a, axis=None):
    if form(a) == NUMBER:
        if axis is not None:
            place(axis, 0)
        return 1
    elif axis is None:
        return a.size
    else:
        return a.shape[place(axis, a.ndim)]


# --- Other layouts and dtypes


@small
def ascontiguousarray(a, dtype=None):
    if form(a) == NUMBER:
        return np.full(1, a, dtype)
    elif dtype is not None:
        return ascontiguousarray(a.astype(dtype))
    elif a.ndim == 0:
        return contiguous(a).reshape(1)
    else:
        return contiguous(a)


@small
def in_columns(a):
    """As asfortranarray(), which gives what has no axes one."""
    if a.ndim <= 1:
        return contiguous(a)
    else:
        return asfortranarray(a)


@small
def asfortranarray(a, dtype=None):
    if form(a) == NUMBER:
        return ascontiguousarray(a, dtype)
    elif dtype is not None:
        return asfortranarray(a.astype(dtype))
    elif a.ndim <= 1:
        return ascontiguousarray(a)
    elif layout(a) == F:
        return a
    else:
        out = np.empty(backwards(a.shape), a.dtype).T
        out[...] = a
        return out


@small
def asarray_chkfinite(a, dtype=None, order="K"):
    out = asarray(a, dtype, order)
    check_finite(out)
    return out


@compiled
def check_finite(a):
    if has_item(row_of(a), lambda x: not np.isfinite(x)):
        raise ValueError("array must not contain infs or NaNs")


@small
def asarray(a, dtype=None, order="K", device=None, copy=None):
    if order is None:
        return asarray(a, dtype, "K", device, copy)
    elif copy is not None:
        return array(a, dtype, copy, order)
    elif order == "F":
        return in_columns(asarray(a, dtype))
    elif order == "C":
        return contiguous(asarray(a, dtype))
    elif order != "K" and order != "A":
        check_order(order)
        return asarray(a, dtype)
    elif form(a) == NUMBER:
        if dtype is None:
            return np.full((), a)
        else:
            return np.full((), dtype(a))
    elif form(a) == TUPLE or form(a) == LIST or form(a) == RANGE:
        return array(a, dtype)
    elif dtype is None:
        return a
    elif kind(a) == kind(dtype) and bits(a) == bits(dtype):
        return a
    else:
        return a.astype(dtype)


@small
def as_given(a, dtype):
    """Without a copy; up to NumPy 2 one was made where it was needed."""
    if dtype is None:
        return a
    elif kind(a) == kind(dtype) and bits(a) == bits(dtype):
        return a
    else:
        if NEVER_COPIES:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return asarray(a, dtype)


@small
def array(a, dtype=None, copy=True, order="K", subok=False, ndmin=None):
    if form(a) != ARRAY and copy is not None and not copy and NEVER_COPIES:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    if ndmin is not None:
        return with_axes(array(a, dtype, copy, order), ndmin)
    elif copy is not None and form(a) == ARRAY and (order == "F" or order == "C"):
        given = array(a, dtype, copy)
        made = in_columns(given) if order == "F" else contiguous(given)
        return made if copy else uncopied(made, given, "Unable to avoid copy while creating an array as requested.")
    elif order == "F":
        return in_columns(array(a, dtype, copy))
    elif order == "C":
        return contiguous(array(a, dtype, copy))
    elif order != "K" and order != "A":
        check_order(order)
        return array(a, dtype, copy)
    elif form(a) == NUMBER:
        return asarray(a, dtype)
    elif form(a) == ARRAY:
        if copy is None:
            return asarray(a, dtype)
        elif not copy:
            return as_given(a, dtype)
        elif dtype is None:
            return in_order(a)
        else:
            return a.astype(dtype)
    elif form(a) == RANGE:
        return array([x for x in a], dtype, copy)
    elif form(a) == TUPLE and len(a) == 0:
        return np.empty(0, np.float64 if dtype is None else dtype)
    elif dtype is None:
        item = np.result_type(a)
        out = np.empty(shape_of_nested(a), item)
        fill_nested(out, a)
        return out
    else:
        out = np.empty(shape_of_nested(a), dtype)
        fill_nested(out, a)
        return out


@small
def array_of_text(text, dtype):
    out = np.empty((), dtype)
    out[()] = text
    return out


@small
def with_axes(a, ndmin):
    """With axes of length 1 before the others, up to so many."""
    if a.ndim < ndmin:
        return with_axes(a.reshape((1,) + a.shape), ndmin)
    else:
        return a


@small
def item_bytes(dtype):
    if kind(dtype) == BOOL:
        return 1
    elif kind(dtype) == RECORD or kind(dtype) == TEXT:
        return np.empty(0, dtype).itemsize
    else:
        return bits(dtype) // 8


@small
def view(a, dtype):
    """The same memory as items of another dtype; the last axis changes with their size."""
    old = a.itemsize
    new = item_bytes(dtype)
    if bits(a) == bits(dtype) and bits(a) > 0:
        return strided(a, dtype, layout(a), 0, a.shape, a.strides)
    else:
        length = a.shape[a.ndim - 1] * old
        step = a.strides[a.ndim - 1]
        if a.size > 0 and old != new and step != old:
            raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
        if old > new and old % new != 0:
            raise ValueError("When changing to a smaller dtype, its size must be a divisor of the original dtype's")
        if length % new != 0:
            raise ValueError("the size in bytes of the last axis is not divisible by the new dtype's")
        shape = tuple_set(a.shape, a.ndim - 1, length // new)
        strides = tuple_set(a.strides, a.ndim - 1, step if old == new else new)
        if layout(a) == C:
            return strided(a, dtype, C, 0, shape, strides)
        else:
            return strided(a, dtype, A, 0, shape, strides)


@small
def tobytes(a, order="C"):
    check_order(order)
    if order == "F" or order == "f" or ((order == "A" or order == "a") and layout(a) == F):
        return tobytes(a.T)
    elif a.size == 0:
        return b""
    else:
        items = flat(a)
        return bytes_of(strided(items, np.uint8, C, 0, (a.size * a.itemsize,), None))


@small
def tolist(a):
    if a.ndim == 0:
        return a[()]
    elif a.ndim == 1:
        return [x for x in a]
    else:
        return [tolist(part) for part in a]


@small
def items_of_bytes(text):
    """Bytes as an array, which cannot be written to, either."""
    items = np.empty(len(text), np.uint8)
    for i in range(len(text)):
        items[i] = text[i]
    return strided(np.broadcast_to(items, items.shape), np.uint8, C, 0, items.shape, None)


@small
def frombuffer(buffer, dtype=None, count=-1, offset=0):
    if form(buffer) == STRING:
        return frombuffer(items_of_bytes(buffer), dtype, count, offset)
    elif dtype is None:
        return frombuffer(buffer, np.float64, count, offset)
    else:
        items = flat(buffer)
        left = items.size * items.itemsize - offset
        step = item_bytes(dtype)
        if offset < 0 or left < 0:
            raise ValueError("offset must be non-negative and no greater than buffer length")
        if count < 0 and left % step != 0:
            raise ValueError("buffer size must be a multiple of element size")
        if count > left // step:
            raise ValueError("buffer is smaller than requested size")
        return strided(items, dtype, C, offset, (left // step if count < 0 else count,), None)


@small
def truth(a):
    if a.size == 1:
        return bool(first(a))
    if a.size == 0:
        if EMPTY_IS_FALSE:
            return False
        raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to "
                         "check that an array is not empty.")
    raise ValueError("The truth value of an array with more than one element is ambiguous. "
                     "Use a.any() or a.all()")


@small
def only_item(a):
    if a.size != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return flat(a)[0]
