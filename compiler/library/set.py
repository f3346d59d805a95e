# SPDX-License-Identifier: MIT
"""Python's set: what operators and methods of sets come to."""
from gridcell.library import TypedSet, compact, compiled, empty_like, key_of, list_append, list_part, table


@compiled
def make(iterable):
    out = set()
    for x in iterable:
        out.add(x)
    return out


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
        prepare(s)
    at = table.probe(s, x, h)
    if at < 0:
        table.add_entry(s, (h, x), grow(s, h) if table.is_full(s) else -1 - at)


# What adding seldom does, as functions that are not made part of it.

@compact
def prepare(s):
    """Makes the table, which a set has none of without entries, or from the host."""
    table.rehash(s)


@compact
def grow(s, h):
    return table.make_room(s, h)


@compiled
def discard(s, x):
    x = key_of(s, x)
    at = table.find(s, x, hash(x))
    if at >= 0:
        table.remove_at(s, at)


@compiled
def remove(s, x):
    at = table.find(s, x, hash(x))
    if at < 0:
        raise KeyError(x)
    table.remove_at(s, at)


@compiled
def pop(s):
    if s._used == 0:
        raise KeyError("pop from an empty set")
    entries = s._entries
    at = len(entries) - 1
    while list_part(entries, at, 0) == -1:
        at -= 1
    x = list_part(entries, at, 1)
    table.remove_at(s, at)
    return x


@compiled
def items(s):
    return table.keys(s)


@compiled
def clear(s):
    table.clear(s)


@compiled
def copy(s):
    return table.copy(s)


@compiled
def contains(s, x):
    return table.contains(s, x)


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


@compiled
def union(s, iterable):
    out = copy(s)
    update(out, iterable)
    return out


@compiled
def difference(s, iterable):
    out = copy(s)
    difference_update(out, iterable)
    return out


@compiled
def intersection(s, iterable):
    other = make(iterable)
    out = empty_like(s)
    for x in items(s):
        if x in other:
            add(out, x)
    return out


@compiled
def symmetric_difference(s, iterable):
    out = copy(s)
    symmetric_difference_update(out, iterable)
    return out


@compiled
def union_in_place(s, other):
    update(s, other)
    return s


@compiled
def difference_in_place(s, other):
    difference_update(s, other)
    return s


@compiled
def intersection_in_place(s, other):
    intersection_update(s, other)
    return s


@compiled
def symmetric_difference_in_place(s, other):
    symmetric_difference_update(s, other)
    return s


@compiled
def less_equal(a, b):
    if len(a) > len(b):
        return False
    for x in items(a):
        if x not in b:
            return False
    return True


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
