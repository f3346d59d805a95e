# SPDX-License-Identifier: MIT
"""Views of arrays by their strides, and what other areas of the library need of shapes."""
import numpy as np

from gridcell.library import (
    A, ARRAY, BOOL, C, COMPLEX, FLOAT, INT, NUMBER, UINT, compiled, external, form, kind, layout, readonly, small, strided,
    tuple_load, tuple_set, tuple_take, unbounded)
from gridcell.library.elementwise import agree, joined, line


@unbounded
def product(a, shape):
    """How many items an array of this shape has (`a`: any array)."""
    return strided(a, a.dtype, A, 0, shape, shape).size


LARGEST = 2**63 - 1


@small
def length_times(n, count):
    """A length, so often. What wraps around would be the length of too small an array."""
    if n > 0 and count > LARGEST // n:
        raise ValueError("array is too big")
    return n * count


@small
def length_plus(n, more):
    if more > LARGEST - n:
        raise ValueError("array is too big")
    return n + more


@compiled
def contains(a, x):
    return (a == x).any()


@small
def is_dense(a):
    return external("gridcell_array_is_dense", np.int64, a.shape, a.strides, a.ndim, a.itemsize) == 1


@small
def contiguous(a):
    """The array itself where its items lie in C order, else a copy."""
    if layout(a) == C:
        return a
    elif readonly(a):
        return a.copy()
    elif is_dense(a):
        return strided(a, a.dtype, C, 0, a.shape, None)
    else:
        return a.copy()


@small
def breadth(a):
    """What a number of a's kind can be: true or false, whole, real, complex; -1: no number."""
    if kind(a) == BOOL:
        return 0
    elif kind(a) == INT or kind(a) == UINT:
        return 1
    elif kind(a) == FLOAT:
        return 2
    elif kind(a) == COMPLEX:
        return 3
    else:
        return -1


@small
def check_kind(out, result):
    """NumPy's rule 'same_kind', but for the sign of integers: the result's type is not always NumPy's there."""
    if 0 <= breadth(out) < breadth(result):
        raise TypeError("Cannot cast the result to the dtype of the array for it according to the rule 'same_kind'")


@small
def check_truths(where):
    """Of an array that says which items count; of a number its truth does."""
    if form(where) == ARRAY and kind(where) != BOOL:
        raise TypeError("`where` is an array of truth values: compare the items, or convert them by astype(np.bool_)")


@small
def check_shape(out, result):
    if out.shape != np.shape(result):
        raise ValueError("`out` has not the shape of the result")


@small
def put_out(out, result):
    """Puts a result into the array of its shape that the caller has for it."""
    check_shape(out, result)
    return spread_out(out, result)


@small
def spread_out(out, result):
    """Puts it there as ufuncs do, into one whose shape it may be stretched to."""
    check_kind(out, result)
    out[...] = result
    return out


@small
def conjugated(a):
    """Of truth values np.conjugate makes integers, products of which are others."""
    return np.conjugate(a) if kind(a) == COMPLEX else a


@small
def flat(a):
    """The items in one row, also of one number; a view where they lie in C order."""
    if form(a) == NUMBER:
        return np.full(1, a)
    elif layout(a) == C:
        return line(a)
    else:
        return line(contiguous(a))


@compiled
def out_of_bounds(axis, ndim):
    raise np.exceptions.AxisError(axis, ndim)


@small
def place(axis, ndim):
    """The axis counted from the first."""
    if axis < -ndim or axis >= ndim:
        out_of_bounds(axis, ndim)
    return axis + ndim if axis < 0 else axis


@compiled
def is_hollow(a, axes):
    """Whether lines along the axes have no items: what needs one fails, be there lines or not."""
    if a.ndim > 0:
        for axis in axes:
            if a.shape[place(axis, a.ndim)] == 0:
                return True
    return False


@compiled
def out_of_bounds_named(axis, ndim, name):
    raise np.exceptions.AxisError(axis, ndim, name)


@small
def named_place(axis, ndim, name):
    """The same; an error tells which argument it is about."""
    if axis < -ndim or axis >= ndim:
        out_of_bounds_named(axis, ndim, name)
    return axis + ndim if axis < 0 else axis


