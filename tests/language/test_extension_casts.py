# SPDX-License-Identifier: MIT
"""Conversions of types that programs add (lower_cast), attributes that are set, and what is done after a call."""
import numpy as np
import pytest
from extension_values import class_of_values, kept_in_memory, named_type, unbox_members

from numba import cuda, njit, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import Registry
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (NativeValue, box, infer_getattr, lower_builtin, lower_cast, lower_getattr, lower_setattr,
                             lower_setattr_generic, make_attribute_wrapper, models, overload_method, reflect,
                             register_model, type_callable, typeof_impl, unbox)


class Feet:
    def __init__(self, count):
        self.count = count


class Metres(Feet):
    pass


class FeetType(types.Type):
    def __init__(self):
        super().__init__(name="Feet")

    def can_convert_to(self, typingctx, other):
        return Conversion.safe if other in (types.float64, metres) else None


class MetresType(types.Type):
    def __init__(self):
        super().__init__(name="Metres")

    def can_convert_from(self, typingctx, other):
        return Conversion.promote if other == types.float64 else None

    def unify(self, typingctx, other):
        return self if other == types.float64 else None


feet, metres = FeetType(), MetresType()


def _length(kind, class_):
    register_model(kind)(lambda dmm, fe_type: models.StructModel(dmm, fe_type, [("count", types.float64)]))
    make_attribute_wrapper(kind, "count", "count")
    typeof_impl.register(class_)(lambda val, c: kind())
    unbox_members(kind, count=types.float64)

    @box(kind)
    def box_length(typ, val, c):
        made = cgutils.create_struct_proxy(typ)(c.context, c.builder, val)
        return c.pyapi.call_function_objargs(c.pyapi.add_const(class_), [c.box(types.float64, made.count)])


_length(FeetType, Feet)
_length(MetresType, Metres)


def _count(context, builder, kind, value):
    return cgutils.create_struct_proxy(kind)(context, builder, value).count


@lower_cast(FeetType, types.float64)
def feet_to_number(context, builder, fromty, toty, val):
    return _count(context, builder, fromty, val)


@lower_cast(FeetType, MetresType)
def feet_to_metres(context, builder, fromty, toty, val):
    made = cgutils.create_struct_proxy(toty)(context, builder)
    made.count = builder.fmul(_count(context, builder, fromty, val), context.get_constant(types.float64, 0.25))
    return made._getvalue()


@lower_cast(types.Float, MetresType)
def number_to_metres(context, builder, fromty, toty, val):
    made = cgutils.create_struct_proxy(toty)(context, builder)
    made.count = val
    return made._getvalue()


@njit(types.float64(metres))
def count_of_metres(length):
    return length.count


@njit(metres(types.boolean, feet, metres))
def declared(is_first, a, b):
    if is_first:
        return a
    return b


@njit
def joined(is_first, a, b):
    c = a if is_first else b
    return c


@njit
def of_tuples(is_first, a, b):
    pair = (1, a) if is_first else (2, b)
    return pair[1].count + pair[0]


@njit
def maybe(kind, a, b):
    if kind == 0:
        return a
    if kind == 1:
        return None
    return b


@njit
def in_calls(a, x):
    return count_of_metres(a) + count_of_metres(x)


@pytest.mark.parametrize("is_first", [True, False])
def test_values_meet_by_casts(is_first):
    a, b = Feet(8.0), Metres(3.0)
    for f in joined, declared:
        c = f(is_first, a, b)
        assert type(c) is Metres and c.count == (2.0 if is_first else 3.0)
    assert of_tuples(is_first, a, b) == (3.0 if is_first else 5.0)
    c = joined(is_first, a, 0.5)
    assert c == (8.0 if is_first else 0.5)
    c = joined(is_first, b, 0.5)
    assert type(c) is Metres and c.count == (3.0 if is_first else 0.5)
    assert in_calls(a, 0.5) == 2.5


def test_optional_values_are_cast():
    assert maybe(0, Feet(8.0), Metres(1.0)).count == 2.0
    assert maybe(1, Feet(8.0), Metres(1.0)) is None
    assert maybe(2, Feet(8.0), Metres(1.0)).count == 1.0


