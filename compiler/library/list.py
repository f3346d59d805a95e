# SPDX-License-Identifier: MIT
"""Python's list: what operators, subscripts and methods of lists come to."""
import operator
import sys

import numpy as np

from gridcell.library import (LIST, NUMBER, STRING, UINT, TypedList, compact, compiled, empty_like, form, kind, list_append,
                              list_load, list_push, list_splice, list_store, list_swap)

LARGEST = (1 << 63) - 1
# whose messages say other things
IS_FROM_3_14 = sys.version_info >= (3, 14)


@compiled
def make(iterable):
    return [x for x in iterable]


@compiled
def make_typed(iterable):
    out = TypedList()
    for x in iterable:
        out.append(x)
    return out


# --- Items

@compiled
def place_in(n, i, message):
    """The index i into n items, counted from the first."""
    if kind(i) == UINT:  # with numbers that have a sign these make floats
        if i >= np.uint64(n):
            raise IndexError(message)
        return np.int64(i)
    else:
        at = i + n if i < 0 else i
        if at < 0 or at >= n:
            raise IndexError(message)
        return at


@compiled
def get_item(l, i):
    return list_load(l, place_in(len(l), i, "list index out of range"))


@compiled
def put_item(l, i, x):
    list_store(l, place_in(len(l), i, "list assignment index out of range"), x)


@compiled
def remove_item(l, i):
    list_splice(l, place_in(len(l), i, "list assignment index out of range"), 1, 0)


@compiled
def unpack(l, i, n):
    """The item i of a list or an array, of which n variables are made."""
    if len(l) > n:
        if IS_FROM_3_14 and form(l) == LIST:
            raise ValueError(f"too many values to unpack (expected {n}, got {len(l)})")
        raise ValueError(f"too many values to unpack (expected {n})")
    elif len(l) < n:
        raise ValueError(f"not enough values to unpack (expected {n}, got {len(l)})")
    return list_load(l, i) if form(l) == LIST else l[i]


@compiled
def unpack_open(l, i, least):
    n = len(l)
    if n < least:
        raise ValueError(f"not enough values to unpack (expected at least {least}, got {n})")
    return list_load(l, i + n if i < 0 else i)


@compiled
def unpack_rest(l, first, others):
    n = len(l)
    if n < others:
        raise ValueError(f"not enough values to unpack (expected at least {others}, got {n})")
    out = empty_like(l, n - others)
    for i in range(first, first + n - others):
        list_append(out, list_load(l, i))
    return out


# --- Slices

@compiled
def get_slice(l, s):
    start, stop, step = s.indices(len(l))
    if step == 1:
        out = empty_like(l, max(stop - start, 0))
    else:
        out = empty_like(l)
    for i in range(start, stop, step):
        list_append(out, list_load(l, i))
    return out


@compact
def put_slice(l, s, values):
    items = make(values)
    start, stop, step = s.indices(len(l))
    if step == 1:
        stop = max(start, stop)
        list_splice(l, start, stop - start, len(items))
        for i in range(len(items)):
            list_store(l, start + i, list_load(items, i))
    else:
        n = len(range(start, stop, step))
        if n != len(items):
            raise ValueError(f"attempt to assign sequence of size {len(items)} to extended slice of size {n}")
        for i in range(n):
            list_store(l, start + i * step, list_load(items, i))


@compact
def remove_slice(l, s):
    start, stop, step = s.indices(len(l))
    n = len(range(start, stop, step))
    if n == 0:
        return
    if step < 0:
        start, step = start + (n - 1) * step, -step
    if step == 1:
        list_splice(l, start, n, 0)
    else:
        for i in range(n):
            list_splice(l, start + i * step - i, 1, 0)


# --- Operators

@compiled
def concat(a, b):
    out = empty_like(a, len(a) + len(b))
    for x in a:
        list_push(out, x)
    for x in b:
        list_push(out, x)
    return out


@compiled
def repeated_len(n, count):
    if n > 0 and count > LARGEST // n:
        raise MemoryError
    return n * max(count, 0)


@compiled
def repeat(l, count):
    n = len(l)
    out = empty_like(l, repeated_len(n, count))
    if n == 1:
        x = list_load(l, 0)
        for _ in range(count):
            list_push(out, x)
    elif n > 1:
        push_repeated(out, l, count)
    return out


@compact
def push_repeated(out, l, count):
    for _ in range(count):
        for i in range(len(l)):
            list_push(out, list_load(l, i))


@compiled
def repeat_right(count, l):
    return repeat(l, count)


@compiled
def repeat_in_place(l, count):
    n = len(l)
    total = repeated_len(n, count)
    if total == 0:
        clear(l)
    else:
        list_splice(l, n, 0, total - n)
        for i in range(n, total):
            list_store(l, i, list_load(l, i - n))
    return l


@compiled
def contains(l, value):
    for x in l:
        if x == value:
            return True
    return False


@compiled
def equal(a, b):
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if not list_load(a, i) == list_load(b, i):
            return False
    return True


def in_order(compare):
    """Decided by the first items that differ, or by the lengths."""
    @compiled
    def ordered(a, b):
        for i in range(min(len(a), len(b))):
            x, y = list_load(a, i), list_load(b, i)
            if not x == y:
                return compare(x, y)
        return compare(len(a), len(b))

    return ordered


less = in_order(operator.lt)
less_equal = in_order(operator.le)


# --- Methods

@compiled
def append(l, x):
    list_append(l, x)


@compiled
def clear(l):
    list_splice(l, 0, len(l), 0)


