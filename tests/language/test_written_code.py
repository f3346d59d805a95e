# SPDX-License-Identifier: MIT
"""Intrinsics whose generators write code with llvmlite's builder, as the manual of numba and libraries have them."""
import ctypes
import itertools

import numpy as np
import pytest
from conftest import function_of
from llvmlite import ir

from numba import carray, cuda, njit, types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.core.errors import TypingError, UnsupportedError
from numba.extending import intrinsic

NUMBERS = [types.boolean, types.int8, types.int16, types.int32, types.int64, types.uint8, types.uint16, types.uint32,
           types.uint64, types.float32, types.float64, types.complex64, types.complex128]


def written(result, *params):
    """An intrinsic of a signature; the decorated function is its generator."""
    def make(generator):
        names = ", ".join("abcdef"[:len(params)])
        define = function_of(f"def written(typingctx, {names}):\n    return signature, generator\n", "written",
                             signature=result(*params), generator=generator)
        return njit(function_of(f"def f({names}):\n    return made({names})\n", made=intrinsic(define)))
    return make


def test_bits_counted_by_the_machine():
    @intrinsic
    def popcount(typingctx, val):
        def generator(context, builder, signature, args):
            kind = ir.FunctionType(args[0].type, [args[0].type])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.ctpop.i8")
            return builder.call(function, args)
        return types.uint8(types.uint8), generator
    f = njit(function_of("def f(a):\n"
                         "    n = 0\n"
                         "    for i in range(a.shape[0]):\n"
                         "        n += popcount(a[i]) * popcount(a[i])\n"
                         "    return n\n", popcount=popcount))
    a = np.arange(1000).astype(np.uint8)
    assert f(a) == sum(int(x).bit_count() ** 2 for x in a)
    with pytest.raises(NotImplementedError, match="for compiled code"):
        popcount(1)


@pytest.mark.parametrize("kind", NUMBERS, ids=str)
def test_numbers_go_in_and_out_as_they_are(kind):
    dtype = np.dtype(str(kind))

    @written(kind, kind)
    def same(context, builder, signature, args):
        assert args[0].type == context.get_value_type(kind)
        return args[0]
    for value in np.array([0, 1, 3, 100]).astype(dtype):
        result = same(value)
        assert result == value and isinstance(result, complex) == (dtype.kind == "c")


@pytest.mark.parametrize("have, want", [
    pair for pair in itertools.product(NUMBERS, NUMBERS)
    if not isinstance(pair[0], types.Complex) or isinstance(pair[1], types.Complex)], ids=str)
def test_casts_are_those_of_c(have, want):
    @written(want, have)
    def cast(context, builder, signature, args):
        return context.cast(builder, args[0], have, want)
    for value in (0, 1, 97, -1, -100):
        given = np.array(value).astype(str(have))
        if value < 0 and isinstance(have, types.Float) and str(want).startswith("uint"):
            continue  # undefined in C
        assert cast(given[()]) == given.astype(str(want)), value


def test_bits_of_an_integer_as_a_float():
    @written(types.float32, types.int32)
    def as_float(context, builder, signature, args):
        return builder.bitcast(args[0], ir.FloatType())

    @written(types.int32, types.float32)
    def as_integer(context, builder, signature, args):
        return builder.bitcast(args[0], ir.IntType(32))
    for number in (0, 1, -5, 2**31 - 1, 1 << 24 | 1):
        assert np.float32(as_float(np.int32(number))).view(np.int32) == number or number == 2**31 - 1
    assert as_integer(np.float32(1.5)) == np.float32(1.5).view(np.int32)


