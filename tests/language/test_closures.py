# SPDX-License-Identifier: MIT
"""Inner functions and types that a compiled function returns to Python."""
import numpy as np
import pytest
from conftest import function_of

import numba
from numba import njit
from numba.core.errors import TypingError

CLOSURES = [
    ("""
def f(n):
    k = n * 2
    def g(x, y=3, *, z=k):
        return x + k + n + y + z
    return g
""", 3, [(4,), (4, 5)], "a def with defaults"),
    ("def f(a):\n    return lambda x: x + a[0]\n", (1.5, "a"), [(1,), (2.5,)], "a lambda"),
    ("""
def f(n):
    def factorial(k):
        return n if k < 2 else k * factorial(k - 1)
    return factorial
""", 2, [(5,)], "one that calls itself"),
    ("""
def f(n):
    def g(x):
        return x + n
    def h(x):
        return g(x) * 2
    return h
""", 1, [(5,)], "one that captured another"),
    ("def f(n):\n    def g(x):\n        return x + 1\n    return g\n", 1, [(5,), (2.5,)], "nothing captured"),
]


@pytest.mark.parametrize("case", CLOSURES, ids=[case[3] for case in CLOSURES])
def test_closure_is_returned(case):
    source, argument, calls, _ = case
    function = function_of(source)
    got, want = njit(function)(argument), function(argument)
    assert isinstance(got, type(njit(function))) and got.__name__ == want.__name__
    assert [got(*args) for args in calls] == [want(*args) for args in calls]


def test_closures_within_closures_and_tuples():
    f = njit(function_of("""
def f(n):
    def up(x):
        def more(y):
            return x + y + n
        return more
    def down(x):
        return x - n
    return up, down, n
"""))
    up, down, n = f(5)
    assert (up(1)(2), down(1), n) == (8, -4, 5)


def test_closure_in_other_compiled_code():
    f = njit(function_of("def f(a):\n    def g(i):\n        return a[i]\n    return g\n"))
    g = f(np.arange(3.0))
    assert njit(function_of("def f(x):\n    return g(x) + 1\n", g=g))(2) == 3.0


@pytest.mark.parametrize("source, name", [
    ("def f(n):\n    k = 0\n    def g():\n        nonlocal k\n        k += 1\n    return g\n", "k"),
    ("def f(n):\n    def g(x):\n        return n if x == 0 else h(x - 1)\n    def h(x):\n"
     "        return g(x)\n    return h\n", "g"),
], ids=["nonlocal", "mutual"])
def test_closure_that_cannot_leave(source, name):
    with pytest.raises(TypingError, match=f"Cannot capture .*'{name}' in a function that will escape"):
        njit(function_of(source))(1)


def test_other_results_that_cannot_leave():
    with pytest.raises(TypingError, match=r"Can't return function object .*built-in function len"):
        njit(function_of("def f():\n    return len\n"))()
    assert list(njit(function_of("def f(a):\n    return enumerate(a)\n"))(np.ones(2))) == [(0, 1.0), (1, 1.0)]


def test_dtypes():
    f = njit(function_of("def f(a):\n    return a.dtype\n"))
    for dtype in (np.float32, bool, np.uint16, np.complex64, "M8[D]"):
        assert f(np.zeros(2, dtype)) == np.dtype(dtype)
    f = njit(function_of("def f(n):\n    return np.dtype('f4'), np.zeros(n, np.dtype(np.int8)), np.ones(n, 'u2')\n"))
    dtype, a, b = f(2)
    assert dtype == np.float32 and a.dtype == np.int8 and b.dtype == np.uint16


def test_types_of_arrays_in_code():
    f = njit(function_of("""
def f():
    d = numba.typed.Dict.empty(key_type=types.unicode_type, value_type=types.float64[:])
    d["a"] = np.ones(2)
    e = numba.typed.Dict.empty(types.int64, types.int32[:, ::1])
    e[1] = np.ones((2, 2), np.int32)
    l = numba.typed.List.empty_list(types.float64[::1])
    l.append(np.ones(3))
    return d["a"].sum() + e[1].sum() + l[0].sum()
""", numba=numba, types=numba.types))
    assert f() == 9.0
    with pytest.raises(TypingError, match="A type indexed by ':' for each dimension"):
        njit(function_of("def f():\n    return types.float64[3]\n", types=numba.types))()
