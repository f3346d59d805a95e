# SPDX-License-Identifier: MIT
"""numba.core.cgutils: loops, checks, structs and printing that programs write code with."""
import math

import numpy as np
import pytest
from conftest import function_of
from llvmlite import ir

from numba import njit, types
from numba.core import cgutils
from numba.core.unsafe.bytes import grab_byte, grab_uint64_t, memcpy_region
from numba.core.unsafe.refcount import dump_refcount, get_refcount
from numba.extending import intrinsic

INT, INTS = types.int64, types.UniTuple(types.int64, 2)
I32, I64 = ir.IntType(32), ir.IntType(64)
EXTREMES = 0, 1, -1, 7, -7, 2**62, -2**63


def written(generator, result, *params):
    """A compiled function whose code the generator writes."""
    names = ", ".join("abcdef"[:len(params)])
    define = function_of(f"def written(typingctx, {names}):\n    return signature, generator\n", "written",
                         signature=result(*params), generator=generator)
    return njit(function_of(f"def f({names}):\n    return made({names})\n", made=intrinsic(define)))


def test_loops_by_slices_go_both_ways():
    def weighted(context, builder, sig, args):
        total = cgutils.alloca_once_value(builder, I64(0))

        def add(index, count):
            term = builder.mul(index, builder.add(count, I64(1)))
            builder.store(builder.add(builder.load(total), term), total)
        with cgutils.for_range_slice_generic(builder, *args) as (upwards, downwards):
            with upwards as (index, count):
                add(index, count)
            with downwards as (index, count):
                add(index, count)
        return builder.load(total)
    f = written(weighted, INT, INT, INT, INT)
    for bounds in ((0, 10, 3), (10, 0, -3), (5, 5, 1), (0, 5, -1), (7, -8, -5), (-3, 4, 1)):
        assert f(*bounds) == sum(index * turn for turn, index in enumerate(range(*bounds), 1)), bounds


@pytest.mark.parametrize("order", ["C", "F"])
def test_nests_of_loops_go_through_the_places_in_order(order):
    def digits(context, builder, sig, args):
        total = cgutils.alloca_once_value(builder, I64(0))
        with cgutils.loop_nest(builder, args, I64, order=order) as places:
            value = builder.load(total)
            for place in places:
                value = builder.add(builder.mul(value, I64(5)), place)
            builder.store(value, total)
        return builder.load(total)
    f = written(digits, INT, INT, INT)
    for rows, columns in ((2, 3), (3, 1), (0, 2), (2, 0)):
        expected = 0
        places = [(i, j) for i in range(rows) for j in range(columns)]
        for place in places if order == "C" else sorted(places, key=lambda place: place[::-1]):
            for index in place:
                expected = expected * 5 + index
        assert f(rows, columns) == expected


def test_a_nest_of_no_axes_is_one_turn():
    def once(context, builder, sig, args):
        total = cgutils.alloca_once_value(builder, args[0])
        with cgutils.loop_nest(builder, (), I64) as places:
            assert places == ()
            builder.store(builder.add(builder.load(total), I64(1)), total)
        return builder.load(total)
    assert written(once, INT, INT)(4) == 5


def test_blocks_that_end_once():
    def chosen(context, builder, sig, args):
        found = cgutils.alloca_once_value(builder, I64(0))
        large, end = builder.append_basic_block("large"), builder.append_basic_block("end")
        cgutils.cbranch_or_continue(builder, builder.icmp_signed(">", args[0], I64(5)), large)
        builder.store(I64(1), found)
        cgutils.terminate(builder, end)
        builder.position_at_end(large)
        builder.store(I64(2), found)
        builder.branch(end)
        cgutils.terminate(builder, end)
        builder.position_at_end(end)
        return builder.load(found)
    f = written(chosen, INT, INT)
    assert [f(5), f(6)] == [1, 2]


# --- Numbers