def test_tuples_are_structs_and_arrays():
    pair = types.UniTuple(types.int64, 2)
    mixed = types.Tuple((types.float64, types.UniTuple(types.int32, 3), types.boolean))

    @written(pair, types.int64, types.int64)
    def quotient_and_rest(context, builder, signature, args):
        assert context.get_value_type(pair) == ir.ArrayType(ir.IntType(64), 2)
        return context.make_tuple(builder, signature.return_type, [builder.sdiv(*args), builder.srem(*args)])
    assert quotient_and_rest(17, 5) == (3, 2)

    @written(mixed, mixed)
    def changed(context, builder, signature, args):
        real, numbers, truth = cgutils.unpack_tuple(builder, args[0])
        last = builder.extract_value(numbers, 2)
        numbers = builder.insert_value(numbers, builder.add(last, last), 0)
        return context.make_tuple(builder, mixed, [builder.fneg(real), numbers, builder.not_(truth)])
    assert changed((1.5, (np.int32(1), np.int32(2), np.int32(3)), True)) == (-1.5, (6, 2, 3), False)

    @written(types.none, types.Tuple(()), types.none)
    def nothing(context, builder, signature, args):
        return context.get_dummy_value()
    assert nothing((), None) is None


def test_complex_numbers_have_parts():
    @written(types.complex128, types.complex64)
    def turned(context, builder, signature, args):
        given = context.make_complex(builder, types.complex64, args[0])
        made = context.make_complex(builder, types.complex128)
        made.real = builder.fneg(builder.fpext(given.imag, ir.DoubleType()))
        made.imag = builder.fpext(given.real, ir.DoubleType())
        return made._getvalue()
    assert turned(np.complex64(3 + 4j)) == -4 + 3j


def test_addresses():
    @intrinsic
    def address_as_void_pointer(typingctx, src):
        def generator(context, builder, signature, args):
            return builder.inttoptr(args[0], cgutils.voidptr_t)
        return types.voidptr(src), generator
    f = njit(function_of("def f(address, n):\n"
                         "    a = carray(address_as_void_pointer(address), (n,), float64)\n"
                         "    a[0] = 7.0\n"
                         "    return a.sum()\n", carray=carray, float64=np.float64,
                         address_as_void_pointer=address_as_void_pointer))
    a = np.arange(5.0)
    assert f(a.ctypes.data, 5) == 17 and a[0] == 7

    @written(types.CPointer(types.float64), types.int64)
    def pointer(context, builder, signature, args):
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    @written(types.float64, types.CPointer(types.float64), types.int64)
    def item(context, builder, signature, args):
        return builder.load(builder.gep(args[0], [args[1]]))
    g = njit(function_of("def f(address, i):\n    return item(pointer(address), i)\n", item=item, pointer=pointer))
    assert g(a.ctypes.data, 3) == 3.0


@pytest.mark.parametrize("a", [
    np.arange(6.0), np.arange(24, dtype=np.int32).reshape(2, 3, 4).transpose(2, 0, 1), np.array(5.0), np.zeros((0, 3)),
    np.arange(10, dtype=np.complex64)[::-3], np.array([True, False])], ids="row axes none empty backwards truth".split())
def test_arrays_say_where_they_are(a):
    @intrinsic
    def about(typingctx, array):
        axes = types.UniTuple(types.int64, array.ndim)

        def generator(context, builder, signature, args):
            made = context.make_array(signature.args[0])(context, builder, args[0])
            shape, strides = (context.make_tuple(builder, axes, cgutils.unpack_tuple(builder, part, array.ndim))
                              for part in (made.shape, made.strides))
            parts = [builder.ptrtoint(made.data, cgutils.intp_t), made.nitems, made.itemsize, shape, strides]
            return context.make_tuple(builder, signature.return_type, parts)
        return types.Tuple((types.int64, types.int64, types.int64, axes, axes))(array), generator
    f = njit(function_of("def f(a):\n    return about(a)\n", about=about))
    strides = njit(function_of("def f(a):\n    return a.strides\n"))(a)  # NumPy's, but for arrays without items
    assert f(a) == (a.ctypes.data, a.size, a.itemsize, a.shape, strides)