def test_casts_in_kernels():
    @cuda.jit
    def kernel(out, numbers):
        i = cuda.grid(1)
        if i < out.size:
            a = as_feet(numbers[i])
            c = a if i % 2 else numbers[i]
            out[i] = c

    def as_feet(x):
        return Feet(x)

    @type_callable(as_feet)
    def type_as_feet(context):
        return lambda x: feet

    @lower_builtin(as_feet, types.Float)
    def lower_as_feet(context, builder, sig, args):
        made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        made.count = builder.fmul(args[0], context.get_constant(types.float64, 2))
        return made._getvalue()
    out = np.zeros(5)
    kernel[1, 8](out, np.arange(5.0))
    assert out.tolist() == [0, 2, 2, 6, 4]


def test_what_does_not_convert_is_told():
    with pytest.raises(TypingError, match="Cannot unify Feet and int64 for 'c'"):
        joined(True, Feet(1.0), 1)

    class Odd(types.Type):
        def __init__(self):
            super().__init__(name="Odd")

        def can_convert_to(self, typingctx, other):
            return "safe" if other == types.int64 else Conversion.safe

    class OddValue:
        pass
    typeof_impl.register(OddValue)(lambda val, c: Odd())
    register_model(Odd)(models.OpaqueModel)
    unbox(Odd)(lambda typ, obj, c: NativeValue(obj))
    with pytest.raises(TypingError, match="conversions from Odd to int64 are members of numba.core.typeconv.Conversion"):
        joined(True, OddValue(), 1)
    with pytest.raises(TypingError, match=r"Cannot cast Odd to float64: no @lower_cast\(\) of the program is for them"):
        joined(True, OddValue(), 1.0)

    @lower_cast(Odd, types.float64)
    def wrong(context, builder, fromty, toty, val):
        raise KeyError("depth")
    with pytest.raises(TypingError, match="@lower_cast from Odd to float64, whose code is generated at .*depth"):
        joined(True, OddValue(), 1.0)


def test_contexts_know_conversions():
    from numba.core.registry import cpu_target
    context = cpu_target.typing_context
    assert context.can_convert(feet, metres) == Conversion.safe and context.can_convert(metres, feet) is None
    assert context.unify_pairs(types.float64, metres) == metres
    assert context.can_convert(types.int32, types.int64) == Conversion.promote
    assert types.int64.can_convert_to(context, types.int32) is Conversion.unsafe
    signature = context.resolve_function_type(count_of_metres, (metres,), {})
    assert signature.return_type == types.float64
    target = cpu_target.target_context
    assert target.get_abi_sizeof(target.get_data_type(types.int32)) == 4


# --- Attributes that are set: values in memory that is counted

Box = named_type("SetBox", [("data", types.CPointer(types.float64))])
Cell = class_of_values(Box, "numbers")


@unbox(Box)
def unbox_box(typ, obj, c):
    numbers = c.pyapi.object_getattr_string(obj, "numbers")
    array = c.unbox(types.float64[::1], numbers)
    parts = cgutils.create_struct_proxy(types.float64[::1])(c.context, c.builder, array.value)
    made = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    made.data = parts.data
    c.context.nrt.decref(c.builder, types.float64[::1], array.value)
    c.pyapi.decref(numbers)
    return NativeValue(made._getvalue(), is_error=c.pyapi.c_api_error())


@infer_getattr
class BoxAttributes(AttributeTemplate):
    key = Box

    def generic_resolve(self, value, attr):
        return types.float64 if attr in ("first", "second") else None


registry = Registry()


@lower_getattr(Box, "first")
def get_first(context, builder, typ, val):
    return builder.load(cgutils.create_struct_proxy(typ)(context, builder, val).data)


@lower_setattr(Box, "first")
def set_first(context, builder, sig, args):
    assert sig.args[1] == types.float64
    builder.store(args[1], cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data)


@registry.lower_setattr_generic(Box)
def set_any(context, builder, sig, args, attr):
    data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
    builder.store(args[1], builder.gep(data, [cgutils.intp_t({"second": 1}[attr])]))


@lower_getattr(Box, "second")
def get_second(context, builder, typ, val):
    data = cgutils.create_struct_proxy(typ)(context, builder, val).data
    return builder.load(builder.gep(data, [cgutils.intp_t(1)]))


