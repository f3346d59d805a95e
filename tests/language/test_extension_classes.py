# SPDX-License-Identifier: MIT
"""Types of classes that programs derive from those of numbers, arrays and lists; templates that are made by functions;
arguments that have to be literals."""
import pytest
from extension_values import class_of_values, named_type, unbox_members

from numba import njit, types
from numba.core.errors import TypingError
from numba.core.typing import templates
from numba.extending import (NativeValue, SentryLiteralArgs, box, infer, infer_getattr, lower_builtin,
                             make_attribute_wrapper, models, overload, overload_method, register_model, sentry_literal_args,
                             type_callable, typeof_impl, unbox)


class Level(int):
    pass


class LevelType(types.Integer):
    def __init__(self):
        super().__init__("Level", 16, True)


register_model(LevelType)(models.IntegerModel)
typeof_impl.register(Level)(lambda val, c: LevelType())


@unbox(LevelType)
def unbox_level(typ, obj, c):
    return c.unbox(types.int16, obj)


@box(LevelType)
def box_level(typ, val, c):
    return c.pyapi.call_function_objargs(c.pyapi.add_const(Level), [c.box(types.int16, val)])


def raised(level):
    return Level(level + 1)


@type_callable(raised)
def type_raised(context):
    return lambda level: level if isinstance(level, types.Integer) else None


@lower_builtin(raised, LevelType)
def lower_raised(context, builder, sig, args):
    one = context.get_constant(types.int16, 1)
    return builder.add(args[0], one)


def as_number(level):
    return int(level)


@type_callable(as_number)
def type_as_number(context):
    return lambda level: types.int64


@lower_builtin(as_number, types.Integer)
def lower_as_number(context, builder, sig, args):
    return context.cast(builder, args[0], sig.args[0], sig.return_type)


def test_numbers_of_a_class_of_their_own():
    kind = LevelType()
    assert (kind.bitwidth, kind.signed, kind.maxval, kind == LevelType(), kind == types.int16) == (16, True, 32767, True, False)
    assert isinstance(kind, types.Integer) and isinstance(kind, types.Number) and kind.name == "Level"
    made = njit(lambda level: raised(raised(level)))(Level(3))
    assert type(made) is Level and made == 5
    assert njit(lambda level: as_number(level) * 2)(Level(-7)) == -14
    assert njit(lambda x: as_number(x))(9) == 9


@pytest.mark.parametrize("base, args, parts", [
    (types.Integer, ("uint8",), {"bitwidth": 8, "signed": False}),
    (types.Float, ("float32",), {"bitwidth": 32}),
    (types.Complex, ("c", types.float32), {"bitwidth": 64, "underlying_float": types.float32}),
    (types.Array, (types.int8, 2, "F", True), {"dtype": types.int8, "ndim": 2, "layout": "F", "mutable": False, "aligned": True}),
    (types.List, (types.int8,), {"dtype": types.int8}), (types.ListType, (types.int8,), {"dtype": types.int8}),
    (types.Set, (types.int8,), {"dtype": types.int8}), (types.Optional, (types.int8,), {"type": types.int8}),
    (types.CPointer, (types.int8,), {"dtype": types.int8}),
    (types.Buffer, (types.int8, 1, "C"), {"dtype": types.int8, "ndim": 1, "layout": "C"}),
    (types.Number, ("n",), {"name": "n"}), (types.Opaque, ("o",), {"name": "o"}),
], ids=lambda value: getattr(value, "__name__", ""))
def test_classes_that_are_derived(base, args, parts):
    derived = type("Derived", (base,), {})
    again = type("Again", (derived,), {"__init__": lambda self: super(again, self).__init__(*args)})
    for kind in derived(*args), again():
        assert isinstance(kind, base) and {name: getattr(kind, name) for name in parts} == parts
        with pytest.raises(TypeError, match="has no model"):
            _model_of(kind)
    assert derived(*args) == derived(*args) and derived(*args) != again()


def _model_of(kind):
    from numba.core.datamodel import default_manager
    try:
        return default_manager[kind]
    except TypingError as error:
        raise TypeError(str(error)) from None