def test_items_of_arrays_are_read_and_written():
    @intrinsic
    def swap(typingctx, array, i, j):
        def generator(context, builder, signature, args):
            from numba.np.arrayobj import make_array
            data = make_array(signature.args[0])(context, builder, args[0]).data
            places = [builder.gep(data, [index]) for index in args[1:]]
            one, two = map(builder.load, places)
            builder.store(two, places[0])
            builder.store(one, places[1])
            return context.get_dummy_value()
        return types.none(array, types.int64, types.int64), generator
    f = njit(function_of("def f(a):\n"
                         "    b = a + 1\n"
                         "    for i in range(len(b) // 2):\n"
                         "        swap(b, i, len(b) - 1 - i)\n"
                         "    return b\n", swap=swap))
    for dtype in (np.float64, np.int16, np.complex128):
        a = np.arange(7).astype(dtype)
        assert (f(a) == (a + 1)[::-1]).all() and (a == np.arange(7)).all()

    @intrinsic
    def same(typingctx, array):
        def generator(context, builder, signature, args):
            return impl_ret_borrowed(context, builder, signature.return_type, args[0])
        return array(array), generator
    a = np.arange(3.0)
    assert np.shares_memory(njit(function_of("def f(a):\n    return same(a)\n", same=same))(a), a)


def test_loops_conditions_and_memory_on_the_stack():
    @written(types.int64, types.int64, types.int64)
    def sum_of_odd(context, builder, signature, args):
        total = cgutils.alloca_once_value(builder, ir.IntType(64)(0))
        with cgutils.for_range(builder, args[1], start=args[0]) as loop:
            is_odd = builder.trunc(loop.index, cgutils.bool_t)
            with builder.if_then(is_odd):
                builder.store(builder.add(builder.load(total), loop.index), total)
        return builder.load(total)
    assert sum_of_odd(3, 10) == 3 + 5 + 7 + 9 and sum_of_odd(4, 4) == 0


def test_functions_of_c_and_helpers_of_the_module():
    @written(types.int64, types.int64)
    def distance(context, builder, signature, args):
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llabs"), args)
    assert distance(-5) == 5

    def with_helper(number):
        @written(types.int64, types.int64)
        def helped(context, builder, signature, args):
            helper = ir.Function(builder.module, ir.FunctionType(ir.IntType(64), [ir.IntType(64)]), "helper")
            inner = ir.IRBuilder(helper.append_basic_block())
            inner.ret(inner.add(helper.args[0], ir.IntType(64)(number)))
            table = cgutils.global_constant(builder, "table", ir.Constant(ir.ArrayType(ir.IntType(64), 2), [10, 20]))
            return builder.add(builder.call(helper, args), builder.load(cgutils.gep(builder, table, 0, 1)))
        return helped
    one, two = with_helper(1), with_helper(2)
    both = njit(function_of("def f(x):\n    return one(x) + two(x)\n", one=one, two=two))
    assert both(100) == 121 + 122


def test_loops_with_written_code_keep_their_order():
    """What it stores is seen when a later index is out of range."""
    @intrinsic
    def poke(typingctx, address, value):
        def generator(context, builder, signature, args):
            builder.store(args[1], builder.inttoptr(args[0], ir.IntType(64).as_pointer()))
        return types.none(types.int64, types.int64), generator
    f = njit(function_of("def f(a, address):\n"
                         "    for i in range(10):\n"
                         "        poke(address, i)\n"
                         "        a[i] = i\n", poke=poke), boundscheck=True)
    seen = ctypes.c_int64(-1)
    with pytest.raises(IndexError):
        f(np.zeros(4), ctypes.addressof(seen))
    assert seen.value == 4


def call_of(name):
    """A generator that calls a function by its name."""
    def generator(context, builder, signature, args):
        return builder.call(ir.Function(builder.module, ir.FunctionType(ir.IntType(64), []), name), [])
    return generator


def variable_of(name):
    """A generator that reads a variable by its name."""
    def generator(context, builder, signature, args):
        return builder.load(ir.GlobalVariable(builder.module, ir.IntType(64), name))
    return generator


