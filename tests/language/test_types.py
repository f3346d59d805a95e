"""Types, signatures and typeof as Python objects."""
import pickle

import numba
import numpy as np
import pytest
from numba import float32, float64, int8, int32, int64, njit, typed, typeof, types


@pytest.mark.parametrize("type_, text", [
    (types.int8, "int8"), (types.uint64, "uint64"), (types.float16, "float16"),
    (types.complex64, "complex64"), (types.boolean, "bool"), (types.none, "none"),
    (types.void, "none"), (types.unicode_type, "unicode_type"), (types.pyobject, "pyobject"),
    (types.voidptr, "void*"), (float32[:], "array(float32, 1d, A)"),
    (float32[::1], "array(float32, 1d, C)"), (float64[:, ::1], "array(float64, 2d, C)"),
    (float64[::1, :], "array(float64, 2d, F)"), (int8[:, :, :], "array(int8, 3d, A)"),
    (types.Array(int32, 2, "C", readonly=True), "readonly array(int32, 2d, C)"),
    (types.UniTuple(int64, 3), "UniTuple(int64 x 3)"),
    (types.Tuple((int64, float64)), "Tuple(int64, float64)"), (types.Tuple(()), "Tuple()"),
    (types.Tuple((int64, int64)), "UniTuple(int64 x 2)"),
    (types.optional(int32), "OptionalType(int32)"), (types.CPointer(int8), "int8*"),
])
def test_names(type_, text):
    assert str(type_) == type_.name == text


@pytest.mark.parametrize("name, canonical", [
    ("b1", "bool"), ("bool_", "bool"), ("i1", "int8"), ("i2", "int16"), ("i4", "int32"),
    ("i8", "int64"), ("u1", "uint8"), ("u2", "uint16"), ("u4", "uint32"), ("u8", "uint64"),
    ("f4", "float32"), ("f8", "float64"), ("c8", "complex64"), ("c16", "complex128"),
    ("intp", "int64"), ("uintp", "uint64"), ("intc", "int32"), ("uintc", "uint32"),
    ("ssize_t", "int64"), ("size_t", "uint64"), ("byte", "uint8"), ("char", "int8"),
    ("uchar", "uint8"), ("short", "int16"), ("ushort", "uint16"), ("int_", "int64"),
    ("uint", "uint64"), ("long_", "int64"), ("ulong", "uint64"), ("longlong", "int64"),
    ("ulonglong", "uint64"), ("double", "float64"), ("void", "none"),
])
def test_aliases(name, canonical):
    assert getattr(numba, name) is getattr(types, name)
    assert str(getattr(types, name)) == canonical


def test_identity_and_hash():
    assert float32[:] is float32[:] and float32[:] == types.Array(float32, 1, "A")
    assert float32[:] != float32[::1]
    assert len({int32, types.i4, types.intc}) == 1
    assert int32 != "int32"


def test_attributes():
    assert isinstance(int32, types.Integer) and isinstance(int32, types.Number)
    assert int32.bitwidth == 32 and int32.signed and not types.uint8.signed
    assert isinstance(float32, types.Float) and float32.bitwidth == 32
    assert types.complex64.underlying_float is float32
    array = float32[:, ::1]
    assert isinstance(array, types.Array)
    assert (array.dtype, array.ndim, array.layout) == (float32, 2, "C")
    assert array.mutable and array.aligned and array.is_c_contig
    assert array.copy(layout="A") is float32[:, :]
    pair = types.Tuple((int32, float32))
    assert list(pair) == [int32, float32] and len(pair) == 2 and pair.types == (int32, float32)
    assert types.UniTuple(int32, 3).dtype is int32 and types.UniTuple(int32, 3).count == 3
    assert types.optional(int32).type is int32
    with pytest.raises(AttributeError):
        float32.signed


def test_call_with_types():
    signature = float64(int32, int64)
    assert str(signature) == "(int32, int64) -> float64"
    assert signature.return_type is float64 and signature.args == (int32, int64)
    assert signature == float64(int32, int64) and hash(signature) == hash(float64(int32, int64))
    assert signature != float64(int32, int32)
    assert str(types.void()) == "() -> none"


@pytest.mark.parametrize("type_, value, want", [
    (float32, 1.5, np.float32(1.5)), (int32, 2.75, np.int32(2)), (types.uint8, 7, np.uint8(7)),
    (types.boolean, 2, True), (types.complex64, 1, np.complex64(1)),
])
def test_call_with_value(type_, value, want):
    got = type_(value)
    assert got == want and type(got) is type(want)


def test_bad_subscripts():
    for index in (0, slice(1, 2), "a"):
        with pytest.raises(KeyError, match="Can only index numba types with slices"):
            int32[index]
    with pytest.raises(TypeError, match="The dtype of a Buffer type cannot itself be a Buffer"):
        float32[:][:]


