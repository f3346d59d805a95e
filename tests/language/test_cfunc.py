# SPDX-License-Identifier: MIT
"""C callbacks, functions and pointers of C, in compiled code and outside."""
import ctypes

import numpy as np
import pytest

from numba import carray, cfunc, farray, njit, typeof, types
from numba.core import errors

libm = ctypes.CDLL("libm.so.6")
sine, cosine, ldexp = libm.sin, libm.cos, libm.ldexp
sine.argtypes = [ctypes.c_double]
sine.restype = ctypes.c_double
ldexp.argtypes = [ctypes.c_double, ctypes.c_int]
ldexp.restype = ctypes.c_double
POINTER = ctypes.POINTER(ctypes.c_double)


def test_a_callback(make):
    f = make("def f(x):\n    'doc'\n    return x * 2 + 1\n")
    c = cfunc("float64(float64)")(f)
    assert repr(c) == "<Numba C callback 'f'>"
    assert c(2.5) == 6.0 and c.ctypes(2.5) == 6.0 and c.__wrapped__ is f
    assert c.__name__ == "f" and c.__doc__ == "doc" and c.cache_hits == 0
    assert isinstance(c.address, int) and c.address == ctypes.cast(c.ctypes, ctypes.c_void_p).value
    assert c.native_name in c.inspect_llvm()
    assert typeof(c) == types.FunctionType(types.float64(types.float64))
    assert str(c._sig) == "(float64,) -> float64"


NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
           "float64", "boolean"]


def test_numbers_pass_as_c_has_them(make, rng):
    for name in NUMBERS:
        c = cfunc(f"{name}({name}, {name})")(make("def f(x, y):\n    return y\n"))
        dtype = np.bool_ if name == "boolean" else np.dtype(name)
        for value in rng.integers(0, 256, 20).astype(np.uint8).astype(dtype):
            assert c.ctypes(0, value.item()) == value
    many = cfunc("f8(" + ", ".join(["i4", "f8"] * 9) + ")")(make(
        "def f(" + ", ".join(f"i{k}, x{k}" for k in range(9)) + "):\n    return "
        + " + ".join(f"i{k} * x{k}" for k in range(9)) + "\n"))
    values = rng.random(9)
    given = [part for k in range(9) for part in (k, values[k])]
    assert np.isclose(many.ctypes(*given), sum(k * values[k] for k in range(9)))
    nothing = cfunc("void(f8)")(make("def f(x):\n    x + 1\n"))
    assert nothing.ctypes(1.0) is None


def test_complex_numbers(make):
    for name, kind in (("c16", complex), ("c8", np.complex64)):
        c = cfunc(f"{name}({name}, f8)")(make("def f(z, x):\n    return z * x + 1j\n"))
        with pytest.raises(TypeError, match="to ctypes type"):
            c.ctypes
        caller = njit(make("def f(z):\n    return c(z, 2.0)\n", c=c))
        assert caller(kind(1 + 2j)) == 2 + 5j


def test_scipy_calls_back(make):
    integrate = pytest.importorskip("scipy.integrate")
    from scipy import LowLevelCallable
    c = cfunc("float64(float64)")(make("def f(t):\n    return math.exp(-t) / t ** 2\n"))
    assert np.isclose(integrate.quad(c.ctypes, 1, np.inf)[0], 0.14849550677592208)
    assert np.isclose(integrate.quad(LowLevelCallable(c.ctypes), 1, 2)[0],
                      integrate.quad(c.__wrapped__, 1, 2)[0])
    plane = cfunc("f8(intc, CPointer(f8))")(make(
        "def f(n, xx):\n    x = carray(xx, (n,))\n    return x[0] ** 2 + x[1] * xx[1]\n",
        carray=carray))
    assert np.isclose(integrate.nquad(LowLevelCallable(plane.ctypes), [[0, 1], [0, 3]])[0], 10.0)


