# SPDX-License-Identifier: MIT
"""Methods of ufuncs, NumPy's and the program's: f is the ufunc, as a function of two numbers."""
import numpy as np

from gridcell.library import (
    ARRAY, BOOL, C, INT, LIST, NUMBER, TUPLE, UINT, bits, checked_indices, compiled, form, identity, kind, layout, result_dtype,
    tuple_full, tuple_take)
from gridcell.library.axes import reduce_with
from gridcell.library.diagonals import flat_item
from gridcell.library.elementwise import value
from gridcell.library.indexing import set_flat
from gridcell.library.lines import fold as fold_lines
from gridcell.library.strides import apart
from gridcell.library.views import axes_of, check_truths, flat, is_hollow, order_of, place, put_out, rows_along, unpermuted


@compiled
def applied(f, a):
    """What f gives for items of a; only its type is asked for."""
    return f(a.dtype(0), a.dtype(0))


@compiled
def first(x, f, dtype):
    """What a reduction of one item gives: a function with an identity is called, as np.hypot's absolute value shows."""
    alone = dtype(x)
    if identity(f) < 2:
        total = dtype(f(dtype(identity(f)), alone))
        return alone if total == alone else total  # 0.0 + -0.0 would be 0.0
    else:
        return alone


@compiled
def fold(a, f):
    items = a if a.ndim == 1 else a.ravel()
    if len(items) == 0 and identity(f) < 2:
        return result_dtype(applied, f, items)(identity(f))
    if len(items) == 0:
        raise ValueError("zero-size array to reduction operation which has no identity")
    total = first(items[0], f, result_dtype(applied, f, items))
    for i in range(1, len(items)):
        total = result_dtype(applied, f, items)(f(total, items[i]))
    return total


@compiled
def fold_from(a, start):
    """fold, with the function and what it starts with."""
    f = start[0]
    total = result_dtype(applied, f, a)(start[1])
    items = a.ravel()
    for i in range(len(items)):
        total = result_dtype(applied, f, a)(f(total, items[i]))
    return total


@compiled
def fold_along(f, a, axes, keepdims):
    if a.ndim == 1 and len(axes) == 1 and keepdims is None:
        place(axes[0], 1)
        return fold(a, f)
    else:
        dtype = result_dtype(applied, f, a)
        if identity(f) >= 2 and is_hollow(a, axes):
            fold(flat(a), f)
        return fold_lines(lambda line, center: fold(line, f), lambda x, center: first(x, f, dtype), lambda total, x, center: f(total, x), f,
                          None, a, axes, keepdims, dtype)


@compiled
def fold_chosen(places, how):
    """fold_from, of the items in these places that a mask chooses."""
    f, start, items, mask = how
    total = result_dtype(applied, f, items)(start)
    for i in places.ravel():
        if mask[i]:
            total = result_dtype(applied, f, items)(f(total, items[i]))
    return total


@compiled
def reduce_chosen(f, a, axis, keepdims, initial, where):
    check_truths(where)
    if initial is not None:
        mask = flat(np.broadcast_to(np.asarray(where), a.shape))
        places = np.arange(a.size).reshape(a.shape)
        return reduce_with(fold_chosen, places, axis, keepdims, (f, initial, flat(a), mask))
    elif identity(f) < 2:
        return reduce_chosen(f, a, axis, keepdims, identity(f), where)
    else:
        if form(where) != NUMBER or not where:
            raise ValueError("the reduction operation does not have an identity, so to use a where mask one has to "
                             "specify 'initial'")
        return reduced(f, a, axis, None, None, keepdims, None, None)


@compiled
def reduced(f, a, axis, dtype, out, keepdims, initial, where):
    if out is not None:
        return put_out(out, reduced(f, a, axis, dtype, None, keepdims, initial, where))
    elif dtype is not None:
        return reduced(f, a.astype(dtype), axis, None, None, keepdims, initial, where)
    elif a.ndim == 0 and form(axis) == NUMBER:  # NumPy takes 0 and -1 for axes of it
        return reduced(f, flat(a), axis, None, None, None, initial, where)
    elif where is not None:
        return reduce_chosen(f, a, axis, keepdims, initial, where)
    elif initial is not None:
        return reduce_with(fold_from, a, axis, keepdims, (f, initial))
    elif axis is None:
        return reduce_with(fold, a, axis, keepdims, f)
    else:
        return fold_along(f, a, axes_of(axis), keepdims)


