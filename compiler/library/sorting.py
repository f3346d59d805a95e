# SPDX-License-Identifier: MIT
"""Sorting, searching, sets and counts."""
import numpy as np

from gridcell.library import (
    ARRAY, C, COMPLEX, FLOAT, INT, NONE, NUMBER, STRING, TEXT, bits, compiled, external, form, kind, layout, small, tuple_take)
from gridcell.library import texts
from gridcell.library.elementwise import map1, number_of
from gridcell.library.merging import first_place_by
from gridcell.library.views import contiguous, flat, order_of, permuted, place, rows_along, unpermuted


# --- Sorting


@small
def sort_row(row):
    if kind(row) >= TEXT:
        texts.sort(row)
    else:
        sort_numbers(row)


@small
def check_sort(way, stable):
    """NumPy looks at the first letter of the kind."""
    if form(way) == STRING:
        if way[:1] not in ("q", "Q", "h", "H", "m", "M", "s", "S"):
            raise ValueError("sort kind must be one of 'quick', 'heap', or 'stable' (got '%s')", way)
        if form(stable) != NONE:
            raise ValueError("`kind` and keyword parameters can't be provided at the same time. Use only one of them.")


@small
def check_selection(way):
    if form(way) == STRING and way != "introselect":
        raise ValueError("select kind must be 'introselect' (got '%s')", way)


@small
def sort_row_as(row, way, stable):
    """With the arguments of a sort. That equal items stay as they come shows where zeros have signs."""
    if (form(way) == STRING or form(stable) != NONE) and (kind(row) == FLOAT or kind(row) == COMPLEX):
        if form(stable) != NONE and stable or form(way) == STRING and way[:1] in ("m", "M", "s", "S"):
            row[...] = row[argsort(row)]
        else:
            sort_numbers(row)
    else:
        sort_row(row)


@small
def sort_numbers(row):
    external("gridcell_sort", "status", row, len(row), kind(row) * 1000 + bits(row))


@small
def sort_in_place(a, axis=-1, kind=None, order="", stable=None):
    """`order` names a field; it is a text where it is left out, so that it is a literal."""
    check_sort(kind, stable)
    if form(order) == STRING and order != "":
        places = argsort(a)  # where the fields are equal, the others decide
        a[...] = a[places[argsort(a[order][places])]]
    elif layout(a) == C and a.ndim == 1:
        place(axis, 1)
        sort_row_as(a, kind, stable)
    else:
        axes = order_of(a, (axis,))
        rows = rows_along(a, axes, (axis,))
        if rows.size > 0:
            sorted_rows = rows.copy()
            for i in range(len(rows)):
                sort_row_as(sorted_rows[i], kind, stable)
            permuted(a, axes)[...] = sorted_rows.reshape(tuple_take(a.shape, axes))


@small
def sort(a, axis=-1, kind=None, order="", stable=None):
    check_sort(kind, stable)
    if form(order) == STRING and order != "":
        places = argsort(a)
        return a[places[argsort(a[order][places])]]
    elif axis is None:
        out = flat(a).copy()
        sort_row_as(out, kind, stable)
        return out
    else:
        out = a.copy()
        sort_in_place(out, axis, kind, "", stable)
        return out


@small
def sorted_row(a):
    out = a.copy()
    sort_row(out)
    return out


@small
def argsort_row(row, out):
    if kind(row) >= TEXT:
        out[:] = texts.order(row)
    else:
        argsort_numbers(row, out)


@small
def argsort_numbers(row, out):
    external("gridcell_argsort", "status", row, out, len(row), kind(row) * 1000 + bits(row))


