# SPDX-License-Identifier: MIT
"""Operators that programs implement for compiled code, and what classes say of themselves."""
import enum
import operator
from collections import namedtuple

import numpy as np
import pytest

from numba import float64, int64, njit, typeof, types
from numba.core import errors
from numba.experimental import jitclass
from numba.extending import overload


def value_class(make):
    V = jitclass([("x", float64)])(make("class f:\n    def __init__(self, x):\n        self.x = x\n"))
    mine = V.class_type.instance_type
    return V, mine


def test_operators_of_a_class(make):
    V, mine = value_class(make)

    @overload(operator.add)
    def add(a, b):
        if a == mine and b == mine:
            return lambda a, b: V(a.x + b.x)

    @overload(operator.eq)
    def equal(a, b):
        if a == mine and b == mine:
            return lambda a, b: a.x == b.x

    @overload(operator.neg)
    def negative(a):
        if a == mine:
            return lambda a: V(-a.x)

    @overload(operator.getitem)
    def item(a, i):
        if a == mine:
            return lambda a, i: a.x * i

    @overload(operator.contains)
    def contains(a, i):
        if a == mine:
            return lambda a, i: a.x == i

    @njit
    def f(a, b):
        c = a + b
        a += b
        return c.x, a.x, a == b, b == b, (-a).x, a[3], 3.0 in a, 3.0 not in a
    assert f(V(1.0), V(2.0)) == (3.0, 3.0, False, True, -3.0, 9.0, True, False)
    with pytest.raises(errors.TypingError):
        njit(lambda a, b: a - b)(V(1.0), V(2.0))


def test_operators_of_builtin_types():
    @overload(operator.add)
    def add(a, b):
        if isinstance(a, types.UnicodeType) and isinstance(b, types.Integer):
            return lambda a, b: a + str(b)
    assert njit(lambda s, n: s + n)("a", 12) == "a12"
    assert njit(lambda s: s + "b")("a") == "ab"  # what is there already stays
    assert njit(lambda a: a + 1)(np.arange(2)).tolist() == [1, 2]


def test_classes_convert_their_objects(make):
    V = jitclass([("x", float64)])(make(
        "class f:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __bool__(self):\n        return self.x > 0\n"
        "    def __int__(self):\n        return int(self.x)\n"
        "    def __float__(self):\n        return self.x\n"
        "    def __complex__(self):\n        return complex(self.x, 1)\n"
        "    def __hash__(self):\n        return 5\n"))

    @njit
    def f(v):
        return bool(v), int(v), float(v), complex(v), hash(v), not v, 1 if v else 2
    assert f(V(2.5)) == (True, 2, 2.5, 2.5 + 1j, 5, False, 1)
    assert f(V(-1.5))[0] is False
    assert (bool(V(2.5)), int(V(2.5)), float(V(2.5))) == (True, 2, 2.5)


def test_a_class_over_plain_classes(make):
    shapes = make("class Shape:\n    def area(self):\n        return self.w * self.h\n"
                  "    def name(self):\n        return 'shape'\n"
                  "class f(Shape):\n    def __init__(self, w, h):\n        self.w = w\n        self.h = h\n"
                  "    def name(self):\n        return 'rectangle'\n")
    R = jitclass([("w", float64), ("h", float64)])(shapes)
    assert njit(lambda r: (r.area(), r.name()))(R(2.0, 3.0)) == (6.0, "rectangle")
    assert R(2.0, 3.0).area() == 6.0


def test_types_of_named_tuples():
    P = namedtuple("P", "x y")
    same = types.NamedUniTuple(int64, 2, P)
    mixed = types.NamedTuple([int64, float64], P)
    assert same == typeof(P(1, 2)) and mixed == typeof(P(1, 2.0))
    assert isinstance(same, types.NamedUniTuple) and not isinstance(mixed, types.NamedUniTuple)
    assert isinstance(mixed, types.BaseNamedTuple) and same.instance_class is P
    assert njit((same,))(lambda p: p.x + p.y)(P(1, 2)) == 3
    with pytest.raises(TypeError):
        types.NamedTuple([int64], P)


# what numba answers, in the order of the types below
FAMILIES = """
Hashable 1111011000001000100
Sequence 0000010010000000000
MutableSequence 0000000010000000000
Sized 0000011010100000000
Container 0000010010100000000
Buffer 0000100000000000000
ArrayCompatible 0000100000000000000
BaseAnonymousTuple 0000011000000000000
Opaque 0000000000010001000
ConstSized 0000011000000000000
Literal 0000000000000000110
IterableType 0001110111100000000
"""


def test_families_of_types():
    kinds = [int64, float64, types.boolean, types.unicode_type, float64[:], types.UniTuple(int64, 2),
             types.Tuple((int64, float64)), types.ListType(int64), types.List(int64),
             types.DictType(int64, int64), types.Set(int64), types.none, types.complex128, int,
             types.optional(int64), types.voidptr, types.literal(3), types.literal("a"),
             types.NPDatetime("D")]
    for name, answers in map(str.split, FAMILIES.strip().splitlines()):
        assert "".join("01"[isinstance(kind, getattr(types, name))] for kind in kinds) == answers, name

    class Colour(enum.Enum):
        RED = 1
    assert isinstance(typeof(Colour), types.EnumClass) and not isinstance(typeof(Colour), types.IntEnumClass)
    with pytest.raises(AttributeError):
        types.NoSuchFamily


def test_modules_that_user_code_imports():
    from numba.core import compiler, ir, utils
    from numba.core.runtime import rtsys
    from numba.cpython.unsafe.tuple import build_full_slice_tuple, tuple_setitem
    from numba.np.unsafe.ndarray import to_fixed_tuple
    import numba.parfors.parfor
    assert njit(lambda a: to_fixed_tuple(a, 2))(np.array([1, 2])) == (1, 2)
    assert njit(lambda t: tuple_setitem(t, 1, 9))((1, 2, 3)) == (1, 9, 3)
    assert njit(lambda a: a[build_full_slice_tuple(2)])(np.ones((2, 2))).sum() == 4
    assert utils.BINOPS_TO_OPERATORS["+"] is operator.add
    assert compiler.compile_isolated(lambda x: x + 1, (int64,)).entry_point(2) == 3
    assert ir.Loc("f.py", 3).line == 3
    with pytest.raises(ImportError, match="intermediate code"):
        ir.Block
    with pytest.raises(RuntimeError, match="NRT stats are disabled"):
        rtsys.get_allocation_stats()


WIDE = ["2**63", "2**64 - 1", "1 << 63", "(1 << 64) - 1", "2**62 * 2", "-2**63", "0xFFFFFFFFFFFFFFFF ^ 1",
        "2**63 - 1", "1 << 40", "~(2**64 - 1) + 2**64"]


def test_wide_constants(make):
    text = f"def f():\n    return ({', '.join(WIDE)})\n"
    assert njit(make(text))() == tuple(map(eval, WIDE))
    assert njit(make("def f(x):\n    return x & (2**64 - 1)\n"))(np.uint64(2)) == 2
