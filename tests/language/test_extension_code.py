# SPDX-License-Identifier: MIT
"""What code that programs write can do besides computing: call compiled functions, raise, be a constant, and take
and give values of more types."""
import operator

import numpy as np
import pytest
from conftest import function_of
from extension_values import class_of_values, kept_in_memory, named_type
from llvmlite import ir

import numba
from numba import carray, cuda, njit, prange, typed, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, bound_function, infer_getattr
from numba.extending import intrinsic, lower_builtin, lower_constant, lower_getattr, type_callable


def written(result, *declared):
    """A function that programs call, whose code the decorated generator writes."""
    def make(generator):
        def function(*args):
            raise NotImplementedError
        type_callable(function)(lambda context: lambda *args: result(*args) if len(args) == len(declared) else None)
        lower_builtin(function, *declared)(generator)
        return function
    return make


# --- Memory in the frame

@intrinsic
def in_frame(typingctx, size, dtype):
    def write(context, builder, signature, args):
        return cgutils.alloca_once(builder, context.get_value_type(dtype.dtype), size=args[0])
    return types.CPointer(dtype.dtype)(types.int64, dtype), write


@njit(inline="always")
def pairs_in_frame(numbers, scale):
    room = carray(in_frame(64, types.float64), (32, 2), dtype=types.float64)
    for i in range(len(numbers)):
        room[i, 0] = numbers[i] * scale
        room[i, 1] = scale
    return room[:len(numbers)]


def test_memory_of_the_frame_is_that_of_the_caller():
    """numba inlines functions that say so before LLVM sees them: each call of them has memory of its own."""
    @njit
    def both(a, b):
        first, second = pairs_in_frame(a, 2.0), pairs_in_frame(b, -1.0)
        total = 0.0
        for p in first:
            for q in second:
                total += p[0] * q[0] + 7 * p[1] - q[1]
        return total

    @njit(parallel=True)
    def each(a, b):
        out = np.empty(len(a))
        for i in prange(len(a)):
            first, second = pairs_in_frame(a[:i], 2.0), pairs_in_frame(b, a[i])
            out[i] = first[:, 0].sum() * 3 + second[:, 1].sum() - second[0, 0] + first[:, 1].sum()
        return out
    a, b = np.random.default_rng().integers(-9, 9, (2, 12)).astype(float)
    assert both(a, b) == sum(2 * x * -y + 15 for x in a for y in b)
    assert each(a, b).tolist() == [6 * a[:i].sum() + len(b) * a[i] - b[0] * a[i] + 2 * i for i in range(len(a))]


# --- Calls of compiled functions

def test_code_calls_python_functions_in_its_midst():
    @written(types.float64, types.float64)
    def computed(context, builder, sig, args):
        twice = builder.fadd(args[0], args[0])
        made = context.compile_internal(builder, lambda x: x * 3 + 1, sig, [twice])
        return builder.fadd(made, args[0])
    assert njit(lambda x: computed(x))(2.0) == 15.0
    assert [njit(lambda a: [computed(x) for x in a])(np.arange(3.0))[i] for i in range(3)] == [1.0, 8.0, 15.0]


def test_what_follows_a_call_is_not_lost():
    @written(types.int64, types.int64)
    def more(context, builder, sig, args):
        made = context.compile_internal(builder, lambda x: x * 10, sig, args)
        return builder.add(made, made.type(1))

    @written(types.int64, types.int64)
    def other(context, builder, sig, args):
        context.compile_internal(builder, lambda x: x * 10, sig, args)
        return args[0]
    assert njit(lambda x: more(x))(4) == 41
    assert njit(lambda x: other(x))(4) == 4


@pytest.mark.parametrize("kind, value, function, wanted", [
    (types.float64[::1], np.arange(3.0), lambda a: a * 2, [0, 2, 4]),
    (types.unicode_type, "añ", lambda s: s + s, "añañ"),
    (types.Tuple((types.int64, types.float32)), (1, np.float32(2.5)), lambda t: (t[0] + 1, t[1]), (2, 2.5)),
    (types.complex128, 1 + 2j, lambda z: z * z, (1 + 2j)**2),
    (types.boolean, True, lambda b: not b, False),
    (types.none, None, lambda n: None, None),
    (types.Optional(types.int64), None, lambda n: n, None),
    (types.ListType(types.int64), None, lambda x: x, [1, 2]),
], ids=lambda item: str(item) if isinstance(item, types.Type) else "")
def test_values_of_all_kinds_go_to_calls_and_back(kind, value, function, wanted):
    value = typed.List([1, 2]) if kind == types.ListType(types.int64) else value

    @written(kind, types.Any)
    def called(context, builder, sig, args):
        builder.add(ir.IntType(64)(1), ir.IntType(64)(2))  # so that the call is not all
        return context.compile_internal(builder, function, kind(kind), args)
    f = njit([(kind,)])(lambda x: called(x))
    found = f(value)
    assert list(found) == list(wanted) if isinstance(found, (np.ndarray, typed.List)) else found == wanted
    del found
    assert kept_in_memory(lambda: f(value)) == 0


