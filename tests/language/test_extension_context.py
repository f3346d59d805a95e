# SPDX-License-Identifier: MIT
"""What generators of code ask of their context, and of the models of types."""
import operator

import numpy as np
import pytest
from conftest import function_of
from extension_values import named_type
from llvmlite import ir

from numba import njit, typeof, types
from numba.core import cgutils
from numba.core.callconv import create_error_model
from numba.core.datamodel import default_manager
from numba.core.errors import TypingError
from numba.extending import intrinsic

I32, I64 = ir.IntType(32), ir.IntType(64)


def given(generator, result, *args):
    """What code gives for arguments: the generator is given (context, builder, signature, values)."""
    names = ", ".join("abcdef"[:len(args)])
    define = function_of(f"def written(typingctx, {names}):\n    return signature, generator\n", "written",
                         signature=result(*map(typeof, args)), generator=generator)
    return njit(function_of(f"def f({names}):\n    return made({names})\n", made=intrinsic(define)))(*args)


def test_attributes_are_read_and_set():
    def read(name):
        return lambda context, builder, sig, args: context.get_getattr(sig.args[0], name)(
            context, builder, sig.args[0], args[0], name)
    assert given(read("imag"), types.float64, 3 + 4j) == 4.0
    assert given(read("size"), types.int64, np.zeros((2, 3))) == 6
    with pytest.raises(TypingError, match="have no attribute 'nothing'"):
        given(read("nothing"), types.int64, np.zeros(2))
    record = np.zeros(1, [("mass", "f8")])

    def heavier(context, builder, sig, args):
        context.get_setattr("mass", types.none(sig.args[0], sig.args[1]))(builder, args)
        return args[1]
    assert given(heavier, types.float64, record[0], 2.5) == 2.5 and record["mass"][0] == 2.5


@pytest.mark.parametrize("sign", [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge])
def test_values_of_two_types_are_compared(sign):
    for a, b in ((1, 2.5), (3.0, 2), (2, 2), (True, 1), (np.int8(-1), np.uint8(255))):
        assert given(lambda context, builder, sig, args: context.generic_compare(builder, sign, sig.args, args),
                     types.boolean, a, b) == sign(a, b)


def test_what_c_has():
    def place_of_none(context, builder, sig, args):
        return builder.ptrtoint(context.get_c_value(builder, I64, "_Py_NoneStruct"), I64)
    assert given(place_of_none, types.int64, 0) == id(None)

    def bessel(context, builder, sig, args):
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()])
        return context.call_external_function(builder, cgutils.get_or_insert_function(builder.module, kind, "j0"), sig.args, args)
    assert given(bessel, types.float64, 0.0) == 1.0


def test_error_models():
    def divide(name):
        def write(context, builder, sig, args):
            model = context.error_model if name is None else create_error_model(name, context)
            with builder.if_then(cgutils.is_scalar_zero(builder, args[1])):
                model.fp_zero_division(builder, ("nothing to divide by",))
            return builder.fdiv(*args)
        return write
    assert given(divide(None), types.float64, 3.0, 2.0) == 1.5 and given(divide("numpy"), types.float64, 3.0, 0.0) == np.inf
    for name in (None, "python"):
        with pytest.raises(ZeroDivisionError, match="nothing to divide by"):
            given(divide(name), types.float64, 3.0, 0.0)


def test_constants_and_lists():
    def total(context, builder, sig, args):
        data = context.insert_const_bytes(builder.module, b"hello")
        first, same = (context.insert_unique_const(builder.module, "number", I64(value)) for value in (5, 6))
        character = builder.zext(builder.load(builder.gep(data, [args[0]])), I64)
        return builder.add(character, builder.add(builder.load(first), builder.load(same)))
    assert given(total, types.int64, 1) == ord("e") + 5 + 5
    assert given(lambda context, builder, sig, args: context.build_list(builder, sig.return_type, [args[1], args[0]]),
                 types.List(types.int64), 4, 5) == [5, 4]


def test_texts_are_printed(capfd):
    def show(context, builder, sig, args):
        context.printf(builder, "number %lld\n", args[0])
        context.debug_print(builder, "100 % done")
        context.print_string(builder, context.insert_const_string(builder.module, "text"))
        kind = ir.FunctionType(I32, [cgutils.voidptr_t])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "fflush"), [cgutils.voidptr_t(None)])
        return args[0]
    given(show, types.int64, 7)
    assert capfd.readouterr().out == "number 7\n100 % done\ntext\n"


# --- Models

def test_models_say_of_what_values_consist():
    array = types.Array(types.float64, 1, "C")
    kind = named_type("Modelled", [("x", types.int64), ("is_set", types.boolean), ("held", array)])()
    model = default_manager[kind]
    assert model.get_model("is_set").get_data_type() == ir.IntType(8) and model.get_model(1).get_value_type() == ir.IntType(1)
    assert model.traverse_types() == [kind, types.int64, types.boolean, array] and len(model.inner_models()) == 3
    assert model.contains_nrt_meminfo() and not model.has_nrt_meminfo()
    counted = [kind for kind in (types.int64, types.unicode_type, array, types.List(types.int64), types.complex128)
               if default_manager[kind].has_nrt_meminfo()]
    assert counted == [types.unicode_type, array, types.List(types.int64)]
    assert default_manager[types.int64] == default_manager[types.int64] != default_manager[types.int32]

    def write(context, builder, sig, args):
        value = ir.Constant(model.get_value_type(), ir.Undefined)
        value = model.set(builder, model.set(builder, value, args[0], "x"), cgutils.true_bit, 1)
        return builder.add(model.get(builder, value, 0), builder.zext(model.get(builder, value, "is_set"), I64))
    assert given(write, types.int64, 41) == 42


def test_truth_values_lie_in_memory_as_bytes():
    def write(context, builder, sig, args):
        model = context.data_model_manager[types.boolean]
        place = cgutils.alloca_once(builder, model.get_data_type())
        builder.store(model.as_data(builder, builder.icmp_signed(">", args[0], I64(3))), place)
        return model.load_from_data_pointer(builder, place)
    assert [given(write, types.boolean, number) for number in (4, 3)] == [True, False]
