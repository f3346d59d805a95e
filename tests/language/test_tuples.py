"""Tuples in compiled code: loops over mixed ones, indices, comparisons, membership."""
from collections import namedtuple

import pytest
from numba import TypingError, literal_unroll, literally, njit


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def check(make, source, cases, **names):
    plain = make(source, literal_unroll=literal_unroll, literally=literally, **names)
    jitted = njit(plain)
    for case in cases:
        got, want = outcome(jitted, *case), outcome(plain, *case)
        assert got == want, (source, case, got, want)


MIXED = [((1, 2.5, "abc", True),), (("a",),), ((),), ((1, (2, "x"), None),), ((1, 2),)]


def test_literal_unroll(make):
    check(make, """def f(t):
    out = ''
    n = 0
    for x in literal_unroll(t):
        out = out + str(x) + ';'
        n += 1
    else:
        n += 100
    return out, n
""", MIXED)
    check(make, """def f(t):
    total = 0.0
    for x in t:
        if isinstance(x, str):
            total += len(x)
            continue
        if isinstance(x, tuple):
            break
        total += 0 if x is None else x
    else:
        total += 1000
    return total
""", MIXED)
    check(make, "def f(n):\n    t = (n, 'a', 2.5)\n    s = ''\n    for x in literal_unroll(t):\n        s += str(x)\n"
          "    for x in literal_unroll(G):\n        s += str(x)\n    return s\n", [(3,)], G=(1, "g", 1.5))
    check(make, "def f(t):\n    s = 0.0\n    for x in literal_unroll(t):\n        for i in range(3):\n            s += x * i\n    return s\n",
          [((1, 2.5),), ((1, 2, 3),)])
    check(make, "def f(x):\n    return literally(x) + 1\n", [(3,)])


def test_dynamic_index(make):
    check(make, "def f(t, i):\n    return t[i]\n", [((10, 20, 30), i) for i in range(-5, 5)] + [
        (("a", "b"), i) for i in range(-3, 3)] + [((1.5,), 0), ((1.5,), 1)])
    with pytest.raises(TypingError):
        njit(make("def f(t, i):\n    return t[i]\n"))((1, "a"), 0)


def test_comparisons(make):
    tuples = [(), (1,), (1, 2), (1, 2, 3), (0, 9), (2,), (1.0, 2.0), (1, 3)]
    check(make, "def f(a, b):\n    return a == b, a != b, a < b, a <= b, a > b, a >= b\n", [(a, b) for a in tuples for b in tuples])
    mixed = [(1, "a"), ("a", 1), (1, "b"), (1, None), (1.0, "a")]
    check(make, "def f(a, b):\n    return a == b, a != b\n", [(a, b) for a in mixed for b in mixed])
    texts = [("a", 1), ("a", 2), ("b", 0), ("", 5)]
    check(make, "def f(a, b):\n    return a < b, a >= b\n", [(a, b) for a in texts for b in texts])


def test_membership_and_joining(make):
    check(make, "def f(x, t):\n    return x in t, x not in t\n", [
        (x, t) for x in (1, 2.5, "a", True) for t in ((1, 2), ("a", 1, 2.5), (), ("b",), (1.0,))])
    check(make, "def f(a, b):\n    return a + b, a + (1,), (a, b)[0], len(a + b), tuple(a), tuple()\n", [
        (a, b) for a in ((), (1,), ("x", 2.5)) for b in ((), ("y",))])
    check(make, "def f(t):\n    a, *b = t, 1\n    return min(t), max(t), sum(t), t[1:], t[:-1], t[::1] if False else 0\n".replace(
        "    a, *b = t, 1\n", "").replace(", t[::1] if False else 0", ""), [((3, 1, 2),), ((1.5, 0.5),)])


def test_named_tuples_are_constants():
    point = namedtuple("point", "x y")
    here, pair = point(1.5, 2.0), (False, point(float("nan"), 1), "a")
    nested = point(point(1, True), None)
    f = njit(lambda i: here[i] if i else here.x)
    assert (f(0), f(1), njit(lambda: here)(), njit(lambda: nested)()) == (1.5, 2, here, nested)
    assert njit(lambda: (here.y, nested.x.y, pair[1].y, len(here)))() == (2, True, 1, 2)

    @njit
    def either(k):
        if k == 0:
            return pair
        return True, point(k + 0.5, 2), "b"
    assert either(0)[0] is False and type(either(0)[1]) is point
    assert either(3) == (True, point(3.5, 2), "b")
