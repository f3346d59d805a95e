# SPDX-License-Identifier: MIT
"""Arrays of what lists and tuples hold, one in another."""
from gridcell.library import (
    ARRAY, LIST, NUMBER, RECORD, STRING, compiled, form, kind, list_load, nesting, small, tuple_full)


@small
def shape_of_nested(a):
    if form(a) == NUMBER or form(a) == STRING:
        return ()
    elif form(a) == ARRAY:
        return a.shape
    elif form(a) == LIST:
        for x in a:
            return (len(a),) + shape_of_nested(x)
        return tuple_full(nesting(a), 0)
    elif len(a) == 0:
        return (0,)
    else:
        return (len(a),) + shape_of_nested(a[0])


@compiled
def fill_row(out, items):
    for i in range(len(items)):
        x = list_load(items, i)
        out[i] = x[()] if form(x) == ARRAY else x


@small
def fill_nested(out, items):
    if form(items) == LIST and nesting(items) == 1:
        fill_row(out, items)
    elif form(items) == LIST:
        for i in range(len(items)):
            fill_item(out, i, items[i])
    elif len(items) > 0:
        fill_item(out, 0, items[0])
        fill_nested(out[1:], items[1:])


@small
def fill_item(out, i, x):
    if form(x) == NUMBER or form(x) == STRING:
        if out.ndim > 1:
            raise ValueError("setting an array element with a sequence: one item is a number, another has items itself")
        out[i] = x
    elif form(x) == ARRAY and x.ndim == 0 and kind(x) != RECORD:
        fill_item(out, i, x[()])
    elif form(x) == ARRAY:
        if x.shape != out[i].shape:
            raise ValueError("setting an array element with a sequence: the items have different shapes")
        out[i][...] = x
    else:
        if len(x) != len(out[i]):
            raise ValueError("setting an array element with a sequence: the items have different lengths")
        fill_nested(out[i], x)