@compiled
def copy(l):
    out = empty_like(l, len(l))
    for x in l:
        list_push(out, x)
    return out


@compiled
def count(l, value):
    n = 0
    for x in l:
        if x == value:
            n += 1
    return n


@compiled
def extend(l, iterable):
    n = 0
    if hasattr(iterable, "append"):  # a list may be extended by itself
        n = len(iterable)
        for i in range(n):
            list_append(l, list_load(iterable, i))
    else:
        for x in iterable:
            list_append(l, x)


@compiled
def extend_in_place(l, iterable):
    extend(l, iterable)
    return l


@compiled
def index(l, value, start=0, stop=9223372036854775807):
    n = len(l)
    if start < 0:
        start = max(start + n, 0)
    if stop < 0:
        stop = max(stop + n, 0)
    for i in range(start, min(stop, n)):
        if list_load(l, i) == value:
            return i
    if IS_FROM_3_14:
        raise ValueError("list.index(x): x not in list")
    elif form(value) == NUMBER or form(value) == STRING:
        raise ValueError(f"{value!r} is not in list")
    raise ValueError("value is not in list")


@compiled
def insert(l, i, x):
    n = len(l)
    if i < 0:
        i = max(i + n, 0)
    i = min(i, n)
    list_splice(l, i, 0, 1)
    list_store(l, i, x)


@compiled
def pop(l, i=-1):
    if len(l) == 0:
        raise IndexError("pop from empty list")
    at = place_in(len(l), i, "pop index out of range")
    x = list_load(l, at)
    list_splice(l, at, 1, 0)
    return x


@compiled
def remove(l, value):
    for i in range(len(l)):
        if list_load(l, i) == value:
            list_splice(l, i, 1, 0)
            return
    raise ValueError("list.remove(x): x not in list")


@compiled
def reverse(l):
    n = len(l)
    for i in range(n // 2):
        j = n - 1 - i
        x = list_load(l, i)
        if form(x) == NUMBER:
            list_store(l, i, list_load(l, j))
            list_store(l, j, x)
        else:
            list_swap(l, i, j)


# --- Sorting: stable, by merging runs that insertion has sorted

RUN = 16


@compiled
def sort(l, key=None, reverse=False):
    if key is None:
        merge_sort(l, l, reverse, False)
    else:
        keys = [key(x) for x in l]
        merge_sort(keys, l, reverse, True)


@compiled
def precedes(x, y, reverse):
    return y < x if reverse else x < y


@compiled
def insertion_sort(keys, values, start, stop, reverse, is_paired):
    for i in range(start + 1, stop):
        j = i
        while j > start and precedes(list_load(keys, j), list_load(keys, j - 1), reverse):
            list_swap(keys, j, j - 1)
            if is_paired:
                list_swap(values, j, j - 1)
            j -= 1


@compiled
def merge_sort(keys, values, reverse, is_paired):
    n = len(keys)
    for start in range(0, n, RUN):
        insertion_sort(keys, values, start, min(start + RUN, n), reverse, is_paired)
    width = RUN
    while width < n:
        for start in range(0, n - width, 2 * width):
            merge(keys, values, start, start + width, min(start + 2 * width, n), reverse, is_paired)
        width *= 2


@compiled
def merge(keys, values, start, middle, stop, reverse, is_paired):
    if not precedes(list_load(keys, middle), list_load(keys, middle - 1), reverse):
        return
    left_keys = empty_like(keys, middle - start)
    left_values = empty_like(values, middle - start)
    for i in range(start, middle):
        list_append(left_keys, list_load(keys, i))
        if is_paired:
            list_append(left_values, list_load(values, i))
    i, j, to = 0, middle, start
    n = middle - start
    while i < n and j < stop:
        if precedes(list_load(keys, j), list_load(left_keys, i), reverse):
            list_store(keys, to, list_load(keys, j))
            if is_paired:
                list_store(values, to, list_load(values, j))
            j += 1
        else:
            list_store(keys, to, list_load(left_keys, i))
            if is_paired:
                list_store(values, to, list_load(left_values, i))
            i += 1
        to += 1
    while i < n:
        list_store(keys, to, list_load(left_keys, i))
        if is_paired:
            list_store(values, to, list_load(left_values, i))
        i += 1
        to += 1


# --- Functions of lists and other iterables

@compiled
def sorted_(iterable, key=None, reverse=False):
    out = make(iterable)
    sort(out, key, reverse)
    return out


def best_of(beats, message):
    """min or max: the first of the items that no other one beats."""
    @compiled
    def best(iterable, key=None, default=None):
        items = iterable if form(iterable) == LIST else make(iterable)
        if len(items) == 0:
            if default is None:
                raise ValueError(message)
            else:
                return default
        best = list_load(items, 0)
        if key is None:
            for x in items:
                if beats(x, best):
                    best = x
        else:
            best_key = key(best)
            for x in items:
                x_key = key(x)
                if beats(x_key, best_key):
                    best, best_key = x, x_key
        return best

    return best


NOTHING = "iterable argument is empty" if sys.version_info >= (3, 12) else "arg is an empty sequence"
least = best_of(operator.lt, f"min() {NOTHING}")
greatest = best_of(operator.gt, f"max() {NOTHING}")


@compiled
def cell_get(cell):
    if len(cell) == 0:
        raise UnboundLocalError("a variable that an inner function assigns has no value yet")
    return list_load(cell, 0)


@compiled
def cell_set(cell, value):
    if len(cell) == 0:
        list_append(cell, value)
    else:
        list_store(cell, 0, value)
