# SPDX-License-Identifier: MIT
"""Reductions along an axis or several, with or without keeping them as axes of length 1.

An argument that is left out is None: its type chooses the branch when the code is compiled.
The compiler passes `keepdims` only where it is True.
"""
import numpy as np

from gridcell.library import compiled
from gridcell.library.reductions import (
    array_all, array_any, array_argmax, array_argmin, array_max, array_mean, array_min, array_prod,
    array_sum, squared_distance, zero)


@compiled
def sum(a, axis=None, dtype=None, keepdims=None):
    if dtype is None:
        return reduce(array_sum, a, axis, keepdims, np.full((), zero(a.dtype)).dtype)
    else:
        return reduce(array_sum, a.astype(dtype), axis, keepdims, dtype)


@compiled
def prod(a, axis=None, dtype=None, keepdims=None):
    if dtype is None:
        return reduce(array_prod, a, axis, keepdims, np.full((), zero(a.dtype)).dtype)
    else:
        return reduce(array_prod, a.astype(dtype), axis, keepdims, dtype)


@compiled
def min(a, axis=None, keepdims=None):
    return reduce(array_min, a, axis, keepdims, a.dtype)


@compiled
def max(a, axis=None, keepdims=None):
    return reduce(array_max, a, axis, keepdims, a.dtype)


@compiled
def any(a, axis=None, keepdims=None):
    return reduce(array_any, a, axis, keepdims, np.bool_)


@compiled
def all(a, axis=None, keepdims=None):
    return reduce(array_all, a, axis, keepdims, np.bool_)


@compiled
def argmin(a, axis=None, keepdims=None):
    return reduce(array_argmin, a, axis, keepdims, np.int64)


@compiled
def argmax(a, axis=None, keepdims=None):
    return reduce(array_argmax, a, axis, keepdims, np.int64)


@compiled
def mean(a, axis=None, dtype=None, keepdims=None):
    if dtype is None:
        if axis is None:
            return kept_whole(a, array_mean(a), keepdims)
        else:
            result = np.full((), np.divide(zero(a.dtype), a.dtype(1))).dtype
            return np.divide(sum(a, axis, None, keepdims), result(count(a.shape, axis)))
    else:
        return mean(a.astype(dtype), axis, None, keepdims)


@compiled
def var(a, axis=None, ddof=0, keepdims=None):
    if axis is None:
        distance = squared_distance(a, array_mean(a))
        return kept_whole(a, np.divide(distance, freedom(a.size, ddof)), keepdims)
    else:
        distance = np.square(np.absolute(a - mean(a, axis, None, True)))
        return np.divide(sum(distance, axis, None, keepdims), freedom(count(a.shape, axis), ddof))


@compiled
def std(a, axis=None, ddof=0, keepdims=None):
    return np.sqrt(var(a, axis, ddof, keepdims))


@compiled
def cumsum(a, axis=None):
    if axis is None:
        return running_sum(a.ravel())
    else:
        out = np.empty(a.shape, np.full((), zero(a.dtype)).dtype)
        accumulate(running_sum, a, place(axis, a.ndim), out)
        return out


@compiled
def cumprod(a, axis=None):
    if axis is None:
        return running_product(a.ravel())
    else:
        out = np.empty(a.shape, np.full((), zero(a.dtype)).dtype)
        accumulate(running_product, a, place(axis, a.ndim), out)
        return out


# --- How it is done


@compiled
def freedom(n, ddof):
    """What a sum of squares is divided by; not below 0."""
    left = n - ddof
    return left if left > 0 else left * 0


@compiled
def place(axis, ndim):
    """The axis counted from the first."""
    if axis < -ndim or axis >= ndim:
        raise ValueError("axis is out of bounds for the array's dimensions")
    return axis + ndim if axis < 0 else axis


@compiled
def places(axes, ndim):
    if len(axes) == 0:
        return ()
    else:
        rest = places(axes[:-1], ndim)
        last = place(axes[-1], ndim)
        for other in rest:
            if other == last:
                raise ValueError("duplicate value in 'axis'")
        return rest + (last,)


