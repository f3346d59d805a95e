# SPDX-License-Identifier: MIT
"""The texts of members of every kind of enum, and what Flag's members become: as in Python."""
import enum
import itertools

import numpy as np
import pytest
from conftest import function_of
from enums import Color, Level

from numba import cuda, njit
from numba.core.errors import TypingError


class Letters(enum.StrEnum):
    ONE = "one"
    TWO = "two"


class MixedText(str, enum.Enum):
    ONE = "one"


class MixedInt(int, enum.Enum):
    ONE = 1


class MixedFloat(float, enum.Enum):
    HALF = 0.5


class Real(enum.Enum):
    PI = 3.14


class Truth(enum.Enum):
    YES = True
    NO = False


class Anything(enum.Enum):
    PAIR = (1, 2)
    TEXT = "b"


class OwnStr(enum.Enum):
    A = 1

    def __str__(self):
        return "own " + self.name


class OwnRepr(enum.IntEnum):
    A = 1

    def __repr__(self):
        return "own " + self.name


class OwnFormat(enum.Enum):
    A = 1

    def __format__(self, spec):
        return f"{self.name}/{spec}"


class Access(enum.Flag, boundary=enum.STRICT):
    READ = 1
    WRITE = 2
    RUN = 8
    BOTH = 3


class Nothing(enum.Flag):
    NONE = 0
    SOME = 1
    MORE = 2


class Bits(enum.IntFlag):
    Q = 4
    P = 1


class OwnFlag(enum.Flag):
    def __str__(self):
        return f"flag {self.value}"
    EAST = 1
    WEST = 2


Kept = enum.Flag("Kept", {"A": 1, "B": 2}, boundary=enum.KEEP)
Conforming = enum.Flag("Conforming", {"A": 1, "B": 2}, boundary=enum.CONFORM)
Ejecting = enum.IntFlag("Ejecting", {"P": 1, "Q": 4}, boundary=enum.EJECT)
FLAGS = [Access.READ, Access.READ | Access.RUN, Access.BOTH, Access(0), ~Access.READ, Nothing.NONE,
         Nothing.SOME | Nothing.MORE, Kept(8), Kept(9), Conforming(9), OwnFlag.EAST, OwnFlag.EAST | OwnFlag.WEST]
MEMBERS = [list(kind)[0] for kind in (Color, Level, Letters, MixedText, MixedInt, MixedFloat, Real, Truth,
                                      Anything, OwnStr, OwnRepr, OwnFormat)]
MEMBERS += FLAGS + [Bits.P, Bits(0), Bits(5), Bits(64), Bits(65), ~Bits.P, Ejecting.P | Ejecting.Q]

TEXTS = """str(x), repr(x), f"{x!s}|{x!r}|{x!a}", "%s|%r|%12s" % (x, x, x), "{!s:>9}{!r}".format(x, x), str((x, [x]))"""
FORMATS = """f"{x}|{x:>12}|{x:^14}", format(x), format(x, "<12"), "{}{:12}".format(x, x)"""


@pytest.fixture(scope="module")
def compiled():
    return {body: njit(function_of(f"def f(x):\n    return {body}\n")) for body in (TEXTS, FORMATS)}


@pytest.mark.parametrize("member", MEMBERS, ids=repr)
def test_texts(member, compiled):
    assert compiled[TEXTS](member) == compiled[TEXTS].py_func(member)
    if isinstance(member, OwnFormat):
        with pytest.raises(TypingError, match=r"__format__\(\) of its own"):
            compiled[FORMATS](member)
    else:
        assert compiled[FORMATS](member) == compiled[FORMATS].py_func(member)


def test_print(capfd):
    njit(lambda x: print(x, (x,), [x]))(Access.READ | Access.RUN)
    assert capfd.readouterr().out == "Access.READ|RUN (<Access.READ|RUN: 9>,) [<Access.READ|RUN: 9>]\n"


def test_codes_of_numbers():
    for kind in Level, MixedInt, Bits:
        f = njit(lambda x: "%d %5d %x" % (x, x, x))
        assert f(list(kind)[-1]) == f.py_func(list(kind)[-1])
    f = njit(lambda x: f"{x:05d}")
    assert f(Level.LOW) == "-0003" and f(Bits(64)) == "00064"
    with pytest.raises(ValueError, match="Unknown format code 'd' for object of type 'str'"):
        f(Access.READ)
    with pytest.raises(TypingError, match="a number is required"):
        njit(lambda x: "%d" % x)(Access.READ)


