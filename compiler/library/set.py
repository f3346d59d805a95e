# SPDX-License-Identifier: MIT
"""Python's set: what operators and methods of sets come to."""
from gridcell.library import ARRAY, LIST, TypedSet, compiled, empty_like, form, list_append, list_part, table
from gridcell.library.table import find_key, in_place, new_key, on_copy, place_of_key


@compiled
def make(iterable):
    out = set()
    if form(iterable) == ARRAY or form(iterable) == LIST:
        table.reserve(out, len(iterable))
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
    own = new_key(s, x)
    add_key(s, own, hash(own))


@compiled
def add_key(s, x, h):
    at = table.find(s, x, h)
    if at < 0:
        table.add_entry(s, (h, x), table.grow(s, h) if table.is_full(s) else -1 - at)


@compiled
def discard(s, x):
    at = find_key(s, x)
    if at >= 0:
        table.remove_at(s, at)


@compiled
def remove(s, x):
    table.remove_at(s, place_of_key(s, x))


@compiled
def pop(s):
    at = table.last(s, "pop from an empty set")
    x = list_part(s._entries, at, 1)
    table.remove_at(s, at)
    return x


items = table.keys
clear = table.clear
copy = table.copy


@compiled
def contains(s, x):
    return find_key(s, x) >= 0


@compiled
def as_set(iterable):
    if hasattr(iterable, "issubset"):
        return iterable
    else:
        return make(iterable)


@compiled
def hashed_entries(s):
    if table.is_missing(s):
        table.rehash(s)
    return s._entries


@compiled
def common(s, other, is_common):
    """The items of s that the other set has, or those that it has not."""
    out = empty_like(s)
    entries = out._entries
    for entry in hashed_entries(s):
        if entry[0] != -1 and (table.find(other, entry[1], entry[0]) >= 0) == is_common:
            list_append(entries, entry)
    table.index_entries(out)
    return out


@compiled
def update(s, iterable):
    if hasattr(iterable, "issubset"):
        entries = hashed_entries(iterable)
        for at in range(len(entries)):  # that there are now: a NaN is another one in its own set
            h = list_part(entries, at, 0)
            if h != -1:
                add_key(s, new_key(s, list_part(entries, at, 1)), h)
    else:
        for x in iterable:
            add(s, x)


@compiled
def become(s, other):
    s._entries, s._table, s._used = other._entries, other._table, other._used


@compiled
def difference_update(s, iterable):
    become(s, difference(s, iterable))


@compiled
def intersection_update(s, iterable):
    become(s, intersection(s, iterable))


@compiled
def symmetric_difference_update(s, iterable):
    become(s, symmetric_difference(s, iterable))


union = on_copy(copy, update)


@compiled
def difference(s, iterable):
    return common(s, as_set(iterable), False)


@compiled
def symmetric_difference(s, iterable):
    other = as_set(iterable)
    out = common(s, other, False)
    for x in other:
        if x not in s:
            add(out, x)
    return out


@compiled
def intersection(s, iterable):
    return common(s, as_set(iterable), True)


union_in_place = in_place(update)
difference_in_place = in_place(difference_update)
intersection_in_place = in_place(intersection_update)
symmetric_difference_in_place = in_place(symmetric_difference_update)


@compiled
def less_equal(a, b):
    return len(a) <= len(b) and issuperset(b, a)


@compiled
def less(a, b):
    return len(a) < len(b) and less_equal(a, b)


@compiled
def equal(a, b):
    return len(a) == len(b) and less_equal(a, b)


@compiled
def issubset(s, iterable):
    return less_equal(s, as_set(iterable))


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
