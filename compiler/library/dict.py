# SPDX-License-Identifier: MIT
"""Python's dict: what operators, subscripts and methods of dicts come to."""
from gridcell.library import compiled, list_part, table
from gridcell.library.table import find_key, in_place, new_key, on_copy, place_of_key


@compiled
def make(pairs):
    if hasattr(pairs, "keys"):
        return make(items(pairs))
    else:
        return {key: value for key, value in pairs}


@compiled
def put(d, key, value):
    key = new_key(d, key)
    h = hash(key)
    at = table.find(d, key, h)
    if at >= 0:
        table.set_entry_value(d, at, value)
    else:
        table.add_entry(d, (h, key, value), table.grow(d, h) if table.is_full(d) else -1 - at)


@compiled
def get_item(d, key):
    return table.entry_value(d, place_of_key(d, key))


@compiled
def remove_item(d, key):
    table.remove_at(d, place_of_key(d, key))


@compiled
def get(d, key, default=None):
    at = find_key(d, key)
    if at < 0:
        return default
    return table.entry_value(d, at)


@compiled
def taken(d, at):
    """The value of an entry, which is removed."""
    value = table.entry_value(d, at)
    table.remove_at(d, at)
    return value


@compiled
def pop(d, key):
    return taken(d, place_of_key(d, key))


@compiled
def pop_or(d, key, default):
    at = find_key(d, key)
    if at < 0:
        return default
    return taken(d, at)


@compiled
def popitem(d):
    at = table.last(d, "popitem(): dictionary is empty")
    key = list_part(d._entries, at, 1)
    return key, taken(d, at)


@compiled
def setdefault(d, key, default):
    at = find_key(d, key)
    if at < 0:
        put(d, key, default)
        at = find_key(d, key)
    return table.entry_value(d, at)


@compiled
def update(d, other):
    if hasattr(other, "keys"):
        update(d, items(other))
    else:
        for key, value in other:
            put(d, key, value)


keys = table.keys
clear = table.clear
copy = table.copy


@compiled
def values(d):
    entries = d._entries
    return [list_part(entries, at, 2) for at in range(len(entries)) if list_part(entries, at, 0) != -1]


@compiled
def items(d):
    entries = d._entries
    return [(list_part(entries, at, 1), list_part(entries, at, 2)) for at in range(len(entries))
            if list_part(entries, at, 0) != -1]


@compiled
def contains(d, key):
    return find_key(d, key) >= 0


@compiled
def equal(a, b):
    if len(a) != len(b):
        return False
    for key, value in items(a):
        at = table.find(b, key, hash(key))
        if at < 0 or not table.entry_value(b, at) == value:
            return False
    return True


union = on_copy(copy, update)
union_in_place = in_place(update)