def test_exceptions_of_calls_are_the_caller_s():
    def fails(n):
        if n > 2:
            raise KeyError("too many")
        return np.ones(n)

    @written(types.float64[::1], types.int64)
    def called(context, builder, sig, args):
        more = builder.add(args[0], args[0].type(1))
        return context.compile_internal(builder, fails, sig, [more])
    f = njit(lambda n: called(n).sum())
    assert f(1) == 2.0
    for _ in range(2):
        with pytest.raises(KeyError, match="too many"):
            f(2)

    @njit
    def caught(n):
        try:
            return called(n).sum()
        except Exception:
            return -1.0
    assert (caught(1), caught(5)) == (2.0, -1.0)

    def both():
        f(1)
        caught(7)
    assert kept_in_memory(both) == 0


def test_get_function_calls_what_is_known():
    @written(types.float64, types.float64, types.float64)
    def computed(context, builder, sig, args):
        power = context.get_function(operator.pow, sig)(builder, args)
        root = context.get_function(np.sqrt, types.float64(types.float64))(builder, [power])
        sum_of = context.get_function(own, types.float64(types.float64, types.float64))
        return sum_of(builder, [root, args[1]])

    @written(types.float64, types.float64, types.float64)
    def own(context, builder, sig, args):
        return builder.fadd(*args)
    assert njit(lambda x, y: computed(x, y))(3.0, 4.0) == 13.0
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "eq", "ne", "lt", "le", "gt", "ge"):
        function = getattr(operator, name)
        kind = types.boolean if name in ("eq", "ne", "lt", "le", "gt", "ge") else types.float64

        @written(kind, types.float64, types.float64)
        def operated(context, builder, sig, args):
            return context.get_function(function, sig)(builder, args)
        assert njit(lambda x, y: operated(x, y))(7.5, 2.0) == function(7.5, 2.0)


def test_calls_that_have_no_types_are_told():
    @written(types.float64, types.float64)
    def computed(context, builder, sig, args):
        more = builder.fadd(args[0], args[0])
        return context.compile_internal(builder, lambda x: x.no_such_thing, sig, [more])
    with pytest.raises(TypingError, match="no_such_thing"):
        njit(lambda x: computed(x))(1.0)


# --- Exceptions

def raising(exc, args):
    @written(types.int64, types.int64)
    def checked(context, builder, sig, values):
        with builder.if_then(builder.icmp_signed("<", values[0], values[0].type(0)), likely=False):
            context.call_conv.return_user_exc(builder, exc, args)
        return builder.add(values[0], values[0].type(1))
    return checked


@pytest.mark.parametrize("exc, args", [(ValueError, ("below zero",)), (IndexError, None), (KeyError, (1, "two", 2.5)),
                                       (StopIteration, ()), (OverflowError, (True,))], ids=str)
def test_code_raises(exc, args):
    checked = raising(exc, args)
    f = njit(lambda x: checked(x))
    assert f(3) == 4
    with pytest.raises(exc) as failure:
        f(-1)
    assert failure.value.args == (args or ())


def test_code_raises_several():
    class Mine(Exception):
        pass

    @written(types.none, types.int64)
    def checked(context, builder, sig, values):
        for number, exc in enumerate((ValueError, Mine)):
            with builder.if_then(builder.icmp_signed("==", values[0], values[0].type(number))):
                context.call_conv.return_user_exc(builder, exc, (f"number {number}",))
        return context.get_dummy_value()
    f = njit(lambda x: checked(x))
    assert f(2) is None
    for number, exc in enumerate((ValueError, Mine)):
        with pytest.raises(exc, match=f"number {number}"):
            f(number)
    g = njit(function_of("def f(x):\n    try:\n        checked(x)\n    except ValueError:\n        return 1\n    return 0\n",
                         checked=checked))
    assert (g(0), g(2)) == (1, 0)