@compiled
def count(shape, axis):
    """How many elements lie along the axis or the axes."""
    if hasattr(axis, "real"):
        return shape[place(axis, len(shape))]
    elif len(axis) == 0:
        return 1
    else:
        return shape[place(axis[0], len(shape))] * count(shape, axis[1:])


@compiled
def ones(shape):
    if len(shape) == 0:
        return ()
    else:
        return ones(shape[:-1]) + (1,)


@compiled
def kept(shape, axis):
    """The shape with length 1 along the axis."""
    if len(shape) == 0:
        return ()
    else:
        return kept(shape[:-1], axis) + (1 if axis == len(shape) - 1 else shape[-1],)


@compiled
def dropped(shape, axis):
    """The shape without the axis: item i of it lies at i, or at i + 1 from the axis on."""
    return skipped(shape, axis, shape[:-1])


@compiled
def skipped(shape, axis, places_left):
    if len(places_left) == 0:
        return ()
    else:
        i = len(places_left) - 1
        return skipped(shape, axis, places_left[:-1]) + (shape[i + 1] if i >= axis else shape[i],)


@compiled
def kept_whole(a, value, keepdims):
    if keepdims is None:
        return value
    else:
        return np.full(ones(a.shape), value)


@compiled
def reduce(f, a, axis, keepdims, dtype):
    if axis is None:
        return kept_whole(a, dtype(f(a)), keepdims)
    elif hasattr(axis, "real"):
        return reduce_one(f, a, place(axis, a.ndim), keepdims, dtype)
    elif keepdims is None:
        axes = places(axis, a.ndim)
        return drop_all(reduce_each(f, a, axes, dtype), axes)
    else:
        return reduce_each(f, a, places(axis, a.ndim), dtype)


@compiled
def reduce_one(f, a, axis, keepdims, dtype):
    if keepdims is None:
        if a.ndim == 1:
            return f(a)
        else:
            out = np.empty(dropped(a.shape, axis), dtype)
            fill(f, a, axis, out)
            return out
    elif a.ndim == 1:
        return np.full(1, f(a), dtype)
    else:
        out = np.empty(dropped(a.shape, axis), dtype)
        fill(f, a, axis, out)
        return out.reshape(kept(a.shape, axis))


@compiled
def reduce_each(f, a, axes, dtype):
    """One axis after the other, each kept, so that the places of the others stay."""
    if len(axes) == 0:
        return a.astype(dtype)
    else:
        return reduce_each(f, reduce_one(f, a, axes[0], True, dtype), axes[1:], dtype)


@compiled
def drop_all(a, axes):
    """The array without these axes of length 1."""
    if len(axes) == 0:
        return a
    elif a.ndim == 1:
        return a[0]
    else:
        return drop_all(a.reshape(dropped(a.shape, axes[0])), shifted(axes[1:], axes[0]))


@compiled
def shifted(axes, gone):
    """The places of the axes once the axis `gone` is not there."""
    if len(axes) == 0:
        return ()
    else:
        return shifted(axes[:-1], gone) + (axes[-1] - 1 if axes[-1] > gone else axes[-1],)


@compiled
def fill(f, a, axis, out):
    """Sets each element of out to f of the elements of a along the axis."""
    if out.ndim == 1:
        for i in range(len(out)):
            out[i] = f(a[:, i]) if axis == 0 else f(a[i])
    elif axis == 0:
        for i in range(len(out)):
            fill(f, a[:, i], 0, out[i])
    else:
        for i in range(len(out)):
            fill(f, a[i], axis - 1, out[i])


@compiled
def accumulate(f, a, axis, out):
    """Sets out to f of each line of a along the axis."""
    if out.ndim == 1:
        out[:] = f(a)
    elif axis == 0:
        for i in range(out.shape[1]):
            accumulate(f, a[:, i], 0, out[:, i])
    else:
        for i in range(len(out)):
            accumulate(f, a[i], axis - 1, out[i])


@compiled
def running_sum(a):
    total = zero(a.dtype)
    out = np.full(len(a), total)
    for i in range(len(a)):
        total += a[i]
        out[i] = total
    return out


@compiled
def running_product(a):
    total = zero(a.dtype) + a.dtype(1)
    out = np.full(len(a), total)
    for i in range(len(a)):
        total *= a[i]
        out[i] = total
    return out
