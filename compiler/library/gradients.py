# SPDX-License-Identifier: MIT
"""np.gradient: slopes along axes, by the distances of the samples, ends included."""
import numpy as np

from gridcell.library import BOOL, FLOAT, NUMBER, compiled, form, kind, small, tuple_range, tuple_take
from gridcell.library.views import axes_of, contiguous, order_of, permuted, place, unpermuted


@compiled
def step_of(spacing, i):
    if form(spacing) == NUMBER:
        return spacing
    else:
        return spacing[i + 1] - spacing[i]


@compiled
def slope_at(a, spacing, i):
    """In the middle of three samples."""
    if form(spacing) == NUMBER:
        return (a[i + 1] - a[i - 1]) / (2.0 * spacing)
    else:
        left = spacing[i] - spacing[i - 1]
        right = spacing[i + 1] - spacing[i]
        return (-right / (left * (left + right)) * a[i - 1] + (right - left) / (left * right) * a[i]
                + left / (right * (left + right)) * a[i + 1])


@compiled
def slope_at_end(x, y, z, near, far):
    """At the first of three samples, the second of which is `near` away, the third `far` behind it."""
    both = near + far
    return -(near + both) / (near * both) * x + both / (near * far) * y - near / (far * both) * z


@compiled
def gradient_row(a, spacing, edge_order, out):
    n = len(a)
    for i in range(1, n - 1):
        out[i] = slope_at(a, spacing, i)
    first, last = step_of(spacing, 0), step_of(spacing, n - 2)
    if edge_order == 1:
        out[0] = (a[1] - a[0]) / first
        out[n - 1] = (a[n - 1] - a[n - 2]) / last
    else:
        out[0] = slope_at_end(a[0], a[1], a[2], first, step_of(spacing, 1))
        out[n - 1] = -slope_at_end(a[n - 1], a[n - 2], a[n - 3], last, step_of(spacing, n - 3))


@small
def with_fractions(f):
    if kind(f) >= FLOAT:
        return f
    else:
        return np.multiply(f, 1.0)


@small
def check_samples(n, spacing, edge_order):
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if n < edge_order + 1:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    if form(spacing) != NUMBER:
        if len(spacing) != n:
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")


@compiled
def is_even(spacing):
    for i in range(1, len(spacing) - 1):
        if spacing[i + 1] - spacing[i] != spacing[1] - spacing[0]:
            return False
    return True


@compiled
def fill_gradients(rows, spacing, edge_order, out):
    for i in range(len(rows)):
        gradient_row(rows[i], spacing, edge_order, out[i])


@compiled
def gradient_along(f, spacing, axis, edge_order):
    items = with_fractions(f)
    order = order_of(f, (axis,))
    shape = tuple_take(f.shape, order)
    n = f.shape[place(axis, f.ndim)]
    check_samples(n, spacing, edge_order)
    rows = contiguous(permuted(items, order)).reshape((f.size // n, n))
    out = np.empty(rows.shape, rows.dtype)
    if form(spacing) == NUMBER:
        fill_gradients(rows, spacing, edge_order, out)
    elif is_even(spacing):
        fill_gradients(rows, spacing[1] - spacing[0], edge_order, out)
    else:
        fill_gradients(rows, spacing, edge_order, out)
    return unpermuted(out.reshape(shape), order)


@small
def plain(spacing):
    """The number that an array of no dimensions holds."""
    if form(spacing) == NUMBER:
        return spacing
    elif spacing.ndim == 0:
        return spacing[()]
    elif spacing.ndim == 1:
        return spacing
    else:
        raise ValueError("distances must be either scalars or 1d")


@small
def gradient_each(f, spacings, axes, edge_order):
    if len(axes) == 0:
        return ()
    elif len(spacings) == 1:
        return ((gradient_along(f, plain(spacings[0]), axes[0], edge_order),)
                + gradient_each(f, spacings, axes[1:], edge_order))
    else:
        return ((gradient_along(f, plain(spacings[0]), axes[0], edge_order),)
                + gradient_each(f, spacings[1:], axes[1:], edge_order))


@small
def check_spacings(count, axes):
    if count != 1 and count != axes:
        raise TypeError("invalid number of arguments")


@small
def gradient(f, *varargs, axis=None, edge_order=1):
    if form(f) == NUMBER:
        if axis is not None:
            place(axis, 0)
        return ()
    elif kind(f) == BOOL:
        raise TypeError("np.gradient of an array of bools: booleans cannot be subtracted, convert them by astype() first")
    elif len(varargs) == 0:
        return gradient(f, 1.0, axis=axis, edge_order=edge_order)
    elif axis is None:
        return gradient(f, *varargs, axis=tuple_range(f.ndim, 0), edge_order=edge_order)
    else:
        axes = axes_of(axis)
        check_spacings(len(varargs), len(axes))
        if len(axes) == 1:
            return gradient_along(f, plain(varargs[0]), axes[0], edge_order)
        else:
            return gradient_each(f, varargs, axes, edge_order)