def test_what_code_held_is_released_when_it_raises():
    @written(types.unicode_type, types.unicode_type, types.int64)
    def checked(context, builder, sig, values):
        with builder.if_then(builder.icmp_signed("<", values[1], values[1].type(0))):
            context.call_conv.return_user_exc(builder, ValueError, ("no",))
        context.nrt.incref(builder, types.unicode_type, values[0])
        return values[0]

    @njit
    def f(s, n):
        text = s + "!"
        try:
            return checked(text, n)
        except Exception:
            return text
    assert (f("a", 1), f("a", -1)) == ("a!", "a!")
    assert kept_in_memory(lambda: (f("a", 1), f("a", -1))) == 0


def test_kernels_raise_what_code_raises():
    checked = raising(ValueError, ("below zero",))

    @cuda.jit
    def kernel(a):
        a[cuda.grid(1)] = checked(a[cuda.grid(1)])
    a = np.arange(4)
    kernel[1, 4](a)
    assert (a == [1, 2, 3, 4]).all()
    cuda.jit(debug=True, opt=False)(kernel.py_func)[1, 4](a)
    with pytest.raises(ValueError, match="below zero"):
        cuda.jit(debug=True, opt=False)(kernel.py_func)[1, 4](a - 4)


def test_what_call_conv_has_not_is_told():
    @written(types.int64, types.int64)
    def f(context, builder, sig, values):
        context.call_conv.return_value(builder, values[0])
    with pytest.raises(TypingError, match="context.call_conv.return_value is of numba's own compiler"):
        njit(lambda x: f(x))(1)

    @written(types.int64, types.int64)
    def g(context, builder, sig, values):
        context.call_conv.return_user_exc(builder, "ValueError")
    with pytest.raises(TypingError, match="an exception is raised by its class, not by 'ValueError'"):
        njit(lambda x: g(x))(1)


# --- Constants

PointType = named_type("Point", [("x", types.float64), ("weights", types.int32[::1])])
Point = class_of_values(PointType, "x", "weights")


@lower_constant(PointType)
def constant_point(context, builder, ty, pyval):
    made = context.make_helper(builder, ty)
    made.x = context.get_constant(types.float64, pyval.x)
    made.weights = context.get_constant_generic(builder, types.int32[::1], pyval.weights)
    return made._getvalue()




class PointAttributes(AttributeTemplate):
    key = PointType

    def resolve_x(self, kind):
        return types.float64

    @bound_function("point.weight")
    def resolve_weight(self, kind, args, kws):
        return types.int32(*args)


infer_getattr(PointAttributes)


@lower_builtin("point.weight", PointType, types.Integer)
def lower_weight(context, builder, sig, args):
    point = context.make_helper(builder, sig.args[0], args[0])
    weights = context.make_array(types.int32[::1])(context, builder, point.weights)
    return builder.load(builder.gep(weights.data, [args[1]]))


@lower_getattr(PointType, "x")
def get_x(context, builder, kind, value):
    return context.make_helper(builder, kind, value).x


ORIGIN = Point(2.5, np.array([3, 5, 7], np.int32))


def test_values_of_extension_types_are_constants():
    assert njit(lambda: ORIGIN.x)() == 2.5
    assert njit(lambda i: ORIGIN.weight(i) + ORIGIN.x)(2) == 9.5
    here = Point(1.5, np.arange(4, dtype=np.int32)[::-1])

    @njit
    def closed(i):
        total = 0.0
        for j in range(i):
            total += here.weight(j) * here.x
        return total
    assert closed(3) == 9.0
    assert kept_in_memory(lambda: closed(2)) == 0


def test_kernels_have_such_constants():
    @cuda.jit
    def kernel(out):
        out[cuda.grid(1)] = ORIGIN.weight(cuda.grid(1)) + ORIGIN.x
    out = np.zeros(3)
    kernel[1, 3](out)
    assert (out == [5.5, 7.5, 9.5]).all()


def test_constants_without_code_are_told():
    BareType = named_type("Bare", [("x", types.float64)])
    Bare = class_of_values(BareType)
    bare = Bare()
    with pytest.raises(TypingError, match=r"type Bare is used as a constant.*@lower_constant\(BareType\)"):
        njit(lambda: bare)()

    @lower_constant(BareType)
    def wrong(context, builder, ty, pyval):
        return context.get_constant(types.float64, 1.0)
    with pytest.raises(TypingError, match="@lower_constant of the extension type Bare.*gives a value of double"):
        njit(lambda: bare)()
    pair = (ORIGIN, 1)
    with pytest.raises(TypingError, match="'pair'.*tuple"):
        njit(lambda: pair[0].x)()


