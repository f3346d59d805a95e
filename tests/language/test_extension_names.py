# SPDX-License-Identifier: MIT
"""What programs that extend numba take from its inner modules besides: types by name, loops of ufuncs, questions to the
typing context, helpers."""
import importlib
import inspect
import itertools
import math

import numpy as np
import pytest

from numba import types
from numba.core import registry, utils
from numba.core.errors import TypingError
from numba.core.typeconv import Conversion
from numba.core.typeconv.rules import default_type_manager
from numba.core.typing.templates import fold_arguments
from numba.np import numpy_support

KINDS = {"?": types.boolean, "b": types.int8, "B": types.uint8, "i": types.int32, "q": types.int64, "Q": types.uint64,
         "f": types.float32, "d": types.float64, "F": types.complex64, "D": types.complex128}
CONTEXT = registry.cpu_target.typing_context
ARRAY, LIST = types.Array(types.float64, 1, "C"), types.List(types.int64)


@pytest.mark.parametrize("module, names", [
    ("cuda.models", "models register_model cuda_data_manager"), ("cuda.target", "CUDATargetContext CUDATypingContext"),
    ("core.cpu", "CPUContext rtsys"), ("core.runtime.context", "NRTContext"), ("np.types", "NPDatetime NPTimedelta"),
    ("core.callconv", "RETCODE_USEREXC Status MinimalCallConv BaseCallConv CPUCallConv"),
    ("core.types", "undefined unknown code_type ffi pyfunc_type npy_bitgen ListPayload SetEntry StructRefPayload "
                   "range_state64_type range_iter32_type unsigned_range_state64_type WeakType EphemeralArray")])
def test_names(module, names):
    found = importlib.import_module(f"numba.{module}")
    assert all(getattr(found, name) is not None for name in names.split())


def test_sets_of_types():
    for world in ("np", "py"):
        sets = [getattr(types, f"{world}_{name}_domain") for name in ("signed", "integer", "real", "complex", "number")]
        assert [len(kinds) for kinds in sets] == [4, 8, 2, 2, 12] and sets[4] == sets[1] | sets[2] | sets[3]
    assert types.np_long == types.int64 and types.sizeof_unicode_char == 4


# --- Loops of ufuncs

@pytest.mark.parametrize("name", ["add", "multiply", "sin", "less", "bitwise_and", "left_shift", "hypot", "floor_divide",
                                  "modf", "logical_and"])
def test_loops_compute_what_numpy_does(name):
    ufunc = getattr(np, name)
    for letters in itertools.product(KINDS, repeat=ufunc.nin):
        loop = numpy_support.ufunc_find_matching_loop(ufunc, tuple(KINDS[letter] for letter in letters))
        try:
            expected = ufunc(*[np.ones(1, letter) for letter in letters])
        except TypeError:
            assert loop is None
            continue
        expected = [item.dtype for item in (expected if isinstance(expected, tuple) else (expected,))]
        is_mixed = len({np.dtype(letter).kind in "fc" for letter in letters}) > 1  # as floats of any width
        is_small = any(dtype == np.float16 for dtype in expected)                  # computed as float32
        if not is_mixed and not is_small:
            assert loop.numpy_outputs == expected and numpy_support.supported_ufunc_loop(ufunc, loop)


def test_loops_with_mixed_operands_results_and_times():
    find = numpy_support.ufunc_find_matching_loop
    assert find(np.power, (types.float32, types.int32)).ufunc_sig == "ff->f"
    assert find(np.sqrt, (types.int8,)).ufunc_sig == "f->f" and find(np.sqrt, (types.float16,)).ufunc_sig == "e->e"
    assert find(np.add, (types.int64, types.int64, types.float64)).ufunc_sig.startswith(("l", "q"))
    assert find(np.add, (types.float64, types.float64, types.int64)) is None
    days, seconds = types.NPDatetime("D"), types.NPTimedelta("s")
    assert find(np.subtract, (days, days)).outputs == [types.NPTimedelta("D")]
    assert find(np.multiply, (types.int64, seconds)).outputs == [seconds]
    assert find(np.add, (seconds, types.NPTimedelta("ms"))).outputs == [types.NPTimedelta("ms")]


def test_orders_of_floats_are_those_of_sorting():
    floats = [math.nan, 0.0, 1.0, -math.inf]
    for sort, less, values in ((np.sort, numpy_support.lt_floats, floats),
                               (np.sort, numpy_support.lt_complex, [complex(a, b) for a in floats for b in floats])):
        for first, second in itertools.product(values, repeat=2):
            ordered = sort(np.array([first, second]))
            assert not less(ordered[1], ordered[0])
            assert not (less(first, second) and less(second, first))


