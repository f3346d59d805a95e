"""Types of numba's classes say of themselves what numba's do, also those that no value of compiled code has."""
from collections import namedtuple

import numba
import pytest
from numba import float64, int64, njit, types

matrix, row = types.Array(float64, 2, "C"), types.Array(float64, 1, "A")
listed, mapped, several = types.ListType(int64), types.DictType(int64, float64), types.UniTuple(int64, 3)
keys, pair, Point = types.DictKeysIterableType(mapped), types.Tuple((int64, float64)), namedtuple("Point", "x y")
twice = njit(lambda x: 2 * x)


@numba.experimental.jitclass([("x", int64)])
class Counter:
    def __init__(self):
        self.x = 1


# what makes it, its name, its key, and other attributes
MADE = [
    (lambda: types.ArrayCTypes(matrix), "ArrayCTypes(dtype=float64, ndim=2)", (float64, 2), {"ndim": 2}),
    (lambda: types.ArrayFlags(matrix), "ArrayFlags(array(float64, 2d, C))", matrix, {"array_type": matrix}),
    (lambda: types.ArrayIterator(matrix), "iter(array(float64, 2d, C))", "iter(array(float64, 2d, C))", {"yield_type": row}),
    (lambda: types.ListTypeIterableType(listed), "list[ListType[int64]]", "list[ListType[int64]]",
     {"parent": listed, "yield_type": int64, "iterator_type": listed.iterator_type}),
    (lambda: types.ListTypeIteratorType(types.ListTypeIterableType(listed)), "iter[ListType[int64]->int64]",
     "iter[ListType[int64]->int64]", {"parent": listed, "yield_type": int64}),
    (lambda: types.DictValuesIterableType(mapped), "values[DictType[int64,float64]<iv=None>]",
     "values[DictType[int64,float64]<iv=None>]", {"yield_type": float64, "parent": mapped}),
    (lambda: types.DictItemsIterableType(mapped), "items[DictType[int64,float64]<iv=None>]",
     "items[DictType[int64,float64]<iv=None>]", {"yield_type": pair}),
    (lambda: types.DictIteratorType(keys), "iter[DictType[int64,float64]<iv=None>->int64],keys[DictType[int64,float64]<iv=None>]",
     "iter[DictType[int64,float64]<iv=None>->int64],keys[DictType[int64,float64]<iv=None>]", {"iterable": keys}),
    (lambda: types.UniTupleIter(several), "iter(UniTuple(int64 x 3))", several, {"container": several, "yield_type": int64}),
    (lambda: types.UnicodeIteratorType(types.unicode_type), "iter_unicode", "iter_unicode", {"yield_type": types.unicode_type}),
    (lambda: types.EnumerateType(listed), "enumerate(iter[ListType[int64]->int64])", listed.iterator_type,
     {"yield_type": types.UniTuple(int64, 2)}),
    (lambda: types.ZipType([several, matrix]), "zip(iter(UniTuple(int64 x 3)), iter(array(float64, 2d, C)))",
     (several.iterator_type, matrix.iterator_type), {"yield_type": types.Tuple((int64, row))}),
    (lambda: types.NumpyFlatType(matrix), "array.flat(array(float64, 2d, C))", matrix, {"dtype": float64, "mutable": True}),
    (lambda: types.NumpyNdEnumerateType(matrix), "ndenumerate(array(float64, 2d, C))", matrix,
     {"yield_type": types.Tuple((types.UniTuple(int64, 2), float64))}),
    (lambda: types.NumpyNdIndexType(2), "ndindex(ndim=2)", 2, {"ndim": 2, "yield_type": types.UniTuple(int64, 2)}),
    (lambda: types.NumpyNdIterType([matrix]), f"nditer(ndim=2, layout=C, inputs={(matrix,)})", (matrix,),
     {"yield_type": types.Array(float64, 0, "C")}),
    (lambda: types.RangeType(int64), "range_state_int64", "range_state_int64", {"dtype": int64}),
    (lambda: types.RangeIteratorType(int64), "range_iter_int64", "range_iter_int64", {"yield_type": int64}),
    (lambda: types.Generator(len, int64, (int64,), (), False), f"int64 generator(func={len}, args=(int64,), has_finalizer=False)",
     (len, (int64,), int64, False, ()), {"yield_type": int64, "arg_types": (int64,)}),
    (lambda: types.ExceptionClass(ValueError), "ValueError", ValueError, {"exc_class": ValueError}),
    (lambda: types.ExceptionInstance(ValueError), "ValueError(...)", ValueError, {"exc_class": ValueError}),
    (lambda: types.EphemeralArray(int64, 3), "*int64[3]", (int64, 3), {"count": 3}),
    (lambda: types.FunctionPrototype(float64, (int64,)), "float64(int64)", "float64(int64)", {"rtype": float64}),
    (lambda: types.NamedTupleClass(Point), f"class({Point})", Point, {"instance_class": Point}),
    (lambda: types.Poison(int64), "Poison<int64>", "Poison<int64>", {"ty": int64}),
    (lambda: types.SliceLiteral(slice(1, 2)), "Literal[slice](slice(1, 2, None))", (1, 2, None),
     {"literal_type": types.slice2_type, "has_step": False}),
    (lambda: types.StarArgTuple((int64, float64)), "StarArgTuple(int64, float64)", (int64, float64), {"count": 2}),
    (lambda: types.StarArgUniTuple(int64, 2), "StarArgUniTuple(int64 x 2)", (int64, 2), {"types": (int64, int64)}),
    (lambda: types.Undefined("u"), "u", "u", {}),
    (lambda: types.Omitted(2), "omitted(default=2)", (int, 2), {"value": 2}),
]