# --- Literals, slices, times

def test_typers_see_constants():
    class Named(AttributeTemplate):
        key = PointType

        @bound_function("point.named")
        def resolve_named(self, kind, args, kws):
            if not isinstance(args[0], types.StringLiteral):
                raise TypingError("the name has to be a constant")
            return {"x": types.float64, "size": types.int64}[args[0].literal_value](*args)

        def resolve_bound(self, kind):
            class Template(AbstractTemplate):
                key = "point.bound"

                def generic(self, args, kws):
                    return types.float64(*args)
            return types.BoundFunction(Template, kind)
    infer_getattr(Named)

    @lower_builtin("point.named", PointType, types.StringLiteral)
    def lower_named(context, builder, sig, args):
        point = context.make_helper(builder, sig.args[0], args[0])
        if sig.args[1].literal_value == "x":
            return point.x
        return context.make_array(types.int32[::1])(context, builder, point.weights).nitems

    @lower_builtin("point.bound", PointType, types.Float)
    def lower_bound(context, builder, sig, args):
        return builder.fmul(context.make_helper(builder, sig.args[0], args[0]).x, args[1])
    assert njit(lambda: (ORIGIN.named("x"), ORIGIN.named("size")))() == (2.5, 3)
    assert njit(lambda y: ORIGIN.bound(y))(2.0) == 5.0
    with pytest.raises(TypingError, match="the name has to be a constant"):
        njit(lambda s: ORIGIN.named(s))("x")
    with pytest.raises(TypingError, match="which types the method 'named' of Point, raises KeyError"):
        njit(lambda: ORIGIN.named("z"))()
    with pytest.raises(TypingError, match=r"@lower_builtin\(point.bound, ...\) is for \(PointType, Float\)"):
        njit(lambda: ORIGIN.bound(1j))()


def test_slices_and_times_reach_code():
    @written(types.int64, types.Any)
    def parts(context, builder, sig, args):
        made = context.make_helper(builder, sig.args[0], args[0])
        assert sig.args[0].has_step == (sig.args[0].members == 3)
        return builder.add(builder.mul(made.start, made.start.type(100)), builder.add(made.stop, made.step))
    assert njit(lambda n: parts(slice(2, n)))(30) == 231
    assert njit(lambda n: parts(slice(n, 4, 2)))(3) == 306
    assert njit(lambda n: parts(slice(None, n)))(9) == 10

    @intrinsic
    def later(typingctx, when):
        return when(when), lambda context, builder, sig, args: builder.add(args[0], args[0].type(3))
    for value in (np.datetime64("2020-01-01"), np.timedelta64(4, "h")):
        assert njit(lambda x: later(x))(value) == value + 3


# --- Strings and arrays that code makes

def test_strings_are_made_by_their_characters():
    from numba.cpython.unicode import _codepoint_to_kind, _empty_string, _get_code_point, _set_code_point

    @njit
    def turned(s):
        out = _empty_string(_codepoint_to_kind(ord("€")), len(s), 0)
        for i in range(len(s)):
            _set_code_point(out, i, _get_code_point(s, len(s) - 1 - i))
        return out
    assert [turned(s) for s in ("", "a", "abc", "naïve €", "\U0001f600x")] == [
        s[::-1] for s in ("", "a", "abc", "naïve €", "\U0001f600x")]
    assert kept_in_memory(lambda: turned("abcd")) == 0


def test_arrays_are_made_in_counted_memory():
    from numba.np.arrayobj import make_array, populate_array

    @written(types.uint8[::1], types.int64)
    def counted(context, builder, sig, args):
        memory = context.nrt.meminfo_alloc(builder, args[0])
        data = context.nrt.meminfo_data(builder, memory)
        with cgutils.for_range(builder, args[0]) as loop:
            place = builder.gep(data, [loop.index])
            builder.store(builder.trunc(loop.index, ir.IntType(8)), place)
        made = make_array(sig.return_type)(context, builder)
        populate_array(made, data=data, shape=[args[0]], strides=[ir.IntType(64)(1)], itemsize=ir.IntType(64)(1),
                       meminfo=memory)
        return made._getvalue()
    f = njit(lambda n: counted(n))
    assert f(5).tolist() == [0, 1, 2, 3, 4] and f(0).tolist() == []
    assert kept_in_memory(lambda: f(9)) == 0
    with pytest.raises(MemoryError):
        f(1 << 60)