@small
def argsort(a, axis=-1, kind=None, order="", stable=None):
    check_sort(kind, stable)
    if form(order) == STRING and order != "":
        places = argsort(a)
        return places[argsort(a[order][places])]
    elif axis is None:
        return argsort(flat(a))
    elif a.ndim == 0:
        place(axis, 1)
        return np.zeros(1, np.int64)
    elif a.ndim == 1:
        place(axis, 1)
        out = np.empty(len(a), np.int64)
        argsort_row(contiguous(a), out)
        return out
    else:
        axes = order_of(a, (axis,))
        rows = rows_along(a, axes, (axis,))
        out = np.empty(rows.shape, np.int64)
        for i in range(len(rows)):
            argsort_row(rows[i], out[i])
        return unpermuted(out.reshape(tuple_take(a.shape, axes)), axes)


@small
def lexsort(keys, axis=-1):
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    return lexsorted(keys[1:], argsort(keys[0], axis), axis)


@small
def lexsorted(keys, order, axis):
    if len(keys) == 0:
        return order
    else:
        if keys[0].shape != order.shape:
            raise ValueError("all keys need to be the same shape")
        return lexsorted(keys[1:], chosen(order, argsort(chosen(keys[0], order, axis), axis), axis), axis)


@small
def chosen(a, places, axis):
    """Of each row along the axis the items at its places."""
    if a.ndim == 1:
        return a[places]
    else:
        return np.take_along_axis(a, places, axis)


@small
def kth_place(kth, n):
    at = kth + n if kth < 0 else kth
    if at < 0 or at >= n:
        raise ValueError(f"kth(={at}) out of bounds ({n})")
    return at


@small
def check_kth(kth, n):
    if form(kth) == NUMBER:
        kth_place(kth, n)
    elif form(kth) == ARRAY and kth.ndim > 1:
        raise ValueError("object too deep for desired array")
    else:
        for k in kth:
            kth_place(k, n)


@small
def select_row(row, kth):
    """The row with the item in the place kth that sorting brings there."""
    if form(kth) == NUMBER:
        external("gridcell_select", "status", row, len(row), kth_place(kth, len(row)), kind(row) * 1000 + bits(row))
    else:
        sort_row(row)


@small
def partition_in_place(a, kth, axis=-1, kind=None):
    check_selection(kind)
    order = order_of(a, (axis,))
    if a.size == 0:
        return  # NumPy does not ask where the items would be
    check_kth(kth, a.shape[axis])
    rows = rows_along(a, order, (axis,)).copy()
    for i in range(len(rows)):
        select_row(rows[i], kth)
    permuted(a, order)[...] = rows.reshape(tuple_take(a.shape, order))


@small
def partition(a, kth, axis=-1, kind=None):
    if axis is None:
        return partition(flat(a), kth, -1, kind)
    else:
        out = a.copy()
        partition_in_place(out, kth, axis, kind)
        return out


@small
def argpartition(a, kth, axis=-1, kind=None):
    if np.ndim(a) == 0:
        return argpartition(flat(a), kth, axis, kind)
    else:
        check_selection(kind)
        if a.size > 0:
            check_kth(kth, a.size if axis is None else a.shape[place(axis, a.ndim)])
        return argsort(a, axis)


# --- Searching


@compiled
def complex_before(x, y):
    """By real, then by imaginary parts; a NaN among the imaginary parts counts more than the order of the real ones."""
    if x.real < y.real:
        return x.imag == x.imag or y.imag != y.imag
    elif x.real > y.real:
        return y.imag != y.imag and x.imag == x.imag
    elif x.real == y.real or (x.real != x.real and y.real != y.real):
        return before(x.imag, y.imag)
    else:
        return y.real != y.real


@compiled
def before(x, y):
    """Whether x sorts before y; NaN is last."""
    if kind(x) == COMPLEX or kind(y) == COMPLEX:
        return complex_before(complex(x), complex(y))
    else:
        return x < y or (y != y and x == x)


@compiled
def is_not_before(item, x):
    return not before(item, x)


@compiled
def is_after(item, x):
    return before(x, item)


first_not_before = first_place_by(is_not_before)
first_after = first_place_by(is_after)


@compiled
def search_left(a, x):
    return first_not_before(a, x, 0, len(a))


