# SPDX-License-Identifier: MIT
"""Python's dict: what operators, subscripts and methods of dicts come to."""
from gridcell.library import compiled, key_of, list_part, table


@compiled
def make(pairs):
    out = {}
    if hasattr(pairs, "keys"):
        for key, value in items(pairs):
            out[key] = value
    else:
        for key, value in pairs:
            out[key] = value
    return out


@compiled
def put(d, key, value):
    key = key_of(d, key)
    h = hash(key)
    at = table.find(d, key, h)
    if at >= 0:
        table.set_entry_value(d, at, value)
    else:
        table.add_entry(d, (h, key, value), table.make_room(d, h) if table.is_full(d) else -1 - at)


@compiled
def get_item(d, key):
    key = key_of(d, key)
    at = table.find(d, key, hash(key))
    if at < 0:
        raise KeyError(key)
    return table.entry_value(d, at)


@compiled
def remove_item(d, key):
    key = key_of(d, key)
    at = table.find(d, key, hash(key))
    if at < 0:
        raise KeyError(key)
    table.remove_at(d, at)


@compiled
def get(d, key, default=None):
    key = key_of(d, key)
    at = table.find(d, key, hash(key))
    if at < 0:
        return default
    return table.entry_value(d, at)


@compiled
def pop(d, key):
    value = get_item(d, key)
    remove_item(d, key)
    return value


@compiled
def pop_or(d, key, default):
    key = key_of(d, key)
    at = table.find(d, key, hash(key))
    if at < 0:
        return default
    value = table.entry_value(d, at)
    table.remove_at(d, at)
    return value


@compiled
def popitem(d):
    if d._used == 0:
        raise KeyError("popitem(): dictionary is empty")
    entries = d._entries
    at = len(entries) - 1
    while list_part(entries, at, 0) == -1:
        at -= 1
    pair = (list_part(entries, at, 1), list_part(entries, at, 2))
    table.remove_at(d, at)
    return pair


@compiled
def setdefault(d, key, default):
    key = key_of(d, key)
    at = table.find(d, key, hash(key))
    if at < 0:
        put(d, key, default)
        return get_item(d, key)
    return table.entry_value(d, at)


@compiled
def update(d, other):
    if hasattr(other, "keys"):
        for key, value in items(other):
            put(d, key, value)
    else:
        for key, value in other:
            put(d, key, value)


@compiled
def keys(d):
    return table.keys(d)


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
def clear(d):
    table.clear(d)


@compiled
def copy(d):
    return table.copy(d)


@compiled
def contains(d, key):
    return table.contains(d, key_of(d, key))


@compiled
def equal(a, b):
    if len(a) != len(b):
        return False
    for key, value in items(a):
        at = table.find(b, key, hash(key))
        if at < 0 or not table.entry_value(b, at) == value:
            return False
    return True


@compiled
def union(a, b):
    out = copy(a)
    update(out, b)
    return out


@compiled
def union_in_place(a, b):
    update(a, b)
    return a
