"""Unsigned numbers from 2**63 on: no analysis of ranges takes them for small or for negative ones."""
import itertools

import numpy as np
import pytest

from conftest import function_of

from numba import njit

WIDTHS = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}
USES = {"{0} % 5": lambda x: x % 5, "{0} // 5": lambda x: x // 5, "{0} >> 1": lambda x: x >> 1,
        "{0} % 8": lambda x: x % 8, "{0} + 1": lambda x: x + 1}
SHAPES = ["max({a}, {b})", "min({a}, {b})", "({a} if {a} > {b} else {b})", "max({b}, {a})", "min({b}, {a})",
          "max(min({a}, {b}), {a} & {b})"]


def as_int64(value):
    return (value + 2**63) % 2**64 - 2**63


def values(width):
    top = 1 << (width - 1)
    return [0, 1, 3, top - 1, top, top + 1, 2 * top - 1]


@pytest.mark.parametrize("name", WIDTHS)
def test_extremes_of_a_variable_and_a_constant(name):
    for shape, (use, expected) in itertools.product(SHAPES, USES.items()):
        for constant in values(WIDTHS[name])[2::2]:
            text = use.format(shape.format(a="a", b=f"np.{name}({constant})"))
            f = compiled(f"def f(a):\n    return {text}\n")
            for value in values(WIDTHS[name]):
                chosen = eval(shape.format(a="a", b=constant), {"a": value, "max": max, "min": min})
                want = chosen >> 1 if ">>" in use else as_int64(expected(as_int64(chosen)))
                assert f(getattr(np, name)(value)) == want, (text, value)


def compiled(source):
    return njit(function_of(source))


def test_a_range_that_goes_beyond_int64():
    for stop in (2**63, 2**63 + 7, 2**64 - 1):
        f = compiled("def f(n):\n    last = 0\n    for i in range(np.uint64(%d)):\n        last = i\n"
                     "        if i > n:\n            break\n    return last // 2 * 10 + last %% 3\n" % stop)
        assert f(np.uint64(5)) == 30, stop


def test_a_range_from_beyond_int64():
    f = compiled("def f():\n    total = 0\n    for i in range(np.uint64(2**63), np.uint64(2**63 + 4)):\n"
                 "        total += 1 if i > np.uint64(2**63) else 0\n    return total\n")
    assert f() == 3
