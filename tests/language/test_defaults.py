"""Default arguments: constants of the code where they are left out, values where they are given."""
import cmath
import math
import operator

import numpy as np
import pytest
from numba import njit, types
from numba.core.errors import TypingError, UnsupportedError

PLAIN = [5, -7, True, 1.5, float("inf"), 2j, "text", "", None, (), (1, 2.0), (1, ("a", None)), 2**40]


@pytest.mark.parametrize("default", PLAIN, ids=repr)
def test_left_out_defaults_are_constants(default):
    @njit
    def f(a, other=default):
        return a, other

    assert f(1) == (1, default) == f.py_func(1)
    assert [str(types) for types in f.signatures] == [f"(int64, omitted(default={default!r}))"]
    assert f(1, default) == (1, default) == f(1, other=default)
    assert len(f.signatures) == 2 and "omitted" not in str(f.signatures[1])
    assert f(1) == (1, default) and len(f.signatures) == 2


def test_each_way_to_call():
    @njit
    def f(a, b=2, c=3.0, *, d=4):
        return a + 10 * b + 100 * c + 1000 * d

    calls = [(), (20,), (20, 30.0)]
    for args in calls:
        for keywords in ({}, {"d": 40}, {"c": 30.0}, {"b": 20, "d": 40}):
            if len(args) > 1 and "c" in keywords or args and "b" in keywords:
                continue
            assert f(1, *args, **keywords) == f.py_func(1, *args, **keywords), (args, keywords)
    assert f(a=1) == f(1) == 4321.0


def test_signatures_are_those_of_numba():
    @njit
    def callee(a, n=5, *rest):
        return a + n + len(rest)

    @njit
    def caller(a):
        return callee(a) + callee(a, n=5) + callee(a, 1, 2)

    assert caller(1) == 6 + 6 + 3
    assert callee(1) == 6
    assert callee.nopython_signatures[0].args[1].name == "omitted(default=5)"


def test_they_fold():
    @njit
    def power(x, n=3):
        result = 1.0
        for _ in range(n):
            result *= x
        return result

    @njit
    def caller(x):
        return power(x)

    assert power(2.0) == caller(2.0) == 8.0
    for code in (power.inspect_llvm(power.signatures[0]), caller.inspect_llvm(caller.signatures[0])):
        assert "phi" not in code  # no loop is left


def test_types_follow_the_default():
    @njit
    def f(a, start=None, names=("x", "y"), scale=1):
        if start is None:
            start = a[0]
        return start * scale, names[1]

    assert f(np.array([2.5])) == (2.5, "y")
    assert f(np.array([2.5]), 7) == (7, "y")
    assert f(np.array([2.5]), scale=2.0) == (5.0, "y")

    @njit
    def assigned(a, n=5):
        n = n + 0.5
        for _ in range(2):
            n += 1
        return a * n

    assert assigned(2) == 15.0 and assigned(2, 1) == 7.0


def test_defaults_that_change():
    def plain(a, n=5, *, k=1):
        return a + n + k
    f = njit(plain)
    assert f(1) == 7
    plain.__defaults__ = (6,)
    assert f(1) == 8
    plain.__kwdefaults__["k"] = 2
    assert f(1) == 9
    f.recompile()
    assert f(1) == 9

    def appended(a, values=np.zeros(2)):
        values[0] += a
        return values[0]
    g = njit(appended)
    assert (g(1), g(1)) == (1.0, 2.0)


def test_declared_signatures_take_defaults_as_arguments():
    @njit("int64(int64, int64)")
    def f(a, n=5):
        return a + n

    @njit
    def g(a):
        return f(a)

    assert f(1) == g(1) == 6 and f.signatures == [(types.int64, types.int64)]


def test_recursion_and_missing_arguments():
    @njit
    def f(n, total=0):
        return total if n == 0 else f(n - 1, total + n)

    assert f(10) == 55

    @njit
    def g(a, b=2):
        return a + b

    with pytest.raises(TypeError, match="not enough arguments: expected at least 1, got 0"):
        g()
    with pytest.raises(TypeError, match="too many arguments: expected 2, got 3"):
        g(1, 2, 3)


def test_literally_and_closures():
    from numba import literally

    @njit
    def f(a, n=3):
        return a + literally(n)

    assert f(1) == 4 and f(1, 4) == 5

    @njit
    def outer(a):
        def inner(x, n=3):
            return x + n + a
        return inner(1) + inner(1, 2)

    assert outer(10) == 14 + 13


def test_left_out_when_nothing_more_is_compiled():
    function = njit(lambda x, y=None: x if y is None else x + y)
    assert function(1) == 1 and function(1, 2) == 3
    function.disable_compile()
    assert function(2) == 2 and function(2, 5) == 7 and function(np.int32(4)) == 4
    declared = njit("i8(i8, i8)")(lambda x, y=5: x * y)
    assert declared(2) == 10 and declared(2, 3) == 6


@pytest.mark.parametrize("default, value", [
    (np, 2.0), (math, 2.0), (cmath, 2 + 0j)], ids=["numpy", "math", "cmath"])
def test_modules_as_defaults(default, value):
    @njit
    def f(x, module=default):
        return module.sqrt(x)

    @njit
    def without(x):
        return f(x)

    assert f(4.0) == value == without(4.0)
    with pytest.raises(TypingError, match="type of <class 'module'>"):
        f(4.0, np)


@pytest.mark.parametrize("default, value", [
    (np.sqrt, 2.0), (math.sqrt, 2.0), (abs, 4.0), (float, 4.0), (np.float32, 4.0), (operator.neg, -4.0),
    (njit(lambda x: x + 1), 5.0)],
    ids=["ufunc", "math", "builtin", "class", "dtype", "operator", "jitted"])
def test_functions_as_defaults(default, value):
    @njit
    def f(x, function=default):
        return function(x)

    @njit
    def g(x, *, function=default):
        return f(x, function)

    @njit
    def without(x):
        return f(x) + g(x)

    @njit
    def inner(x):
        def h(y, function=default):
            return function(y)
        return h(x)

    assert f(4.0) == g(4.0) == value == inner(4.0) and without(4.0) == 2 * value
    assert f.py_func(4.0) == value


def test_exceptions_as_defaults():
    """They may stand there; what is raised has to be named, as in numba."""
    @njit
    def f(x, error=ValueError):
        return x

    @njit
    def g(error=ValueError):
        raise error("x")

    @njit
    def without():
        return f(2)

    assert f(1) == 1 and without() == 2
    with pytest.raises(UnsupportedError, match="must be an exception class"):
        g()
