# SPDX-License-Identifier: MIT
"""A sample of programs over every type: what typing accepts is compiled. accepted.py makes any number of them."""
import collections

import accepted
import pytest

from numba import njit, types

SEED, PROGRAMS, KERNELS = 10**9, 450, 300
Point = collections.namedtuple("Point", "x y")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("is_kernel, count", [(False, PROGRAMS), (True, KERNELS)])
def test_sample(is_kernel, count):
    found, compiled, refused = accepted.failures_of(range(SEED, SEED + count), accepted.all_types(), (), is_kernel)
    assert not found, "\n".join(found)
    assert compiled + refused == count and compiled > count / 50


def program(source, *kinds):
    made = accepted.Program(0, [types.int64])
    made.source, made.types = source, list(kinds)
    return accepted.verdict(made, False)


def test_known_programs():
    """One of each class that typing accepted and code generation did not."""
    array, dictionary = types.int64[:], types.DictType(types.int64, types.float64)
    assert program("def f(p0):\n    r = p0.take\n    return r\n", array) == "refused"
    assert program("def f(p0):\n    return (p0.sum, 1)\n", array) == "refused"
    assert program("def f(p0):\n    m = p0.sum\n    return m()\n", array) is None
    assert program("def f(p0):\n    with numba.parallel_chunksize(p0):\n        r = 1\n", array) == "refused"
    for kind in (types.int32, types.uint8, types.int64):
        assert program("def f(p0):\n    with numba.parallel_chunksize(p0):\n        r = 1\n", kind) is None
    # a variable that only a branch without meaning for the types would set
    assert program("def f(p0):\n    if p0 is None:\n        r = 1\n    return (lambda v: v)(r)\n", types.int64) == "refused"
    assert program("def f(p0):\n    return p0.flags.c_contiguous\n", array) is None
    for operator in ("<", "<=", ">", ">="):
        assert program(f"def f(p0):\n    return p0 {operator} p0\n", dictionary) == "refused"
    assert program("def f(p0):\n    return p0 == p0\n", dictionary) is None


def test_named_tuples_of_one_branch():
    @njit
    def f(n):
        if n:
            point = Point(1, Point(2.5, "a"))
        return point
    assert f(1) == Point(1, Point(2.5, "a")) and type(f(1).y) is Point


def test_failures_are_found():
    """What is neither an error of typing nor compiled is a failure."""
    made = accepted.Program(0, [types.int64])
    made.source, made.types = "def f(p0):\n    return p0\n", ["no type"]
    assert accepted.verdict(made, False) not in (None, "refused")
