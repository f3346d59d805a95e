# SPDX-License-Identifier: MIT
"""Whole-array operations and the functions of compiler/library, compared with NumPy and Python."""
import math
import re

import numpy as np
import pytest
from numba import njit


def same(got, want):
    got, want = np.asarray(got), np.asarray(want)
    return got.shape == want.shape and np.allclose(got, want, rtol=1e-6, equal_nan=True)


OPERATORS = ("a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a ** 2", "-a", "a > b", "a <= b",
             "a == b", "np.maximum(a, b)", "np.arctan2(a, b)", "2.0 * a + b")
SHAPES = (((4,), (4,)), ((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((2, 3, 4), (3, 1)))


def inputs(shapes, dtype, rng):
    return [np.asarray(rng.integers(1, 9, shape)).astype(dtype) for shape in shapes]


@pytest.mark.sampled
@pytest.mark.parametrize("expression", OPERATORS)
@pytest.mark.parametrize("dtype", ["f4", "i8"])
def test_operators(expression, dtype, rng, make):
    f = njit(make(f"def f(a, b):\n    return {expression}\n", np=np))
    for shapes in SHAPES:
        a, b = inputs(shapes, dtype, rng)
        assert same(f(a, b), f.py_func(a, b)), shapes
    assert same(f(a[::-1], b), f.py_func(a[::-1], b)), "strided"


def test_array_and_number(rng, make):
    f = njit(make("def f(a, x):\n    return a * x + 1, x - a, x < a\n"))
    for a in inputs([(5,), (2, 3), (0,)], "f8", rng):
        for got, want in zip(f(a, 2.5), f.py_func(a, 2.5)):
            assert same(got, want)


@pytest.mark.parametrize("dtype, results", [
    ("f4", "f4 f4 f8 f4 f4 b1 f4 f4"), ("i4", "i8 i8 f8 f8 i4 b1 i4 f8"),
    ("i1", "i8 i8 f8 f8 i1 b1 i1 f4"), ("u8", "f8 f8 f8 f8 u8 b1 u8 f8")])
def test_result_types_are_numbas(dtype, results, make):
    f = njit(make("def f(a, n):\n    return a + 1, a + n, a * 2.0, a / 2, a + a, a > 1, -a, np.sqrt(a)\n",
                  np=np))
    assert [x.dtype.str[1:] for x in f(np.ones(3, dtype), 3)] == results.split()


def test_in_place(make):
    f = njit(make("def f(a, b):\n    a += b\n    a[1:] *= 2\n    a[0] -= 1\n    return a\n"))
    a = np.ones(4)
    assert f(a, np.arange(4)) is a and same(a, [0, 4, 6, 8])


def test_shapes_that_do_not_fit(make):
    f = njit(make("def f(a, b):\n    return a + b\n"))
    with pytest.raises(ValueError, match="could not be broadcast"):
        f(np.ones(3), np.ones(4))


REDUCTIONS = "sum prod mean var std min max argmin argmax any all".split()


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name, rng, make):
    function = njit(make(f"def f(a):\n    return np.{name}(a)\n", np=np))
    method = njit(make(f"def f(a):\n    return a.{name}()\n"))
    for dtype in ("f8", "f4", "i4"):
        for shape in ((7,), (3, 4), (2, 3, 4)):
            a = rng.integers(-4, 9, shape).astype(dtype)
            want = getattr(np, name)(a)
            assert math.isclose(function(a), want, rel_tol=1e-5), (dtype, shape)
            assert math.isclose(method(a), want, rel_tol=1e-5), (dtype, shape)


def test_reductions_of_nothing_and_nan(make):
    f = njit(make("def f(a):\n    return a.sum(), a.any(), a.all()\n"))
    assert f(np.zeros(0)) == (0.0, False, True)
    largest = njit(make("def f(a):\n    return a.max()\n"))
    with pytest.raises(ValueError, match="zero-size array"):
        largest(np.zeros(0))
    assert math.isnan(largest(np.array([1.0, math.nan, 3.0])))


def test_creation(make):
    f = njit(make("def f(n):\n    return (np.arange(n), np.arange(1.5, n), np.arange(n, 0, -2),\n"
                  "            np.linspace(0, 1, n), np.eye(n), np.cumsum(np.arange(n)))\n", np=np))
    for got, want in zip(f(5), f.py_func(5)):
        assert same(got, want) and got.dtype == want.dtype


def test_products(rng, make):
    f = njit(make("def f(a, b, v):\n    return np.dot(a, b), a @ b, np.dot(a, v), np.dot(v, b), v.dot(v)\n",
                  np=np))
    a, b, v = rng.random((3, 3)), rng.random((3, 3)), rng.random(3)
    for got, want in zip(f(a, b, v), f.py_func(a, b, v)):
        assert same(got, want)
    with pytest.raises(ValueError, match="incompatible array sizes"):
        f(a, b, rng.random(4))


def test_numbers(make):
    f = njit(make("def f(a, b):\n    return math.gcd(a, b)\n", math=math))
    assert [f(12, 18), f(-4, 6), f(0, 5), f(7, 0)] == [6, 2, 5, 7]
    g = njit(make("def f(x):\n    return math.frexp(x), math.modf(x)\n", math=math))
    for x in (10.0, -0.3, 1e-310, 0.0, 2.0 ** 1000, 0.5, 7.0):
        assert g(x) == (math.frexp(x), math.modf(x)), x
    h = njit(make("def f(t):\n    return sum(t), sum(t, 10)\n"))
    assert h((1, 2, 3)) == (6, 16)


def test_errors_stand_at_the_users_line(make):
    from numba.core.errors import TypingError
    f = njit(make("def f(a):\n    return a << a\n"))
    with pytest.raises(TypingError, match="It takes integers"):
        f(np.ones(3))
    try:
        f(np.ones(3))
    except TypingError as error:
        assert "line 2" in str(error) and "return a << a" in str(error)


PER_ITEM = ("np.histogram(a, 3)[0]", "np.array(l)", "np.linalg.cholesky(b)", "np.linalg.det(b)",
            "np.linalg.slogdet(b)[1]", "np.linspace(0.0, 1.0, len(a))", "np.triu(b)", "np.eye(len(a))")


@pytest.mark.parametrize("expression", PER_ITEM)
def test_what_runs_for_each_item_is_optimised(expression, make):
    """What the library does once a call LLVM leaves as it is: a loop over items is not to lie in there."""
    f = njit(make(f"def f(a, b, l):\n    return {expression}\n", np=np))
    f(np.ones(3), np.eye(3), [1.0, 2.0])
    code = f.inspect_llvm(f.signatures[0])
    plain = re.search(r"attributes (#\d+) = \{[^}]*optnone", code)
    bodies = re.findall(r"^define [^\n]* (#\d+) \{\n(.*?)^\}", code, re.M | re.S)
    assert bodies and not [body for mark, body in bodies if plain and mark == plain[1] and "!llvm.loop" in body]
