# SPDX-License-Identifier: MIT
"""Arrays over memory that is nobody's that compiled code knows of: carray(), farray() and arrays by their parts.

Python gets a view where they lie, without an owner, as numba gives it; whatever else comes back has an owner."""
import collections
import ctypes
import gc
import sys

import numpy as np
import pytest
from numba import carray, cfunc, farray, njit, objmode, prange, typed, types
from numba.core import cgutils
from numba.experimental import jitclass, structref
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

DOUBLES = types.Array(types.float64, 1, "C")
MEMORY = np.arange(24.0)
PLACE = MEMORY.ctypes.data
CONSTANT = np.arange(5.0)
RECORDS = np.dtype([("a", "f8"), ("b", "i4"), ("c", "i4")])
Pair = collections.namedtuple("Pair", "x y")
seen = []


@pytest.fixture(autouse=True)
def numbers():
    MEMORY[:] = np.arange(24.0)
    seen.clear()


@intrinsic
def at(typingctx, address):
    def write(context, builder, signature, args):
        return builder.inttoptr(args[0], cgutils.voidptr_t)
    return types.voidptr(types.intp), write


@njit
def over(p):
    return carray(at(p), 24, np.float64)


@njit
def matrix(p):
    return carray(at(p), (4, 6), np.float64)


def is_lent(array, offset, shape, strides, dtype=np.float64, writeable=True):
    """Whether the array lies in MEMORY, and who sees to that is not told."""
    return ((array.ctypes.data - PLACE, array.shape, array.strides, array.dtype) == (offset, shape, strides, dtype)
            and array.base is None and not array.flags.owndata and array.flags.writeable == writeable)


def is_whole(array):
    if not is_lent(array, 0, (24,), (8,)):
        return False
    array[3] += 100.0
    return MEMORY[3] == 103.0


VIEWS = {
    "matrix": (lambda p: matrix(p), (0, (4, 6), (48, 8))),
    "cube": (lambda p: carray(at(p), (2, 3, 4), np.float64), (0, (2, 3, 4), (96, 32, 8))),
    "no axis": (lambda p: carray(at(p), (), np.float64), (0, (), ())),
    "farray": (lambda p: farray(at(p), (4, 6), np.float64), (0, (4, 6), (8, 32))),
    "slice": (lambda p: over(p)[2:10:2], (16, (4,), (16,))),
    "backwards": (lambda p: over(p)[::-1], (184, (24,), (-8,))),
    "row": (lambda p: matrix(p)[1], (48, (6,), (8,))),
    "column": (lambda p: matrix(p)[:, 1], (8, (4,), (48,))),
    "T": (lambda p: matrix(p).T, (0, (6, 4), (8, 48))),
    "transpose": (lambda p: carray(at(p), (2, 3, 4), np.float64).transpose(1, 0, 2), (0, (3, 2, 4), (32, 96, 8))),
    "swapaxes": (lambda p: np.swapaxes(matrix(p), 0, 1), (0, (6, 4), (8, 48))),
    "reshape": (lambda p: over(p).reshape(4, -1), (0, (4, 6), (48, 8))),
    "ravel": (lambda p: matrix(p).ravel(), (0, (24,), (8,))),
    "flipud": (lambda p: np.flipud(matrix(p)), (144, (4, 6), (-48, 8))),
    "strided": (lambda p: np.lib.stride_tricks.as_strided(over(p), (2, 3), (8, 8)), (0, (2, 3), (8, 8))),
    "view": (lambda p: over(p).view(np.int64), (0, (24,), (8,), np.int64)),
    "real": (lambda p: carray(at(p), 12, np.complex128).real, (0, (12,), (16,))),
    "imag": (lambda p: carray(at(p), 12, np.complex128).imag, (8, (12,), (16,))),
    "broadcast": (lambda p: np.broadcast_to(over(p), (2, 24)), (0, (2, 24), (0, 8), np.float64, False)),
    "records": (lambda p: carray(at(p), 3, RECORDS), (0, (3,), (16,), RECORDS)),
    "field": (lambda p: carray(at(p), 3, RECORDS)["b"], (8, (3,), (16,), np.int32)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_of_it_lie_where_they_lie(name):
    f, expected = VIEWS[name]
    assert is_lent(njit(f)(PLACE), *expected)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int32", "int64", "uint64", "float32", "complex64",
                                   "complex128", "M8[s]", "m8[ms]"])
def test_every_dtype(make, dtype):
    kind = np.dtype(dtype)
    f = njit(make("def f(p):\n    return carray(at(p), 3, kind)\n", carray=carray, at=at, kind=kind))
    assert is_lent(f(PLACE), 0, (3,), (kind.itemsize,), kind)