@compiled
def search_right(a, x):
    return first_after(a, x, 0, len(a))


@compiled
def searchsorted(a, v, side="left", sorter=None):
    if side != "left" and side != "right":
        raise ValueError("side must be 'left' or 'right'")
    if form(a) == ARRAY and a.ndim != 1:
        raise ValueError("object too deep for desired array" if a.ndim > 1 else "a must be one-dimensional")
    elif sorter is not None:
        if np.size(sorter) != np.size(a):
            raise ValueError("sorter.size must equal a.size")
        return searchsorted(a[sorter], v, side)
    elif form(v) != ARRAY:
        return search_left(a, v) if side == "left" else search_right(a, v)
    else:
        return map1(lambda x: search_left(a, x) if side == "left" else search_right(a, x), v, np.int64)


@compiled
def digitize(x, bins, right=False):
    if kind(x) == COMPLEX:
        raise TypeError("x may not be complex")
    rising = is_rising(bins)
    edges = contiguous(bins) if rising else contiguous(bins[::-1])
    if form(x) == NUMBER:
        return bin_of(x, edges, right, rising)
    else:
        return number_of(map1(lambda item: bin_of(item, edges, right, rising), x, np.int64))


@compiled
def is_rising(bins):
    """By the first two that differ, as NumPy has it where there are NaNs."""
    n = len(bins)
    first = 1
    while first < n and bins[first] == bins[0]:
        first += 1
    rising = first >= n or bins[first - 1] < bins[first]
    for i in range(first + 1, n):
        if (bins[i] < bins[i - 1]) if rising else (bins[i] > bins[i - 1]):
            raise ValueError("bins must be monotonically increasing or decreasing")
    return rising


@compiled
def bin_of(x, edges, right, rising):
    k = search_left(edges, x) if right else search_right(edges, x)
    return k if rising else len(edges) - k


# --- Sets


@compiled
def unique(ar, return_index=False, return_inverse=False, return_counts=False, equal_nan=True):
    items = flat(ar)
    if return_index or return_inverse or return_counts:
        order = argsort(items, -1, "stable")
        starts = group_starts(items[order], equal_nan)
        values = items[order[starts]]
        return with_first(values, order, starts, return_index, return_inverse, return_counts, ar.shape)
    else:
        return distinct(sorted_row(items), equal_nan)


@compiled
def differ(x, y, equal_nan):
    """Whether two neighbours of a sorted row are different; all NaN may be one."""
    return x != y and not (equal_nan and x != x and y != y)


@compiled
def distinct(a, equal_nan=True):
    count = 0
    for i in range(len(a)):
        if i == 0 or differ(a[i], a[i - 1], equal_nan):
            a[count] = a[i]
            count += 1
    return a[:count].copy()


@compiled
def group_starts(a, equal_nan):
    out = np.empty(len(a), np.int64)
    count = 0
    for i in range(len(a)):
        if i == 0 or differ(a[i], a[i - 1], equal_nan):
            out[count] = i
            count += 1
    return out[:count]


@small
def with_first(values, order, starts, index, inverse, counts, shape):
    if index:
        return (values, order[starts]) + with_inverse(order, starts, inverse, counts, shape)
    else:
        return (values,) + with_inverse(order, starts, inverse, counts, shape)


@small
def with_inverse(order, starts, inverse, counts, shape):
    if inverse:
        return (groups(order, starts).reshape(shape),) + with_counts(order, starts, counts)
    else:
        return with_counts(order, starts, counts)


@small
def with_counts(order, starts, counts):
    if counts:
        out = np.empty(len(starts), np.int64)
        for i in range(len(starts)):
            out[i] = (starts[i + 1] if i + 1 < len(starts) else len(order)) - starts[i]
        return (out,)
    else:
        return ()


@compiled
def groups(order, starts):
    out = np.empty(len(order), np.int64)
    group = -1
    for i in range(len(order)):
        if group + 1 < len(starts) and starts[group + 1] == i:
            group += 1
        out[order[i]] = group
    return out


