# SPDX-License-Identifier: MIT
"""One of several arrays for each item: by number (choose), by condition (select)."""
import numpy as np

from gridcell.library import ARRAY, BOOL, LIST, compiled, form, kind, small
from gridcell.library.indexing import check_integers, item, shape_of, spread, where
from gridcell.library.views import broadcast_shape, check_mode, put_out


@compiled
def choose(a, choices, out=None, mode="raise"):
    if out is not None:
        return put_out(out, choose(a, choices, None, mode))
    else:
        check_integers(a)
        shape = broadcast_shape(shape_of(a), shape_of_choices(choices))
        chosen = np.empty(shape, np.int64)
        chosen[...] = a
        check_mode(mode)
        if mode == "wrap":
            chosen %= len(choices)
        elif mode == "clip":
            chosen = np.minimum(np.maximum(chosen, 0), len(choices) - 1)
        result = np.empty(shape, np.result_type(choices))
        items, numbers = result.reshape(-1), chosen.reshape(-1)
        for i in range(len(numbers)):
            if numbers[i] < 0 or numbers[i] >= len(choices):
                raise ValueError("invalid entry in choice array")
        put_choices(numbers, 0, choices, items, shape)
        return result


@small
def shape_of_choices(choices):
    if form(choices) == ARRAY:
        return choices.shape[1:]
    elif form(choices) == LIST:
        shape = shape_of(choices[0])
        for x in choices:
            shape = broadcast_shape(shape, shape_of(x))
        return shape
    elif len(choices) == 0:
        return ()
    else:
        return broadcast_shape(shape_of(choices[0]), shape_of_choices(choices[1:]))


@compiled
def put_choices(numbers, k, choices, out, shape):
    """Puts the items of each choice where its number stands."""
    if form(choices) == ARRAY or form(choices) == LIST:
        for i in range(len(choices)):
            put_choice(numbers, i, choices[i], out, shape)
    elif len(choices) > 0:
        put_choice(numbers, k, choices[0], out, shape)
        put_choices(numbers, k + 1, choices[1:], out, shape)


@compiled
def put_choice(numbers, k, choice, out, shape):
    items = spread(choice, shape)
    for i in range(len(numbers)):
        if numbers[i] == k:
            out[i] = item(items, i)


@small
def check_conditions(conditions, k):
    if form(conditions) == LIST:
        if len(conditions) > 0 and kind(conditions[0]) != BOOL:
            raise TypeError("invalid entry 0 in condlist: should be boolean ndarray")
    elif len(conditions) > 0:
        if kind(conditions[0]) != BOOL:
            raise TypeError("invalid entry %d in condlist: should be boolean ndarray", k)
        check_conditions(conditions[1:], k + 1)


@compiled
def select(conditions, choices, default=0):
    if len(conditions) != len(choices):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(conditions) == 0:
        raise ValueError("select with an empty condition list is not possible")
    check_conditions(conditions, 0)
    return selected(conditions, choices, default)


@compiled
def selected(conditions, choices, default):
    """The first choice whose condition holds."""
    if form(conditions) == LIST or form(conditions) == ARRAY:
        last = len(conditions) - 1
        result = where(conditions[last], choices[last], default)
        for k in range(last - 1, -1, -1):
            result = where(conditions[k], choices[k], result)
        return result
    elif len(conditions) == 0:
        return default
    else:
        return where(conditions[0], choices[0], selected(conditions[1:], choices[1:], default))
