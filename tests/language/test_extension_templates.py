# SPDX-License-Identifier: MIT
"""Templates: classes that say of which types calls and attributes of a program's own are, as awkward has them."""
import inspect
import operator

import numpy as np
import pytest
from conftest import function_of
from llvmlite import ir

import numba
from numba import njit, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import Registry
from numba.core.typing.templates import (AbstractTemplate, AttributeTemplate, CallableTemplate, ConcreteTemplate,
                                         bound_function, infer_getattr, infer_global, signature)
from numba.extending import (NativeValue, lower_builtin, lower_getattr, lower_getattr_generic, models, register_model,
                             typeof_impl, unbox)


class Span:
    def __init__(self, start, size):
        self.start, self.size = start, size


class SpanType(types.Type):
    def __init__(self):
        super().__init__(name="Span")


@typeof_impl.register(Span)
def typeof_span(val, c):
    return SpanType()


register_model(SpanType)(lambda dmm, kind: models.StructModel(dmm, kind, [("start", types.int64), ("size", types.int64)]))


@unbox(SpanType)
def unbox_span(typ, obj, c):
    span = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    for name in ("start", "size"):
        part = c.pyapi.object_getattr_string(obj, name)
        setattr(span, name, c.unbox(types.int64, part).value)
        c.pyapi.decref(part)
    return NativeValue(span._getvalue(), is_error=c.pyapi.c_api_error())


@infer_global(len)
class SpanLen(AbstractTemplate):
    def generic(self, args, kws):
        if len(args) == 1 and not kws and isinstance(args[0], SpanType):
            return signature(types.intp, args[0])


@lower_builtin(len, SpanType)
def lower_len(context, builder, sig, args):
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).size


@infer_global(operator.getitem)
class SpanItem(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], SpanType) and isinstance(args[1], types.Integer):
            return signature(types.int64, args[0], types.int64)  # other integers are converted


@lower_builtin(operator.getitem, SpanType, types.int64)
def lower_getitem(context, builder, sig, args):
    span = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    return builder.add(span.start, args[1])


@infer_getattr
class SpanAttributes(AttributeTemplate):
    key = SpanType

    def resolve_start(self, span):
        return types.int64

    def generic_resolve(self, span, attr):
        return {"size": types.int64, "half": types.float64, "codeless": None, "odd": 3}.get(attr)

    @bound_function("span.moved")
    def resolve_moved(self, span, args, kws):
        if len(args) + len(kws) == 1 and isinstance([*args, *kws.values()][0], types.Integer):
            return signature(types.int64, types.int64)


@lower_getattr(SpanType, "start")
def lower_start(context, builder, typ, val):
    return builder.extract_value(val, 0)


@lower_getattr_generic(SpanType)
def lower_any(context, builder, typ, val, attr):
    size = builder.extract_value(val, 1)
    return size if attr == "size" else builder.fdiv(builder.sitofp(size, ir.DoubleType()), ir.Constant(ir.DoubleType(), 2.0))


@lower_builtin("span.moved", SpanType, types.int64)
def lower_moved(context, builder, sig, args):
    assert sig.args[0] == SpanType()
    return builder.add(builder.extract_value(args[0], 0), args[1])


def test_calls_and_operators():
    @njit
    def f(span):
        return len(span), span[2], span[np.int8(3)], len((1, 2)), (7, 8)[1]
    assert f(Span(10, 5)) == (5, 12, 13, 2, 8)


def test_attributes_and_methods():
    f = njit(lambda s: (s.start, s.size, s.half, s.moved(4), s.moved(by=np.int16(5))))
    assert f(Span(10, 5)) == (10, 5, 2.5, 14, 15)


@pytest.mark.parametrize("text, message", [
    ("s.nothing", "Unknown attribute 'nothing' of type Span"), ("s.codeless", "Unknown attribute 'codeless'"),
    ("s.odd", r"SpanAttributes \(.*test_extension_templates.py:\d+\), which resolves the attribute 'odd' of Span, has to "
              "give a type, not 3"),
    ("s.moved(1.5)", "No overload of the method takes these arguments"),
    ("len(s, s)", "len"), ("s['a']", "getitem"),
])
def test_what_is_not_there(text, message):
    with pytest.raises(TypingError, match=message):
        njit(function_of(f"def f(s):\n    return {text}\n"))(Span(1, 2))


def test_templates_of_cases_and_of_typers():
    def widened(x):
        raise NotImplementedError

    def doubled(x):
        raise NotImplementedError

    @infer_global(widened)
    class Widened(ConcreteTemplate):
        cases = [signature(types.complex128, types.complex128), signature(types.float64, types.float64),
                 signature(types.int64, types.int64)]

    lower_builtin(widened, types.Any)(lambda context, builder, sig, args: args[0])

    @infer_global(doubled, typing_key="doubled")
    class Doubled(CallableTemplate):
        def generic(self):
            return lambda x: x

    Registry("mine").lower("doubled", types.Float)(lambda context, builder, sig, args: builder.fadd(args[0], args[0]))
    f = njit(lambda x: widened(x))
    assert [f(x) for x in (np.int8(3), np.float32(1.5), np.complex64(2j))] == [3, 1.5, 2j]
    assert isinstance(f(np.int8(3)), int) and isinstance(f(np.float32(1)), float)
    assert njit(lambda x: doubled(x))(1.5) == 3.0
    with pytest.raises(TypingError, match=r"a call of doubled with \(int64\) has a type and no code"):
        njit(lambda x: doubled(x))(1)
    with pytest.raises(TypingError, match="No overload of it takes arguments of these types"):
        f("text")


def test_templates_that_are_wrong():
    def function(x):
        raise NotImplementedError

    @infer_global(function)
    class Raises(AbstractTemplate):
        def generic(self, args, kws):
            raise KeyError("nothing")
    with pytest.raises(TypingError, match=r"Raises \(.*test_extension_templates.py:\d+\), which types calls of function, "
                                          r"raises KeyError for \(int64\): 'nothing'"):
        njit(lambda x: function(x))(1)
    with pytest.raises(TypeError, match="infer_global.. takes a class of templates, not 3"):
        infer_global(function)(3)
    with pytest.raises(TypeError, match="infer_getattr.. takes a class below AttributeTemplate with a key"):
        infer_getattr(AttributeTemplate)


def test_attributes_without_code():
    class BareType(types.Type):
        def __init__(self):
            super().__init__(name="Bare")

    class Bare:
        pass
    typeof_impl.register(Bare)(lambda val, c: BareType())
    register_model(BareType)(models.OpaqueModel)
    unbox(BareType)(lambda typ, obj, c: NativeValue(obj))

    @infer_getattr
    class BareAttributes(AttributeTemplate):
        key = BareType()

        def resolve_x(self, bare):
            return types.int64
    with pytest.raises(TypingError, match=r"the attribute 'x' of Bare has a type and no code: write it with @lower_getattr"):
        njit(lambda b: b.x)(Bare())


def test_example_of_the_documentation():
    doc = infer_global.__doc__
    example = inspect.cleandoc("\n" + doc.partition("Example:\n")[2])
    function_of("def run():\n" + "".join(f"    {line}\n" for line in example.splitlines()), "run", infer_global=infer_global,
                AbstractTemplate=AbstractTemplate, lower_builtin=lower_builtin, types=types, njit=numba.njit)()
