# SPDX-License-Identifier: MIT
"""Calls of a program's own whose templates know a Python function's parameters, as rocket-fft has them; lists and texts as
functions of C get them; and arrays without axes as fields."""
import inspect

import numpy as np
import pytest
from conftest import function_of
from llvmlite import ir

from numba import njit, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, fold_arguments, infer_global, signature
from numba.cpython.listobj import ListInstance
from numba.experimental import jitclass
from numba.extending import intrinsic, lower_builtin

I64 = ir.IntType(64)


def weighted(first, second=None, factor=2, *, shift=10):
    raise NotImplementedError


def implement(function):
    """Has compiled code call the function by its parameters: a template folds arguments, and the code knows by their types
    which were left out."""
    parameters = inspect.signature(function)

    class Template(AbstractTemplate):
        key = function

        def generic(self, args, kws):
            bound = fold_arguments(parameters, args, kws, lambda number, param, value: value,
                                   lambda number, param, default: types.Omitted(default),
                                   lambda number, param, values: None)
            if any(isinstance(kind, types.Float) for kind in bound):
                return None
            return types.int64(*bound).replace(pysig=parameters)
    infer_global(function, types.Function(Template))

    @lower_builtin(function, types.VarArg(types.Any))
    def lower(context, builder, sig, args):
        def number(place):
            kind = sig.args[place]
            if isinstance(kind, types.Omitted):
                return I64(-1 if kind.value is None else kind.value)
            return args[place] if not isinstance(kind, types.NoneType) else I64(-1)
        first, second, factor, shift = map(number, range(4))
        return builder.add(builder.mul(builder.add(first, second), factor), shift)


implement(weighted)


def expected(first, second=None, factor=2, *, shift=10):
    return (first + (-1 if second is None else second)) * factor + shift


@pytest.mark.parametrize("call", ["1", "1, 7", "1, None, 3", "1, factor=5", "first=4, shift=0", "1, shift=3, second=2", "1, 2, 3, shift=4",
                                  "factor=n, first=n + 1"])
def test_calls_in_all_forms(call):
    compiled = njit(function_of(f"def f(n):\n    return called({call})\n", called=weighted))
    for n in (3, -5):
        assert compiled(n) == eval(f"called({call})", {"called": expected, "n": n})


def test_calls_that_the_parameters_do_not_take():
    for call in ("", "1, 2, 3, 4", "1, nothing=2", "1, first=2", "1.5"):
        compiled = njit(function_of(f"def f():\n    return called({call})\n", called=weighted))
        with pytest.raises(TypingError):
            compiled()
    with pytest.raises(TypeError, match="takes a class of templates"):
        types.Function(int)


def test_signatures_of_what_was_left_out():
    made = signature(types.int64, types.int8, types.Omitted(None))
    assert made.args[0] == types.int8 and made.args[1].value is None and made.replace(pysig=1).pysig == 1
    assert types.int64(types.Omitted(3)).args[0].value == 3


# --- What functions of C get

def test_items_of_lists_lie_in_a_row():
    @intrinsic
    def total(typingctx, values):
        def write(context, builder, sig, args):
            items = ListInstance(context, builder, values, args[0])
            items.setitem(context.get_constant(types.intp, 0), items.getitem(context.get_constant(types.intp, 1)))
            found = cgutils.alloca_once_value(builder, context.get_constant(values.dtype, 0))
            add = builder.fadd if isinstance(values.dtype, types.Float) else builder.add
            with cgutils.for_range(builder, items.size) as loop:
                item = builder.load(builder.gep(items.data, [loop.index]))
                builder.store(add(builder.load(found), item), found)
            return builder.load(found)
        return values.dtype(values), write
    f = njit(lambda values: total(values))
    assert f([1, 20, 300]) == 20 + 20 + 300 and f([0.5, 2.25]) == 4.5


@pytest.mark.parametrize("text", ["", "ortho", "caf\xe9", "\u20ac5", "a\0b"])
def test_texts_have_the_characters_that_c_reads(text):
    @intrinsic
    def parts(typingctx, value):
        def write(context, builder, sig, args):
            made = context.make_helper(builder, value, args[0])
            last = cgutils.alloca_once_value(builder, I64(0))
            is_narrow = builder.icmp_signed("==", made.kind, ir.IntType(32)(1))
            with builder.if_then(is_narrow):
                with cgutils.for_range(builder, made.length) as loop:
                    character = builder.zext(builder.load(builder.gep(made.data, [loop.index])), I64)
                    builder.store(builder.add(builder.mul(builder.load(last), I64(257)), character), last)
                builder.store(builder.add(builder.load(last),  # and a zero ends them
                                          builder.zext(builder.load(builder.gep(made.data, [made.length])), I64)), last)
            kind, is_ascii = (builder.sext(part, I64) for part in (made.kind, made.is_ascii))
            return context.make_tuple(builder, sig.return_type, [made.length, kind, is_ascii, builder.load(last)])
        return types.UniTuple(types.int64, 4)(value), write
    codes, mixed = list(map(ord, text)), 0
    for code in codes:
        mixed = mixed * 257 + code
    is_narrow = max(codes, default=0) < 256
    found = njit(lambda value: parts(value))(text)
    assert found == (len(text), 1 if is_narrow else 4, int(text.isascii()), mixed if is_narrow else 0)


# --- Fields

@jitclass([("is_done", types.boolean), ("count", types.int64), ("size", types.float64), ("both", types.complex128)])
class Found:
    def __init__(self, is_done, count, size, both):
        self.is_done, self.count, self.size, self.both = is_done, count, size, both


def test_arrays_without_axes_are_set_for_their_item():
    @njit
    def make(a, b):
        return Found(np.ones((), np.bool_), np.full((), 7, np.int32), a, b)
    found = make(np.array(2.5, np.float32), np.array(3))
    assert (found.is_done, found.count, found.size, found.both) == (True, 7, 2.5, 3 + 0j)
    with pytest.raises(TypingError, match="Cannot resolve setattr"):
        make(np.array([2.5]), np.array(3))
    with pytest.raises(TypingError, match="Cannot resolve setattr"):
        make(np.array("text"), np.array(3))


def test_arrays_without_axes_are_set_for_their_item_from_python():
    found = Found(False, 0, 0.0, 0j)
    found.is_done, found.count = np.ones((), np.bool_), np.array(7, np.int32)
    found.size, found.both = np.array(2.5, np.float32), np.array(3)
    assert (found.is_done, found.count, found.size, found.both) == (True, 7, 2.5, 3 + 0j)
    for other in (np.array([2.5]), np.array("text"), np.array(None)):
        with pytest.raises(TypeError, match="cannot set attribute 'size' of type float64"):
            found.size = other
    assert found.size == 2.5
