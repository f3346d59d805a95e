# SPDX-License-Identifier: MIT
"""Python's set: what operators and methods of sets come to."""
from gridcell.library import TypedSet, compiled, empty_like, key_of, list_part, table
from gridcell.library.table import in_place, on_copy


@compiled
def make(iterable):
    return {x for x in iterable}


@compiled
def make_typed(iterable):
    out = TypedSet()
    for x in iterable:
        out.add(x)
    return out


@compiled
def add(s, x):
    x = key_of(s, x)
    h = hash(x)
    if table.is_missing(s):
        table.prepare(s)
    at = table.probe(s, x, h)
    if at < 0:
        table.add_entry(s, (h, x), table.grow(s, h) if table.is_full(s) else -1 - at)


@compiled
def discard(s, x):
    x = key_of(s, x)
    at = table.find(s, x, hash(x))
    if at >= 0:
        table.remove_at(s, at)


@compiled
def remove(s, x):
    table.remove_at(s, table.place(s, x))


@compiled
def pop(s):
    at = table.last(s, "pop from an empty set")
    x = list_part(s._entries, at, 1)
    table.remove_at(s, at)
    return x


items = table.keys
clear = table.clear
copy = table.copy
contains = table.contains


@compiled
def update(s, iterable):
    for x in iterable:
        add(s, x)


@compiled
def difference_update(s, iterable):
    for x in iterable:
        discard(s, x)


@compiled
def intersection_update(s, iterable):
    other = make(iterable)
    for x in items(s):
        if x not in other:
            discard(s, x)


@compiled
def symmetric_difference_update(s, iterable):
    for x in make(iterable):
        if x in s:
            discard(s, x)
        else:
            add(s, x)


union = on_copy(copy, update)
difference = on_copy(copy, difference_update)
symmetric_difference = on_copy(copy, symmetric_difference_update)


@compiled
def intersection(s, iterable):
    other = make(iterable)
    out = empty_like(s)
    for x in items(s):
        if x in other:
            add(out, x)
    return out


union_in_place = in_place(update)
difference_in_place = in_place(difference_update)
intersection_in_place = in_place(intersection_update)
symmetric_difference_in_place = in_place(symmetric_difference_update)


@compiled
def less_equal(a, b):
    return len(a) <= len(b) and issuperset(b, items(a))


@compiled
def less(a, b):
    return len(a) < len(b) and less_equal(a, b)


@compiled
def equal(a, b):
    return len(a) == len(b) and less_equal(a, b)


@compiled
def issubset(s, iterable):
    return less_equal(s, make(iterable))


@compiled
def issuperset(s, iterable):
    for x in iterable:
        if x not in s:
            return False
    return True


@compiled
def isdisjoint(s, iterable):
    for x in iterable:
        if x in s:
            return False
    return True