def test_pointers(make):
    a = np.arange(6.0)
    source = ("def f(p, m, n):\n    a = %s(p, (m, n))\n    s = 0.0\n    for i in range(m):\n"
              "        for j in range(n):\n            s += a[i, j] * (i + 10 * j)\n"
              "    a[0, 1] = -1.0\n    p[5] = p[4] + 0.5\n    return s\n")
    for name, order, view in (("carray", "C", carray), ("farray", "F", farray)):
        c = cfunc("f8(CPointer(f8), i8, i8)")(make(source % name, carray=carray, farray=farray))
        given = a.copy()
        want = c(given.copy().ctypes.data_as(POINTER), 2, 3)
        assert c.ctypes(given.ctypes.data_as(POINTER), 2, 3) == want
        changed = a.copy()
        np.ndarray((2, 3), float, changed, order=order)[0, 1] = -1
        changed[5] = 4.5
        assert np.array_equal(given, changed)
        shaped = view(given.ctypes.data_as(POINTER), (2, 3))
        assert shaped.base is not None and np.array_equal(shaped, given.reshape((2, 3), order=order))
    c = cfunc("i8(voidptr, i8)")(make(
        "def f(p, n):\n    return carray(p, n, np.int32).sum()\n", carray=carray))
    assert c.ctypes(np.arange(5, dtype=np.int32).ctypes.data, 5) == 10
    with pytest.raises(errors.TypingError, match="explicit dtype required"):
        cfunc("f8(voidptr)")(make("def f(p):\n    return carray(p, 3)[0]\n", carray=carray))
    with pytest.raises(errors.TypingError, match="mismatching dtype"):
        cfunc("f8(CPointer(f8))")(make("def f(p):\n    return carray(p, 3, np.int8)[0]\n",
                                       carray=carray))


def test_carray_in_python():
    a = np.arange(4.0)
    with pytest.raises(TypeError, match="expected a ctypes pointer, got"):
        carray(a.ctypes.data, 4)
    with pytest.raises(TypeError, match="explicit dtype required for void"):
        carray(ctypes.c_void_p(a.ctypes.data), 4)
    with pytest.raises(TypeError, match="mismatching dtype 'int32' for pointer"):
        carray(a.ctypes.data_as(POINTER), 4, np.int32)
    assert np.array_equal(carray(ctypes.c_void_p(a.ctypes.data), (2, 2), types.float64),
                          a.reshape(2, 2))


def test_an_exception_is_written_and_c_gets_zero(make, run_python):
    done = run_python("-m", "gridcell", code=(
        "from numba import cfunc\n\n@cfunc('f8(f8)')\ndef f(x):\n    if x < 0:\n"
        "        raise ValueError('below', x)\n    return x + 1\n\n"
        "print(f.ctypes(-2.0), f.ctypes(1.0))\n"))
    assert done.stdout == "0.0 2.0\n" and done.returncode == 0
    assert "Exception ignored in: <Numba C callback 'f'>" in done.stderr
    assert "ValueError: ('below', -2.0)" in done.stderr and "line 6, in f" in done.stderr
    c = cfunc("f8(f8)")(make("def f(x):\n    if x < 0:\n        raise ValueError('below')\n"
                             "    return x\n"))
    with pytest.raises(ValueError):
        c(-2.0)
    caller = njit(make("def f(x):\n    return c(x)\n", c=c))
    with pytest.raises(ValueError, match="below"):
        caller(-2.0)


def test_what_is_no_callback(make):
    f = make("def f(x):\n    return x\n")
    with pytest.raises(TypeError, match="C callback needs an explicit return type"):
        cfunc("(f8,)")
    with pytest.raises(TypeError, match="invalid signature: 'float64'"):
        cfunc("float64")
    with pytest.raises(TypeError, match="numbers and pointers, not array"):
        cfunc("f8[:](f8[:])")(f)
    with pytest.raises(KeyError, match="Unrecognized options: {'foo'}"):
        cfunc("f8(f8)", foo=1)(f)
    with pytest.raises(errors.TypingError, match="No implementation of function"):
        cfunc("f8(f8)")(make("def f(x):\n    return x + 'a'\n"))


def test_functions_of_c(make):
    f = njit(make("def f(x, k):\n    return sine(x) + ldexp(x, k)\n", sine=sine, ldexp=ldexp))
    assert f(0.75, 3) == np.sin(0.75) + 6.0 and f(1, 3) == np.sin(1.0) + 8
    apply = njit(make("def f(g, x):\n    return g(x)\n"))
    python = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x + 1)
    assert apply(sine, 0.5) == np.sin(0.5) and apply(python, 2) == 3.0
    assert str(typeof(sine)) == "ExternalFunctionPointer((float64,) -> float64)"
    with pytest.raises(TypeError, match="ctypes function 'cos' doesn't define its argument types"):
        njit(make("def f(x):\n    return cosine(x)\n", cosine=cosine))(1.0)
    total = ctypes.CFUNCTYPE(ctypes.c_double, POINTER, ctypes.c_int)(
        lambda p, n: sum(p[i] for i in range(n)))
    f = njit(make("def f(a):\n    b = a * 2\n    return total(b.ctypes, b.size)\n", total=total))
    assert f(np.arange(4.0)) == 12.0
    address = njit(make("def f(a):\n    return a.ctypes.data\n"))
    a = np.arange(3)
    assert address(a) == a.ctypes.data


