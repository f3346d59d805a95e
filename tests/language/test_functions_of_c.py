# SPDX-License-Identifier: MIT
"""Functions of C that code written with llvmlite's builder makes values of: by their address alone."""
import ctypes

import numpy as np
import pytest
from conftest import function_of

from numba import njit, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.linalg import _copy_to_fortran_order

pytest.importorskip("llvmlite")
LIBC, LIBM = ctypes.CDLL(None), ctypes.CDLL("libm.so.6")
KINDS = {"b1": types.boolean, "i1": types.int8, "u2": types.uint16, "i4": types.int32, "u4": types.uint32, "i8": types.int64,
         "f4": types.float32, "f8": types.float64, "c8": types.complex64, "c16": types.complex128}


@intrinsic
def function_of_c(typingctx, address, kind):
    def codegen(context, builder, signature, args):
        function = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        function.c_addr = builder.inttoptr(args[0], cgutils.voidptr_t)
        return function._getvalue()
    return kind.instance_type(types.uintp, kind), codegen


def caller(kind, count=1):
    names = ", ".join(f"a{number}" for number in range(count))
    return njit(function_of(f"def f(address, {names}):\n    return of_c(address, kind)({names})\n", of_c=function_of_c, kind=kind))


def address_of(name, library=LIBC):
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value


@pytest.mark.parametrize("name", KINDS)
def test_numbers_go_in_and_come_out(name):
    kind = KINDS[name]
    from numba import cfunc
    back = cfunc(kind(kind, types.int64, kind))(function_of("def f(a, n, b):\n    return b if n > 3 else a\n"))
    f = caller(types.FunctionType(kind(kind, types.int64, kind)), 3)
    one, two = np.array([0, 1], name)
    assert f(back.address, one, 3, two) == one and f(back.address, one, 4, two) == two
    large = np.array([-3, 2.5 if "f" in name or "c" in name else 2]).astype(name)
    assert [f(back.address, *large[:1], n, *large[1:]) for n in (3, 4)] == list(large)


def test_pointers_and_nothing():
    fill = caller(types.FunctionType(types.voidptr(types.CPointer(types.int8), types.int32, types.uintp)), 3)
    places = np.zeros(6, np.int8)
    go = njit(function_of("def f(address, a):\n    return fill(address, a.ctypes, 7, 4) is not None\n", fill=fill))
    go(address_of("memset"), places)
    assert list(places) == [7, 7, 7, 7, 0, 0]
    seed = caller(types.FunctionType(types.void(types.uint32)))
    assert seed(address_of("srand"), 3) is None


def test_such_a_value_is_one_among_others():
    """In tuples, lists and choices with compiled functions, as an argument, a result, and an argument again."""
    real = types.FunctionType(types.float64(types.float64))
    space = {"of_c": function_of_c, "kind": real, "double": njit("f8(f8)")(lambda x: 2 * x)}
    for body in ("g = (of_c(a, kind), double)[n]", "fs = [of_c(a, kind)]; fs.append(double); g = fs[n]",
                 "g = of_c(a, kind) if n == 0 else double", "fs = (double, of_c(a, kind)); g = fs[1 - n]"):
        f = njit(function_of(f"def f(a, n, x):\n    {body}\n    return g(x)\n", **space))
        assert [f(address_of("exp", LIBM), n, 0.5) for n in (0, 1)] == [np.exp(0.5), 1.0], body
    give = njit(function_of("def f(a):\n    return of_c(a, kind)\n", **space))
    apply = njit(types.float64(real, types.float64))(function_of("def f(g, x):\n    return g(x)\n"))
    sine = give(address_of("sin", LIBM))
    assert sine(0.5) == apply(sine, 0.5) == np.sin(0.5) and "function of C at 0x" in repr(sine)
    assert apply(space["double"], 4.0) == 8.0


def test_the_same_function_is_one_value():
    """A value that is made in a loop takes no memory of its own."""
    f = njit(function_of("def f(a, n):\n    s = 0\n    for i in range(n):\n        s += of_c(a, kind)(i)\n    return s\n",
                         of_c=function_of_c, kind=types.FunctionType(types.int32(types.int32))))
    assert f(address_of("abs"), 100000) == sum(range(100000))


def test_what_no_function_of_c_is():
    for kind in (types.FunctionType(types.float64(types.unicode_type)), types.FunctionType(types.Array(types.int64, 1, "C")())):
        with pytest.raises(TypingError, match="no function of C is a value of FunctionType"):
            njit(function_of("def f(a):\n    return of_c(a, kind)\n", of_c=function_of_c, kind=kind))(1)

    @intrinsic
    def address_in(typingctx, function):
        def codegen(context, builder, signature, args):
            parts = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])
            return builder.ptrtoint(parts.c_addr, cgutils.intp_t)
        return types.intp(function), codegen
    real = types.FunctionType(types.float64(types.float64))
    with pytest.raises(TypingError, match="'c_addr' of a value of FunctionType.* is not open"):
        njit(types.intp(real))(function_of("def f(g):\n    return address(g)\n", address=address_in))


def test_copies_for_routines_that_go_by_columns():
    copy = njit(function_of("def f(a):\n    return copy(a)\n", copy=_copy_to_fortran_order))
    whole = np.arange(12.0).reshape(3, 4)
    for a in (whole, np.asfortranarray(whole), whole[::2, ::2], whole[:1], whole[:0], whole[0]):
        made = copy(a)
        assert made.flags.f_contiguous and np.array_equal(made, a) and not np.shares_memory(made, a)
