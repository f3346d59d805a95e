# SPDX-License-Identifier: MIT
"""The modules heapq and bisect."""
import operator

from gridcell.library import compiled, list, list_append, list_load, list_splice, list_store
from gridcell.library.merging import first_place_by


@compiled
def sift_down(heap, start, at):
    """Moves the item at a place up towards the start, past greater ones."""
    x = list_load(heap, at)
    while at > start:
        parent = (at - 1) >> 1
        other = list_load(heap, parent)
        if not x < other:
            break
        list_store(heap, at, other)
        at = parent
    list_store(heap, at, x)


@compiled
def sift_up(heap, at):
    """Moves smaller children up until a leaf is free, then the item to where it belongs."""
    n, start = len(heap), at
    x = list_load(heap, at)
    child = 2 * at + 1
    while child < n:
        right = child + 1
        if right < n and not list_load(heap, child) < list_load(heap, right):
            child = right
        list_store(heap, at, list_load(heap, child))
        at = child
        child = 2 * at + 1
    list_store(heap, at, x)
    sift_down(heap, start, at)


@compiled
def heapify(heap):
    for i in range(len(heap) // 2 - 1, -1, -1):
        sift_up(heap, i)


@compiled
def heappush(heap, item):
    list_append(heap, item)
    sift_down(heap, 0, len(heap) - 1)


@compiled
def heappop(heap):
    n = len(heap)
    if n == 0:
        raise IndexError("index out of range")
    last = list_load(heap, n - 1)
    list_splice(heap, n - 1, 1, 0)
    if n == 1:
        return last
    return replace_least(heap, last)


@compiled
def replace_least(heap, item):
    least = list_load(heap, 0)
    list_store(heap, 0, item)
    sift_up(heap, 0)
    return least


@compiled
def heapreplace(heap, item):
    if len(heap) == 0:
        raise IndexError("index out of range")
    return replace_least(heap, item)


@compiled
def heappushpop(heap, item):
    if len(heap) > 0 and list_load(heap, 0) < item:
        return heapreplace(heap, item)
    return item


@compiled
def nsmallest(n, iterable, key=None):
    items = list.sorted_(iterable, key)
    return list.get_slice(items, slice(0, max(n, 0)))


@compiled
def nlargest(n, iterable, key=None):
    items = list.sorted_(iterable, key, True)
    return list.get_slice(items, slice(0, max(n, 0)))


# --- bisect

@compiled
def not_less(item, x):
    return not item < x


def bisect_by(holds):
    first_place = first_place_by(holds)

    @compiled
    def bisect(a, x, lo=0, hi=None):
        if lo < 0:
            raise ValueError("lo must be non-negative")
        return first_place(a, x, lo, len(a) if hi is None else hi)

    return bisect


bisect_left = bisect_by(not_less)
bisect_right = bisect_by(operator.gt)


@compiled
def insort_left(a, x, lo=0, hi=None):
    a.insert(bisect_left(a, x, lo, hi), x)


@compiled
def insort_right(a, x, lo=0, hi=None):
    a.insert(bisect_right(a, x, lo, hi), x)
