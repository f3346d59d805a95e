# SPDX-License-Identifier: MIT
"""Structs that Python and compiled code share, with fields of any types."""
import numpy as np
import pytest

from numba import njit, typed, typeof, types
from numba.core import errors
from numba.experimental import structref
from numba.extending import overload_attribute, overload_method


@structref.register
class PairType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Pair(structref.StructRefProxy):
    def __new__(cls, left, right):
        return structref.StructRefProxy.__new__(cls, left, right)

    @property
    def left(self):
        return get_left(self)

    @left.setter
    def left(self, value):
        set_left(self, value)

    def swapped(self):
        return Pair(get_right(self), self.left)


@njit
def get_left(self):
    return self.left


@njit
def set_left(self, value):
    self.left = value


@njit
def get_right(self):
    return self.right


structref.define_proxy(Pair, PairType, ["left", "right"])


@overload_method(PairType, "total")
def _total(self, by):
    return lambda self, by: (self.left + self.right) * by


@overload_attribute(PairType, "twice")
def _twice(self):
    if isinstance(self, PairType) and isinstance(self.field_dict["left"], types.Array):
        return lambda self: self.left.size * 2
    return lambda self: self.left * 2


def test_python_and_compiled_code_share_a_struct(make):
    pair = Pair(1, 2.5)
    assert isinstance(pair, Pair) and type(pair).__name__ == "Pair"
    assert pair.left == 1 and get_right(pair) == 2.5
    pair.left = 7
    change = njit(make("def f(p):\n    p.left += 1\n    return p\n"))
    assert change(pair) is pair and pair.left == 8 and pair.swapped().left == 2.5
    arrays = Pair(np.arange(3.0), "name")
    assert arrays.left.sum() == 3 and get_right(arrays) == "name"
    assert isinstance(typeof(pair), PairType) and typeof(pair) != typeof(arrays)
    assert typeof(Pair(3, 1.0)) == typeof(pair)
    assert typeof(arrays).field_dict == {"left": types.float64[::1], "right": types.unicode_type}


def test_compiled_code_makes_structs(make):
    f = njit(make("def f(n):\n    p = Pair(n, np.zeros(n))\n    p.right[1] = 3.0\n    return p\n",
                  Pair=Pair))
    made = f(4)
    assert isinstance(made, Pair) and made.left == 4 and get_right(made).tolist() == [0, 3, 0, 0]
    kind = PairType([("left", types.int64), ("right", types.float64)])
    g = njit(make("def f(n):\n    p = structref.new(kind)\n    p.left = n\n    return p\n",
                  structref=structref, kind=kind))
    assert g(5).left == 5 and get_right(g(5)) == 0.0
    nested = njit(make("def f(n):\n    return Pair(Pair(n, 1.5), 2)\n", Pair=Pair))
    assert nested(3).left.left == 3
    declared = njit(kind(kind))(make("def f(p):\n    return p\n"))
    assert declared(Pair(1, 2.0)).left == 1
    with pytest.raises(TypeError):
        declared(Pair(1, 2))


def test_methods_and_attributes(make):
    f = njit(make("def f(p):\n    return p.total(10), p.twice\n"))
    assert f(Pair(1, 2)) == (30, 2)
    got = f(Pair(np.ones(2), np.ones(2)))
    assert got[0].tolist() == [20, 20] and got[1] == 4
    with pytest.raises(errors.TypingError, match="Unknown attribute 'middle'"):
        njit(make("def f(p):\n    return p.middle\n"))(Pair(1, 2))
    listed = typed.List()
    for k in range(3):
        listed.append(Pair(k, 0.5))
    g = njit(make("def f(ps):\n    s = 0.0\n    for p in ps:\n        s += p.total(2)\n    return s\n"))
    assert g(listed) == 9.0


def test_what_is_refused():
    class Loose(structref.StructRefProxy):
        pass
    with pytest.raises(NotImplementedError, match="define_proxy"):
        Loose(1)
    with pytest.raises(TypeError, match="subclass of types.StructRef"):
        structref.register(int)
    with pytest.raises(TypeError, match="subclass of StructRefProxy"):
        structref.define_boxing(PairType, int)
    with pytest.raises(NotImplementedError):
        structref.new(None)
    with pytest.raises(TypeError):
        Pair(1)


@structref.register
class LinkType(types.StructRef):
    """Its fields say the type itself."""

    def preprocess_fields(self, fields):
        return ("value", types.Optional(types.int64)), ("before", types.Optional(self))


class Link(structref.StructRefProxy):
    def __new__(cls, value, before):
        return structref.StructRefProxy.__new__(cls, value, before)


structref.define_proxy(Link, LinkType, ["value", "before"])


@overload_method(LinkType, "flip")
def flip_link(self):
    def flip(self):
        if self.value is not None:
            self.value = -self.value
    return flip


def test_structs_of_their_own_type():
    @njit
    def chain(x):
        first, second = Link(None, None), Link(5, None)
        first.value = x
        second.before = first
        first.value = x
        second.before.flip()
        return second.value, second.before.value, first.before is None

    assert chain(11) == (5, -11, True)
    for fields in [(1, types.int64)], [("a", 123)]:
        with pytest.raises(ValueError, match="expecting"):
            types.StructRef(fields)
    with pytest.raises(ValueError, match="cannot register"):
        structref.register(types.StructRef)
