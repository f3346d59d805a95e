# SPDX-License-Identifier: MIT
"""Code of a program's own for calls: references on what it passes on, and Python functions in its place, as pandas
has them for Index and Series."""
import gc
import sys

import numpy as np
import pytest

from llvmlite import ir

from numba import cuda, njit, typed, typeof, types
from numba.core import cgutils
from numba.core.datamodel import default_manager
from numba.core.errors import TypingError
from numba.core.imputils import Registry, impl_ret_borrowed, impl_ret_new_ref
from numba.extending import (
    NativeValue, box, intrinsic, lower_builtin, make_attribute_wrapper, models, register_model, type_callable,
    typeof_impl, unbox)


class Column:
    pass


class ColumnType(types.Type):
    def __init__(self, data, name):
        self.data, self.label = data, name
        super().__init__(f"column({data}, {name})")


@register_model(ColumnType)
class ColumnModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("data", fe_type.data), ("name", fe_type.label)])


for _member in ("data", "name"):
    make_attribute_wrapper(ColumnType, _member, _member)


def type_column(data, name=None):
    return ColumnType(data, types.none if name is None else name) if isinstance(data, types.Array) else None


type_callable(Column)(lambda context: type_column)


@lower_builtin(Column, types.Array, types.Any)
def lower_column(context, builder, sig, args):
    column = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    column.data, column.name = args
    return impl_ret_borrowed(context, builder, sig.return_type, column._getvalue())


@lower_builtin(Column, types.Array)
def lower_column_without_a_name(context, builder, sig, args):
    return context.compile_internal(builder, lambda data: Column(data, None), sig, args)


NAMES = ["text", 3, 2.5, (1, "two"), None]


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_what_is_passed_on(name):
    @njit
    def f(data, name):
        columns = [Column(data, name)]
        columns.append(columns[0])
        c = columns[1]
        return c.data, c.name
    data = np.arange(5.0)
    back, label = f(data, name)
    assert back is data and label == name


@pytest.mark.parametrize("text", ["a", "b" * 100])
def test_what_is_made_in_compiled_code(text):
    @njit
    def f(n, text):
        kept = [Column(np.full(n, float(i)), text + str(i)) for i in range(n)]
        total = 0.0
        for c in kept:
            total += c.data.sum() + len(c.name)
        return total, kept[n - 1].data, kept[0].name
    total, last, first = f(20, text)
    assert total == sum(20.0 * i + len(text + str(i)) for i in range(20))
    assert (last == 19.0).all() and first == text + "0"


def test_references_of_what_is_passed_on():
    @njit
    def f(data, name, counts):
        c = Column(data, (name, counts))
        d = Column(c.data, (c.name[0], c.name[1]))
        return len(d.name[0]) + d.data[1] + len(d.name[1])
    data, counts = np.arange(1000.0), typed.Dict.empty(types.int64, types.float64)
    assert f(data, "name", counts) == 5.0
    gc.collect()
    before = sys.getrefcount(data), sys.getrefcount(counts)
    for _ in range(50):
        f(data, "name", counts)
    gc.collect()
    assert (sys.getrefcount(data), sys.getrefcount(counts)) == before


def test_arrays_that_outlive_their_call():
    @njit
    def made(n):
        return Column(np.arange(n), "x")

    @njit
    def f(n):
        columns = [made(i) for i in range(n)]
        return columns[n - 1].data
    assert (f(1000) == np.arange(999)).all()


def test_python_functions_in_place_of_code():
    f = njit(lambda data: Column(data).name)
    assert f(np.arange(3)) is None

    def function(x):
        raise NotImplementedError
    type_callable(function)(lambda context: lambda x: types.float64)

    @lower_builtin(function, types.float64)
    def lower_function(context, builder, sig, args):
        twice = builder.fadd(args[0], args[0])
        return context.compile_internal(builder, lambda x: x + 1, sig, [twice])
    assert njit(lambda x: function(x))(1.0) == 3.0


def test_code_that_counts_runs_in_kernels():
    @cuda.jit
    def kernel(a, out):
        c = Column(a, 2)
        out[cuda.grid(1)] = c.data[cuda.grid(1)] * c.name
    out = np.zeros(4)
    kernel[1, 4](np.arange(4.0), out)
    assert (out == [0, 2, 4, 6]).all()


def test_kernels_take_no_memory_within_values():
    class Holder:
        pass
    kind = ColumnType(types.float64[::1], types.int64)
    typeof_impl.register(Holder)(lambda val, c: kind)
    with pytest.raises(TypingError, match="argument 'c' is a column"):
        cuda.jit(lambda c: None)[1, 1](Holder())


def test_registries_and_managers():
    def function(x):
        raise NotImplementedError
    registry = Registry("mine")
    type_callable(function)(lambda context: lambda x: x)
    registry.lower(function, types.Any)(
        lambda context, builder, sig, args: impl_ret_new_ref(context, builder, sig.return_type, args[0]))
    assert njit(lambda x: function(x))(1.5) == 1.5
    model = default_manager.lookup(ColumnType(types.float64[::1], types.int64))
    assert model.field_count == 2 and model.get_field_position("name") == 1 and model.get_type("name") == types.int64
    with pytest.raises(KeyError, match="no member 'size'"):
        model.get_field_position("size")


def test_types_of_values_that_are_known_anyway():
    assert typeof_impl(1.5, None) == types.float64 and typeof_impl(np.arange(3), None) == typeof(np.arange(3))


def test_dicts_of_texts_of_arrays():
    counts = typed.Dict.empty(typeof(np.array(["a"])).dtype, types.intp)

    @njit
    def count(words, counts):
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        return counts["ab"]
    assert count(np.array(["ab", "c", "ab"]), counts) == 2 and dict(counts) == {"ab": 2, "c": 1}


