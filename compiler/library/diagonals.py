# SPDX-License-Identifier: MIT
"""Diagonals: as views, as arrays, written to."""
import numpy as np

from gridcell.library import A, NUMBER, form, small, strided
from gridcell.library.shapes import asarray, ravel
from gridcell.library.views import flat, named_place, order_of_different, permuted


@small
def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    n = min(a.shape[0], a.shape[1])
    if a.ndim > 2:
        for length in a.shape:
            if length != n:
                raise ValueError("All dimensions of input must be of equal length")
    values = numbers_of(val)
    if np.size(values) == 0:
        return
    if a.ndim == 2 and wrap and a.shape[0] > a.shape[1]:
        for i in range(a.shape[0]):
            k = i % (a.shape[1] + 1)
            if k < a.shape[1]:
                a[i, k] = flat_item(values, i - i // (a.shape[1] + 1))
    else:
        step = 0
        for stride in a.strides:
            step += stride
        diagonal = strided(a, a.dtype, A, 0, (n,), (step,))
        for i in range(n):
            diagonal[i] = flat_item(values, i)


@small
def numbers_of(a):
    return a if form(a) == NUMBER else asarray(a)


@small
def flat_item(a, i):
    if form(a) == NUMBER:
        return a
    else:
        items = flat(a)
        return items[i % len(items)]


@small
def check_two_axes(ndim):
    if ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")


@small
def diagonal(a, offset=0, axis1=0, axis2=1):
    check_two_axes(a.ndim)
    axes = named_place(axis1, a.ndim, "axis1"), named_place(axis2, a.ndim, "axis2")
    order = order_of_different(a, axes, "axis1 and axis2 cannot be the same")
    m = permuted(a, order)
    rows = m.shape[m.ndim - 2]
    columns = m.shape[m.ndim - 1]
    row_step = m.strides[m.ndim - 2]
    column_step = m.strides[m.ndim - 1]
    n = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    start = offset * column_step if offset >= 0 else -offset * row_step
    return strided(m, m.dtype, A, start if n > 0 else 0, m.shape[:m.ndim - 2] + (n,),
                   m.strides[:m.ndim - 2] + (row_step + column_step,))


@small
def last_diagonal(x, offset=0):
    """Of the matrices in a stack."""
    return diagonal(x, offset, -2, -1)


@small
def diag(v, k=0):
    if v.ndim == 1:
        n = len(v) + abs(k)
        out = np.zeros((n, n), v.dtype)
        diagonal(out, k)[...] = v
        return out
    elif v.ndim == 2:
        return diagonal(v, k)
    else:
        raise ValueError("Input must be 1- or 2-d.")


@small
def diagflat(v, k=0):
    return diag(ravel(v), k)