def test_flags_join_and_part():
    f = njit(lambda x, y: (x | y, x & y, x ^ y, x in y, x not in y, x == y, x != y, bool(x), not y, x is y))
    invert = njit(lambda x: (~x, repr(~x)))
    update = njit(function_of("def f(x, y):\n    z = x\n    z |= y\n    return repr(z)\n"))
    for x, y in itertools.product(FLAGS, FLAGS):
        if type(x) is type(y):
            # Python makes bits of no member anew each time, as members that equal nothing
            assert repr(f(x, y)) == repr(f.py_func(x, y)) or isinstance(x, Kept), (x, y)
            assert repr(f(x, y)[:5]) == repr(f.py_func(x, y)[:5]), (x, y)
            assert update(x, y) == update.py_func(x, y), (x, y)
        elif x is not FLAGS[0]:
            continue
        else:
            assert njit(lambda x, y: (x == y, x != y))(x, y) == (False, True)
            with pytest.raises(TypingError, match=r"have \|, &, \^ and ~, with members of the same class"):
                njit(lambda x, y: x | y)(x, y)
    for x in FLAGS:
        if isinstance(x, Kept):
            with pytest.raises(TypingError, match="whose boundary is KEEP or EJECT"):
                invert(x)
        else:
            assert invert(x) == invert.py_func(x)


@pytest.mark.parametrize("body", ["x + 1", "x | 1", "1 | x", "x < x", "int(x)", "-x", "+x", "x << 1", "x * x", "range(x)"])
def test_flags_are_no_numbers(body):
    f = function_of(f"def f(x):\n    return {body}\n")
    with pytest.raises(TypeError):
        f(Access.READ)
    with pytest.raises(TypingError):
        njit(f)(Access.READ)
    assert njit(lambda x: (x == 1, x != 1))(Access.READ) == (False, True)


def test_flags_by_number():
    f = njit(lambda x, n: type(x)(n))
    for member, numbers in (Access.READ, (0, 1, 9, 11)), (Conforming.A, (0, 3, 9)), (Kept.A, (0, 9)):
        for n in numbers:
            assert repr(f(member, n)) == repr(f.py_func(member, n))
    for n in 4, 12, 300, -1:
        with pytest.raises(ValueError, match=f"<flag 'Access'> invalid value {n}"):
            f(Access.READ, n)


def test_flags_in_kernels():
    @cuda.jit
    def kernel(access, out):
        both = access | Access.RUN
        out[0] = both.value
        out[1] = Access.WRITE in both
        out[2] = (~both).value
    out = np.zeros(3, "i8")
    kernel[1, 1](Access.READ, out)
    assert list(out) == [9, 0, 2]

    @cuda.jit
    def printing(access):
        print(access)
    with pytest.raises(TypingError, match=r"print its \.value"):
        printing[1, 1](Access.READ)


@pytest.mark.parametrize("kind, name", [
    (Color, "BLUE"), (Level, "LOW"), (Letters, "TWO"), (MixedText, "ONE"), (MixedInt, "ONE"), (MixedFloat, "HALF")],
    ids=lambda part: getattr(part, "__name__", part))
def test_members_of_classes_that_are_values(kind, name):
    """Of arguments, defaults and type(), as of a class that code names."""
    member = kind[name]
    given = njit(function_of(f"def f(kind): return kind.{name}"))
    default = njit(function_of(f"def f(kind=kind): return kind.{name}", kind=kind))
    asked = njit(function_of(f"def f(member): return type(member).{name}"))
    within = njit(function_of("def f(): return default(), given(kind)", default=default, given=given, kind=kind))
    assert given(kind) is default() is default(kind) is asked(member) is member
    assert within() == (member, member)


def test_members_that_are_none():
    with pytest.raises(TypingError, match=r"Unknown attribute 'PINK' of type class\(Enum<int64>\(Color\)\)"):
        njit(function_of("def f(kind): return kind.PINK"))(Color)
