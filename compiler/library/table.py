# SPDX-License-Identifier: MIT
"""What dicts and sets have in common: entries in order of insertion, and a table to find them.

An entry is (hash, key[, value]); the hash of a removed one is -1, which no key has. The table has
places of entries plus one at where their hash says, or behind; 0 ends the search. After the host has
filled entries in it is yet to be made: till then it is one place, a 0.
"""
import numpy as np
from gridcell.library import (NUMBER, compact, compiled, empty_like, form, inlined, is_kept, key_of, list_append, list_load,
                              list_part, list_set_part, list_splice)

LEAST = 16  # places, as a new set or dict has them (support/rows.c)
FIRST = 10  # entries, that there is room for at first
MOST_RESERVED = 2048  # entries: fewer of them may come
GROWTH = 2  # how much emptier a table is made than it has to be
MANY = 50000  # entries, from which on it is not


@compiled
def first_place(h, mask):
    """Numbers in a row come near each other, for the processor's cache, but leave gaps between them in which others
    end their search."""
    near = h ^ (h >> 15)
    return 9 * (near ^ (near >> 30)) & mask


@inlined
def find(d, key, h):
    """The place of the key among the entries; if it is not there, a number below 0, as `probe` gives it."""
    at = probe(d, key, h)
    return search(d, key, h) if at < 0 and is_missing(d) else at


# --- Keys of other types than the container's

@compiled
def new_key(d, key):
    if not is_kept(d, key):
        raise OverflowError("the key is no number of the type that the container's keys have")
    return key_of(d, key)


@inlined
def find_key(d, key):
    """Where the key's entry is; below 0: nowhere."""
    if not is_kept(d, key):
        return -1
    else:
        own = key_of(d, key)
        return find(d, own, hash(own))


@compiled
def place_of_key(d, key):
    at = find_key(d, key)
    if at < 0:
        raise KeyError(key)
    return at


@compiled
def is_same_integer(own, key):
    return own == key


@compiled
def is_same_in_float(own, key):
    """Both halves of an integer are numbers of any float type's sum: what is rounded shows in the lower one."""
    high = key >> 32
    return np.float64(own.real) - np.float64(high) * 4294967296.0 == np.float64(np.uint32(key))


@compiled
def last(d, message):
    """The place of the newest entry; KeyError if there is none."""
    if d._used == 0:
        raise KeyError(message)
    entries = d._entries
    at = len(entries) - 1
    while list_part(entries, at, 0) == -1:
        at -= 1
    return at


# Functions that leave the fields of d alone take entries and table from it without counting references.

@compiled
def is_missing(d):
    return len(d._table) == 1


@inlined
def probe(d, key, h):
    """Where the key is among the entries, or -1 - i if it would have to go to the place i of the table."""
    entries, table = d._entries, d._table
    mask, n = len(table) - 1, len(entries)
    i = first_place(h, mask)
    while True:
        at = int(list_load(table, i)) - 1
        if at < 0:
            return -1 - i
        if at < n and is_of(entries, at, key, h):
            return at
        i = (i + 1) & mask


@compiled
def is_of(entries, at, key, h):
    """Whether the entry is the key's: numbers are compared in less time than their hashes and they."""
    if form(key) == NUMBER:
        return list_part(entries, at, 1) == key
    else:
        return list_part(entries, at, 0) == h and list_part(entries, at, 1) == key


# What a search and a change seldom do, as functions that are not made part of it.

@compact
def search(d, key, h):
    """Makes the table, where the host filled the entries in, and looks into it."""
    rehash(d)
    return probe(d, key, h)


@compact
def grow(d, h):
    return make_room(d, h)


@compiled
def rehash(d):
    """Makes the table for entries that came without it."""
    hash_entries(d)
    make_table(d, d._used)


@compiled
def hash_entries(d):
    entries = d._entries
    for at in range(len(entries)):
        list_set_part(entries, at, 0, hash(list_part(entries, at, 1)))
    d._used = len(entries)


@compiled
def make_table(d, room):
    """Makes a table that is half full with `room` entries, or emptier."""
    size = LEAST
    while size < 2 * room + 2:
        size *= 2
    if has_places(d, size):
        refill(d, size)
    else:
        d._table = table_with(d, size)


@compiled
def has_places(d, size):
    return len(d._table) >= size


@compiled
def refill(d, size):
    list_splice(d._table, 0, len(d._table), size)
    enter_all(d._entries, d._table)


@compiled
def table_with(d, size):
    places = empty_like(d._table, size)
    list_splice(places, 0, 0, size)
    enter_all(d._entries, places)
    return places