@njit
def set_both(cell, a, b):
    cell.first = a
    cell.second = b
    cell.first += 1
    return cell.first + cell.second


def test_attributes_are_set():
    numbers = np.zeros(2)
    assert set_both(Cell(numbers), 3, np.float32(2.5)) == 6.5
    assert numbers.tolist() == [4, 2.5]

    @njit
    def other(cell):
        cell.third = 1.0
    with pytest.raises(TypingError, match=r"has code that sets it and no type: say which with an AttributeTemplate"):
        other(Cell(numbers))

    @njit
    def wrong(cell):
        cell.first = "text"
    with pytest.raises(TypingError):
        wrong(Cell(numbers))


# --- After a call

Tally = named_type("Tally", [("parent", types.pyobject), ("data", types.CPointer(types.int64))])
Tally.reflected = True
Counted = class_of_values(Tally, "numbers")
ended = []


def _end(word, obj):
    ended.append((word, obj))


@unbox(Tally)
def unbox_tally(typ, obj, c):
    numbers = c.pyapi.object_getattr_string(obj, "numbers")
    slot = cgutils.alloca_once_value(c.builder, numbers)
    array = c.unbox(types.int64[::1], numbers)
    made = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    made.parent = obj
    made.data = cgutils.create_struct_proxy(types.int64[::1])(c.context, c.builder, array.value).data
    c.context.nrt.decref(c.builder, types.int64[::1], array.value)

    def cleanup():
        kept = c.builder.load(slot)
        end = c.pyapi.add_const(_end)
        done = c.pyapi.call_function_objargs(end, [c.pyapi.string_from_constant_string("cleanup"), kept])
        c.pyapi.decref(done)
        c.pyapi.decref(kept)
    return NativeValue(made._getvalue(), is_error=c.pyapi.c_api_error(), cleanup=cleanup)


@reflect(Tally)
def reflect_tally(typ, val, c):
    made = cgutils.create_struct_proxy(typ)(c.context, c.builder, val)
    first = c.builder.load(made.data)
    with c.builder.if_else(c.builder.icmp_signed("<", first, cgutils.intp_t(0))) as (is_below, is_count):
        with is_below:
            c.pyapi.err_set_string(ValueError, "it counts below 0")
            c.set_error()
        with is_count:  # where none is raised: what looks up attributes clears it
            number = c.box(types.int64, first)
            c.pyapi.object_setattr_string(made.parent, "count", number)
            c.pyapi.decref(number)


@overload_method(Tally, "add")
def tally_add(tally, n):
    return lambda tally, n: _add(tally, n)


def _add(tally, n):
    pass


@type_callable(_add)
def type_add(context):
    return lambda tally, n: types.none


@lower_builtin(_add, Tally, types.int64)
def lower_add(context, builder, sig, args):
    data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
    builder.store(builder.add(builder.load(data), args[1]), data)
    return context.get_dummy_value()


@njit
def count_up(tally, n):
    tally.add(n)
    if n > 100:
        raise IndexError("too much")
    return n


def test_values_are_reflected_and_cleaned_up():
    numbers = np.array([5])
    tally = Counted(numbers)
    ended.clear()
    assert count_up(tally, 3) == 3 and tally.count == 8
    assert len(ended) == 1 and ended[0][0] == "cleanup" and ended[0][1] is numbers
    with pytest.raises(IndexError, match="too much"):
        count_up(tally, 200)
    assert tally.count == 208 and len(ended) == 2
    with pytest.raises(ValueError, match="it counts below 0"):
        count_up(tally, -1000)
    assert len(ended) == 3
    numbers[0] = 0

    def many():
        count_up(tally, 1)
    assert kept_in_memory(many) == 0


def test_calls_of_values():
    Line = named_type("CalledLine", [("slope", types.float64)])
    Slope = class_of_values(Line, "slope")
    unbox_members(Line, slope=types.float64)
    make_attribute_wrapper(Line, "slope", "slope")

    @overload_method(Line, "__call__")
    def call_line(line, x, offset=0):
        return lambda line, x, offset=0: line.slope * x + offset

    @njit
    def f(line, x):
        return line(x) + line(x, offset=10)
    assert f(Slope(2.0), 3) == 22.0