def test_tuples_are_not_derived_from():
    for base in types.BaseTuple, types.Tuple, types.UniTuple:
        with pytest.raises(TypeError, match="derives from a class of types of tuples"):
            type("Derived", (base,), {})((types.int64,))
    assert types.List((types.int64, types.float64)) == types.List(types.Tuple((types.int64, types.float64)))


# --- Templates

Ruler = named_type("TemplateRuler", [("scale", types.float64)])
Scale = class_of_values(Ruler, "scale")
unbox_members(Ruler, scale=types.float64)
make_attribute_wrapper(Ruler, "scale", "scale")


class _Calling(templates._OverloadAttributeTemplate):
    is_method = True


def test_templates_made_by_functions():
    make = templates.make_overload_attribute_template
    infer_getattr(make(Ruler, "__call__", lambda ruler, x: lambda ruler, x: ruler.scale * x, base=_Calling))
    infer_getattr(make(Ruler, "twice", lambda ruler: lambda ruler: ruler.scale * 2))
    infer_getattr(templates.make_overload_method_template(Ruler, "plus", lambda ruler, x: lambda ruler, x: ruler.scale + x))

    def half(x):
        return x / 2
    infer(templates.make_overload_template(half, lambda x: lambda x: x * 0.5, {}, True, "never"))

    @njit
    def f(ruler, x):
        return ruler(x) + ruler.twice + ruler.plus(x) + half(x)
    assert f(Scale(3.0), 2.0) == 6 + 6 + 5 + 1


def test_templates_of_calls():
    def larger(a, b):
        return max(a, b)
    concrete = templates.make_concrete_template("Larger", larger, [types.float64(types.float64, types.float64)])
    templates.Registry().register(concrete)

    @lower_builtin(larger, types.float64, types.float64)
    def lower_larger(context, builder, sig, args):
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    def count(a):
        return len(a)
    templates.Registry().register_global(count)(
        templates.make_callable_template(count, lambda a: types.int64 if isinstance(a, types.BaseTuple) else None))

    @lower_builtin(count, types.BaseTuple)
    def lower_count(context, builder, sig, args):
        return context.get_constant(types.int64, len(sig.args[0]))
    assert njit(lambda: larger(1, 2.5) + count((1, 2, 3)))() == 5.5


# --- Literals

def scaled(x, power, sign=1):
    return x


@overload(scaled)
def ol_scaled(x, power, sign=1):
    bound = SentryLiteralArgs(["power"]).for_function(scaled).bind(x, power, sign=sign)
    factor = 10 ** bound.arguments["power"].literal_value
    return lambda x, power, sign=1: x * factor


def test_arguments_have_to_be_literals():
    assert njit(lambda x: scaled(x, 2))(3) == 300
    assert njit(lambda x, power: scaled(x, power))(3, 3) == 3000
    assert njit(lambda x: scaled(power=1, x=x))(3) == 30
    with pytest.raises(TypingError):
        njit(lambda x, power: scaled(x, power))(3, 1.5)
    import inspect
    from numba.core.errors import ForceLiteralArg
    with pytest.raises(ForceLiteralArg) as caught:
        sentry_literal_args(inspect.signature(scaled), ["power", "sign"], (types.int64, types.int64), {})
    assert caught.value.requested_args == {1}


def test_texts():
    class Named:
        pass

    class NamedType(types.Type):
        def __init__(self, name):
            super().__init__(name=name)

    class Other(Named):
        pass

    class OtherType(NamedType):
        pass

    for python, numba_type in ((Named, NamedType), (Other, OtherType)):
        register_model(numba_type)(models.OpaqueModel)
        typeof_impl.register(python)(lambda value, c, kind=numba_type: kind(kind.__name__))
        unbox(numba_type)(lambda typ, obj, c: NativeValue(c.context.get_dummy_value()))
    f = njit(lambda x: (str(x), repr(x)))
    overload_method(OtherType, "__repr__")(lambda x: lambda x: "an other")
    assert f(Named()) == ("<object type:NamedType>",) * 2 and f(Other()) == ("an other",) * 2
    overload_method(NamedType, "__str__")(lambda x: lambda x: 3)
    with pytest.raises(TypingError, match=r"__str__\(\) gives (int64|Literal.*), which is no string"):
        njit(lambda x: str(x))(Named())
