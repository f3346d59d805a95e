"""Enums, named tuples, isinstance, hash, slices and their like against plain Python."""
import collections
import enum
import math
import random
import typing

import numpy as np
import pytest
from conftest import outcome
from enums import Color, Level
from numba import njit, typeof, TypingError


class Shape(enum.Enum):
    ROUND = 1
    FLAT = 2


class Mode(enum.Enum):
    FAST = "fast"
    EXACT = "exact"


class Ratio(enum.Enum):
    HALF = 0.5
    ALL = 1.0


class Bits(enum.IntFlag):
    A = 1
    B = 2
    C = 4


Point = collections.namedtuple("Point", "x y")


class Body(typing.NamedTuple):
    name: str
    place: Point
    mass: float


NAMES = {name: value for name, value in globals().items() if name[:1].isupper()}


def check(make, source, cases):
    plain = make(source, **NAMES)
    jitted = njit(plain)
    for case in cases:
        got, want = outcome(jitted, *case), outcome(plain, *case)
        assert got == want and type(got) is type(want), (source, case, got, want)


def test_enum_members(make):
    check(make, "def f(c):\n    return c == Color.RED, c != Color.RED, c is Color.BLUE, c is not Color.BLUE, c.name, "
          "c.value, c\n", [(c,) for c in Color])
    check(make, "def f(c):\n    return c == Shape.ROUND, c != Shape.FLAT, Shape.ROUND == Color.RED\n", [(Color.RED,)])
    check(make, "def f(n):\n    return Color(n)\n", [(1,), (7,), (3,)])
    check(make, "def f(c):\n    t = 0\n    for d in Color:\n        t = t * 10 + d.value\n        if d == c:\n            t += 1\n"
          "    return t, Color['GREEN'], Color.GREEN.name, Color.GREEN.value\n", [(c,) for c in Color])
    check(make, "def f(c, n):\n    d = Color.RED\n    if n:\n        d = c\n    return d\n",
          [(c, n) for c in Color for n in (0, 1)])
    check(make, "def f(m):\n    if m == Mode.FAST:\n        return m, Mode.EXACT.value\n    return Mode.FAST, m.value + '!'\n",
          [(m,) for m in Mode])
    check(make, "def f(m):\n    return m.value * 2, m\n", [(m,) for m in Ratio])
    check(make, "def f(c):\n    return (c, 1)\n", [(c,) for c in Color])


def test_int_enums(make):
    check(make, "def f(c, a):\n    return c + 1, c * 2.5, c < 3, c == Level.HIGH, c == 5, -c, c // 2, Level.LOW + c, a[c % 2], "
          "c.value, c.name, abs(c), max(c, 2), hash(c), bool(c)\n", [(c, (10, 20)) for c in Level])
    check(make, "def f(c):\n    return c\n", [(c,) for c in Level])
    check(make, "def f(b):\n    return int(b | Bits.C), int(b & Bits.B), b.value, (b & 1) != 0\n",
          [(b,) for b in (Bits.A, Bits.B, Bits.A | Bits.B)])
    check(make, "def f():\n    return Bits.B.name, Bits.B.value\n", [()])
    for member in ("b", "Bits(int(b))"):  # which may be several at once
        with pytest.raises(TypingError, match="may be several of its members or none, and has no name"):
            njit(make(f"def f(b):\n    return {member}.name\n", Bits=Bits))(Bits.A)
    check(make, "def f(n):\n    s = 0\n    for i in range(Level.HIGH):\n        s += i * n\n    return s\n", [(3,)])


def test_enum_types():
    assert str(typeof(Color.RED)) == "Enum<int64>(Color)"
    assert str(typeof(Level.LOW)) == "IntEnum<int64>(Level)"
    assert typeof(Color.RED) is typeof(Color.BLUE)


def test_enum_errors(make):
    for source in ("def f(c):\n    return c < Color.RED\n", "def f(c):\n    return c + 1\n", "def f(c):\n    return c.size\n",
                   "def f(c):\n    return Color['PINK']\n"):
        with pytest.raises(TypingError):
            njit(make(source, **NAMES))(Color.RED)


def test_named_tuples(make):
    check(make, "def f(p):\n    return p.x + p.y, p[0], p[-1], len(p), p, Point(p.y, p.x), Point(y=1, x=2.5)\n",
          [(Point(1, 2),), (Point(1.5, 2),)])
    check(make, "def f(p):\n    a, b = p\n    return p + (a, b), p[1:], p == Point(1, 2), p == (1, 2), p < (1, 3)\n",
          [(Point(1, 2),), (Point(2, 0),)])
    check(make, "def f(b):\n    return Body(b.name.upper(), Point(b.place.y, b.place.x), b.mass / 2), b.place.x\n",
          [(Body("earth", Point(1, 2), 3.0),)])
    check(make, "def f(p, n):\n    for i in range(n):\n        p = Point(p.y, p.x + i)\n    return p\n",
          [(Point(1, 2), 0), (Point(1, 2), 5), (Point(1.0, 2.5), 3)])
    assert str(typeof(Point(1, 2))) == "Point(int64 x 2)" and str(typeof(Point(1, 2.0))) == "Point(int64, float64)"
    for source in ("def f(p):\n    return p.z\n", "def f(p):\n    return Point(1)\n", "def f(p):\n    return Point(1, z=2)\n"):
        with pytest.raises(TypingError):
            njit(make(source, **NAMES))(Point(1, 2))