@compact
def reserve(d, count):
    """Makes room in a new container for so many entries, or a good part of them."""
    room = min(count, MOST_RESERVED)
    if room > FIRST:
        d._entries = empty_entries(d, room)
        make_table(d, room)


@compiled
def empty_entries(d, room):
    return empty_like(d._entries, room)


@compiled
def enter_all(entries, table):
    for at in range(len(entries)):
        i = free_place(table, list_part(entries, at, 0))
        list_set_part(table, i, 0, at + 1)


@compiled
def free_place(table, h):
    """Where a key that is not there goes."""
    mask = len(table) - 1
    i = first_place(h, mask)
    while list_load(table, i) != 0:
        i = (i + 1) & mask
    return i


@compiled
def place_for(d, h):
    return free_place(d._table, h)


@compiled
def make_room(d, h):
    """After this the table has room for another entry, whose place in it this returns."""
    drop_removed(d)
    make_table(d, GROWTH * d._used if d._used < MANY else d._used)
    return place_for(d, h)


@compiled
def is_full(d):
    """Whether the table is two thirds full."""
    return 3 * (len(d._entries) + 1) > 2 * len(d._table)


@compiled
def drop_removed(d):
    if has_removed(d):
        d._entries = left_entries(d)


@compiled
def has_removed(d):
    return len(d._entries) != d._used


@compiled
def left_entries(d):
    """The entries that were not removed."""
    out = empty_entries(d, d._used)
    for entry in d._entries:
        if entry[0] != -1:
            list_append(out, entry)
    return out


@compiled
def add_entry(d, entry, i):
    """Adds an entry, for which there is room, and puts it into the place i of the table."""
    list_append(d._entries, entry)
    list_set_part(d._table, i, 0, len(d._entries))
    d._used = d._used + 1


@compiled
def entry_value(d, at):
    return list_part(d._entries, at, 2)


@compiled
def set_entry_value(d, at, value):
    list_set_part(d._entries, at, 2, value)


@compiled
def leave_place(d, at):
    """Takes the entry's place out of the table: what lies behind and belongs before moves up."""
    entries, table = d._entries, d._table
    if is_missing(d):
        return
    mask = len(table) - 1
    i = first_place(list_part(entries, at, 0), mask)
    while int(list_load(table, i)) != at + 1:
        i = (i + 1) & mask
    j = (i + 1) & mask
    while list_load(table, j) != 0:
        number = int(list_load(table, j))
        home = first_place(list_part(entries, number - 1, 0), mask)
        if (j - home) & mask >= (j - i) & mask:
            list_set_part(table, i, 0, number)
            i = j
        j = (j + 1) & mask
    list_set_part(table, i, 0, 0)


@compiled
def remove_at(d, at):
    leave_entry(d, at)
    if is_sparse(d):  # what is removed is kept alive no longer
        drop_removed(d)
        make_table(d, d._used)


@compiled
def leave_entry(d, at):
    """The last of the entries has not been removed, or there is none."""
    leave_place(d, at)
    d._used = d._used - 1
    entries = d._entries
    list_set_part(entries, at, 0, -1)
    n = len(entries)
    while n > 0 and list_part(entries, n - 1, 0) == -1:
        n -= 1
    list_splice(entries, n, len(entries) - n, 0)


@compiled
def is_sparse(d):
    return 4 * d._used < len(d._entries) - 32


@compiled
def clear(d):
    list_splice(d._entries, 0, len(d._entries), 0)
    list_splice(d._table, 0, len(d._table), LEAST)
    d._used = 0


@compiled
def copy(d):
    if is_missing(d) and len(d._entries) > 0:
        rehash(d)
    out = empty_like(d)
    out._entries = left_entries(d)
    index_entries(out)
    return out


@compiled
def index_entries(d):
    """Makes the table of entries that were appended to a new container, with their hashes."""
    d._used = len(d._entries)
    if d._used > 0:
        make_table(d, d._used)


@compiled
def keys(d):
    entries = d._entries
    return [list_part(entries, at, 1) for at in range(len(entries)) if list_part(entries, at, 0) != -1]


# --- Templates

def in_place(change):
    """An operator like a |= b, which changes its first operand and is it."""
    @compiled
    def operator(a, b):
        change(a, b)
        return a

    return operator


def on_copy(copy, change):
    """What `change` does, as a function that leaves its first argument alone."""
    @compiled
    def function(a, b):
        out = copy(a)
        change(out, b)
        return out

    return function
