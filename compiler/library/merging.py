# SPDX-License-Identifier: MIT
"""Order by a comparison that is a function."""
import numpy as np

from gridcell.library import compiled


def first_place_by(holds):
    """The first place of a row whose item is such that holds(item, x), which then holds for all behind it."""
    @compiled
    def first_place(a, x, low, high):
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