@pytest.mark.parametrize("generator, reason", [
    (lambda context, builder, signature, args: builder.sitofp(args[0], ir.DoubleType()),
     "gives a value of double, where int64 is i64"),
    (lambda context, builder, signature, args: None, "gives no value"),
    (lambda context, builder, signature, args: context.get_function(None, signature),
     "context.get_function"),
    (call_of("no_such_function_of_c"), "no function 'no_such_function_of_c'"),
    (call_of("llvm.nothing_like_it"), "llvm.nothing_like_it"),
    (lambda context, builder, signature, args: ir.Constant(ir.IntType(64), "no number"), "does not take"),
    (lambda context, builder, signature, args: builder.trunc(args[0], ir.IntType(128)) and args[0], "does not take"),
    (lambda context, builder, signature, args: 1 // 0, "(modulo|division) by zero"),
    (variable_of("no_such_variable_of_c"), "no variable 'no_such_variable_of_c'"),
    (lambda context, builder, signature, args: builder.ret(args[0]) and builder.add(args[0], args[0]), "AssertionError"),
], ids=range(10))
def test_what_is_wrong_with_written_code_is_told(generator, reason):
    f = written(types.int64, types.int64)(generator)
    with pytest.raises(TypingError, match=reason) as failure:
        f(1)
    assert "the intrinsic written, whose code is generated at " in str(failure.value)
    assert "test_written_code.py" in str(failure.value)


def test_variables_of_the_process_are_read():
    assert written(types.int64, types.int64)(variable_of("environ"))(1) != 0


def test_signatures_of_more_arguments_than_the_call_has():
    @intrinsic
    def one(typingctx, x):
        def generator(context, builder, signature, args):
            return args[0]
        return types.int64(types.int64, types.int64), generator
    with pytest.raises(TypingError, match="its calls have no such arguments"):
        njit(function_of("def f(x):\n    return one(x)\n", one=one))(1)


@pytest.mark.parametrize("text", ["nonsense $0, $1", "mov $1, $0"])
def test_assembly_is_refused(text):
    @written(types.int64, types.int64)
    def assembly(context, builder, signature, args):
        return builder.asm(ir.FunctionType(ir.IntType(64), [ir.IntType(64)]), text, "=r,r", args, False)
    with pytest.raises(UnsupportedError, match="not for this machine: assembly"):
        assembly(1)


def test_memory_of_gpus_is_for_gpus():
    @written(types.int64)
    def shared(context, builder, signature, args):
        variable = ir.GlobalVariable(builder.module, ir.IntType(64), "shared", addrspace=3)
        variable.linkage = "external"
        return builder.load(variable)
    with pytest.raises(UnsupportedError, match="not for this machine: shared"):
        shared()
    assert ".extern .shared" in cuda.compile_ptx(shared.py_func, (), device=True)[0]


def test_code_for_other_machines_is_refused():
    @written(types.int32)
    def thread(context, builder, signature, args):
        kind = ir.FunctionType(ir.IntType(32), [])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.nvvm.read.ptx.sreg.tid.x"), [])
    with pytest.raises(UnsupportedError, match="not for this machine: llvm.nvvm"):
        thread()
    text, kind = cuda.compile_ptx(thread.py_func, (), device=True)
    assert "%tid.x" in text and kind == types.int32


def test_values_that_do_not_reach_written_code():
    @intrinsic
    def kept(typingctx, x):
        def generator(context, builder, signature, args):
            return ir.IntType(64)(1)
        return types.int64(x), generator
    f = njit(function_of("def f(x):\n    return kept(x)\n", kept=kept))
    assert [f(value) for value in ("text", [1], slice(1, 2), (np.ones(1), "a"))] == [1] * 4
    with pytest.raises(TypingError, match="do not reach code that a program writes"):
        f(b"text")


def test_kernels_run_written_code():
    @intrinsic
    def reversed_bits(typingctx, val):
        def generator(context, builder, signature, args):
            return builder.bitreverse(args[0])
        return types.uint32(types.uint32), generator
    kernel = cuda.jit(function_of(
        "def f(a, out):\n"
        "    i = cuda.threadIdx.x\n"
        "    part = cuda.shared.array(32, uint32)\n"
        "    part[i] = reversed_bits(a[i])\n"
        "    cuda.syncthreads()\n"
        "    out[i] = part[31 - i]\n", cuda=cuda, uint32=types.uint32, reversed_bits=reversed_bits))
    a = np.arange(32, dtype=np.uint32) * 77
    out = np.zeros_like(a)
    kernel[1, 32](a, out)
    assert [int(f"{x:032b}"[::-1], 2) for x in a[::-1]] == out.tolist()
