# SPDX-License-Identifier: MIT
"""Arrays of texts of fixed length, and of records: filled, compared, put in order."""
import operator

import numpy as np

from gridcell.library import ARRAY, RECORD, compiled, form, kind, small
from gridcell.library.indexing import item, shape_of
from gridcell.library.merging import merged_places
from gridcell.library.views import broadcast_shape, flat


@small
def fill(a, value):
    for i in range(len(a)):
        if a.ndim == 1:
            a[i] = value
        else:
            fill(a[i], value)


@small
def items(a):
    """The texts of a row."""
    return [a[i] for i in range(len(a))]


# --- Comparison


@small
def row_of(a, shape):
    return flat(np.broadcast_to(a, shape)) if form(a) == ARRAY else a


@compiled
def compare(a, b, holds):
    shape = broadcast_shape(shape_of(a), shape_of(b))
    out = np.empty(shape, np.bool_)
    row = out.ravel()
    x = row_of(a, shape)
    y = row_of(b, shape)
    for i in range(len(row)):
        row[i] = holds(item(x, i), item(y, i))
    return out


def comparison(holds):
    @small
    def function(a, b):
        return compare(a, b, holds)

    return function


equal = comparison(operator.eq)
not_equal = comparison(operator.ne)
less = comparison(operator.lt)
less_equal = comparison(operator.le)
greater = comparison(operator.gt)
greater_equal = comparison(operator.ge)


# --- Order


@compiled
def follows(row, i, k):
    """Whether the item i sorts behind the item k."""
    if kind(row) == RECORD:
        return tuple(row[k]) < tuple(row[i])
    else:
        return row[k] < row[i]


@compiled
def order(row):
    """The places of the items as sorting puts them; equal ones stay in order."""
    return merged_places(row, follows)


@compiled
def sort(row):
    """In place."""
    places = order(row)
    old = row.copy()
    for i in range(len(row)):
        row[i] = old[places[i]]


@compiled
def member(value, values, name):
    """Refuses a value that no member of the enum has."""
    for known in values:
        if known == value:
            return
    raise ValueError(repr(value) + " is not a valid " + name)
