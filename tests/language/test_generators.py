"""Generators, generator expressions, map, filter, reduce, any, all: as in plain Python."""
import functools
import gc
import itertools

import numpy as np
import pytest
from conftest import same
from numba import njit

PROGRAMS = {
    "count": ("def g(n):\n    for i in range(n):\n        yield i * i\n\n"
              "def f(n):\n    s = 0\n    for v in g(n):\n        s = s * 3 + v\n    return s\n", [(0,), (6,)]),
    "state and branches": ("def g(a, b):\n    yield a\n    while a < b:\n        a, b = b - a, b + 1\n        if a % 2:\n"
                           "            yield a\n        else:\n            yield -b\n        if b > 30:\n            return\n"
                           "    yield 99\n\ndef f(a, b):\n    s = 0\n    for v in g(a, b):\n        s = (s * 7 + v) % 10007\n    return s\n",
                           [(1, 5), (9, 2), (0, 40)]),
    "yield types unify": ("def g(n):\n    yield 1\n    yield 2.5 * n\n\ndef f(n):\n    s = 0\n    for v in g(n):\n"
                          "        s += v\n    return s\n", [(3,)]),
    "arrays": ("def g(a):\n    for i in range(len(a)):\n        b = a * i\n        yield b\n\n"
               "def f(a):\n    s = np.zeros(3)\n    for v in g(a):\n        s += v\n    return s\n", [(np.arange(3.0),)]),
    "kept arrays": ("def g(n):\n    for i in range(n):\n        yield np.full(2, i)\n\n"
                    "def f(n):\n    last = np.zeros(2, np.int64)\n    s = 0\n    for v in g(n):\n        s += (v * last).sum()\n"
                    "        last = v\n    return s, last\n", [(6,)]),
    "tuples and strings": ("def g(n):\n    for i in range(n):\n        yield i, str(i) + 'x'\n\n"
                           "def f(n):\n    t = ''\n    k = 0\n    for i, s in g(n):\n        t += s\n        k += i\n    return t, k\n",
                           [(5,)]),
    "nested": ("def g(n):\n    for i in range(n):\n        for j in h(i):\n            yield i + j\n\n"
               "def h(n):\n    for i in range(n):\n        yield i * 10\n\n"
               "def f(n):\n    s = 0\n    for a in g(n):\n        for b in g(a % 4):\n            s += a * b\n    return s\n", [(5,)]),
    "recursive": ("def g(n):\n    yield n\n    for v in f2(n):\n        yield v\n\ndef f2(n):\n    yield -n\n\n"
                  "def f(n):\n    s = 0\n    for v in g(n):\n        s = 10 * s + v\n    return s\n", [(4,)]),
    "early exit": ("def g(n):\n    i = 0\n    while True:\n        a = np.ones(n)\n        i += 1\n        yield a[0] * i\n\n"
                   "def f(n):\n    for v in g(n):\n        if v > 5:\n            return v\n    return 0.0\n", [(3,)]),
    "next": ("def g(n):\n    for i in range(n):\n        yield i + 0.5\n\n"
             "def f(n):\n    it = g(n)\n    a = next(it)\n    b = next(it)\n    s = 0.0\n    for v in it:\n        s += v\n"
             "    return a, b, s, next(it, -1.0)\n", [(5,)]),
    "zip and enumerate": ("def g(n):\n    for i in range(n):\n        yield i + 0.5\n\n"
                          "def f(n):\n    s = 0.0\n    for i, v in enumerate(g(n)):\n        s += i * v\n"
                          "    for v, w in zip(g(n), range(n)):\n        s += v - w\n    return s\n", [(5,)]),
    "yield from": ("def g(n):\n    yield from range(n)\n    yield from (7, 8)\n\n"
                   "def f(n):\n    s = 0\n    for v in g(n):\n        s = s * 10 + v\n    return s\n", [(4,)]),
    "generator expressions": ("def f(a, k):\n    return (sum(x * k for x in a if x > 1), any(x > 3 for x in a),\n"
                              "            all(x > -1 for x in a), sum(i * j for i in range(k) for j in range(i) if j != 2))\n",
                              [(np.arange(6), 5), (np.zeros(2), 3)]),
    "map and filter": ("def f(a, k):\n    s = 0.0\n    for v in map(lambda x: x * k, a):\n        s += v\n"
                       "    for v in filter(lambda x: x > 2, a):\n        s += 100 * v\n"
                       "    for v in map(lambda x, y: x - y, a, range(k)):\n        s += v\n"
                       "    for v in filter(None, a):\n        s += v\n    return s\n", [(np.arange(6), 5)]),
    "reduce": ("def f(a, k):\n    return functools.reduce(lambda x, y: x * k + y, a), functools.reduce(max, a, k)\n",
               [(np.arange(6), 5)]),
    "any, all, reversed, iter": ("def f(a, t):\n    s = 0\n    for v in reversed(a):\n        s = s * 3 + v\n"
                                 "    it = iter(t)\n    return any(a), all(a), any(t), all(t), s, next(it) + next(it)\n",
                                 [(np.arange(4), (1, 2)), (np.arange(1, 4), (0, 0))]),
    "inner generator": ("def f(n, k):\n    def g(m):\n        for i in range(m):\n            yield i * k\n"
                        "    s = 0\n    for v in g(n):\n        s += v\n    return s\n", [(5, 3)]),
    "exception inside": ("def g(n):\n    for i in range(n):\n        yield 10 // (3 - i)\n\n"
                         "def f(n):\n    s = 0\n    try:\n        for v in g(n):\n            s += v\n"
                         "    except ZeroDivisionError:\n        return -s\n    return s\n", [(2,), (9,)]),
    "try around yield": ("def g(n):\n    for i in range(n):\n        try:\n            yield 10 // (3 - i)\n"
                         "        except ZeroDivisionError:\n            yield -1\n\n"
                         "def f(n):\n    s = 0\n    for v in g(n):\n        s = s * 3 + v\n    return s\n", [(2,), (6,)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, make):
    source, calls = PROGRAMS[name]
    plain = make(source, functools=functools)
    f = make("".join(f"@njit\n{part}\n\n" for part in source.split("\n\n")), njit=njit, functools=functools)
    for args in calls:
        assert same(f(*args), plain(*args), rtol=1e-14), args


def test_iterated_in_python(make):
    g = njit(make("def f(a, n):\n    for i in range(n):\n        yield a[i] * 2, i\n"))
    a = np.arange(5.0)
    assert list(g(a, 4)) == [(v * 2, i) for i, v in enumerate(a[:4])]
    it = g(a, 3)
    del a
    gc.collect()
    assert iter(it) is it and next(it) == (0.0, 0) and sum(v for v, _ in it) == 6.0
    assert next(it, "end") == "end" and list(it) == []
    assert list(itertools.islice(g(np.ones(9), 9), 2)) == [(2.0, 0), (2.0, 1)]


def test_arrays_come_out_and_memory_goes(make):
    g = njit(make("def f(n):\n    for i in range(n):\n        a = np.full(3, i)\n        b = np.ones(100000)\n        yield a\n"))
    kept = [v for v in g(4)]
    assert [v.tolist() for v in kept] == [[i] * 3 for i in range(4)]
    for _ in range(2000):  # 1.6 GB if it stayed
        next(g(5))


def test_exceptions_reach_python(make):
    g = njit(make("def f(n):\n    for i in range(n):\n        if i == 2:\n            raise ValueError(i)\n        yield i\n"))
    it = g(5)
    assert next(it) == 0 and next(it) == 1
    with pytest.raises(ValueError) as got:
        next(it)
    assert got.value.args == (2,) and list(it) == []
    f = njit(make("def f(n):\n    it = iter(range(n))\n    next(it)\n    return next(it)\n"))
    assert f(2) == 1
    with pytest.raises(StopIteration):
        f(1)


def test_generator_expression_is_returned(make):
    f = njit(make("def f(a, k):\n    return (x * k for x in a)\n"))
    assert list(f(np.arange(4), 3)) == [0, 3, 6, 9]


def test_recompiled_while_it_runs(make):
    g = njit(make("def f(n):\n    for i in range(n):\n        yield i\n"))
    it = g(3)
    next(it)
    g.recompile()
    assert list(it) == [1, 2] and list(g(2)) == [0, 1]
