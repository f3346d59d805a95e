"""Where the keys of dicts and sets lie in their table: however regular they are, a search passes few other keys."""
import ast
import pathlib

import numpy as np
import pytest
from numba import njit

TABLE = pathlib.Path(__file__).resolve().parents[2] / "compiler/library/table.py"


def first_place():
    function, = (node for node in ast.parse(TABLE.read_text()).body if getattr(node, "name", "") == "first_place")
    function.decorator_list = []
    names = {}
    exec(compile(ast.unparse(function), str(TABLE), "exec"), names)
    return names["first_place"]


def passed(keys):
    """The mean number of other keys that a search passes, where half of the table is taken."""
    mask = (1 << int(2 * len(keys) - 1).bit_length()) - 1
    place = first_place()

    @njit
    def count(firsts, mask):
        taken, total = np.zeros(mask + 1, np.bool_), 0
        for i in firsts:
            while taken[i]:
                i = (i + 1) & mask
                total += 1
            taken[i] = True
        return total / len(firsts)

    return count(np.array([place(int(key), mask) for key in keys]), mask)


@pytest.mark.parametrize("shift", range(0, 48, 3))
@pytest.mark.parametrize("odd", [1, 3, 1000])
def test_strides(shift, odd):
    assert passed(np.arange(4000) * (odd << shift)) < 12


def test_dense_ones_and_others():
    """What numbers in a row leave no gaps for is searched through all of them."""
    dense, rng = np.arange(1, 4000), np.random.default_rng(1)
    for others in (3 * dense + 1, dense << 12, rng.integers(4000, 1 << 40, 4000), 4096 + dense, rng.permutation(dense) * 7 + 5):
        assert passed(np.unique(np.concatenate((dense, others)))) < 20


def test_operations_of_sets(make):
    """Of sets with and without places, after removals, with themselves, and of what Python gave."""
    f = njit(make("""def f(a, b):
    s, r = set(a), set(b)
    s.discard(a[0])
    joined, common, rest, either = s | r, s & r, s - r, s ^ r
    in_place = s.copy()
    in_place |= r
    in_place |= in_place
    in_place.update(b)
    for t in (joined, common, rest, either):
        t.add(a[0])
        t.add(b[-1])
    s.clear()
    s |= r
    return joined, common, rest, either, in_place, s
"""))
    given = njit(make("def f(s, r):\n    return s | r, s - r, r & s, s ^ r, r | s, s.copy() | {7}\n"))
    rng = np.random.default_rng(1)
    for count in (1, 2, 5, 6, 30, 3000):
        a, b = rng.integers(-100, 100, count), rng.integers(-100, 100, count)
        assert f(a, b) == f.py_func(a, b), count
        s, r = set(a.tolist()), set(b.tolist())
        assert given(s, r) == given.py_func(s, r), count