def test_boxing_calls_compiled_functions():
    """c.pyapi.call_jit_code: what compiled code gives, and what it raises, in unbox and in box."""
    class MarkType(types.Opaque):
        pass

    class Mark:
        number = 5
    mark_type = MarkType("mark")
    typeof_impl.register(Mark)(lambda val, c: mark_type)
    register_model(MarkType)(models.OpaqueModel)

    def checked(x):
        if x > 7:
            raise ValueError("more than 7", x)
        return x * 2

    @unbox(MarkType)
    def unbox_mark(typ, obj, c):
        part = c.pyapi.object_getattr_string(obj, "number")
        number = c.unbox(types.intp, part)
        c.pyapi.decref(part)
        failed, value = c.pyapi.call_jit_code(checked, types.intp(types.intp), [number.value])
        return NativeValue(c.builder.inttoptr(value, cgutils.voidptr_t), is_error=failed)

    @box(MarkType)
    def box_mark(typ, val, c):
        failed, value = c.pyapi.call_jit_code(lambda x: x / 4, types.float64(types.intp),
                                              [c.builder.ptrtoint(val, cgutils.intp_t)])
        return c.pyapi.float_from_double(value)
    mark = Mark()
    assert njit(lambda x: x)(mark) == 2.5
    mark.number = 8
    with pytest.raises(ValueError, match="more than 7") as failure:
        njit(lambda x: x)(mark)
    assert failure.value.args == ("more than 7", 8)
    assert njit(lambda: mark)() == 0.0  # as a constant, a value that shows nothing of itself


# --- Names, numbers of arguments, texts by their parts

def test_all_names_come_at_once():
    """Names that are found when they are first asked for are among those of `import *`, too."""
    space = {}
    exec("from numba.extending import *", space)
    from numba import extending
    for name in ("typeof_impl", "box", "unbox", "NativeValue", "models", "register_model", "lower_builtin", "lower_cast",
                 "type_callable", "intrinsic", "overload", "make_attribute_wrapper", "as_numba_type", "SentryLiteralArgs"):
        assert space[name] is getattr(extending, name)
    assert not {"inspect", "functools", "njit"} & space.keys()


def largest_of(*numbers):
    return max(numbers)


def test_code_for_any_number_of_arguments():
    type_callable(largest_of)(lambda context: lambda *numbers: types.float64(*[types.float64] * len(numbers)) if numbers else None)

    @lower_builtin(largest_of, types.VarArg(types.Any))
    def lower_largest(context, builder, sig, args):
        found = args[0]
        for other in args[1:]:
            found = builder.select(builder.fcmp_ordered(">", other, found), other, found)
        return found
    assert njit(lambda a: (largest_of(a), largest_of(1.0, a), largest_of(3.0, a, 7.5, 1.0)))(2.5) == (2.5, 2.5, 7.5)
    assert types.VarArg(types.int64).dtype == types.int64 and isinstance(types.VarArg(types.int64), types.VarArg)


def test_texts_by_their_parts():
    @intrinsic
    def character(typingctx, text, place):
        def write(context, builder, sig, args):
            parts = cgutils.create_struct_proxy(types.unicode_type)(context, builder, value=args[0])
            wide = builder.bitcast(parts.data, ir.IntType(32).as_pointer())
            inside = builder.icmp_signed("<", args[1], parts.length)
            found = cgutils.alloca_once_value(builder, ir.IntType(32)(0))
            with builder.if_then(inside):
                is_wide = builder.icmp_signed("==", parts.kind, ir.IntType(32)(4))
                with builder.if_else(is_wide) as (then, otherwise):
                    with then:
                        builder.store(builder.load(builder.gep(wide, [args[1]])), found)
                    with otherwise:
                        narrow = builder.load(builder.gep(parts.data, [args[1]]))
                        builder.store(builder.zext(narrow, ir.IntType(32)), found)
            return builder.load(found)
        return types.int32(types.unicode_type, types.intp), write

    @intrinsic
    def narrow(typingctx, text):
        def write(context, builder, sig, args):
            parts = cgutils.create_struct_proxy(types.unicode_type)(context, builder, value=args[0])
            parts.kind = ir.IntType(32)(1)
            return args[0]
        return types.unicode_type(types.unicode_type), write
    f = njit(lambda text, place: character(text, place))
    assert [f("a\u20acz", place) for place in range(4)] == [97, 0x20ac, 122, 0]
    assert [f("a\xe9", place) for place in range(3)] == [97, 0xe9, 0]
    with pytest.raises(TypingError, match="'kind' of a text is read, and not set"):
        njit(lambda text: narrow(text))("a")


def test_parameters_have_any_names():
    """Those of intrinsics stand beside names of the function that calls their code."""
    @intrinsic
    def total(typingctx, text, result, choose, function, external):
        kinds = [types.int64] * 5

        def write(context, builder, sig, args):
            with builder.if_then(builder.icmp_signed("<", args[0], args[0].type(0))):
                context.call_conv.return_user_exc(builder, ValueError, ("below",))
            found = context.compile_internal(builder, lambda a, b: a * b, types.int64(*kinds[:2]), args[:2])
            for value in args[2:]:
                found = builder.add(found, value)
            return found
        return types.int64(*kinds), write

    @intrinsic
    def passed_on(typingctx, function, llvm_text):
        def write(context, builder, sig, args):
            return context.compile_internal(builder, lambda a, b: a - b, sig, args)
        return types.int64(types.int64, types.int64), write
    f = njit(lambda x: (total(x, 3, 5, 7, 11), passed_on(x, llvm_text=1)))
    assert f(2) == (2 * 3 + 5 + 7 + 11, 1)
    with pytest.raises(ValueError, match="below"):
        f(-1)
