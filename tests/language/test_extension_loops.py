# SPDX-License-Identifier: MIT
"""Loops over values of types that programs add: "getiter" and "iternext", as awkward has them."""
import numpy as np
import pytest
from conftest import function_of
from extension_values import class_of_values, kept_in_memory, named_type, unbox_members

from numba import cuda, njit, prange, types
from numba.core import cgutils
from numba.core.datamodel.registry import register_default
from numba.core.errors import TypingError
from numba.core.imputils import RefType, call_getiter, call_iternext, call_len, for_iter, iterator_impl, iternext_impl
from numba.core.typing.templates import AbstractTemplate, infer
from numba.extending import (NativeValue, intrinsic, lower_builtin, lower_constant, models, register_model, typeof_impl,
                             unbox)


class Rows:
    """Arrays of one length, of which loops see every other one."""

    def __init__(self, data):
        self.data = data


class RowsType(types.IterableType, types.Sized):
    def __init__(self, array):
        self.array = array
        super().__init__(name=f"Rows({array})")

    @property
    def iterator_type(self):
        return RowsIterator(self)


class RowsIterator(types.common.SimpleIteratorType):
    def __init__(self, rows):
        self.rows = rows
        super().__init__(f"iter({rows})", rows.array.dtype)


# Types of its own without numba's families: a template says what the iterator is
StepsType = named_type("Steps", [("size", types.int64)])
StepsIterator = named_type("StepsIterator", [("left", types.EphemeralPointer(types.int64)),
                                             ("is_odd", types.EphemeralPointer(types.boolean))])
Steps = class_of_values(StepsType, "size")
unbox_members(StepsType, size=types.int64)
register_model(RowsType)(lambda dmm, kind: models.StructModel(dmm, kind, [("data", kind.array)]))
register_default(RowsIterator)(lambda dmm, kind: models.StructModel(
    dmm, kind, [("rows", kind.rows), ("at", types.EphemeralPointer(types.intp))]))
typeof_impl.register(Rows)(lambda val, c: RowsType(c_array(val.data)))


def c_array(data):
    return types.Array({"float64": types.float64, "int64": types.int64}[str(data.dtype)], 1, "C")


unbox_members(RowsType, data=lambda kind: kind.array)


@lower_builtin("getiter", RowsType)
def lower_getiter(context, builder, sig, args):
    made = context.make_helper(builder, sig.return_type)
    made.rows = args[0]
    made.at = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    context.nrt.incref(builder, sig.args[0], args[0])
    return made._getvalue()


@lower_builtin("iternext", RowsIterator)
@iternext_impl(RefType.UNTRACKED)
def lower_iternext(context, builder, sig, args, result):
    made = context.make_helper(builder, sig.args[0], args[0])
    rows = context.make_helper(builder, sig.args[0].rows, made.rows)
    array = context.make_array(sig.args[0].rows.array)(context, builder, rows.data)
    at = builder.load(made.at)
    is_there = builder.icmp_signed("<", at, array.nitems)
    result.set_valid(is_there)
    with builder.if_then(is_there):
        result.yield_(builder.load(builder.gep(array.data, [at])))
        builder.store(builder.add(at, at.type(2)), made.at)


@infer
class StepsGetiter(AbstractTemplate):
    key = "getiter"

    def generic(self, args, kws):
        return StepsIterator()(*args) if isinstance(args[0], StepsType) else None


@infer
class StepsNext(AbstractTemplate):
    key = "iternext"

    def generic(self, args, kws):
        if isinstance(args[0], StepsIterator):
            return types.Pair(types.Tuple((types.int64, types.boolean)), types.boolean)(*args)


@lower_builtin("getiter", StepsType)
def lower_steps(context, builder, sig, args):
    made = context.make_helper(builder, sig.return_type)
    size = context.make_helper(builder, sig.args[0], args[0]).size
    made.left = cgutils.alloca_once_value(builder, size)
    made.is_odd = cgutils.alloca_once_value(builder, cgutils.false_byte)
    return made._getvalue()


@lower_builtin("iternext", StepsIterator)
@iternext_impl(RefType.BORROWED)
def lower_step(context, builder, sig, args, result):
    made = context.make_helper(builder, sig.args[0], args[0])
    left, odd = builder.load(made.left), builder.load(made.is_odd)
    with builder.if_else(builder.icmp_signed(">", left, left.type(0))) as (then, otherwise):
        with then:
            result.set_valid()
            item = sig.return_type[0]
            result.yield_(context.make_tuple(builder, item, [left, cgutils.as_bool_bit(builder, odd)]))
            builder.store(builder.sub(left, left.type(1)), made.left)
            builder.store(builder.xor(odd, odd.type(1)), made.is_odd)
        with otherwise:
            result.set_exhausted()