@compiled
def contains(a, x):
    """Whether x is in the sorted row."""
    i = search_left(a, x)
    return i < len(a) and a[i] == x


@compiled
def isin(element, test_elements, assume_unique=False, invert=False, kind=None):
    if form(kind) == STRING and kind != "sort" and kind != "table":
        raise ValueError("Invalid kind: '%s'. Please use None, 'sort' or 'table'.", kind)
    known = sorted_row(flat(test_elements) if form(test_elements) == ARRAY else np.full(1, test_elements))
    if form(element) == NUMBER:
        out = np.empty((), np.bool_)
        out[()] = contains(known, element) != bool(invert)
        return out
    else:
        return map1(lambda x: contains(known, x) != bool(invert), element, np.bool_)


@compiled
def in1d(ar1, ar2, assume_unique=False, invert=False, kind=None):
    return isin(flat(ar1), ar2, assume_unique, invert, kind)


@compiled
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    if return_indices:
        return intersection_places(ar1, ar2)
    return filtered(distinct(sorted_row(flat(ar1).astype(np.result_type(ar1, ar2)))), sorted_row(flat(ar2)), True)


@compiled
def intersection_places(ar1, ar2):
    """What both have, and where it first stands in each."""
    dtype = np.result_type(ar1, ar2)
    a, i = unique(flat(ar1).astype(dtype), True)
    b, k = unique(flat(ar2).astype(dtype), True)
    places = np.empty(len(a), np.int64)
    partners = np.empty(len(a), np.int64)
    count = 0
    for n in range(len(a)):
        at = search_left(b, a[n])
        if at < len(b) and b[at] == a[n]:
            places[count] = n
            partners[count] = at
            count += 1
    return a[places[:count]], i[places[:count]], k[partners[:count]]


@compiled
def setdiff1d(ar1, ar2, assume_unique=False):
    if assume_unique:
        return filtered(flat(ar1).copy(), sorted_row(flat(ar2)), False)
    else:
        return filtered(distinct(sorted_row(flat(ar1))), sorted_row(flat(ar2)), False)


@compiled
def filtered(a, known, wanted):
    count = 0
    for i in range(len(a)):
        if contains(known, a[i]) == wanted:
            a[count] = a[i]
            count += 1
    return a[:count].copy()


@compiled
def union1d(ar1, ar2):
    out = np.append(ar1, ar2)
    sort_row(out)
    return distinct(out)


@compiled
def setxor1d(ar1, ar2, assume_unique=False):
    a = distinct(sorted_row(flat(ar1).astype(np.result_type(ar1, ar2))))
    b = distinct(sorted_row(flat(ar2).astype(np.result_type(ar1, ar2))))
    return sorted_row(np.concatenate((filtered(a.copy(), b, False), filtered(b.copy(), a, False))))


# --- Counting


LARGEST = 2**63 - 1


@compiled
def bincount(x, weights=None, minlength=0):
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    elif kind(x) >= FLOAT:
        raise TypeError("np.bincount counts integers: convert the array by astype(np.int64) first")
    lowest, highest = 0, -1
    for i in range(len(x)):
        lowest = min(lowest, np.int64(x[i]))
        highest = max(highest, np.int64(x[i]))
    if lowest < 0 and kind(x) == INT:
        raise ValueError("'list' argument must have no negative elements")
    if lowest < 0 or highest == LARGEST:
        raise ValueError("'list' argument has an element too large to be counted")
    size = max(minlength, highest + 1)
    if weights is None:
        out = np.zeros(size, np.int64)
        for i in range(len(x)):
            out[np.int64(x[i])] += 1
        return out
    else:
        if len(weights) != len(x):
            raise ValueError("The weights and list don't have the same length.")
        out = np.zeros(size, np.float64)
        for i in range(len(x)):
            out[np.int64(x[i])] += weights[i]
        return out
