# SPDX-License-Identifier: MIT
"""Arrays of a program's own: classes of types below types.Array with models of their own, and subclasses of ndarray."""
import ctypes
import operator

import numpy as np
import pytest
from extension_values import kept_in_memory

from numba import carray, njit, typeof, types, vectorize
from numba.core import cgutils, errors
from numba.core.datamodel import models
from numba.extending import (
    intrinsic, lower_builtin, make_attribute_wrapper, overload, overload_attribute, overload_classmethod, overload_method,
    register_model, type_callable, typeof_impl)
from numba.np import numpy_support
from numba.np.arrayobj import make_array, populate_array

allocated = []  # (bytes, alignment) of what _allocate was asked for
note_size = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_uint32)(lambda *size: allocated.append(size))


class Tagged(np.ndarray):
    """A subclass whose types say what becomes of it."""

    __numba_array_subtype_dispatch__ = True


class TaggedType(types.Array):
    def __init__(self, dtype, ndim, layout, readonly=False, aligned=True):
        super().__init__(dtype, ndim, layout, readonly=readonly, aligned=aligned, name=f"Tagged({ndim}, {dtype}, {layout})")

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None):
        return TaggedType(dtype or self.dtype, self.ndim if ndim is None else ndim, layout or self.layout,
                          not self.mutable if readonly is None else readonly)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if ufunc is np.hypot:
            return NotImplemented
        return types.float64 if ufunc is np.arctan2 else types.Array if ufunc is np.cos else TaggedType

    @property
    def box_type(self):
        return Tagged


@typeof_impl.register(Tagged)
def typeof_tagged(val, c):
    return TaggedType(numpy_support.from_dtype(val.dtype), val.ndim, numpy_support.map_layout(val), not val.flags.writeable)


def parts_of(fe_type):
    return [("meminfo", types.MemInfoPointer(fe_type.dtype)), ("parent", types.pyobject), ("nitems", types.intp),
            ("itemsize", types.intp), ("data", types.CPointer(fe_type.dtype)),
            ("shape", types.UniTuple(types.intp, fe_type.ndim)), ("strides", types.UniTuple(types.intp, fe_type.ndim))]


@register_model(TaggedType)
class TaggedModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [*parts_of(fe_type), ("tag", types.intp)])


make_attribute_wrapper(TaggedType, "tag", "tag")


@intrinsic
def own_memory(typingctx, size, align):
    def write(context, builder, sig, args):
        return context.nrt.meminfo_alloc_aligned(builder, *args)
    return types.MemInfoPointer(types.voidptr)(size, align), write


@overload_classmethod(TaggedType, "_allocate")
def ol_allocate(cls, allocsize, align):
    def impl(cls, allocsize, align):
        note_size(allocsize, align)
        return own_memory(allocsize, align)
    return impl


@type_callable(Tagged)
def type_tagged(context):
    return lambda array, tag: TaggedType(array.dtype, array.ndim, array.layout)


@lower_builtin(Tagged, types.Array, types.Integer)
def lower_tagged(context, builder, sig, args):
    source, made = make_array(sig.args[0])(context, builder, args[0]), make_array(sig.return_type)(context, builder)
    populate_array(made, data=source.data, shape=source.shape, strides=source.strides, itemsize=source.itemsize,
                   meminfo=source.meminfo)
    made.tag = context.cast(builder, args[1], sig.args[1], types.intp)
    context.nrt.incref(builder, sig.return_type, made._getvalue())
    return made._getvalue()


@overload_method(TaggedType, "twice")
def ol_twice(self):
    return lambda self: self.sum() * 2


@overload_attribute(types.Array, "first_side")
def ol_first_side(a):
    return lambda a: a.shape[0]


def tagged(array):
    return np.asarray(array).view(Tagged)


LINE, SQUARE = np.arange(6.0), np.arange(12).reshape(3, 4)
PLAIN, FORTRAN = np.full(6, 2.0), np.asfortranarray(np.arange(6.0).reshape(2, 3))