def test_an_index_of_an_array():
    from numba.core.boxing import unbox_array
    from numba.core.typing.arraydecl import get_array_index_type
    from numba.np import arrayobj

    def exchange(array, index, value):
        pass

    @type_callable(exchange)
    def type_exchange(context):
        def typer(array, index, value):
            found = get_array_index_type(array, index)
            return found.result if found and context.can_convert(value, found.result) else None
        return typer

    @lower_builtin(exchange, types.Array, types.Any, types.Any)
    def lower_exchange(context, builder, sig, args):
        kinds, parts = (sig.args[1],), (args[1],)
        if isinstance(kinds[0], types.BaseTuple):
            kinds, parts = kinds[0].types, cgutils.unpack_tuple(builder, args[1])
        kinds, parts = arrayobj.normalize_indices(context, builder, kinds, parts)
        array = arrayobj.make_array(sig.args[0])(context, builder, args[0])
        place, shape, _ = arrayobj.basic_indexing(context, builder, sig.args[0], array, kinds, parts, boundscheck=True)
        assert not shape
        value = context.cast(builder, args[2], sig.args[2], sig.return_type)
        return builder.atomic_rmw("xchg", place, value, "monotonic")
    numbers = np.arange(12).reshape(3, 4)[:, ::-1]
    f = njit(lambda a, i, j, v: exchange(a, (i, j), v))
    assert f(numbers, -1, 2, 50) == 9 and numbers[2, 2] == 50 and f(numbers, np.uint8(1), -4, True) == 7
    assert njit(lambda a: exchange(a[0], 1, 3))(numbers) == 2
    with pytest.raises(IndexError, match="index is out of bounds"):
        f(numbers, 3, 0, 1)
    assert get_array_index_type(types.float64[:, ::1], types.int8).result == types.float64[::1]
    assert get_array_index_type(types.float64[:, ::1], types.UniTuple(types.int8, 3)) is None and unbox_array.__name__


def test_bytes_that_code_gives():
    def letters(count):
        pass

    @type_callable(letters)
    def type_letters(context):
        return lambda count: numba.cpython.charseq.bytes_type

    @lower_builtin(letters, types.int64)
    def lower_letters(context, builder, sig, args):
        made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        made.meminfo = context.nrt.meminfo_alloc(builder, args[0])
        made.data, made.nitems = context.nrt.meminfo_data(builder, made.meminfo), args[0]
        with cgutils.for_range(builder, args[0]) as loop:
            letter = builder.add(builder.trunc(loop.index, cgutils.int8_t), cgutils.int8_t(250))
            builder.store(letter, builder.gep(made.data, [loop.index]))
        return made._getvalue()
    f = njit(lambda count: letters(count))
    assert [f(count) for count in (0, 1, 9)] == [bytes((250 + i) % 256 for i in range(count)) for count in (0, 1, 9)]
    assert kept_in_memory(lambda: f(100)) == 0


def test_intrinsics_give_arrays_and_take_tuples_of_them():
    from numba.np import arrayobj

    @intrinsic
    def sums(typingctx, arrays, shape):
        made = types.Array(types.float64, len(shape), "C")

        def write(context, builder, sig, args):
            shape = cgutils.unpack_tuple(builder, args[1])
            out = arrayobj._empty_nd_impl(context, builder, made, shape)
            parts = [arrayobj.make_array(kind)(context, builder, value)
                     for kind, value in zip(arrays, cgutils.unpack_tuple(builder, args[0]))]
            with cgutils.for_range(builder, shape[0]) as i, cgutils.for_range(builder, shape[1]) as j:
                total = context.get_constant(types.float64, 0)
                for kind, part in zip(arrays, parts):
                    place = cgutils.get_item_pointer(context, builder, kind, part, [i.index, j.index], boundscheck=True)
                    total = builder.fadd(total, context.cast(builder, builder.load(place), kind.dtype, types.float64))
                builder.store(total, cgutils.get_item_pointer(context, builder, made, out, [i.index, j.index]))
            return out._getvalue()
        return made(arrays, shape), write
    f = njit(lambda a, b, m, n: sums((a, b, a), (m, n)))
    a, b = np.arange(12.0).reshape(3, 4)[::-1], np.asfortranarray(np.arange(12).reshape(3, 4))
    assert np.array_equal(f(a, b, 3, 4), a + b + a) and f(a, b, 0, 4).shape == (0, 4)
    assert kept_in_memory(lambda: f(a, b, 2, 3)) == 0
    with pytest.raises(IndexError, match="out of bounds"):
        f(a, b, 4, 4)
    with pytest.raises(ValueError, match="array is too big"):
        f(a, b, 2**40, 2**40)