def test_isinstance_prunes(make):
    source = """def f(x):
    if isinstance(x, str):
        return x.upper()
    elif isinstance(x, (tuple, slice)):
        return 'a sequence'
    elif isinstance(x, bool):
        return 'a truth'
    elif isinstance(x, int):
        return 'int ' + str(x + 1)
    elif isinstance(x, float) or isinstance(x, complex):
        return 'number ' + str(x * 2)
    elif x is None:
        return 'nothing'
    else:
        return x.undefined
"""
    check(make, source, [("abc",), ((1, 2),), (Point(1, 2),), (True,), (3,), (2.5,), (1j,), (None,)])
    f = njit(make("def f(x):\n    return isinstance(x, np.ndarray), isinstance(x, np.float32), isinstance(x, int), isinstance(x, Point)\n",
                  **NAMES))
    assert f(np.zeros(2)) == (True, False, False, False)
    assert f(np.float32(1)) == (False, True, False, False)
    assert f(np.int8(1)) == f(True) == (False, False, False, False)  # int is of 64 bits, as in Numba
    assert f(1) == (False, False, True, False)
    assert f(Point(1, 2)) == (False, False, False, True)
    assert f(Level.LOW) == (False, False, True, False)
    h = njit(make("def f(x):\n    return isinstance(x, list), isinstance(x, dict), isinstance(x, bytes), isinstance(x, (set, str))\n"))
    assert h([1]) == (True, False, False, False) and h(b"a") == (False, False, True, False)
    assert h("x") == (False, False, False, True) and h({1}) == (False, False, False, True)
    mixed = njit(make("def f():\n    d = {'a': 1, 'b': 'x'}\n    return isinstance(d, dict), isinstance(d, tuple)\n"))
    assert mixed() == (True, False)
    g = njit(make("def f(n):\n    x = None\n    if n:\n        x = 1\n    return isinstance(x, int), isinstance(x, (int, type(None)))\n"))
    assert g(1) == (True, True) and g(0) == (False, True)


def test_type_and_getattr(make):
    check(make, "def f(x):\n    return getattr(np, 'pi') + getattr(math, 'sin')(x), getattr(x, 'real')\n", [(1.5,)])
    check(make, "def f(x, y):\n    return type(x) == type(y), type(x) != type(y), type(x)(y)\n",
          [(1, 2), (1, 2.5), (1.5, 2), (True, 3)])
    check(make, "def f(z):\n    return getattr(z, 'real'), getattr(z, 'imag'), getattr(z, 'nothing', 7), hasattr(z, 'real'), hasattr(z, 'x')\n",
          [(1 + 2j,), (2.5,)])
    check(make, "def f(p):\n    return getattr(p, 'x'), hasattr(p, 'x'), hasattr(p, 'z')\n", [(Point(1, 2),)])


def test_hash(make):
    rng = random.Random(3)
    integers = [0, 1, -1, -2, 2**61 - 1, 2**61, 2**61 - 2, -(2**61 - 1), -2**63, 2**63 - 1] + [
        rng.randint(-2**63, 2**63 - 1) for _ in range(200)]
    reals = [0.0, -0.0, 1.0, -1.0, 0.5, 1e300, 5e-324, math.inf, -math.inf, 2.0**61, 1e20] + [
        rng.uniform(-1, 1) * 10.0 ** rng.randint(-300, 300) for _ in range(300)]
    source = "def f(x):\n    return hash(x)\n"
    check(make, source, [(n,) for n in integers])
    check(make, source, [(n,) for k in (1, 2, 3, 4) for n in (k * (2**61 - 1) - 1, 1 - k * (2**61 - 1))])
    check(make, source, [(2**64 - 1,), (2**63,), (5 * (2**61 - 1),), (7 * (2**61 - 1),), (7 * (2**61 - 1) + 1,)])
    check(make, source, [(x,) for x in reals])
    check(make, source, [(complex(a, b),) for a in reals[:8] for b in reals[:8]])
    check(make, source, [(True,), (False,)])
    for text in ("", "a", "abc", "naïve", "日本語", "😀" * 100, "x" * 1000):
        check(make, source, [(text,)])
    for value in ((), (1,), (1, 2.5), ("a", (1, "b"), 3), (True, 1, 1.0), Point(1, 2), (-1, -1)):
        check(make, source, [(value,)])


def test_slices(make):
    check(make, "def f(s, i, j, k):\n    t = slice(i, j, k)\n    return s[t], t.indices(len(s)), t.step, s[slice(j)], s[slice(i, j)]\n",
          [("abcdefg", i, j, k) for i in (-9, -2, 0, 3, 9) for j in (-8, -1, 0, 4, 8) for k in (-2, -1, 1, 3)])
    check(make, "def f(t, n):\n    return t.indices(n)\n", [(slice(i, j), n) for i in (None, 1, -3) for j in (None, 5, -1) for n in (0, 4)])
    f = njit(make("def f(a, i, j):\n    s = slice(i, j)\n    return a[s].sum() + a[slice(None, 2)].sum()\n"))
    a = np.arange(10.0)
    assert f(a, 2, 5) == a[2:5].sum() + a[:2].sum()


class Step(enum.IntEnum):
    LOW = 1
    HIGH = 5


class Plain(enum.Enum):
    LOW = 1
    HIGH = 5


class Real(enum.Enum):
    LOW = 1.5
    HIGH = -2.0


class Text(enum.Enum):
    LOW = "a"
    HIGH = ""


@pytest.mark.parametrize("of,good,bad", [(Step, 5, 3), (Plain, 1, 2), (Real, -2.0, 2.0), (Text, "", "x")])
def test_values_that_no_member_has(make, of, good, bad):
    f = make("def f(x):\n    member = T(x)\n    return member.name, member == T.HIGH, T(member) is member\n", T=of)
    compiled = njit(f)
    assert compiled(good) == f(good)
    with pytest.raises(ValueError) as want:
        f(bad)
    with pytest.raises(ValueError) as got:
        compiled(bad)
    assert str(got.value) == str(want.value)