# What code gives for arrays, in our class where `own`
CASES = {
    "operators": (lambda x, y: (x + 1, 2 - x, x / y, x ** 2, -x, abs(x), x < y), (LINE, PLAIN), True),
    "of integers": (lambda x: (x & 3, x << 1, ~x), (SQUARE,), True),
    "broadcast": (lambda x, y: (x + y, y[:, None] * x[0, 0]), (SQUARE, np.arange(4)), None),
    "ufuncs": (lambda x, y: (np.sin(x), np.maximum(x, y), np.abs(x), np.add(y, x), np.multiply(x, 1j)),
               (LINE, PLAIN), True),
    "in Fortran's order": (lambda x: (x + 1, np.sqrt(x)), (FORTRAN,), True),
    "a ufunc that gives arrays": (lambda x: (np.cos(x),), (LINE,), False),
    "several results": (lambda x: np.divmod(x, 3), (SQUARE,), False),
    "out": (lambda x, y: (np.add(x, 1, y),), (LINE, np.empty(6)), False),
    "parts": (lambda x: (x[1:], x[::2], x[:, 1], x[1], x[..., 0], x[x > 4], x[np.array([2, 0])], x[None]), (SQUARE,), True),
    "views": (lambda x: (x.T, x.transpose(), x.reshape(4, 3), x.ravel()), (SQUARE,), True),
    "copies": (lambda x: (x.copy(), x.flatten(), x.astype(np.float32), np.asarray(x), np.array(x), np.zeros_like(x)),
               (SQUARE,), False),
    "functions": (lambda x, y: (np.concatenate((x, y)), np.where(x > 2, x, y), np.sort(x), np.cumsum(x), np.stack((x, x))),
                  (LINE, PLAIN), False),
    "along axes": (lambda x: (x.sum(axis=0), np.sum(x, axis=1), np.flip(x, 0), x.mean()), (SQUARE,), False),
    "numbers": (lambda x, y: (x[2], x.sum(), np.sum(x), np.dot(x, y), x @ x, len(x), x.size, x.max(), np.argmax(x), 3.0 in x,
                              np.linalg.norm(x), x.shape, x.strides, x.nbytes, x.dtype == np.float64), (LINE, PLAIN), None),
    "of the program's": (lambda x: (x.first_side, x.sum()), (SQUARE,), None),
}


def agree(got, wanted, own):
    if isinstance(wanted, tuple):
        assert isinstance(got, tuple) and len(got) == len(wanted)
        for pair in zip(got, wanted):
            agree(*pair, own)
    elif isinstance(wanted, np.ndarray):
        np.testing.assert_array_equal(got, wanted)
        assert got.dtype == wanted.dtype and got.flags.c_contiguous == wanted.flags.c_contiguous
        assert own is None or type(got) is (Tagged if own else np.ndarray)
    else:
        assert got == wanted


@pytest.mark.parametrize("case", CASES)
def test_own_arrays_do_what_arrays_do(case):
    function, args, own = CASES[case]
    plain = [arg.copy("K") for arg in args]
    if case == "of the program's":
        wanted = 3, SQUARE.sum()
    else:
        wanted = function(*plain)
    compiled = njit(function)
    agree(compiled(tagged(args[0].copy("K")), *args[1:]), wanted, own)
    assert kept_in_memory(lambda: compiled(tagged(args[0]), *args[1:]) and None) == 0


def test_loops_and_changes():
    @njit
    def f(x):
        x += 1
        x[0] = 100
        x[1:3] = 7
        total = 0.0
        for place, (value, other) in enumerate(zip(x, x)):
            total += place * value + other
        for value in x:
            total += value
        for place in np.ndindex(x.shape):
            total += x[place]
        return x, total

    @njit
    def rows(x):
        total = 0
        for row in x:
            total += row.twice() + row.tag
        return total
    line = tagged(LINE.copy())
    got, total = f(line)
    assert got is line and line.tolist() == [100, 7, 7, 4, 5, 6]
    assert total == sum(place * value + 3 * value for place, value in enumerate(line.tolist()))
    assert rows(tagged(SQUARE)) == 2 * SQUARE.sum()
    assert kept_in_memory(lambda: rows(tagged(SQUARE))) == 0


def test_parts_of_its_own_and_its_memory():
    made = njit(lambda a: Tagged(a, 5))
    tag = njit(lambda x: x.tag)

    @njit
    def f(a, n):
        x = Tagged(a, n)
        y = x + 1
        return x.tag, y.tag, y, y.twice()
    own, new, array, twice = f(LINE, 9)
    assert (own, new, twice) == (9, 0, 2 * (LINE + 1).sum()) and type(array) is Tagged
    assert type(made(LINE)) is Tagged and tag(tagged(LINE)) == 0
    assert kept_in_memory(lambda: f(LINE, 1)) == 0
    x = tagged(LINE)
    assert njit(lambda x: x)(x) is x
    assert typeof(x) == TaggedType(types.float64, 1, "C") != typeof(LINE)


def test_however_a_function_is_called():
    apply = njit(lambda function, *args: function(*args))

    def chosen(x, n):
        function = np.add if n else np.subtract
        return function(x, x)
    x = tagged(LINE)
    for given, wanted in (
            (njit(chosen)(x, 0), [LINE * 0]), (njit(lambda x: apply(np.add, x, x))(x), [LINE * 2]),
            (njit(lambda x: np.add(*(x, x)))(x), [LINE * 2]), (njit(lambda x: list(map(np.sin, (x, x))))(x), [np.sin(LINE)] * 2)):
        agree(tuple(given) if isinstance(given, list) else (given,), tuple(wanted), True)
    reduced = njit(lambda x: (np.add.reduce(x), np.add.accumulate(x), np.multiply.outer(x, x)))(x)
    agree(reduced, (15.0, np.cumsum(LINE), np.outer(LINE, LINE)), False)
    product = vectorize(lambda a, b: a * b)
    with pytest.raises(errors.TypingError, match=r"as np.asarray\(\) gives it"):
        njit(lambda x: product.outer(x, x))(x)
    assert njit(lambda x: product.outer(np.asarray(x), x.size))(x).tolist() == (LINE * 6).tolist()


