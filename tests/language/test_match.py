# SPDX-License-Identifier: MIT
"""match statements: the case that plain Python takes, with the names that it binds."""
import collections

import numpy as np
import pytest
from conftest import same
from enums import Color, Level

import numba
from numba import njit, prange


class Point(collections.namedtuple("Point", "x y")):
    pass


Pair = collections.namedtuple("Pair", "first second")


# name: the cases of `match x:`, and subjects
PATTERNS = {
    "integers": ("case 0:\n r = 'none'\ncase 1 | 2:\n r = 'few'\ncase -3:\n r = 'less'\ncase _:\n r = 'many'",
                 [0, 1, 2, -3, 7, True, 2.0, 2.5]),
    "no case": ("case 1:\n r = 'one'", [1, 5]),
    "strings": ("case 'go' | 'run':\n r = 1\ncase 'stop':\n r = 2\ncase other:\n r = len(other)",
                ["go", "run", "stop", "", "else"]),
    "guards": ("case n if n < 0:\n r = -n\ncase n if n % 2:\n r = n * 10\ncase n:\n r = n",
               [-5, 3, 4]),
    "guards go on": ("case (a, b) if a == b:\n r = a\ncase (a, b) if a > b:\n r = a - b\ncase (a, b):\n r = b - a",
                     [(1, 1), (5, 2), (2, 5)]),
    "tuples": ("case ():\n r = 0\ncase (a,):\n r = a\ncase (a, b):\n r = a + b\ncase (a, *rest):\n r = a + len(rest)",
               [(), (1,), (1, 2), (1, 2, 3), (1.5, 2)]),
    "lists": ("case []:\n r = 0\ncase [a]:\n r = a\ncase [1, b]:\n r = b\ncase [a, 2, *_]:\n r = -a\n"
              "case [a, *_, z]:\n r = a + z",
              [[5], [1, 7], [3, 2], [3, 2, 1], [3, 4, 5, 6]]),
    "what stars leave": ("case [a, *rest, z]:\n r = (a, rest, z)", [[1, 2, 3, 4], [1, 2], [1]]),
    "nested": ("case ((0, 0), _):\n r = 'origin'\ncase ((x0, 0), (0, y1)):\n r = 'axes'\n"
               "case ((a, b), (c, d)) if a * d == b * c:\n r = 'parallel'\ncase _:\n r = 'other'",
               [((0, 0), (1, 2)), ((3, 0), (0, 5)), ((1, 2), (2, 4)), ((1, 2), (3, 4))]),
    "mixed tuple": ("case ('add', a, b):\n r = a + b\ncase ('neg', a):\n r = -a\ncase (_, *_):\n r = 0",
                    [("add", 1, 2.5), ("neg", 3), ("mul", 3, 4), ("other",)]),
    "classes": ("case bool():\n r = 'bool'\ncase int(n):\n r = 'int'\ncase float(f) if f > 1:\n r = 'big'\n"
                "case float():\n r = 'float'\ncase str(s):\n r = s + '!'\ncase None:\n r = 'none'\ncase _:\n r = 'else'",
                [True, 3, 2.5, 0.5, "text", None, (1, 2)]),
    "singletons": ("case True:\n r = 1\ncase False:\n r = 2\ncase None:\n r = 3\ncase _:\n r = 4",
                   [True, False, None, 1, 0, "x"]),
    "named tuple": ("case Point(0, 0):\n r = 'origin'\ncase Point(x=0, y=y):\n r = f'y {y}'\n"
                    "case Point(a, b) if a == b:\n r = 'diagonal'\ncase Pair(first=f):\n r = f'pair {f}'\ncase _:\n r = 'else'",
                    [Point(0, 0), Point(0, 4), Point(2, 2), Point(1, 2), Pair(7, 8), (0, 0), 3]),
    "as": ("case (1 | 2 as a, (3 | 4) as b) as whole:\n r = (a, b, whole)\ncase (a, b) as whole:\n r = (b, a, whole)",
           [(1, 3), (2, 4), (1, 5)]),
    "alternatives with names": ("case (0, n) | (n, 0):\n r = n\ncase _:\n r = -1", [(0, 4), (5, 0), (1, 2)]),
    "members": ("case Color.RED:\n r = 'r'\ncase Color.GREEN | Color.BLUE:\n r = 'gb'", list(Color)),
    "integer members": ("case Level.LOW:\n r = 'low'\ncase Level.HIGH:\n r = 'high'\ncase _:\n r = 'else'",
                        [-3, 5, 7]),
    "string is no sequence": ("case [a, b]:\n r = 1\ncase _:\n r = 2", ["ab"]),
    "constants": ("case np.pi:\n r = 'pi'\ncase math.e:\n r = 'e'\ncase _:\n r = '?'", [3.141592653589793, 2.718281828459045, 1.0]),
    "early return": ("case 1:\n return 'one'\ncase _:\n pass\nr = 'else'", [1, 2]),
    "loops": ("case n:\n r = 0\n for i in range(n):\n  match i % 3:\n   case 0:\n    continue\n   case 1 if i > 10:\n    break\n"
              "   case k:\n    r += k", [0, 5, 30]),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_pattern(name, make):
    cases, subjects = PATTERNS[name]
    head, _, rest = cases.partition("\nr = ")
    body = "".join(f"        {line}\n" for line in head.split("\n")) + (f"    r = {rest}\n" if rest else "")
    source = f"def f(x):\n    r = 'unset'\n    match x:\n{body}    return r\n"
    if name not in ("integers", "no case", "strings") and "'" not in cases:
        source = source.replace("    r = 'unset'\n", "    pass\n")
    for subject in subjects:
        plain = make(source, Point=Point, Pair=Pair, Color=Color, Level=Level)
        try:
            want = plain(subject)
        except UnboundLocalError:
            continue
        got = njit(plain)(subject)
        assert same(got, want), (subject, got, want)


def test_arrays_are_no_sequences():
    """As in CPython with NumPy before 2.5."""
    @njit
    def f(x):
        match x:
            case [a, b]:
                return 1
            case _:
                return 2

    assert f(np.arange(2)) == 2 and f((1, 2)) == 1


def test_mappings():
    def f(d):
        match d:
            case {"op": 1, "left": a, **rest}:
                return a, len(rest)
            case {"left": a, "right": b}:
                return a, b
            case {}:
                return 0, 0

    def numbers(d):
        match d:
            case {"name": n}:
                return 1
            case {1: a, 2: b} if a > b:
                return a
            case {1: a}:
                return -a
            case _:
                return 0
    g, h = njit(f), njit(numbers)
    for d in ({"op": 1, "left": 5, "x": 2}, {"left": 1, "right": 2}, {"a": 1}):
        assert g(d) == f(d)
    for d in ({1: 5, 2: 3}, {1: 2, 2: 3}, {3: 3}):
        assert h(d) == numbers(d)
    assert h(5) == 0


def test_subjects():
    @njit
    def evaluated_once(a):
        calls = 0
        for k in range(6):
            match a[k % 3], (calls := calls + 1):
                case 2, n if n > 100:
                    pass
                case 7, _:
                    pass
                case x, n:
                    pass
        return calls
    assert evaluated_once(np.arange(3)) == 6

    @njit
    def optional(n):
        found = None if n < 0 else n
        match found:
            case None:
                return "none"
            case 3:
                return "three"
            case _:
                return "some"
    assert [optional(n) for n in (-1, 3, 4)] == ["none", "three", "some"]

    @njit
    def of_range(n):
        match range(n):
            case []:
                return 0
            case [a]:
                return 1 + a
            case [a, b, *_]:
                return 10 + b
    assert [of_range(n) for n in (0, 1, 2, 9)] == [0, 1, 11, 11]

    @njit
    def of_lists(steps):
        x = y = 0
        for step in steps:
            match step:
                case ("up", n):
                    y += n
                case ("down", n):
                    y -= n
                case ("left" | "right" as side, n):
                    x += n if side == "right" else -n
                case (other, _):
                    raise ValueError("unknown step")
        return x, y
    assert of_lists([("up", 3), ("left", 2), ("down", 1), ("right", 7)]) == (5, 2)
    with pytest.raises(ValueError, match="unknown step"):
        of_lists([("jump", 1)])


def test_objects():
    @numba.experimental.jitclass([("radius", numba.float64)])
    class Circle:
        def __init__(self, radius):
            self.radius = radius

    @numba.experimental.jitclass([("a", numba.float64), ("b", numba.float64)])
    class Box:
        __match_args__ = ("a", "b")

        def __init__(self, a, b):
            self.a = a
            self.b = b

    @njit
    def area(shape):
        match shape:
            case Circle(radius=r):
                return 3.0 * r * r
            case Box(a, b) if a == b:
                return -a * a
            case Box(a, b):
                return a * b
            case _:
                return 0.0
    assert area(Circle(2.0)) == 12.0
    assert area(Box(2.0, 3.0)) == 6.0
    assert area(Box(2.0, 2.0)) == -4.0
    assert area(3) == 0.0


def test_within_other_constructs():
    @njit(parallel=True)
    def counted(a):
        odd = 0
        for i in prange(len(a)):
            match a[i] % 4:
                case 1 | 3:
                    odd += 1
                case r:
                    odd += 0 * r
        return odd
    assert counted(np.arange(101)) == 50

    @njit
    def caught(n):
        try:
            match n:
                case 0:
                    raise ValueError
                case 1:
                    return 10 // (n - 1)
                case _:
                    return n
        except ValueError:
            return -1
        except ZeroDivisionError:
            return -2
    assert [caught(n) for n in (0, 1, 2)] == [-1, -2, 2]

    @njit
    def generated(n):
        for i in range(n):
            match i % 3:
                case 0:
                    yield i
                case 1:
                    yield -i
    assert list(generated(6)) == [0, -1, 3, -4]

    @njit
    def around(n):
        match n:
            case (a, b):
                def inner(x):
                    match x:
                        case 0:
                            return a
                        case _:
                            return b
                return inner(0) * 10 + inner(1)
    assert around((3, 4)) == 34


def test_mistakes(make):
    f = njit(make("def f(p):\n    match p:\n        case Pair(a, b, c):\n            return 1\n    return 0\n",
                  Pair=Pair))
    with pytest.raises(numba.TypingError, match=r"Pair\(\) accepts 2 positional sub-patterns \(3 given\)"):
        f(Pair(1, 2))
    f = njit(make("def f(x):\n    match x:\n        case missing.NAME:\n            return 1\n    return 0\n"))
    with pytest.raises(numba.TypingError, match="name 'missing' is not defined"):
        f(3)


def test_conditions_that_are_known_late():
    """The remainder of a constant in a tuple is known only when types are: branches that it rules out go then."""
    for head in ("k = (np.int64(7),)", "k = (7,)", "k = (7, 2.5)"):
        for asked in ("k[0] % 5", "k[0] // 2 - 1", "-k[0] + 9", "k[0] & 3"):
            scope = {"np": np}
            exec(f"""def f():
    {head}
    r = 0
    match {asked}:
        case 1 | 2:
            r = 1
        case 3:
            r = 2.5
        case _:
            pass
    while {asked} == 4 or {asked} == 5:
        r += 1
    if ({asked} == 1 or {asked} == 3) and k[0] > 2:
        r += 10
    return r, k[0]
""", scope)
            assert njit(scope["f"])() == scope["f"]()