@compiled
def axes_of(axis):
    if form(axis) == NUMBER:
        return (axis,)
    else:
        return axis


@small
def order_of(a, axes):
    """The other axes in order, then these."""
    return order_of_different(a, axes, "duplicate value in 'axis'")


@small
def order_of_different(a, axes, repeated):
    """The same; ValueError with the text `repeated` where an axis is among them twice."""
    order = np.empty(a.ndim + 1, np.int64)
    status = external("gridcell_axes_order", np.int64, order, a.ndim, axes, len(axes))
    if status == 1:
        out_of_bounds(order[a.ndim], a.ndim)
    if status == 2:
        raise ValueError(repeated)
    return tuple_load(a.ndim, order)


@small
def permuted(a, order):
    """The axes in another order."""
    return strided(a, a.dtype, A, 0, tuple_take(a.shape, order), tuple_take(a.strides, order))


@small
def unpermuted(a, order):
    """A new array whose axes, put into this order, are those of a."""
    shape = a.shape
    out = np.empty(inverse(shape, order, shape), a.dtype)
    permuted(out, order)[...] = a
    return out


@small
def inverse(shape, order, out):
    """The shape whose items, taken in this order, are `shape`."""
    if len(order) == 0:
        return out
    else:
        return inverse(shape[:len(order) - 1], order[:len(order) - 1],
                       tuple_set(out, order[len(order) - 1], shape[len(order) - 1]))


@small
def backwards(t):
    if len(t) == 0:
        return ()
    else:
        return backwards(t[1:]) + (t[0],)


@small
def with_ones(shape, axes):
    """The shape with length 1 along these axes."""
    if len(axes) == 0:
        return shape
    else:
        return with_ones(tuple_set(shape, place(axes[0], len(shape)), 1), axes[1:])


@small
def rows_along(a, order, count):
    """The items along the last axes of the order, `count` as many as items in a tuple, in rows."""
    kept = tuple_take(a.shape, order[:a.ndim - len(count)])
    gone = tuple_take(a.shape, order[a.ndim - len(count):])
    return contiguous(permuted(a, order)).reshape((product(a, kept), product(a, gone)))


@compiled
def broadcast_shape(a, b):
    """The shape that arrays of shapes a and b broadcast to."""
    if not agree(a, b):
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape: %s and %s", a, b)
    return joined(a, b)


def number_among(names, message):
    """The function that gives the number of a name, of the first one where it is left out."""
    @small
    def number_of(name):
        if name is None:
            return 0
        else:
            for i in range(len(names)):
                if name == names[i]:
                    return i
            raise ValueError(message)

    return number_of


@small
def check_order(order):
    if (order != "C" and order != "F" and order != "A" and order != "K" and order != "c" and order != "f"
            and order != "a" and order != "k"):
        raise ValueError("order must be one of 'C', 'F', 'A', or 'K' (got '%s')", order)


@small
def check_mode(mode):
    """Of what is done about an index out of bounds."""
    if mode != "raise" and mode != "wrap" and mode != "clip":
        raise ValueError("clipmode must be one of 'clip', 'raise', or 'wrap' (got '%s')", mode)


@small
def is_c(a):
    if layout(a) == C:
        return True
    else:
        return is_dense(a)


@small
def is_f(a):
    return is_c(a.T)


@small
def is_c_or_f(a):
    return is_c(a) or is_f(a)


@small
def take_blocks(a, numbers, axis):
    """What belongs to these numbers, which are in bounds, along an axis."""
    out = np.empty(tuple_set(a.shape, axis, len(numbers)), a.dtype)
    if out.size > 0:
        external("gridcell_take_blocks", None, out, contiguous(a), numbers, len(numbers), lengths(a.shape, 0, axis),
                 a.shape[axis], lengths(a.shape, axis + 1, a.ndim) * a.itemsize)
    return out


@small
def lengths(shape, first, stop):
    """How many items there are along these axes."""
    n = 1
    for k in range(first, stop):
        n *= shape[k]
    return n