@pytest.mark.parametrize("divisor", [1, 3, 10, 2**40])
def test_quotients_are_rounded_down(divisor):
    def quotient(context, builder, sig, args):
        return context.make_tuple(builder, sig.return_type, cgutils.divmod_by_constant(builder, args[0], divisor))
    f = written(quotient, INTS, INT)
    assert [f(n) for n in EXTREMES] == [divmod(n, divisor) for n in EXTREMES]
    with pytest.raises(ValueError, match="above zero"):
        cgutils.divmod_by_constant(None, I64(1), 0)


def test_sums_of_products_outside_the_type_are_told():
    def muladd(context, builder, sig, args):
        return context.make_tuple(builder, sig.return_type, cgutils.muladd_with_overflow(builder, *args))
    f = written(muladd, types.Tuple((INT, types.boolean)), INT, INT, INT)
    for a, b, c in ((3, 4, 5), (2**62, 2, 0), (2**62, 1, 2**62), (-2**63, 1, -1), (-2**63, 1, 0)):
        exact = a * b + c
        value, is_outside = f(a, b, c)
        assert is_outside == (not -2**63 <= exact < 2**63) and (value - exact) % 2**64 == 0


@pytest.mark.parametrize("name, holds", [
    ("is_scalar_zero", lambda x: x == 0), ("is_not_scalar_zero", lambda x: x != 0),
    ("is_scalar_zero_or_nan", lambda x: x == 0 or x != x), ("is_scalar_neg", lambda x: x < 0)])
def test_zero_and_sign(name, holds):
    def ask(context, builder, sig, args):
        return getattr(cgutils, name)(builder, args[0])
    for kind, values in ((types.float64, (0.0, -0.0, 1.5, -1.5, math.nan, math.inf, -math.inf)),
                         (types.float32, (0.0, -2.0, math.nan)), (types.int8, (0, 1, -1))):
        f = written(ask, types.boolean, kind)
        dtype = np.dtype(str(kind)).type
        assert [f(dtype(value)) for value in values] == [holds(value) for value in values]


def test_guards_raise():
    def divide(context, builder, sig, args):
        cgutils.guard_zero(context, builder, args[1], (ZeroDivisionError, "nothing to divide by"))
        cgutils.guard_memory_error(context, builder, builder.inttoptr(args[0], cgutils.voidptr_t), "no room")
        cgutils.do_boundscheck(context, builder, args[0], args[1])
        return builder.sdiv(args[0], args[1])
    f = written(divide, INT, INT, INT)
    assert f(6, 7) == 0
    for args, error, text in (((1, 0), ZeroDivisionError, "nothing to divide by"), ((0, 1), MemoryError, "no room"),
                              ((7, 7), IndexError, "out of bounds"), ((-1, 7), IndexError, "out of bounds")):
        with pytest.raises(error, match=text):
            f(*args)


def test_types_that_stand_for_nothing():
    assert cgutils.is_nonelike(types.none) and not cgutils.is_nonelike(INT)
    assert cgutils.is_empty_tuple(types.Tuple(())) and not cgutils.is_empty_tuple(INTS) and not cgutils.is_empty_tuple(INT)


# --- Memory

class Point(cgutils.Structure):
    _fields = [("x", types.int32), ("y", types.float64), ("is_set", types.boolean)]


def test_structs_of_a_programs_own():
    def total(context, builder, sig, args):
        first = Point(context, builder)
        first.x, first.y = builder.trunc(args[0], I32), context.get_constant(types.float64, 1.5)
        first.is_set = cgutils.true_bit
        cgutils.memset_padding(builder, first._getpointer())
        second = cgutils.copy_struct(Point(context, builder), first, {"y": context.get_constant(types.float64, 4.0)})
        by_place = Point(context, builder, ref=second._getpointer())
        by_value = Point(context, builder, value=first._getvalue())
        parts = [builder.sitofp(by_place.x, ir.DoubleType()), by_place.y, by_value.y,
                 builder.uitofp(by_value[2], ir.DoubleType())]
        for part in parts[1:]:
            parts[0] = builder.fadd(parts[0], part)
        return parts[0]
    assert written(total, types.float64, INT)(42) == 42 + 4.0 + 1.5 + 1

    def mistaken(context, builder, sig, args):
        Point(context, builder).x = args[0]
        return args[0]
    with pytest.raises(Exception, match="'x' of a value of Point is i32, not i64"):
        written(mistaken, INT, INT)(1)