def test_addresses_of_arrays_as_void_pointers():
    libc = ctypes.CDLL("libc.so.6")
    memset = libc.memset
    memset.argtypes, memset.restype = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t], ctypes.c_void_p

    @njit
    def f(a):
        memset(a.ctypes.data, 0, a.nbytes)
        return a.sum()
    assert f(np.ones(3)) == 0


def test_functions_of_cffi():
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    ffi.cdef("double sin(double x); double frexp(double x, int *e); int printf(const char *f, ...);")
    library = ffi.dlopen("libm.so.6")
    c_sin, c_frexp, c_printf = library.sin, library.frexp, library.printf

    @njit
    def f(x, e):
        return c_sin(x), c_frexp(x, ffi.from_buffer(e)), e[0]
    assert f(8.0, np.zeros(1, np.int32)) == (np.sin(8.0), 0.5, 4)
    assert njit(lambda g, x: g(x))(c_sin, 1.0) == np.sin(1.0)
    with pytest.raises(TypeError, match="vararg"):
        njit(lambda: c_printf())()


def test_a_callback_that_faults(run_python):
    code = ("import gridcell\ngridcell.activate()\nfrom numba import cfunc, carray\n"
            "@cfunc('float64(voidptr, int64)')\ndef bad(p, i):\n    return carray(p, (1,), 'float64')[0] + i\n"
            "print(bad.ctypes(8, 3))\nprint('alive')\n")
    done = run_python(code=code)
    assert done.returncode == 0 and done.stdout == "0.0\nalive\n"
    assert "'bad'" in done.stderr and "line 4" in done.stderr and "memory that is not there" in done.stderr


def test_structs_of_cffi():
    cffi = pytest.importorskip("cffi")
    from numba import carray, cfunc, njit, types
    from numba.core.typing import cffi_utils
    ffi = cffi.FFI()
    ffi.cdef("typedef struct { int n; float f; double d; float items[9]; } big;"
             "typedef struct { int bits:4; } narrow;"
             "typedef double (*callback)(big *, size_t);")
    record = cffi_utils.map_type(ffi.typeof("big"), use_record_dtype=True)
    signature = cffi_utils.map_type(ffi.typeof("callback"), use_record_dtype=True)
    assert isinstance(record, types.Record) and len(record) == 4 and record.aligned
    assert record.typeof("d") == types.float64 and record.offset("d") == 8
    assert signature.args == (types.CPointer(record), types.uintp)

    @njit
    def total(items):
        s = 0.0
        for i in range(items.size):
            s += items[i].n * items[i].f / items[i].d + items[i].items.sum()
        return s

    @cfunc(signature)
    def call(pointer, n):
        return total(carray(pointer, n))
    data = ffi.new("big[3]")
    for i in range(3):
        data[i].n, data[i].f, data[i].d = i * 123, i * 213, (1 + i) * 213
        for j in range(9):
            data[i].items[j] = i * 10 + j
    assert call.ctypes(int(ffi.cast("size_t", ffi.cast("big *", data))), 3) == sum(
        i * 123 * i * 213 / ((1 + i) * 213) + 90 * i + 36 for i in range(3))
    with pytest.raises(ValueError, match="field 'bits' has bitshift"):
        cffi_utils.map_type(ffi.typeof("narrow"), use_record_dtype=True)


def test_an_address_outlives_its_object():
    import ctypes
    import gc

    from numba import cfunc

    def added(x):
        return x + 7
    address = cfunc("int64(int64)")(added).address
    other = cfunc("int64(int64)")(added)
    gc.collect()
    assert other.ctypes(1) == 8
    assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)(3) == 10


def test_addresses_that_functions_return():
    """c_void_p comes back as a number, as in Python."""
    returns = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: 0xdeadbeef)
    nothing = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: None)

    @njit
    def use(a):
        a[0] = returns()
        return returns() + 1, returns() == 1, returns() is returns(), 1 if nothing() else 2, int(returns())
    a = np.zeros(1, np.uintp)
    assert use(a) == (0xdeadbeef + 1, False, True, 2, 0xdeadbeef) and a[0] == 0xdeadbeef
    memory = np.array([1.5, 2.5])
    place = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: memory.ctypes.data)
    assert njit(lambda: carray(place(), 2, np.float64).sum())() == 4.0


def test_void_pointers_are_compared_and_made_of_addresses():
    same = njit((types.voidptr, types.voidptr))(lambda x, y: (x is y, x is not y))
    f = njit(lambda x, y: same(x, y))
    assert f(1, 1) == (True, False) and f(1, 2) == (False, True)
    with pytest.raises(errors.TypingError, match="No conversion from void\\* to"):
        njit(types.intp(types.voidptr))(lambda x: x)