def test_scalars_and_integers():
    assert numpy_support.type_is_scalar(types.NPDatetime("D")) and not numpy_support.type_is_scalar(ARRAY)
    numpy_support.check_is_integer(3, "k"), numpy_support.check_is_integer(types.uint8, "k")
    with pytest.raises(TypingError, match="k must be an integer"):
        numpy_support.check_is_integer(types.float64, "k")


# --- The typing context, and calls

def test_statements_have_signatures():
    assert CONTEXT.resolve_setitem(ARRAY, types.intp, types.float64) == types.none(ARRAY, types.intp, types.float64)
    assert CONTEXT.resolve_getitem(ARRAY, types.intp).return_type == types.float64
    assert CONTEXT.resolve_delitem(LIST, types.intp) == types.none(LIST, types.intp)
    assert CONTEXT.resolve_value_type_prefer_literal(3) == types.literal(3)
    assert CONTEXT.resolve_value_type_prefer_literal(3.5) == types.float64
    for question in (lambda: CONTEXT.resolve_setitem(types.int64, types.intp, types.int64),
                     lambda: CONTEXT.resolve_getitem(types.int64, types.intp),
                     lambda: CONTEXT.resolve_delitem(ARRAY, types.intp),
                     lambda: CONTEXT.resolve_setattr(ARRAY, "nothing", types.int64)):
        with pytest.raises(TypingError):
            question()
    assert default_type_manager.check_compatible(types.int32, types.int64) == Conversion.promote
    assert default_type_manager.check_compatible(types.float64, types.int8) == Conversion.unsafe
    assert default_type_manager.unify(types.int8, types.float32) == types.float32


def test_the_overload_is_chosen_that_converts_least():
    def chosen(given, overloads, allow_unsafe=False, exact_match_required=False):
        return default_type_manager.select_overload(given, overloads, allow_unsafe, exact_match_required)
    i16, i32, i64, f64 = types.int16, types.int32, types.int64, types.float64
    assert chosen((i64, i32), [(i32, i32), (i64, i64)], True) == 1
    assert chosen((i32, i16, i32), [(i64,) * 3, (i32,) * 3, (i16,) * 3], True) == 1
    assert chosen((i32, i32), [(f64, f64), (i64, i64)]) == 1
    assert chosen((f64,), [(i32,)]) is None and chosen((f64,), [(i32,)], True) == 0
    assert chosen((i16,), [(i32,)], exact_match_required=True) is None and chosen((i16,), [(i16,), (i32,)], True, True) == 0
    with pytest.raises(TypeError, match="Ambiguous overloading"):
        chosen((i32, i32), [(i64, i32), (i32, i64)])


def folded(function, *args, **kws):
    def told(kind):
        return lambda number, param, value: (kind, number, param.name, value)
    return fold_arguments(inspect.signature(function), args, kws, told("given"), told("default"), told("star"))


def test_arguments_by_parameters():
    assert folded(lambda a, b=2, *c: 0, 1) == (("given", 0, "a", 1), ("default", 1, "b", 2), ("star", 2, "c", ()))
    assert folded(lambda a, b=2, *c: 0, 1, 3, 4, 5)[2] == ("star", 2, "c", (4, 5))
    assert folded(lambda a, *, d, e: 0, 1, 10, 20) == (("given", 0, "a", 1), ("given", 1, "d", 10), ("given", 2, "e", 20))
    for mistaken in (lambda: folded(lambda a: 0), lambda: folded(lambda a: 0, 1, z=1)):
        with pytest.raises(TypingError, match="Cannot bind"):
            mistaken()


def test_helpers():
    assert [utils.format_time(seconds) for seconds in (0, 1e-9, 2.5e-8, 1.5e-3, 0.9999, 90)] == [
        "0.0ps", "1.0ns", "25.0ns", "1.5ms", "999.9ms", "90.0s"]
    assert [utils.bit_length(number) for number in (0, 1, -1, 255, -256, 256)] == [1, 1, 1, 8, 8, 9]
    assert utils.get_nargs_range(lambda a, b=1: 0) == (1, 2) and utils.pySignature is inspect.Signature
    ordered = utils.OrderedSet([3, 1, 3])
    ordered.add(2), ordered.discard(1), ordered.discard(9)
    assert list(ordered) == [3, 2] and 3 in ordered and list(ordered | {7}) == [3, 2, 7]
    calls = []
    once = utils.runonce(lambda: calls.append(1))
    once(), once()
    assert calls == [1]
    unique = utils.UniqueDict()
    unique["a"] = 1
    with pytest.raises(AssertionError, match="key already in dictionary: 'a'"):
        unique["a"] = 2
