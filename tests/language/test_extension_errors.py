# SPDX-License-Identifier: MIT
"""What is wrong with types that programs add: each error names the type, the place and what is wanted."""
import itertools

import pytest
from llvmlite import ir

from numba import njit, typeof, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import (NativeValue, box, lower_builtin, make_attribute_wrapper, models, register_model,
                             type_callable, typeof_impl, unbox)

_numbers = itertools.count()


class Kit:
    """A class of Python with a type of its own, whose parts the tests register or not."""

    def __init__(self, members=(("x", types.float64),)):
        class Thing:
            def __init__(self, x=1.5):
                self.x = x

        class ThingType(types.Type):
            def __init__(self):
                super().__init__(name=f"Thing{number}")
        number = next(_numbers)
        self.Thing, self.ThingType, self.type = Thing, ThingType, ThingType()
        typeof_impl.register(Thing)(lambda val, c: self.type)
        if members is not None:
            self.add_model(members)

    def add_model(self, members):
        @register_model(self.ThingType)
        class ThingModel(models.StructModel):
            def __init__(self, dmm, fe_type):
                super().__init__(dmm, fe_type, members)

    def unbox_x(self):
        @unbox(self.ThingType)
        def unbox_thing(typ, obj, c):
            thing = cgutils.create_struct_proxy(typ)(c.context, c.builder)
            part = c.pyapi.object_getattr_string(obj, "x")
            native = c.unbox(types.float64, part)
            c.pyapi.decref(part)
            thing.x = native.value
            return NativeValue(thing._getvalue(), is_error=native.is_error)

    def call(self):
        return njit(lambda t: 1)(self.Thing())

    def give(self):
        return njit(lambda t: t)(self.Thing())


# --- typeof_impl

def test_typeof_that_gives_no_type():
    class Odd:
        pass

    @typeof_impl.register(Odd)
    def typeof_odd(val, c):
        return "Odd"
    with pytest.raises(ValueError, match=r"typeof_odd \(.*test_extension_errors.py:\d+\).*has to give a type, not 'Odd'"):
        typeof(Odd())
    with pytest.raises(TypingError, match="typeof_odd .*has to give a type"):
        njit(lambda x: 1)(Odd())


def test_typeof_that_raises():
    class Odd:
        pass

    @typeof_impl.register(Odd)
    def typeof_odd(val, c):
        raise KeyError("nothing")
    with pytest.raises(ValueError, match="typeof_odd .*raises KeyError: 'nothing'"):
        typeof(Odd())
    assert typeof(1.5) == types.float64


# --- Models

def test_a_type_without_a_model():
    kit = Kit(members=None)
    with pytest.raises(TypingError, match=rf"extension type {kit.type} \(class ThingType, .*\.py:\d+\) has no model: "
                                          r"register one with @register_model\(ThingType\)"):
        kit.call()
    kit.add_model([("x", types.float64)])  # it may come later
    kit.unbox_x()
    assert kit.call() == 1


@pytest.mark.parametrize("members, message", [
    ([("x", float)], "member 'x' is <class 'float'>, which is no type"),
    ([("x", types.int64), ("x", types.int64)], "two members have one name"),
    ([("x",)], "unpack"),
    ([(1, types.int64)], "the name of a member is 1, which is no str"),
], ids=["no-type", "twice", "no-pair", "no-name"])
def test_members_that_are_none(members, message):
    kit = Kit(members)
    kit.unbox_x()
    with pytest.raises(TypingError, match=rf"model ThingModel \(.*\.py:\d+\) of the extension type {kit.type} does not "
                                          rf"describe it: .*({message})"):
        kit.call()


def test_a_type_within_itself():
    kit = Kit(members=None)
    kit.add_model([("x", kit.type)])
    with pytest.raises(TypingError, match="has the type Thing.* itself, so that a value had no end"):
        kit.call()


