"""Generators, generator expressions, map, filter, reduce, any, all: as in plain Python."""
import functools
import gc
import itertools

import numpy as np
import pytest
from conftest import same
from numba import njit

DIGITS = """\
def f(n):
    s = 0
    for v in g(n):
        s = s * 10 + v
    return s
"""

HALVES = """\
def g(n):
    for i in range(n):
        yield i + 0.5

"""

PROGRAMS = {
    "count": ("""\
def g(n):
    for i in range(n):
        yield i * i

""" + DIGITS, [(0,), (6,)]),
    "state and branches": ("""\
def g(a, b):
    yield a
    while a < b:
        a, b = b - a, b + 1
        if a % 2:
            yield a
        else:
            yield -b
        if b > 30:
            return
    yield 99

def f(a, b):
    s = 0
    for v in g(a, b):
        s = (s * 7 + v) % 10007
    return s
""", [(1, 5), (9, 2), (0, 40)]),
    "yield types unify": ("""\
def g(n):
    yield 1
    yield 2.5 * n

""" + DIGITS, [(3,)]),
    "arrays": ("""\
def g(a):
    for i in range(len(a)):
        b = a * i
        yield b

def f(a):
    s = np.zeros(3)
    for v in g(a):
        s += v
    return s
""", [(np.arange(3.0),)]),
    "kept arrays": ("""\
def g(n):
    for i in range(n):
        yield np.full(2, i)

def f(n):
    last = np.zeros(2, np.int64)
    s = 0
    for v in g(n):
        s += (v * last).sum()
        last = v
    return s, last
""", [(6,)]),
    "tuples and strings": ("""\
def g(n):
    for i in range(n):
        yield i, str(i) + 'x'

def f(n):
    t = ''
    k = 0
    for i, s in g(n):
        t += s
        k += i
    return t, k
""", [(5,)]),
    "nested": ("""\
def g(n):
    for i in range(n):
        for j in h(i):
            yield i + j

def h(n):
    for i in range(n):
        yield i * 10

def f(n):
    s = 0
    for a in g(n):
        for b in g(a % 4):
            s += a * b
    return s
""", [(5,)]),
    "recursive": ("""\
def g(n):
    yield n
    for v in f2(n):
        yield v

def f2(n):
    yield -n

""" + DIGITS, [(4,)]),
    "early exit": ("""\
def g(n):
    i = 0
    while True:
        a = np.ones(n)
        i += 1
        yield a[0] * i

def f(n):
    for v in g(n):
        if v > 5:
            return v
    return 0.0
""", [(3,)]),
    "next": (HALVES + """\
def f(n):
    it = g(n)
    a = next(it)
    b = next(it)
    s = 0.0
    for v in it:
        s += v
    return a, b, s, next(it, -1.0)
""", [(5,)]),
    "zip and enumerate": (HALVES + """\
def f(n):
    s = 0.0
    for i, v in enumerate(g(n)):
        s += i * v
    for v, w in zip(g(n), range(n)):
        s += v - w
    return s
""", [(5,)]),
    "yield from": ("""\
def g(n):
    yield from range(n)
    yield from (7, 8)

""" + DIGITS, [(4,)]),
    "generator expressions": ("""\
def f(a, k):
    return (sum(x * k for x in a if x > 1), any(x > 3 for x in a),
            all(x > -1 for x in a), sum(i * j for i in range(k) for j in range(i) if j != 2))
""", [(np.arange(6), 5), (np.zeros(2), 3)]),
    "map and filter": ("""\
def f(a, k):
    s = 0.0
    for v in map(lambda x: x * k, a):
        s += v
    for v in filter(lambda x: x > 2, a):
        s += 100 * v
    for v in map(lambda x, y: x - y, a, range(k)):
        s += v
    for v in filter(None, a):
        s += v
    return s
""", [(np.arange(6), 5)]),
    "reduce": ("""\
def f(a, k):
    return functools.reduce(lambda x, y: x * k + y, a), functools.reduce(max, a, k)
""", [(np.arange(6), 5)]),
    "any, all, reversed, iter": ("""\
def f(a, t):
    s = 0
    for v in reversed(a):
        s = s * 3 + v
    it = iter(t)
    return any(a), all(a), any(t), all(t), s, next(it) + next(it)
""", [(np.arange(4), (1, 2)), (np.arange(1, 4), (0, 0))]),
    "inner generator": ("""\
def f(n, k):
    def g(m):
        for i in range(m):
            yield i * k
    s = 0
    for v in g(n):
        s = s * 10 + v
    return s
""", [(5, 3)]),
    "exception inside": ("""\
def g(n):
    for i in range(n):
        yield 10 // (3 - i)

def f(n):
    s = 0
    try:
        for v in g(n):
            s += v
    except ZeroDivisionError:
        return -s
    return s
""", [(2,), (9,)]),
    "try around yield": ("""\
def g(n):
    for i in range(n):
        try:
            yield 10 // (3 - i)
        except ZeroDivisionError:
            yield -1

""" + DIGITS, [(2,), (6,)]),
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


# By name: what makes an iterator of n. zip() asks it, or what asks it, more than once a turn.
MADE = {"iter": "iter(range(n))", "texts": "iter([str(i) for i in range(n)])", "function": "numbers(n)",
        "expression": "(i * 2.5 for i in range(n))", "map": "map(str, range(n))", "arrays": "iter(np.arange(2 * n).reshape(n, 2).T)"}
ASKED = ["zip(it, it)", "zip(it, [9, 8, 7], it)", "zip(it, enumerate(it))", "enumerate(zip(it, it))", "zip(it, zip(it, it))",
         "map(lambda a, b: (a, b), it, it)", "zip(numbers(4), numbers(4))", "zip(it, it, it, it)", "zip(it, range(1))",
         "zip(range(1), it)", "zip(it, numbers(2))", "zip(numbers(2), it)", "zip(it, (x for x in it))", "zip(*(it, it))"]


@pytest.mark.sampled
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("made", MADE)
def test_one_generator_at_several_places_of_a_zip(make, made, asked):
    plain = make("def numbers(n):\n    for i in range(n):\n        yield i\n\n"
                 f"def f(n):\n    it = {MADE[made]}\n    return str([x for x in {asked}]), str(list(it))\n")
    f = njit(make("@njit\ndef numbers(n):\n    for i in range(n):\n        yield i\n\n"
                  f"def f(n):\n    it = {MADE[made]}\n    return str([x for x in {asked}]), str(list(it))\n", njit=njit))
    for n in (0, 1, 2, 7):
        assert f(n) == plain(n)


@pytest.mark.parametrize("made", ["{1: 0, 0: 5}", "{'a': 1, 'b': 2}", "{(1, 'a'): np.ones(2), (2, 'b'): np.ones(3)}",
                                  "{0: 1, 1: 2, 2: 0}.keys()", "{0: 1, 1: 2}.values()", "{0: 1, 1: 2}.items()", "[3, 4]", "(3, 4)",
                                  "'abc'", "b'abc'", "range(3)", "np.arange(3)"])
def test_reversed(make, made):
    plain = make(f"def f():\n    return [x for x in reversed({made})]\n")
    assert njit(plain)() == plain()


# By what is done with `e`, an enumerate() or a zip() of two items and more
ASKED = {
    "next twice": "return next(e), next(e)",
    "next, then a list": "a = next(e)\n    return a, list(e), list(e)",
    "two loops": "s = 0\n    for k in range(2):\n        for i, x in e:\n            s += i * x + 1\n    return s",
    "a loop that ends early": "for i, x in e:\n        if i == 1:\n            break\n    return [i for i, x in e]",
    "a loop in a loop": "s = n\n    while s < 60:\n        s += 7\n        for i, x in e:\n            s += x\n    return s",
    "with itself": "return [p for p in zip(e, e)]",
    "in a closure": "f = lambda: next(e)\n    return f(), f()",
    "in a tuple": "t = (e, 3)\n    return next(t[0]), next(t[0])",
    "in a list": "t = [e]\n    return next(t[0]), next(t[0])",
    "given to a function": "return last_of(e), list(e)",
    "by another name": "g = e\n    return next(e), next(g)",
    "chosen": "g = e if n > 1 else e\n    return next(e), next(g)",
    "handled": "s = 0\n    try:\n        for i, x in e:\n            s += 1 // (i - 1)\n    except ZeroDivisionError:\n        s += 100\n"
               "    return s, list(e)",
    "once": "return [x for i, x in e]",
    "once, later": "s = n\n    if n > 1:\n        s += 1\n    for i, x in e:\n        s += x\n    return s",
}


@pytest.mark.parametrize("made", ["enumerate([n, 2, 3])", "enumerate((n, 4, 5), 1)", "zip([n, 1, 4], (4, 5, 6))", "zip(range(n), range(4))",
                                  "enumerate(np.arange(n))", "zip((i for i in range(n)), [1, 2, 3])"])
def test_iterators_know_where_they_are(make, made):
    @njit
    def last_of(e):
        a = next(e)
        for x in e:
            a = x
            break
        return a

    for how, body in ASKED.items():
        text = f"def f(n):\n    e = {made}\n    {body}\n"
        expected = make(text, last_of=last_of.py_func)(3)
        assert njit(make(text, last_of=last_of))(3) == expected, how
