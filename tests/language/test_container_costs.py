"""What dicts and sets spend beside the search: references, and copies of operands."""
import re

import pytest
from numba import njit
from numba.typed import Dict


def retains(function):
    code, = function.inspect_llvm().values()
    return len(re.findall(r"call .*@gridcell_memory_retain", code))


@njit
def of_set(items, x):
    seen = {1}
    for item in items:
        if item not in seen:
            seen.add(item)
    seen.discard(x)
    return len(seen)


@njit
def of_dict(items, x):
    counts = {1: 1}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return counts[x]


@njit
def of_argument(d, x):
    return d[x] if x in d else -1


def test_searches_count_no_references():
    assert of_set((3, 4, 3, 5), 4) == 3
    assert of_dict((3, 4, 3, 5), 3) == 2
    d = Dict()
    d[1] = 2
    assert of_argument(d, 1) == 2 and of_argument(d, 5) == -1
    assert retains(of_set) == retains(of_dict) == retains(of_argument) == 0


@njit
def rows(n):
    return [[n], [7, n]]


def test_what_is_stored_last_gives_its_reference():
    assert rows(3) == [[3], [7, 3]]
    assert retains(rows) == 0


@njit
def kept(n):
    row = [n]
    out = [row]
    for _ in range(2):
        out.append(row)
    row.append(5)
    return out, row


def test_what_is_used_later_keeps_its_own():
    out, row = kept(1)
    assert out == [[1, 5]] * 3 and row == [1, 5]


@njit
def stored_in_a_branch(n):
    text = "a" + str(n)
    out = [text]
    if n > 1:
        out.append(text)
    else:
        out[0] = text + text
    for i in range(n):
        out.append(text)
        text = text + str(i)
    return out


@pytest.mark.parametrize("n", [0, 1, 3])
def test_branches_and_loops(n):
    assert stored_in_a_branch(n) == stored_in_a_branch.py_func(n)