def rows(count, dtype=np.float64):
    return Rows(np.arange(count, dtype=dtype) + 1)


def test_for_loops():
    total = njit(function_of("def f(r):\n    t = 0.0\n    for x in r:\n        t += x\n    return t\n"))
    assert [total(rows(n)) for n in range(6)] == [0, 1, 1, 4, 4, 9]
    assert total(rows(5, np.int64)) == 9


@pytest.mark.parametrize("body, wanted", [
    ("return [x for x in r]", [1, 3, 5]),
    ("return list(r)", [1, 3, 5]),
    ("return [(i, x) for i, x in enumerate(r)]", [(0, 1), (1, 3), (2, 5)]),
    ("return [(x, y) for x, y in zip(r, range(9))]", [(1, 0), (3, 1), (5, 2)]),
    ("return [(x, y) for x in r for y in r if y > x]", [(1, 3), (1, 5), (3, 5)]),
    ("for x in r:\n        if x == 3:\n            break\n    else:\n        return 0\n    return x", 3),
    ("i = iter(r)\n    return next(i), next(i)", (1, 3)),
    ("return sum([x for x in r])", 9),
    ("t = 0.0\n    for x in r:\n        if x == 3:\n            continue\n        t += x\n    return t", 6),
])
def test_forms_of_loops(body, wanted):
    f = njit(function_of(f"def f(r):\n    {body}\n"))
    assert f(rows(5)) == wanted


@lower_constant(StepsType)
def constant_steps(context, builder, ty, pyval):
    made = context.make_helper(builder, ty)
    made.size = context.get_constant(types.int64, pyval.size)
    return made._getvalue()


def test_loops_in_generators_threads_and_kernels():
    @njit
    def twice(r):
        for x in r:
            for y in r:
                yield 10 * x + y
    assert list(twice(rows(3))) == [11, 13, 31, 33]

    @njit(parallel=True)
    def shared(r, n):
        out = np.zeros(n)
        for i in prange(n):
            for x in r:
                try:
                    if x > 3:
                        raise ValueError
                    out[i] += x * i
                except ValueError:
                    out[i] += 100
        return out
    assert shared(rows(5), 4).tolist() == [100, 104, 108, 112]
    steps = Steps(4)

    @cuda.jit
    def kernel(out):
        for left, odd in steps:
            out[cuda.grid(1)] += left if odd else 100 * cuda.grid(1)
            cuda.syncthreads()
    out = np.zeros(3)
    kernel[1, 3](out)
    assert out.tolist() == [4, 204, 404]


def test_templates_say_what_iterators_are():
    @njit
    def pairs(s):
        out = [(0, False)]
        for left, odd in s:
            out.append((left, odd))
        return out[1:]
    assert pairs(Steps(3)) == [(3, False), (2, True), (1, False)] and pairs(Steps(0)) == []


def test_values_that_loops_hold_are_released():
    @njit
    def through(n):
        t = 0.0
        for i in range(n):
            for x in made(np.arange(5.0) + i):
                if x > 6:
                    break
                if x > 90:
                    raise ValueError("too much")
                t += x
        return t

    def made(data):
        raise NotImplementedError
    from numba.extending import type_callable
    type_callable(made)(lambda context: lambda data: RowsType(data))

    @lower_builtin(made, types.Array)
    def lower_made(context, builder, sig, args):
        out = context.make_helper(builder, sig.return_type)
        out.data = args[0]
        context.nrt.incref(builder, sig.args[0], args[0])
        return out._getvalue()
    wanted = sum(x for i in range(8) for x in (i, i + 2, i + 4) if all(y <= 6 for y in (i, i + 2, i + 4) if y <= x))
    assert through(8) == wanted
    assert kept_in_memory(lambda: through(8)) == 0


def test_types_without_iteration_are_told():
    PlainType = named_type("Plain")
    Plain = class_of_values(PlainType)
    register_model(PlainType)(lambda dmm, kind: models.OpaqueModel(dmm, kind))
    unbox(PlainType)(lambda typ, obj, c: NativeValue(obj))
    loop = function_of("def f(r):\n    for x in r:\n        pass\n")
    with pytest.raises(TypingError, match=r"getiter\(Plain\)"):
        njit(loop)(Plain())

    class HalfType(types.SimpleIterableType):
        def __init__(self):
            super().__init__("Half", StepsIterator())
    kind = HalfType()
    typeof_impl.register(Plain)(lambda val, c: kind)
    register_model(HalfType)(lambda dmm, kind: models.OpaqueModel(dmm, kind))
    unbox(HalfType)(lambda typ, obj, c: NativeValue(obj))
    with pytest.raises(TypingError, match=r"a call of getiter with \(Half\) has a type and no code.*@lower_builtin\(getiter, ...\)"):
        njit(loop)(Plain())
    with pytest.raises(TypeError, match="infer\\(\\) knows the keys 'getiter' and 'iternext' by name, and no 'other'"):
        infer(type("Other", (AbstractTemplate,), {"key": "other"}))


