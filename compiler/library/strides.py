# SPDX-License-Identifier: MIT
"""Views made of strides, and whether arrays share memory."""
import numpy as np

from gridcell.library import ARRAY, A, RECORD, TEXT, compiled, form, kind, readonly, small, strided, tuple_load, tuple_set, unbounded
from gridcell.library.views import axes_of, contiguous, place


@unbounded
def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    if shape is None:
        return as_strided(x, x.shape, strides, subok, writeable)
    elif strides is None:
        return strided(x, x.dtype, A, 0, axes_of(shape), x.strides)
    else:
        return strided(x, x.dtype, A, 0, axes_of(shape), axes_of(strides))


@small
def sliding_window_view(x, window_shape, axis=None, subok=False, writeable=False):
    window = axes_of(window_shape)
    if axis is None:
        if len(window) != x.ndim:
            raise ValueError("Since axis is `None`, must provide window_shape for all dimensions of `x`")
        check_window(x.shape, window)
        return window_view(x, less(x.shape, window, x.shape), window, x.strides)
    else:
        axes = axes_of(axis)
        if len(axes) != len(window):
            raise ValueError("Must provide matching length window_shape and axis")
        shape = shortened(x.shape, axes, window)
        return window_view(x, shape, window, strides_of(x.strides, axes))


@small
def window_view(x, shape, window, strides):
    out = strided(x, x.dtype, A, 0, shape + window, x.strides + strides)
    return np.broadcast_to(out, out.shape)  # not to be written to


@small
def check_window(shape, window):
    if len(window) > 0:
        if window[0] < 0:
            raise ValueError("`window_shape` cannot contain negative values")
        if window[0] > shape[0]:
            raise ValueError("window shape cannot be larger than input array shape")
        check_window(shape[1:], window[1:])


@small
def less(shape, window, out):
    """The shape without what windows reach over."""
    if len(window) == 0:
        return ()
    else:
        return (shape[0] - window[0] + 1,) + less(shape[1:], window[1:], out)


@small
def shortened(shape, axes, window):
    if len(axes) == 0:
        return shape
    else:
        k = place(axes[0], len(shape))
        check_window((shape[k],), (window[0],))
        return shortened(tuple_set(shape, k, shape[k] - window[0] + 1), axes[1:], window[1:])


@small
def strides_of(strides, axes):
    if len(axes) == 0:
        return ()
    else:
        return (strides[place(axes[0], len(strides))],) + strides_of(strides, axes[1:])


# --- Another shape


@unbounded
def first_item(a):
    """An array of the item that a begins with, or would."""
    return strided(a, a.dtype, A, 0, (), ())


@small
def reshaped(a, shape):
    """Of an array whose items may lie apart: a view where there are steps for one, as in NumPy, else a copy."""
    full = full_shape(a.size, shape)
    np.broadcast_to(first_item(a), full)  # refuses lengths whose product wraps
    steps = np.empty(len(shape), np.int64)
    if steps_for(a, full, steps):
        return strided(a, a.dtype, A, 0, full, tuple_load(len(shape), steps))
    else:
        return as_apart(contiguous(a.copy()).reshape(full), a)


@small
def as_apart(a, viewed):
    """The array, with the type of a view of `viewed` whose items may lie apart."""
    return strided(np.broadcast_to(a, a.shape) if readonly(viewed) else a, a.dtype, A, 0, a.shape, a.strides)


@small
def full_shape(size, shape):
    """The shape with the one length put in that is given as -1."""
    unknown = -1
    known = 1
    for k in range(len(shape)):
        if shape[k] >= 0:
            known *= shape[k]
        elif unknown >= 0:
            raise ValueError("multiple negative shape values")
        else:
            unknown = k
    whole = shape
    if unknown >= 0 and known != 0:
        whole = tuple_set(shape, unknown, size // known)
        known *= size // known
    elif unknown >= 0:
        known = -1  # any length would do
    if known != size:
        raise ValueError("total size of new array must be unchanged")
    return whole


@small
def steps_for(a, shape, steps):
    """Puts the strides of a view of a with this shape into steps; false if there is none.

    Both shapes are walked from the last axis on. Axes of a are taken together, which they can be where one goes
    on as far as the next is long, until they hold the items of the axes of the shape that are taken together."""
    steps[:] = a.itemsize
    if a.size == 0:
        return True
    i = a.ndim
    step, have, want = a.itemsize, 1, 1
    for j in range(len(shape) - 1, -1, -1):
        if shape[j] != 1:
            if want == have:
                i = longer_before(a.shape, i)
                step, have, want = a.strides[i], a.shape[i], 1
            steps[j] = step * want
            want *= shape[j]
            while have < want:
                i = longer_before(a.shape, i)
                if a.strides[i] != step * have:
                    return False
                have *= a.shape[i]
    return True


@small
def longer_before(shape, i):
    """The last axis before i of another length than 1."""
    i -= 1
    while shape[i] == 1:
        i -= 1
    return i


# --- Memory


@small
def reach(shape, strides, is_end):
    """From the first item: how far the memory goes up (or down), in bytes."""
    if len(shape) == 0:
        return 0
    else:
        step = (shape[0] - 1) * strides[0]
        rest = reach(shape[1:], strides[1:], is_end)
        return rest + step if (step > 0) == is_end else rest


@small
def is_same(a, b):
    return a.ctypes.data == b.ctypes.data and a.shape == b.shape and a.strides == b.strides


@small
def may_share_memory(a, b, max_work=None):
    """Whether the spans of memory overlap."""
    if a.size == 0 or b.size == 0:
        return False
    first = np.int64(a.ctypes.data)
    second = np.int64(b.ctypes.data)
    return (first + reach(a.shape, a.strides, False) < second + reach(b.shape, b.strides, True) + b.itemsize
            and second + reach(b.shape, b.strides, False) < first + reach(a.shape, a.strides, True) + a.itemsize)


@small
def apart(b, a):
    """b, or a copy where it may lie in the memory of a, whose items are about to change one by one."""
    if form(b) == ARRAY and np.ndim(b) > 0 and kind(b) != TEXT and kind(b) != RECORD:
        return b.copy() if may_share_memory(a, b) else b
    else:
        return b


@compiled
def offsets(a):
    """Where the items are, in bytes from the first, in order."""
    out = np.zeros(a.size, np.int64)
    for i in range(a.size):
        left = i
        for axis in range(a.ndim - 1, -1, -1):
            out[i] += left % a.shape[axis] * a.strides[axis]
            left //= a.shape[axis]
    out.sort()
    return out


@compiled
def shares_memory(a, b, max_work=None):
    """Whether some byte belongs to an item of both."""
    if not may_share_memory(a, b):
        return False
    x = offsets(a) + np.int64(a.ctypes.data)
    y = offsets(b) + np.int64(b.ctypes.data)
    i = 0
    j = 0
    while i < len(x) and j < len(y):
        if x[i] < y[j] + b.itemsize and y[j] < x[i] + a.itemsize:
            return True
        if x[i] < y[j]:
            i += 1
        else:
            j += 1
    return False