def test_what_may_be_none():
    def f(x, n):
        y = x if n else None
        z = y == None if n < 0 else y is None  # noqa: E711
        return z, np.sum(y), np.sin(y), y + 1, len(y), y[1], 1.0 in y, y.sum()

    def known(x, n):
        y = x if n else None
        return 0.0 if y is None else np.sum(y) + y[1]
    agree(njit(f)(tagged(LINE), 1), f(LINE, 1), True)
    assert njit(known)(tagged(LINE), 0) == 0.0 and njit(known)(tagged(LINE), 1) == 16.0
    for use in (lambda x, n: np.sum(x if n else None), lambda x, n: (x if n else None) + 1, lambda x, n: len(x if n else None)):
        with pytest.raises(TypeError, match="got None"):
            njit(use)(tagged(LINE), 0)


def test_what_the_program_overloads_comes_first():
    @overload(np.ptp)
    def ol_ptp(a):
        if isinstance(a, TaggedType) and a.ndim == 2:
            return lambda a: 42

    @overload(operator.floordiv)
    def ol_floordiv(a, b):
        if isinstance(a, TaggedType) and isinstance(b, types.UnicodeType):
            return lambda a, b: 43
    maybe = njit(lambda x, n: (np.ptp(x if n else None), (x if n else None) // 2))
    agree(maybe(tagged(LINE), 1), (5.0, LINE // 2), True)
    f = njit(lambda x, y: (np.ptp(x), np.ptp(y), np.ptp(y[0]), x // "a"))
    assert f(tagged(LINE), tagged(SQUARE)) == (5.0, 42, 3, 43)
    agree(njit(lambda x: x // 2)(tagged(LINE)), LINE // 2, True)


def test_what_they_lie_in():
    """Memory that is nobody's is seen where it lies, a constant is copied, all else has an owner."""
    @intrinsic
    def at(typingctx, address):
        return types.voidptr(types.intp), lambda context, builder, sig, args: builder.inttoptr(args[0], cgutils.voidptr_t)
    for make in (lambda p: Tagged(carray(at(p), 6, np.float64), 5), lambda p: np.asarray(Tagged(carray(at(p), 6, np.float64), 5))):
        assert njit(make)(LINE.ctypes.data).ctypes.data == LINE.ctypes.data
    held = njit(lambda: np.asarray(Tagged(LINE, 5)))()
    assert held.flags.owndata and held.tolist() == LINE.tolist()
    for make in (lambda a: np.asarray(Tagged(a, 5)), lambda a: np.asarray(Tagged(a + 0, 5))[1:]):
        assert njit(make)(LINE).base is not None
    assert njit(lambda x: np.asarray(x)[1:])(tagged(LINE)).base is not None


def test_each_new_array_is_allocated_by_the_type():
    f = njit(lambda x: (x + 1, x * 1j, np.sin(x), x.sum(), x[1:], x + x[:0, None]))
    x = tagged(LINE)
    allocated.clear()
    made = f(x)
    assert allocated == [(48, 32), (96, 32), (48, 32), (0, 32)]
    assert all(array.ctypes.data % 32 == 0 for array in made[:3])


def test_what_cannot_be_written_is_refused():
    x = tagged(np.arange(3.0))
    x.flags.writeable = False
    with pytest.raises(errors.TypingError, match="(?i)read.?only|immutable|Cannot"):
        njit(lambda x: x.fill(0))(x)
    with pytest.raises(errors.TypingError):
        exec("def f(x):\n    x[0] = 1\n", space := {})
        njit(space["f"])(x)


class BareType(types.Array):
    """A class whose model forgets what an array has."""


class Bare(np.ndarray):
    pass


def test_what_is_wrong_is_told():
    x = tagged(LINE)
    with pytest.raises(errors.TypingError, match=r"add\(Tagged.*|hypot"):
        njit(lambda x: np.hypot(x, x))(x)
    with pytest.raises(errors.TypingError, match="cannot return non-array float64"):
        njit(lambda x: np.arctan2(x, x))(x)
    with pytest.raises(errors.TypingError, match="derive a class from types.Array"):
        overload_classmethod(types.Array, "_allocate")(ol_allocate)
    typeof_impl.register(Bare)(lambda val, c: BareType(types.float64, 1, "C"))

    @register_model(BareType)
    class BareModel(models.StructModel):
        def __init__(self, dmm, fe_type):
            super().__init__(dmm, fe_type, parts_of(fe_type)[:5])
    with pytest.raises(Exception, match="has no shape, strides"):
        njit(lambda x: x.sum())(LINE.view(Bare))
