# SPDX-License-Identifier: MIT
"""Order by a comparison that is a function."""
import numpy as np

from gridcell.library import ARRAY, FLOAT, NUMBER, compiled, form, kind


@compiled
def item(a, i):
    """Of an unsigned index there are no negative ones to look out for."""
    return a[np.uint64(i)] if form(a) == ARRAY else a[i]


def first_place_by(holds):
    """The first place of a row whose item is such that holds(item, x), which then holds for all behind it."""
    @compiled
    def first_place(a, x, low, high):
        if form(x) == NUMBER and kind(x) == FLOAT:
            # by sums, which LLVM leaves without branches: nobody foresees which way a search goes
            n = high - low
            while n > 1:
                half = n >> 1
                low += half & (np.int64(holds(item(a, low + half - 1), x)) - 1)
                n -= half
            return low + 1 - np.int64(holds(a[low], x)) if n == 1 else low
        else:
            while low < high:
                middle = (low + high) // 2
                if holds(a[middle], x):
                    high = middle
                else:
                    low = middle + 1
            return low

    return first_place


@compiled
def merged_places(items, follows):
    """The places of the items in order, by merging; equal ones stay as they come.

    follows(items, i, k) says whether item i comes behind item k.
    """
    n = len(items)
    places = np.arange(n)
    other = np.empty(n, np.int64)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle = min(start + width, n)
            end = min(start + 2 * width, n)
            left, right = start, middle
            for at in range(start, end):
                if right == end or (left < middle and not follows(items, places[left], places[right])):
                    other[at] = places[left]
                    left += 1
                else:
                    other[at] = places[right]
                    right += 1
        places, other = other, places
        width *= 2
    return places