def test_bytes_that_lie_over_one_another_move():
    def move(context, builder, sig, args):
        array = context.make_array(sig.args[0])(context, builder, args[0])
        place = cgutils.get_record_member(builder, builder.bitcast(array.data, ir.ArrayType(ir.IntType(8), 8).as_pointer()), 2,
                                          ir.IntType(8))
        cgutils.raw_memmove(builder, place, array.data, I64(5), 1)
        return I64(0)
    held = np.arange(8, dtype=np.uint8)
    written(move, INT, types.Array(types.uint8, 1, "C"))(held)
    assert held.tolist() == [0, 1, 0, 1, 2, 3, 4, 7]


def test_constant_arrays():
    def item(context, builder, sig, args):
        table = cgutils.global_constant(builder, "table", cgutils.create_constant_array(I64, [3, 1, 4, 1, 5]))
        return builder.load(cgutils.gep_inbounds(builder, table, I32(0), args[0]))
    f = written(item, INT, INT)
    assert [f(place) for place in range(5)] == [3, 1, 4, 1, 5]


def test_text_printed_by_c(capfd):
    def show(context, builder, sig, args):
        text = cgutils.snprintf_stackbuffer(builder, 16, "%lld|%s", args[0], context.insert_const_string(builder.module, "hé!"))
        cgutils.printf(builder, "[%s] %lld %.1f\n", text, args[0], context.get_constant(types.float64, 2.5))
        array = context.make_array(sig.args[1])(context, builder, args[1])
        cgutils.hexdump(builder, array.data, 18)
        flush = cgutils.get_or_insert_function(builder.module, ir.FunctionType(I32, [cgutils.voidptr_t]), "fflush")
        builder.call(flush, [cgutils.voidptr_t(None)])
        return I64(0)
    written(show, INT, INT, types.Array(types.uint8, 1, "C"))(42, np.arange(18, dtype=np.uint8))
    first, head, *rows = capfd.readouterr().out.splitlines()
    assert first == "[42|hé!] 42 2.5" and head.startswith("hexdump p=0x") and head.endswith(" n=18")
    assert [row.split() for row in rows] == [[f"{n:02X}" for n in range(16)], ["10", "11"]]
    assert cgutils.normalize_ir_text("é").encode("latin1") == "é".encode()


@intrinsic
def address(typingctx, number):
    return types.voidptr(number), lambda context, builder, sig, args: builder.inttoptr(args[0], cgutils.voidptr_t)


def test_bytes_at_addresses():
    held = np.arange(32, dtype=np.uint8)

    @njit
    def read(place, number):
        memcpy_region(address(place), 20, address(place), 0, number, 1)
        return grab_byte(address(place), number), grab_uint64_t(address(place), 1)
    assert read(held.ctypes.data, 3) == (3, int.from_bytes(bytes(range(8, 16)), "little"))
    assert held[20:24].tolist() == [0, 1, 2, 23]


def test_references_on_memory(capfd):
    @njit
    def counts(given):
        made = np.zeros(3)
        return get_refcount(made), len([made]), get_refcount(given), dump_refcount(made), dump_refcount(3)
    of_made, _, of_given, is_counted, is_number_counted = counts(np.zeros(2))
    assert of_made >= 1 and of_given >= 0 and is_counted and not is_number_counted
    with pytest.raises(Exception, match="hold no memory whose references are counted"):
        njit(lambda x: get_refcount(x))(1)


def test_a_compiled_function_implements_an_intrinsic_whatever_its_parameters_are_called():
    @intrinsic
    def halved(typingctx, value):
        def write(context, builder, sig, args):
            return context.compile_internal(builder, lambda a: a / 2, sig, args)
        return types.float64(value), write
    assert njit(lambda x: halved(x))(3) == 1.5
