# SPDX-License-Identifier: MIT
"""Functions of the program applied to arrays by NumPy: piecewise, apply_along_axis."""
import numpy as np

from gridcell.library import ARRAY, LIST, NUMBER, OTHER, TUPLE, compiled, dtype_of, form, kind, tuple_take
from gridcell.library.views import order_of, rows_along, unpermuted


@compiled
def piecewise(x, condlist, funclist):
    """Where several conditions hold the last one wins; a function more than conditions is for the rest."""
    out = np.zeros(x.shape, x.dtype)
    if form(condlist) == ARRAY:
        if condlist.ndim == x.ndim:
            return pieces(x, (condlist,), funclist, out, ~condlist)
        else:
            return pieces_of_rows(x, condlist, funclist, out)
    else:
        return pieces(x, condlist, funclist, out, ~condlist[0])


@compiled
def pieces_of_rows(x, conditions, functions, out):
    rest = ~conditions.any(0)
    check_counts(len(conditions), len(functions))
    for k in range(len(conditions)):
        put_piece(x, conditions[k], functions[k], out)
    if len(functions) > len(conditions):
        put_piece(x, rest, functions[len(functions) - 1], out)
    return out


@compiled
def check_counts(conditions, functions):
    if functions != conditions and functions != conditions + 1:
        raise ValueError("with so many conditions, either as many functions are expected, or one more")


@compiled
def pieces(x, conditions, functions, out, rest):
    check_counts(len(conditions), len(functions))
    put_pieces(x, conditions, functions, out, rest)
    return out


@compiled
def put_pieces(x, conditions, functions, out, rest):
    if len(conditions) == 0:
        if len(functions) == 1:
            put_piece(x, rest, functions[0], out)
    else:
        if len(functions) > 0:
            put_piece(x, conditions[0], functions[0], out)
            put_pieces(x, conditions[1:], functions[1:], out, rest & ~conditions[0])


@compiled
def put_piece(x, condition, function, out):
    if form(function) == NUMBER:
        out[condition] = function
    else:
        if condition.any():
            out[condition] = function(x[condition])


@compiled
def apply_along_axis(func1d, axis, arr):
    order = order_of(arr, (axis,))
    rows = rows_along(arr, order, (axis,))
    if len(rows) == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    first = func1d(rows[0])
    kept = tuple_take(arr.shape, order[:arr.ndim - 1])
    if form(first) == ARRAY:
        out = np.empty((len(rows), len(first)), first.dtype)
        out[0] = first
        for i in range(1, len(rows)):
            out[i] = func1d(rows[i])
        return unpermuted(out.reshape(kept + (len(first),)), order)
    elif arr.ndim == 1:
        return first
    else:
        results = np.empty(len(rows), dtype_of(first))
        results[0] = first
        for i in range(1, len(rows)):
            results[i] = func1d(rows[i])
        return results.reshape(kept)