def test_items_are_copied():
    record = njit(lambda p: carray(at(p), 3, RECORDS)[1])(PLACE)
    MEMORY[2] = -1.0
    assert record.a == 2.0
    assert njit(lambda p: over(p)[3])(PLACE) == 3.0


def to_tuple(p):
    return (over(p), 1), 2.5


def to_named(p):
    return Pair(over(p), 2)


def to_list(p):
    return [np.ones(2), over(p)]


def by_choice(p):
    a = np.zeros(24)
    if p != 0:
        a = over(p)
    return a


def or_none(p):
    if p == 0:
        return None
    return over(p)


def by_list(p):
    items = [over(p)]
    return items[0]


def by_typed_list(p):
    items = typed.List()
    items.append(over(p))
    return items[0]


def as_typed_list(p):
    items = typed.List()
    items.append(over(p))
    return items


def by_dict(p):
    items = typed.Dict()
    items["a"] = over(p)
    return items["a"]


def numbers_of(p):
    yield np.zeros(2)
    yield over(p)


def by_generator(p):
    last = np.zeros(2)
    for last in lent_numbers(p):
        pass
    return last


def by_objmode(p):
    a = over(p)
    with objmode(b="float64[::1]"):
        b = a
    return b


def by_closure(p):
    return (lambda q: over(q))(p)


def in_parallel(p):
    a = over(p)
    for i in prange(24):
        a[i] = i
    return a


def after_try(p):
    try:
        a = over(p)
        if p == 1:
            raise ValueError
    except Exception:
        a = np.zeros(3)
    return a


lent_numbers = njit(numbers_of)
inlined = njit(lambda p: carray(at(p), 24, np.float64), inline="always")


@jitclass([("a", types.float64[::1]), ("m", types.float64[:, :])])
class Holder:
    def __init__(self, p):
        self.a = over(p)
        self.m = matrix(p)[:, 1:]

    def get(self):
        return self.a


@structref.register
class BoxType(types.StructRef):
    pass


class Box(structref.StructRefProxy):
    @property
    def a(self):
        return content(self)


@njit
def content(box):
    return box.a


structref.define_proxy(Box, BoxType, ["a"])
PLACES = {
    "result": (over, lambda got: got),
    "tuple": (to_tuple, lambda got: got[0][0]),
    "named tuple": (to_named, lambda got: got.x),
    "list": (to_list, lambda got: got[1]),
    "choice": (by_choice, lambda got: got),
    "optional": (or_none, lambda got: got),
    "item": (by_list, lambda got: got),
    "item of a typed list": (by_typed_list, lambda got: got),
    "typed list": (as_typed_list, lambda got: got[0]),
    "value of a dict": (by_dict, lambda got: got),
    "generator": (numbers_of, lambda got: list(got)[1]),
    "generator within": (by_generator, lambda got: got),
    "object mode": (by_objmode, lambda got: got),
    "closure": (by_closure, lambda got: got),
    "inlined": (lambda p: inlined(p), lambda got: got),
    "loop in parallel": (in_parallel, lambda got: got),
    "try": (after_try, lambda got: got),
    "field": (lambda p: Holder(p).a, lambda got: got),
    "method": (lambda p: Holder(p), lambda got: got.get()),
    "field from Python": (lambda p: Holder(p), lambda got: got.a),
    "structref": (lambda p: Box(over(p)), lambda got: got.a),
}


@pytest.mark.parametrize("name", PLACES)
def test_whatever_they_come_by(counted, name):
    f, find = PLACES[name]
    jitted = f if hasattr(f, "py_func") else njit(f, parallel=name == "loop in parallel")
    jitted(PLACE)  # once, for what a first call allocates
    gc.collect()
    before = counted()
    got = find(jitted(PLACE))
    count = sys.getrefcount(got)
    assert is_whole(got) and count == 2
    del got
    gc.collect()
    after = counted()
    assert after.alloc - before.alloc == after.free - before.free


def test_what_python_passes_in_is_filled():
    items = [np.ones(2)]
    njit(lambda items, p: items.append(over(p)))(items, PLACE)
    assert is_whole(items[1]) and items[0].flags.owndata
    longer = typed.List([np.ones(2)])
    njit(lambda items, p: items.append(over(p)))(longer, PLACE)
    assert is_lent(longer[1], 0, (24,), (8,))
    holder = Holder(PLACE)
    assert is_lent(holder.m, 8, (4, 5), (48, 8))
    holder.a = np.ones(3)  # an array of Python's is kept in its stead
    assert np.array_equal(holder.get(), np.ones(3))


def test_what_python_code_is_given():
    @njit
    def show(a):
        with objmode():
            seen.append(a)
    njit(lambda p: show(matrix(p)[1:]))(PLACE)
    callback = cfunc("void(CPointer(float64), intp)")(lambda p, n: show(carray(p, n)))
    callback.ctypes(ctypes.cast(PLACE, ctypes.POINTER(ctypes.c_double)), 24)
    assert is_lent(seen[0], 48, (3, 6), (48, 8)) and is_whole(seen[1])