def test_families_are_bases_of_types():
    kind = RowsType(types.float64[::1])
    assert isinstance(kind, types.IterableType) and isinstance(kind, types.Sized) and not isinstance(kind, types.Opaque)
    assert isinstance(kind.iterator_type, types.SimpleIteratorType) and kind.iterator_type.yield_type == types.float64
    assert isinstance(types.float64[:], types.IterableType) and not isinstance(types.float64, types.IterableType)
    opaque = types.Opaque("Handle")
    assert opaque == types.Opaque("Handle") != types.Opaque("Other") and isinstance(opaque, types.Opaque)
    with pytest.raises(TypeError, match="cannot create 'Sequence' types"):
        types.Sequence("x")


# --- Loops that a program's code goes through itself

CountdownType = named_type("Countdown", [("begin", types.int64)])
CountdownIterator = named_type("CountdownIterator", [("left", types.EphemeralPointer(types.int64))])
CountdownIterator.yield_type = types.int64
CountdownType.iterator_type = property(lambda self: CountdownIterator())
Countdown = class_of_values(CountdownType, "begin")
unbox_members(CountdownType, begin=types.int64)


@lower_builtin("getiter", CountdownType)
def lower_countdown(context, builder, sig, args):
    made = context.make_helper(builder, sig.return_type)
    made.left = cgutils.alloca_once_value(builder, context.make_helper(builder, sig.args[0], args[0]).begin)
    return made._getvalue()


@iterator_impl(CountdownType, CountdownIterator)
class CountdownItems:
    def __init__(self, context, builder, value):
        self.place = context.make_helper(builder, CountdownIterator(), value).left

    def iternext(self, context, builder, result):
        left = builder.load(self.place)
        is_there = builder.icmp_signed(">", left, left.type(0))
        result.set_valid(is_there)
        with builder.if_then(is_there):
            result.yield_(left)
            builder.store(builder.sub(left, left.type(1)), self.place)


@intrinsic
def total_to_100(typingctx, values):
    def write(context, builder, sig, args):
        total = cgutils.alloca_once_value(builder, context.get_constant(types.int64, 0))
        with for_iter(context, builder, sig.args[0], args[0]) as loop:
            item = loop.value if loop.value.type == total.type.pointee else context.cast(
                builder, loop.value, values.dtype, types.int64)
            builder.store(builder.add(builder.load(total), item), total)
            with builder.if_then(builder.icmp_signed(">", builder.load(total), item.type(100))):
                loop.do_break()
        return builder.load(total)
    return types.int64(values), write


def test_an_iterator_written_as_a_class():
    @njit
    def squares(values):
        return sum([x * x for x in values])
    assert [squares(Countdown(n)) for n in (5, 1, 0)] == [55, 1, 0]


def test_code_goes_through_items_by_itself():
    f = njit(lambda values: total_to_100(values))
    assert f(Countdown(5)) == 15 and f(Countdown(60)) == 60 + 59 and f(Countdown(0)) == 0
    assert f(np.arange(5)) == 10 and f(np.arange(9)[::-2]) == 20 and f(np.array([1.5, 2.5])) == 3 and f((1, 2, 3)) == 6


def test_single_steps_and_lengths():
    @intrinsic
    def first(typingctx, values):
        def write(context, builder, sig, args):
            iterator = call_getiter(context, builder, values, args[0])
            item = call_iternext(context, builder, values.iterator_type, iterator)
            return builder.select(item.is_valid(), item.yielded_value(), context.get_constant(types.int64, -1))
        return types.int64(values), write

    @intrinsic
    def length(typingctx, values):
        def write(context, builder, sig, args):
            found = call_len(context, builder, values, args[0])
            return context.get_constant(types.int64, -1) if found is None else found
        return types.int64(values), write
    f, g = njit(lambda values: first(values)), njit(lambda values: length(values))
    assert [f(Countdown(n)) for n in (7, 0)] == [7, -1]
    assert [g(np.zeros((4, 2))), g((1, 2)), g(3.5)] == [4, 2, -1]


def test_iterators_that_are_missing_are_told():
    @intrinsic
    def items(typingctx, values):
        return types.int64(values), lambda context, builder, sig, args: call_getiter(context, builder, values, args[0])
    kind = named_type("Bare", [("size", types.int64)])
    unbox_members(kind, size=types.int64)
    with pytest.raises(TypingError, match="values of Bare have no iterator: it needs an iterator_type, or a template"):
        njit(lambda values: items(values))(class_of_values(kind, "size")(1))