@pytest.mark.parametrize("case", MADE, ids=[case[1][:40] for case in MADE])
def test_types_that_say_what_they_are_given(case):
    make, name, key, parts = case
    made = make()
    assert (made.name, str(made), made.key) == (name, name, key)
    assert made == make() and hash(made) == hash(make()) and made != types.Dummy(name)
    for part, value in parts.items():
        assert getattr(made, part) == value, part


def test_classes_and_their_types():
    assert isinstance(types.ListIter(types.List(int64)), types.SimpleIteratorType)
    assert isinstance(types.EnumerateType(listed), types.EnumerateType) and isinstance(keys, types.DictKeysIterableType)
    assert all(isinstance(make(), types.Type) for make, *_ in MADE[:-1])
    assert not types.Undefined("u").is_precise() and types.Poison(int64).is_precise()
    assert keys.iterator_type == mapped.iterator_type == types.DictIteratorType(keys)
    assert list(types.StarArgTuple((int64, float64))) == [int64, float64]


@pytest.mark.parametrize("make, there", [
    (lambda: types.Complex("complex64", types.float32), types.complex64), (lambda: types.EllipsisType("..."), types.ellipsis),
    (lambda: types.SliceType("slice<a:b>", 2), types.slice2_type), (lambda: types.SliceType("slice<a:b:c>", 3), types.slice3_type),
    (lambda: types.ClassInstanceType(Counter.class_type), Counter.class_type.instance_type),
    (lambda: types.Dispatcher(twice), numba.typeof(twice)),
    (lambda: types.BaseTuple.from_types((int64, float64)), pair),
    (lambda: types.BaseTuple.from_types((int64, float64), Point), types.NamedTuple((int64, float64), Point)),
])
def test_types_that_are_there_under_another_name(make, there):
    assert make() == there


@pytest.mark.parametrize("made, key", [
    (pair, (int64, float64)), (several, (int64, 3)), (types.NamedTuple((int64, float64), Point), (Point, (int64, float64))),
    (listed, int64), (mapped, (int64, float64, "None")), (types.Optional(int64), int64), (types.CPointer(int64), (int64, None)),
])
def test_keys(made, key):
    assert made.key == key


def test_what_every_type_has(capsys):
    assert matrix.mangling_args == ("Array", [float64, 2, "C", "mutable", "aligned"])
    assert pair.mangling_args == ("Tuple", (int64, float64)) and int64.mangling_args == ("int64", ())
    assert types.literal(3).mangling_args == ("Literal[int](3)", ()) and types.literal(3).key == "Literal[int](3)"
    assert [kind.mutable for kind in (int64, matrix, listed, pair)] == [False, True, True, False]
    assert types.List(int64).reflected and not listed.reflected and int64.augment(float64) is None
    assert types.UnicodeCharSeq(3).count == 3 and not hasattr(int64, "count") and matrix.is_f_contig is False
    int64.dump(tab="  ")
    assert capsys.readouterr().out == f"  DUMP Integer[code={int64._code}, name=int64]\n"
    with pytest.raises(NotImplementedError, match="float64, 2d"):
        matrix.cast_python_value(1)


def test_a_program_derives_its_own():
    class Rows(types.ArrayIterator):
        def __init__(self, array):
            self.count = 7
            super().__init__(array)

    made = Rows(matrix)
    assert (made.count, made.name, made.yield_type) == (7, "iter(array(float64, 2d, C))", row)
    assert made != types.ArrayIterator(matrix) and isinstance(made, types.ArrayIterator)


@pytest.mark.parametrize("make, text", [
    (lambda: types.ExceptionClass(3), "an exception's class is wanted, not 3"),
    (lambda: types.Number(), "cannot create 'numba.core.types.Number' types"),
    (lambda: types.Float("float1"), "no type is named 'float1'"), (lambda: types.ArrayIterator(), "array_type"),
    (lambda: types.Tuple.is_types_iterable([int64, 3]), "item 1 is 3"),
])
def test_what_is_no_type(make, text):
    with pytest.raises((TypeError, ValueError), match=text.replace("'", ".")):
        make()


def test_messages_are_replaced():
    error = numba.TypingError("one", loc=None)
    error.patch_message("another")
    assert (str(error), error.msg, error.args) == ("another", "one", ("another",))


def test_bytes_are_no_texts():
    held = numba.typeof(b"ab")
    assert isinstance(held, types.Bytes) and isinstance(held, types.Buffer) and not isinstance(held, types.UnicodeType)
    assert (held.dtype, held.ndim, held.layout, held.mutable) == (types.uint8, 1, "C", False)
    assert types.Bytes(types.uint8, 1, "C", readonly=True) == held and not isinstance(types.unicode_type, types.Bytes)
    with pytest.raises(TypeError, match="of uint8"):
        types.Bytes(int64, 1, "C")