@pytest.mark.parametrize("value, text", [
    (1, "int64"), (-2**63, "int64"), (2**63, "uint64"), (1.0, "float64"), (True, "bool"),
    (1j, "complex128"), ("a", "unicode_type"), (None, "none"), ((), "Tuple()"),
    ((1,), "UniTuple(int64 x 1)"), ((1, 2), "UniTuple(int64 x 2)"),
    ((1, 2.0), "Tuple(int64, float64)"), (((1, 2), 3.0), "Tuple(UniTuple(int64 x 2), float64)"),
    (np.int8(1), "int8"), (np.uint16(1), "uint16"), (np.float32(1), "float32"),
    (np.bool_(True), "bool"), (np.complex64(1), "complex64"), (slice(1, 2), "slice<a:b>"),
])
def test_typeof(value, text):
    assert str(numba.typeof(value)) == text


@pytest.mark.parametrize("code", ["?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e",
                                  "f", "d", "F", "D"])
def test_typeof_arrays(code):
    dtype = np.dtype(code)
    name = dtype.name
    for shape, layout in (((3,), "C"), ((2, 3), "C"), ((), "C"), ((0, 3), "C")):
        assert str(numba.typeof(np.zeros(shape, dtype))) == f"array({name}, {len(shape)}d, {layout})"
    assert str(numba.typeof(np.zeros((2, 3), dtype).T)) == f"array({name}, 2d, F)"
    assert str(numba.typeof(np.zeros((2, 4), dtype)[:, ::2])) == f"array({name}, 2d, A)"
    assert str(numba.typeof(np.zeros(4, dtype)[::-1])) == f"array({name}, 1d, A)"
    frozen = np.zeros(2, dtype)
    frozen.flags.writeable = False
    assert str(numba.typeof(frozen)) == f"readonly array({name}, 1d, C)"
    assert numba.from_dtype(dtype) is numba.typeof(dtype.type(0))
    assert numba.np.numpy_support.as_dtype(numba.from_dtype(dtype)) == dtype


def test_typeof_unaligned_and_records():
    packed = np.zeros(3, dtype=[("a", "i1"), ("b", "f8")])
    assert str(numba.typeof(packed["b"])) == "unaligned array(float64, 1d, A)"
    record = numba.from_dtype(packed.dtype)
    assert str(record) == "Record(a[type=int8;offset=0],b[type=float64;offset=1];9;False)"
    assert numba.np.numpy_support.as_dtype(record) == packed.dtype


@pytest.mark.parametrize("value, text", [
    (object(), "Cannot determine Numba type of <class 'object'>"),
    (2**64, "Int value is too large: 18446744073709551616"),
    (-2**63 - 1, "Int value is too large"), (np.zeros(2, ">f4"), "Unsupported array dtype: >f4"),
    (len, "Cannot determine Numba type of <class 'builtin_function_or_method'>"),
])
def test_typeof_failures(value, text):
    with pytest.raises(ValueError, match=text + ".*\nThere are types for: None, .*, slices, .*objects with _numba_type_$"):
        numba.typeof(value)


@pytest.mark.parametrize("type_", [
    int32, float32[:], types.Array(int32, 2, "F", readonly=True), types.Tuple((int32, float32)),
    types.UniTuple(int32, 3), types.optional(int32), types.unicode_type, types.CPointer(int8),
    types.none, types.voidptr, int32(float32, float64[:]),
])
def test_pickle(type_):
    assert pickle.loads(pickle.dumps(type_)) == type_


def test_forms_of_types():
    """repr() of a type makes the type; str() is the name that messages call it by."""
    record = np.dtype([("a", "f8"), ("b", "U3"), ("c", "i8", (2, 3))])
    values = [1, 2.5, "a", (1, 2), (1, "a"), (), [1.5], {1}, np.ones(3), np.ones((2, 2), "f4").T, np.ones((4, 4))[::2, ::2],
              np.zeros(2, record), np.array(["ab"]), np.array([b"abc"]), ((1, 2), (3, [1, 2])), typed.List([1]),
              typed.Dict.empty(types.int64, types.float64[:])]
    for value in values:
        form = repr(typeof(value))
        space = {**vars(types), **{name: getattr(types, name) for name in ("CharSeq", "UnicodeCharSeq")}}
        assert eval(form, space) == typeof(value), form
    array = typeof(np.ones((2, 2)))
    assert (str(array), repr(array)) == ("array(float64, 2d, C)", "Array(float64, 2, 'C', False, aligned=True)")
    assert f"{array}" == array.name and str((array,)) == f"({array!r},)"
    assert repr(njit((types.int64[::1],))(lambda a: a.sum()).signatures) == "[(Array(int64, 1, 'C', False, aligned=True),)]"
    assert repr(types.Tuple((types.int64,))) == "UniTuple(int64, 1)" and repr(types.int64) == "int64"


def test_what_bytes_consist_of():
    kind = typeof(b"ab")
    assert (kind.dtype, kind.ndim, kind.layout, kind.mutable) == (types.uint8, 1, "C", False)
    assert not typeof("ab").mutable and not hasattr(typeof("ab"), "dtype")
