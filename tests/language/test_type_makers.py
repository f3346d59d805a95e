# SPDX-License-Identifier: MIT
"""Types made by the classes of numba.types, what they say of themselves, and that they pickle."""
import copy
import enum
import math
import pickle
from collections import namedtuple

import numpy as np
import pytest

from numba import cuda, njit, typeof, types, vectorize
from numba.extending import overload
from numba.np.numpy_support import as_dtype, from_dtype

Point = namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Shape(enum.IntEnum):
    ROUND = 1


class Name(enum.Enum):
    ANNA = "anna"


NESTED = np.dtype([("a", "f8", (2, 3)), ("b", "U5")], align=True)
TITLED = np.dtype([(("left", "x"), "i4"), (("right", "y"), "f8")])


@pytest.mark.parametrize("made, same", [
    (lambda: types.UnicodeCharSeq(5), lambda: from_dtype(np.dtype("U5"))),
    (lambda: types.CharSeq(10), lambda: from_dtype(np.dtype("S10"))),
    (lambda: types.DType(types.int64), lambda: typeof(np.dtype("i8"))),
    (lambda: types.TypeRef(types.int64), lambda: typeof(types.int64)),
    (lambda: types.EnumMember(Color, types.intp), lambda: typeof(Color.RED)),
    (lambda: types.IntEnumMember(Shape, types.intp), lambda: typeof(Shape.ROUND)),
    (lambda: types.EnumClass(Color, types.intp), lambda: typeof(Color)),
    (lambda: types.Bytes(types.uint8, 1, "C"), lambda: typeof(b"ab")),
    (lambda: types.MemoryView(types.uint8, 1, "C", readonly=True), lambda: typeof(memoryview(b"ab"))),
    (lambda: types.ByteArray(types.uint8, 1, "C"), lambda: typeof(bytearray(2))),
    (lambda: types.Record([("b", {"type": types.int32, "offset": 4}), ("a", {"type": types.int16, "offset": 0})], 8, True),
     lambda: from_dtype(np.dtype([("a", "i2"), ("b", "i4")], align=True))),
    (lambda: types.DType(types.int32)[:, ::1], lambda: types.int32[:, ::1]),
    (lambda: typeof(TITLED)[:], lambda: from_dtype(TITLED)[:]),
    (lambda: types.Array(types.NestedArray(types.float64, (4,)), 2, "C"), lambda: types.Array(types.float64, 3, "C")),
    (lambda: from_dtype(np.dtype(("f8", (4,)))), lambda: types.NestedArray(types.float64, (4,))),
])
def test_made(made, same):
    assert made() == same()
    assert pickle.loads(pickle.dumps(same())) == same()


@pytest.mark.parametrize("make", [
    lambda: types.UnicodeCharSeq(-1), lambda: types.CharSeq("a"), lambda: types.DType(3),
    lambda: types.EnumMember(Name, types.int64), lambda: types.EnumMember(Color, types.float64),
    lambda: types.Bytes(types.int64, 2, "F"), lambda: types.StarArgTuple(types.int64, 2)])
def test_not_made(make):
    with pytest.raises(TypeError):
        make()


def test_records_say():
    record = from_dtype(NESTED)
    assert record.typeof("a") == types.NestedArray(types.float64, (2, 3))
    assert record.typeof("a").shape == (2, 3) and record.typeof("a").strides == (24, 8)
    assert record.fields["b"] == (types.UnicodeCharSeq(5), 48, None, None)
    assert record.bitwidth == 8 * NESTED.itemsize and record.aligned and not record.has_titles
    assert as_dtype(record) == NESTED and as_dtype(record.typeof("a")) == np.dtype(("f8", (2, 3)))
    assert as_dtype(types.Record.make_c_struct([("d", record.typeof("a")), ("n", types.int8)])).isalignedstruct


def test_titles():
    record = from_dtype(TITLED)
    assert as_dtype(record) == TITLED and as_dtype(record).fields["left"] == TITLED.fields["left"]
    assert list(record.fields) == ["x", "y", "left", "right"] and record.is_title("left") and not record.is_title("x")

    def swap(a):
        for i in range(len(a)):
            a[i]["left"] += 3
            a[i]["x"] *= 2
            a[i]["y"] = a[i]["x"] + a[i]["right"]
        return a

    data = np.ones(5, TITLED)
    result = njit(swap)(data.copy())
    np.testing.assert_array_equal(result, swap(data))
    assert result.dtype.fields["left"] == TITLED.fields["left"]


@pytest.mark.parametrize("kind", [types.NamedUniTuple(types.intp, 2, Point), types.NamedTuple((types.intp, types.float64), Point)])
def test_named_tuples(kind):
    assert pickle.loads(pickle.dumps(kind)) is kind and kind.instance_class is Point
    assert getattr(kind, "dtype", None) == (types.intp if kind.types[1] == types.intp else None)
    assert kind._code >= 0 and kind._code != types.intp._code and kind.is_internal


def test_shorter_records():
    """Where a record is asked for, a longer one that begins with its fields will do."""
    short, long = np.dtype([("a", "f8", (3,))]), np.dtype([("a", "f8", (3,)), ("b", "i8")])
    other = np.dtype([("a", "f4", (3,)), ("b", "i8")])

    @njit(types.float64(from_dtype(short)))
    def total(record):
        return record.a.sum()

    values = np.zeros(1, long)
    values[0]["a"] = 1, 2, 3.5
    assert total(values[0]) == 6.5
    with pytest.raises(TypeError):
        total(np.zeros(1, other)[0])


def test_copies():
    """Functions are themselves when copied."""
    function = njit(lambda x: x + 1)
    assert copy.copy(function) is function and copy.deepcopy([function])[0] is function
    assert copy.deepcopy(vectorize(lambda x: x + 1))(3) == 4


@pytest.mark.parametrize("module", [np, np.random, math, enum], ids=lambda module: module.__name__)
def test_types_of_modules(module):
    kind = types.Module(module)
    assert kind.pymod is module and kind is types.Module(module)
    assert isinstance(kind, types.Opaque) and kind != types.Module(pickle)


@pytest.mark.parametrize("wrong", [3, "numpy", None, np.sin])
def test_types_of_what_is_no_module(wrong):
    with pytest.raises(TypeError, match="must be module"):
        types.Module(wrong)


def which(module):
    raise NotImplementedError


@overload(which)
def which_module(module):
    if isinstance(module, types.Module):
        number = {np: 1, np.random: 2, math: 3}.get(module.pymod, 0)
        return lambda module: number


def test_overloads_are_told_modules():
    @njit
    def ask():
        return which(np), which(np.random), which(math), which(enum)

    @njit
    def hand_on(module):
        return which(module)

    @njit
    def ask_on():
        return hand_on(math)

    assert ask() == (1, 2, 3, 0) and ask_on() == 3


def test_a_namespace_that_is_no_module():
    def told(space):
        raise NotImplementedError

    @overload(told)
    def tell(space):
        with pytest.raises(AttributeError, match=r"cuda.atomic\) is no module"):
            space.pymod
        return lambda space: 5

    @njit
    def ask():
        return told(cuda.atomic)

    assert ask() == 5


@pytest.mark.parametrize("member, dtype", [(Color.RED, types.int64), (Shape.ROUND, types.int64)], ids=repr)
def test_classes_of_enums(member, dtype):
    kind = typeof(member)
    assert kind.instance_class is type(member) and kind.dtype is dtype