def test_pointers_of_ctypes_and_cffi():
    memchr = ctypes.CDLL(None).memchr
    memchr.restype, memchr.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)
    assert is_whole(njit(lambda a: carray(memchr(a.ctypes, 0, 8), 24, np.float64))(MEMORY))
    ffi = pytest.importorskip("cffi").FFI()
    MEMORY[3] = 3.0
    assert is_whole(njit(lambda a: carray(ffi.from_buffer(a), 24))(MEMORY))


# --- Arrays by their parts

def built(write):
    """An intrinsic that makes an array over an address."""
    @intrinsic
    def make(typingctx, address):
        def generate(context, builder, signature, args):
            array = make_array(DOUBLES)(context, builder)
            write(builder, array, builder.inttoptr(args[0], array.data.type))
            return array._getvalue()
        return DOUBLES(types.intp), generate
    return make


@built
def populated(builder, array, data):
    populate_array(array, data=data, shape=[cgutils.intp_t(24)], strides=[cgutils.intp_t(8)],
                   itemsize=cgutils.intp_t(8), meminfo=None)


def set_parts(builder, array, data):
    array.data, array.nitems, array.itemsize = data, cgutils.intp_t(24), cgutils.intp_t(8)
    array.shape, array.strides = (cgutils.pack_array(builder, [cgutils.intp_t(axis)]) for axis in (24, 8))


by_parts = built(set_parts)


@built
def by_nulls(builder, array, data):
    set_parts(builder, array, data)
    array.meminfo, array.parent = (cgutils.get_null_value(part.type) for part in (array.meminfo, array.parent))


def beginning(with_parent):
    """An intrinsic that gives the first two items of an array."""
    @intrinsic
    def begin(typingctx, array):
        def generate(context, builder, signature, args):
            given = context.make_array(array)(context, builder, args[0])
            made = context.make_array(DOUBLES)(context, builder)
            populate_array(made, data=given.data, shape=[cgutils.intp_t(2)], strides=[cgutils.intp_t(8)],
                           itemsize=cgutils.intp_t(8), meminfo=given.meminfo, parent=given.parent if with_parent else None)
            context.nrt.incref(builder, DOUBLES, made._getvalue())
            return made._getvalue()
        return DOUBLES(array), generate
    return begin


@pytest.mark.parametrize("make", [populated, by_parts, by_nulls])
def test_arrays_by_their_parts(make):
    assert is_whole(njit(lambda p: make(p))(PLACE))
    assert is_lent(njit(lambda p: make(p)[1:])(PLACE), 8, (23,), (8,))


@pytest.mark.parametrize("with_parent", [False, True])
def test_what_is_owned_stays_so(with_parent):
    begin = beginning(with_parent)
    for view in over, populated:
        assert is_lent(njit(lambda p: begin(view(p)))(PLACE), 0, (2,), (8,))
    part = njit(lambda a: begin(a))(MEMORY)
    assert part.ctypes.data == PLACE and part.base is not None
    made = njit(lambda n: begin(np.full(n, 7.0)))(3)
    assert made.base is not None and made.tolist() == [7.0, 7.0]
    held = njit(lambda: begin(CONSTANT))()
    assert held.flags.owndata and held.tolist() == [0.0, 1.0]


# --- Everything else has an owner

OWNED = {
    "argument": lambda a: a,
    "part of an argument": lambda a: a[1:],
    "new": lambda a: np.zeros(3),
    "part of a new one": lambda a: np.zeros((3, 4))[1:, ::2].T,
    "copy": lambda a: over(a.ctypes.data).copy(),
    "another dtype": lambda a: over(a.ctypes.data).astype(np.float32),
    "constant": lambda a: CONSTANT,
    "part of a constant": lambda a: CONSTANT[1:],
    "constant in a tuple": lambda a: (CONSTANT[1:],),
    "constant in a list": lambda a: [CONSTANT],
    "constant or not": lambda a: CONSTANT if len(a) == 24 else over(a.ctypes.data),
    "new or not": lambda a: np.zeros(3) if len(a) == 24 else over(a.ctypes.data),
}


@pytest.mark.parametrize("name", OWNED)
def test_whatever_else_has_an_owner(name):
    got = njit(OWNED[name])(MEMORY)
    got = got[0] if isinstance(got, (tuple, list)) else got
    assert got.flags.owndata or got.base is not None
    assert got is MEMORY or np.shares_memory(got, MEMORY) == (name == "part of an argument")


def test_argument_comes_back_as_itself():
    lent = over(PLACE)
    assert njit(lambda a: a)(lent) is lent
    assert njit(lambda a: a[1:])(lent).base is lent
