# SPDX-License-Identifier: MIT
"""Operators and methods of keys(), values() and items() of dicts. What goes over one goes over a list of what the
dict holds then; operators of keys and items are those of sets."""
from gridcell.library import compiled, list_part, set
from gridcell.library.table import entry_value, find_key, on_copy


@compiled
def has_value(d, value):
    entries = d._entries
    for at in range(len(entries)):
        if list_part(entries, at, 0) != -1 and list_part(entries, at, 2) == value:
            return True
    return False


@compiled
def has_item(d, item):
    at = find_key(d, item[0])
    return at >= 0 and entry_value(d, at) == item[1]


union = on_copy(set.make, set.update)
difference = on_copy(set.make, set.difference_update)
intersection = on_copy(set.make, set.intersection_update)
symmetric_difference = on_copy(set.make, set.symmetric_difference_update)
