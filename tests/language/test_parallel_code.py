"""The code of a prange loop is that of the same loop with range: what the caller knows of bounds and arrays holds in it."""
import re

import numpy as np
import pytest
from numba import njit, prange

# Each loop by its parameters and body; RANGE is range or prange.
LOOPS = {
    "len": ("a, b", "for i in RANGE(len(a)):\n    a[i] += 1.0"),
    "a number of turns": ("a, b, n", "for i in RANGE(n):\n    a[i] = b[i] * 2"),
    "a shape": ("a, b", "for i in RANGE(a.shape[0]):\n    a[i] = b[i] - a[i]"),
    "neighbours": ("a, b", "for i in RANGE(1, len(a) - 1):\n    b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3"),
    "backwards": ("a, b", "for i in RANGE(len(a) - 1, -1, -1):\n    b[i] = a[i] + 1"),
    "a row of an outer loop": ("m, b", "for t in range(3):\n    for i in RANGE(m.shape[1]):\n        m[t, i] = b[i] + t"),
    "an offset of an outer loop": ("a, b", "for t in range(3):\n    for i in RANGE(len(a) - 3):\n        b[i] = a[i + t]"),
    "an inner loop": ("m, b", "for i in RANGE(m.shape[0]):\n    for j in range(m.shape[1]):\n        m[i, j] += b[j]"),
    "extents by names": ("m, b", "n, k = m.shape\nfor i in RANGE(n):\n    for j in range(1, k):\n        m[i, j] = b[j] + m[i, j]"),
    "a stencil": ("m, w", "n, k = m.shape\nfor i in RANGE(1, n - 1):\n    for j in range(1, k - 1):\n"
                          "        w[i, j] = 0.25 * (m[i - 1, j] + m[i + 1, j] + m[i, j - 1] + m[i, j + 1])"),
    "a constant": ("a, b", "n = 100\ns = 3\nfor i in RANGE(n):\n    a[i] = b[i + s]"),
    "its own array": ("b", "a = np.empty(len(b))\nfor i in RANGE(len(b)):\n    a[i] = b[i] * b[i]\nb[:] = a"),
}


def arguments(names):
    rng = np.random.default_rng(7)
    values = {"a": rng.random(501), "b": rng.random(501), "m": rng.random((37, 501)), "w": rng.random((37, 501)), "n": 501}
    return [values[name] for name in names.split(", ")]


def function(name, loop, **options):
    params, body = LOOPS[name]
    lines = "".join(f"    {line}\n" for line in body.replace("RANGE", loop).split("\n"))
    space = {"np": np, "prange": prange}
    exec(f"def f({params}):\n{lines}", space)
    return njit(**options)(space["f"]), params


def vector_widths(f):
    """The vectors of floats that a function computes with."""
    return set(re.findall(r"f(?:add|sub|mul) (<\d+ x double>)", next(iter(f.inspect_llvm().values()))))


@pytest.mark.parametrize("name", LOOPS)
def test_vectors(name):
    serial, params = function(name, "range")
    threaded, _ = function(name, "prange", parallel=True)
    expected, got = arguments(params), arguments(params)
    serial(*expected)
    threaded(*got)
    for a, b in zip(expected, got):
        assert np.array_equal(a, b)
    assert vector_widths(threaded) >= vector_widths(serial)


def test_facts_are_the_callers():
    """The same body, for callers that know other things of what they pass."""
    @njit(parallel=True)
    def f(a, first, last, step):
        for i in prange(first, last, step):
            a[i] += 1
        return a

    @njit(parallel=True)
    def constant(a):
        for i in prange(2, 5, 1):
            a[i] += 1
        return a

    for first, last, step in (0, 8, 1), (2, 5, 1), (-8, 0, 1), (-3, 3, 1), (7, -1, -1), (-1, -9, -1), (5, 5, 1), (6, 2, 1):
        expected = np.zeros(8)
        for i in range(first, last, step):
            expected[i] += 1
        assert np.array_equal(f(np.zeros(8), first, last, step), expected), (first, last, step)
    assert constant(np.zeros(8)).tolist() == [0, 0, 1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("first, last", [(0, 9), (-9, 0), (3, 12), (-9, 9)])
def test_ends_are_asked_about(first, last):
    @njit(parallel=True)
    def f(a):
        for i in prange(first, last):
            a[i] += 1

    with pytest.raises(IndexError):
        f(np.zeros(8))


def test_shorter_arrays_are_asked_about():
    """The loop ends with one array; another one is shorter, and so is a view of the first."""
    @njit(parallel=True)
    def f(a, b):
        n = len(a)
        for i in prange(n):
            b[i] = a[i]

    @njit(parallel=True)
    def g(a):
        n = len(a)
        b = a[1:]
        for i in prange(n):
            b[i] += 1

    f(np.ones(8), np.ones(9))
    with pytest.raises(IndexError):
        f(np.ones(8), np.ones(7))
    with pytest.raises(IndexError):
        g(np.ones(8))