@compiled
def reduce(f, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
    if keepdims:
        return reduced(f, a, axis, dtype, out, True, initial, where)
    else:
        return reduced(f, a, axis, dtype, out, None, initial, where)


@compiled
def widened(a):
    """Small integers as sums and products of them are."""
    if kind(a) == BOOL or (kind(a) == INT and bits(a) < 64):
        return a.astype(np.int64)
    elif kind(a) == UINT and bits(a) < 64:
        return a.astype(np.uint64)
    else:
        return a


@compiled
def reduce_wide(f, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return reduce(f, widened(a), axis, dtype, out, keepdims, initial, where)


@compiled
def alone(out, x):
    """An item that nothing is done with, as the result holds it."""
    return bool(x) if kind(out) == BOOL else x


@compiled
def running(f, items, out):
    if len(items) > 0:
        out[0] = alone(out, items[0])
    for i in range(1, len(items)):
        out[i] = f(out[i - 1], items[i])


@compiled
def accumulate(f, a, axis=0, dtype=None):
    if dtype is not None:
        return accumulate(f, a.astype(dtype), axis)
    else:
        order = order_of(a, (axis,))
        rows = rows_along(a, order, (axis,))
        out = np.empty(rows.shape, result_dtype(applied, f, a))
        for i in range(len(rows)):
            running(f, rows[i], out[i])
        return unpermuted(out.reshape(tuple_take(a.shape, order)), order)


@compiled
def accumulate_wide(f, a, axis=0, dtype=None):
    return accumulate(f, widened(a), axis, dtype)


@compiled
def reduce_parts(f, a, indices, out):
    """From each index to the next; the item alone where that is not behind it."""
    for k in range(len(indices)):
        start = indices[k]
        stop = indices[k + 1] if k + 1 < len(indices) else len(a)
        if start < 0 or start >= len(a):
            raise IndexError("index out of bounds in reduceat()")
        out[k] = fold(a[start:stop], f) if stop > start else alone(out, a[start])


@compiled
def reduceat(f, a, indices, axis=0, dtype=None, out=None):
    if out is not None:
        return put_out(out, reduceat(f, a, indices, axis, dtype))
    elif form(a) != ARRAY:
        return reduceat(f, np.asarray(a), indices, axis, dtype)
    elif form(indices) != ARRAY:
        return reduceat(f, a, np.asarray(indices), axis, dtype)
    elif dtype is not None:
        return reduceat(f, a.astype(dtype), indices, axis)
    elif a.ndim == 1:
        place(axis, 1)
        parts = np.empty(len(indices), result_dtype(applied, f, a))
        reduce_parts(f, a, indices, parts)
        return parts
    else:
        order = order_of(a, (axis,))
        rows = rows_along(a, order, (axis,))
        parts = np.empty((len(rows), len(indices)), result_dtype(applied, f, a))
        for i in range(len(rows)):
            reduce_parts(f, rows[i], indices, parts[i])
        return unpermuted(parts.reshape(tuple_take(a.shape, order)[:-1] + (len(indices),)), order)


@compiled
def reduceat_wide(f, a, indices, axis=0, dtype=None, out=None):
    return reduceat(f, widened(np.asarray(a)), indices, axis, dtype, out)


@compiled
def outer(f, a, b):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return f(a, b)
    else:
        return f(a.reshape(a.shape + tuple_full(b.ndim, 1)), b)


@compiled
def checked(i, length):
    if i < -length or i >= length:
        raise IndexError("index is out of bounds in at()")
    return i


@compiled
def at(f, a, indices, b=None):
    """Changes a at the indices, one after the other."""
    if form(indices) == LIST:
        at(f, a, np.array(indices), b)
    elif form(b) == LIST or form(b) == TUPLE:
        at(f, a, indices, np.array(b))
    elif a.ndim == 0:
        a[indices] = f(a[indices]) if b is None else f(a[indices], value(b))
    elif a.ndim == 1 and form(indices) == NUMBER and kind(indices) != BOOL:
        if b is None:
            a[checked(indices, len(a))] = f(a[indices])
        else:
            a[checked(indices, len(a))] = f(a[indices], value(b))
    elif a.ndim == 1 and form(indices) == ARRAY and indices.ndim == 1 and kind(indices) != BOOL:
        at_each(f, a, apart(indices, a), apart(b, a))
    else:  # what any index chooses, as numbers of items
        chosen = numbers_at(a, indices)
        if form(chosen) == NUMBER:
            set_flat(a, chosen, f(flat_item(a, chosen)) if b is None else f(flat_item(a, chosen), value(b)))
        elif layout(a) == C:
            at_each(f, a.reshape(a.size), flat(chosen), in_row(apart(b, a), chosen.shape))
        else:
            row = flat(a).copy()
            at_each(f, row, flat(chosen), in_row(b, chosen.shape))
            a[...] = row.reshape(a.shape)


@checked_indices
def numbers_at(a, indices):
    return np.arange(a.size).reshape(a.shape)[indices]


@compiled
def in_row(b, shape):
    """The second operands in a row, one for each of the places, or one for all."""
    if form(b) == ARRAY and np.ndim(b) > 0:
        return flat(np.broadcast_to(b, shape))
    else:
        return b


@compiled
def at_each(f, a, places, b):
    if b is None:
        for i in places:
            a[checked(i, len(a))] = f(a[i])
    elif np.ndim(b) == 0:
        for i in places:
            a[checked(i, len(a))] = f(a[i], value(b))
    else:
        items = np.broadcast_to(b, (len(places),))
        for k in range(len(places)):
            i = checked(places[k], len(a))
            a[i] = f(a[i], items[k])