@pytest.mark.parametrize("be_type, message", [
    (ir.IntType(7), "a value cannot be i7"), (ir.IntType(128), "a value cannot be i128"),
    (ir.LiteralStructType([ir.IntType(8)]), "a StructModel has several members"), (types.int64, "a value cannot be int64"),
], ids=str)
def test_numbers_of_no_width(be_type, message):
    kit = Kit(members=None)

    @register_model(kit.ThingType)
    class ThingModel(models.PrimitiveModel):
        def __init__(self, dmm, fe_type):
            super().__init__(dmm, fe_type, be_type)
    with pytest.raises(TypingError, match=message):
        kit.call()


def test_models_that_are_none():
    for model in (lambda dmm, fe_type: 3, models.DataModel):
        kit = Kit(members=None)
        register_model(kit.ThingType)(model)
        with pytest.raises(TypingError, match="does not describe it: .*(is no model|says nothing of the values)"):
            kit.call()
    for registrar in (register_model, box, unbox):
        with pytest.raises(TypeError, match="takes a class of types, not 3"):
            registrar(3)(lambda *args: None)
    with pytest.raises(TypeError, match="takes a class of types"):
        make_attribute_wrapper(kit.type, "x", "x")


def test_attributes_of_no_member():
    kit = Kit()
    kit.unbox_x()
    make_attribute_wrapper(kit.ThingType, "y", "why")
    with pytest.raises(TypingError, match="has the members x, and no 'y', which make_attribute_wrapper.* attribute 'why'"):
        njit(lambda t: t.why)(kit.Thing())
    with pytest.raises(TypingError, match="Unknown attribute 'x'"):
        njit(lambda t: t.x)(kit.Thing())


# --- box and unbox

def test_neither_way():
    kit = Kit()
    for call, message in ((kit.call, rf"can't unbox {kit.type} type: .* no way from Python, register one with @unbox"),
                          (kit.give, rf"cannot convert native {kit.type} to Python object: .* register one with @box")):
        with pytest.raises(TypeError, match=rf"{message}\(ThingType\)"):
            call()
        kit.unbox_x()


@pytest.mark.parametrize("give, message", [
    (lambda typ, obj, c: None, "gives None, where a NativeValue is wanted"),
    (lambda typ, obj, c: obj, "where a NativeValue is wanted"),
    (lambda typ, obj, c: NativeValue(c.context.get_constant(types.int32, 1)), "NativeValue is of i32, where .* is {double}"),
    (lambda typ, obj, c: NativeValue(None), "NativeValue is of None"),
    (lambda typ, obj, c: NativeValue(None, cleanup=print), "NativeValue is of None"),
    (lambda typ, obj, c: 1 / 0, "division by zero"),
    (lambda typ, obj, c: cgutils.create_struct_proxy(typ)(c.context, c.builder).y, "has x, and no 'y'"),
    (lambda typ, obj, c: c.pyapi.no_such(obj), "no attribute 'no_such'"),
], ids=range(8))
def test_unbox_that_gives_something_else(give, message):
    kit = Kit()
    unbox(kit.ThingType)(give)
    with pytest.raises(TypingError, match=rf"@unbox of the extension type {kit.type}, whose code is generated at "
                                          rf".*test_extension_errors.py:\d+, cannot be compiled.*{message}"):
        kit.call()


@pytest.mark.parametrize("give, message", [
    (lambda typ, val, c: None, "gives None, where the address of an object is wanted"),
    (lambda typ, val, c: val, "where the address of an object is wanted"),
    (lambda typ, val, c: c.box(types.int64, val), "box is given a value of {double}, where int64 is i64"),
    (lambda typ, val, c: 1 / 0, "division by zero"),
], ids=range(4))
def test_box_that_gives_something_else(give, message):
    kit = Kit()
    kit.unbox_x()
    box(kit.ThingType)(give)
    with pytest.raises(TypingError, match=rf"@box of the extension type {kit.type}, whose code is generated at "
                                          rf".*test_extension_errors.py:\d+, cannot be compiled.*{message}"):
        kit.give()


def test_failures_without_an_exception():
    kit = Kit()
    kit.unbox_x()
    box(kit.ThingType)(lambda typ, val, c: c.pyapi.get_null_object())
    with pytest.raises(SystemError, match=f"what @box registered for {kit.type} failed, and set no exception"):
        kit.give()
    kit = Kit()
    unbox(kit.ThingType)(lambda typ, obj, c: NativeValue(c.context.get_constant_undef(typ), is_error=cgutils.true_bit))
    with pytest.raises(SystemError, match=f"what @unbox registered for {kit.type} failed, and set no exception"):
        kit.call()


def test_exceptions_of_the_code_itself():
    kit = Kit()

    @unbox(kit.ThingType)
    def unbox_thing(typ, obj, c):
        c.pyapi.err_set_string("PyExc_ValueError", "not today")
        return NativeValue(c.context.get_constant_undef(typ), is_error=cgutils.true_bit)
    with pytest.raises(ValueError, match="not today"):
        kit.call()


def test_code_without_an_end():
    kit = Kit()
    kit.unbox_x()

    @box(kit.ThingType)
    def box_thing(typ, val, c):
        c.builder.branch(c.builder.append_basic_block("lost"))
        return c.pyapi.make_none()
    with pytest.raises(TypingError, match=f"@box of the extension type {kit.type}.*(cannot be compiled|LLVM does not take)"):
        kit.give()


# --- Calls

def called(typer, lower=None, params=(types.Any,)):
    def function(x):
        raise NotImplementedError
    type_callable(function)(lambda context: typer)
    if lower:
        lower_builtin(function, *params)(lower)
    return njit(lambda x: function(x))


def test_typers_that_are_wrong():
    def typer(x):
        raise KeyError("nothing")
    with pytest.raises(TypingError, match=r"typer \(.*test_extension_errors.py:\d+\), which types calls of function, raises "
                                          r"KeyError for \(int64\): 'nothing'"):
        called(typer)(1)
    with pytest.raises(TypingError, match="has to give a type, a signature or None, not 3"):
        called(lambda x: 3)(1)
    with pytest.raises(TypingError, match="No overload of it takes arguments of these types"):
        called(lambda x: None)(1)
    with pytest.raises(TypeError, match="has to give a function of the arguments' types, not None"):
        type_callable(typer)(lambda context: None)


def test_calls_without_code():
    f = called(lambda x: types.int64, lambda context, builder, sig, args: args[0], (types.float64,))
    assert isinstance(f, object)
    with pytest.raises(TypingError, match=r"a call of function with \(int64\) has a type and no code: "
                                          r"@lower_builtin\(function, ...\) is for \(float64\)"):
        f(1)


@pytest.mark.parametrize("lower, message", [
    (lambda context, builder, sig, args: None, "gives no value, where its signature says float64"),
    (lambda context, builder, sig, args: args[0], "gives a value of i64, where float64 is double"),
    (lambda context, builder, sig, args: builder.bitcast(builder.fadd(*args, *args), ir.DoubleType()), "LLVM does not take"),
    (lambda context, builder, sig, args: args[1], "out of range"),
], ids=range(4))
def test_code_that_is_wrong(lower, message):
    with pytest.raises(TypingError, match=rf"the code of function, whose code is generated at .*:\d+,.*{message}"):
        called(lambda x: types.float64, lower)(1)


def test_the_code_that_fits_best():
    constant = [lambda context, builder, sig, args, n=n: context.get_constant(types.int64, n) for n in range(3)]

    def function(x):
        raise NotImplementedError
    type_callable(function)(lambda context: lambda x: types.int64)
    lower_builtin(function, types.int32)(lambda context, builder, sig, args: context.get_constant(types.int64, 0))
    lower_builtin(function, types.Integer)(lambda context, builder, sig, args: context.get_constant(types.int64, 1))
    lower_builtin(function, types.Any)(lambda context, builder, sig, args: context.get_constant(types.int64, 2))
    import numpy as np
    f = njit(lambda x: function(x))
    assert [f(np.int32(1)), f(np.int64(1)), f(1.5)] == [0, 1, 2] and len(constant) == 3
