"""Numbers where NumPy takes arrays, order of complex numbers, Fortran order, bits of numbers as another type."""
import contextlib

import numpy as np
import pytest
from compare import check_each
from conftest import function_of

import numba

FORTRAN = np.asfortranarray(np.array([[1.5, 3, -1], [3, -7, 3]]))
COMPLEX = np.array([[1 + 2j, 3 - 1j, 1 - 5j], [3 + 4j, 0, 3 - 9j]])


def test_numbers_stand_for_arrays():
    check_each("""
        np.sum(3), np.any(0.0), np.all(3), np.mean(3), np.prod(2.5), np.min(2), np.max(3j), np.ptp(a)
        np.var(2.0), np.std(3), np.argmin(a), np.argmax(a), np.count_nonzero(a), np.median(a)
        np.nansum(a), np.nanmean(a), np.nanmin(a), np.nanmax(a), np.nanstd(a), np.nanprod(a)
        np.cumsum(a)
        np.cumprod(a)
        np.unique(a)
        np.transpose(a)
        np.argsort(a)
        np.zeros_like(a)
        np.ones_like(3)
        np.full_like(a, 2)
    """, 3.5, dtype=False)


@numba.njit
def with_tuples(a, pair, number, zero_d):
    np.fill_diagonal(a, pair)
    total = 0.0
    for item in np.nditer(number):
        total += item.item()
    x, y = np.broadcast_arrays(pair, number)
    return a, total, x, y, np.where(zero_d, zero_d, number), np.where(number, pair, zero_d)


def test_tuples_numbers_and_no_dimensions():
    for a, number, zero_d in ((np.zeros((3, 4)), 2.5, np.array(-1)), (np.ones((2, 2, 2)), 0, np.array(0.5))):
        got, wanted = (f(a.copy(), (1, 2), number, zero_d) for f in (with_tuples, with_tuples.py_func))
        for one, other in zip(got, wanted):
            np.testing.assert_array_equal(one, other)
            assert np.asarray(one).dtype == np.asarray(other).dtype
    for function in (lambda a: np.nonzero(a), lambda a: np.where(a)):
        for number in (3, 0.0, 1j, np.array(2)):
            with pytest.raises(ValueError, match="nonzero on 0d arrays"):
                numba.njit(function)(number)


def test_complex_numbers_are_in_order():
    lines = """
        a.min(), a.max(), np.argmin(a), a.argmax(), np.min(a), np.amax(a), np.ptp(a)
        np.min(a, axis=0)
        np.argmax(a, axis=1)
    """
    check_each(lines, COMPLEX)
    check_each(lines, np.asfortranarray(COMPLEX))
    check_each(lines, COMPLEX.astype(np.complex64))
    check_each("np.max(a), np.min(a), np.argmax(a)", np.array([1, complex(3, np.nan), 7j]))


@numba.njit
def in_fortran_order(a, b):
    return (np.copy(a), np.array(a), a.astype(np.float32), a + 1, 2 * a, a * a + b, -a, np.sin(a), a > b,
            np.where(a > b, a, b), np.where(a > 1, a, 0.0), np.sqrt(np.abs(a)))


@numba.njit(parallel=True)
def on_threads(a, b):
    return a + 1, a * b, np.abs(a) * 2 - b * a


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4), (300, 200)])
def test_fortran_order_is_kept(shape):
    a = np.asfortranarray(np.arange(np.prod(shape)).reshape(shape) - 4.0)
    for function in (in_fortran_order, on_threads):
        for b in (np.asfortranarray(a[::-1]), np.ascontiguousarray(a[::-1])):
            for found, wanted in zip(function(a, b), function.py_func(a, b)):
                np.testing.assert_allclose(found, wanted, 1e-14)
                assert found.dtype == wanted.dtype
                if b.flags.f_contiguous:
                    assert found.strides == wanted.strides


def test_places_are_in_c_order():
    check_each("np.argmin(a), np.argmax(a), a.argmin(), a.argmax()", FORTRAN)


def test_bits_of_numbers():
    @numba.njit
    def views(single, word):
        return (single.view(np.int32), np.uint64(word).view(np.float64), np.int16(5).view(np.float16),
                np.int8(-1).view(np.uint8), np.float32(-0.0).view(np.uint32))
    assert views(np.float32(1.5), 4607182418800017408) == (
        1069547520, 1.0, np.int16(5).view(np.float16), 255, 0x80000000)
    with pytest.raises(numba.core.errors.TypingError, match="only supported if the itemsize is unchanged"):
        numba.njit(lambda x: x.view(np.int32))(1.5)


def test_identity():
    @numba.njit
    def identities(a, b):
        return a is a, a is b, a is not b, a is False, a is a[:]
    a = np.arange(3)
    assert identities(a, a.copy()) == (True, False, True, False, True)
    assert numba.njit(lambda x, y: (x is y, x is not y))(1, 1.5) == (False, True)
    assert numba.njit(lambda x, y: (x == y, x is y))("a", (1, 2)) == (False, False)


@pytest.mark.parametrize("value", [True, np.float32(12.3), 2.5, 12, np.uint8(3), np.timedelta64(3, "h"), np.datetime64("2016-01-01"),
                                   "ABC"])
def test_arrays_of_one_value_are_converted(value):
    """int(), float() and NumPy's classes make the value of an array without dimensions; complex ones are no real numbers."""
    got = numba.njit(lambda a: a.dtype.type(a))(np.array(value))
    assert got == np.array(value)[()] and np.ndim(got) == 0
    if np.array(value).dtype.kind in "buif":
        assert numba.njit(lambda a: (int(a), float(a), complex(a), np.float32(a), np.int8(a)))(np.array(value)) == (
            int(value), float(value), complex(value), np.float32(value), np.int8(value))


@pytest.mark.parametrize("number", [0, 127, 250, 2**31 + 5, 2**63 + 7, 2**64 - 1])
def test_python_classes_keep_the_integer(number):
    convert = numba.njit(lambda a: (int(a), float(a), bool(a)))
    for dtype in map(np.dtype, "?bBhHiIqQfd"):
        with contextlib.suppress(OverflowError), np.errstate(over="ignore"):
            value = dtype.type(number)
            for form in (value, np.array(value)) if int(value) < 2**63 or dtype.kind == "u" else ():
                assert convert(form) == (int(value), float(value), bool(value)), dtype


def test_complex_arrays_are_no_real_numbers():
    assert numba.njit(lambda a: (complex(a), np.complex64(a)))(np.array(2 - 1j)) == (2 - 1j, 2 - 1j)
    with pytest.raises(numba.core.errors.TypingError, match="a complex number has no real value: use .real"):
        numba.njit(lambda a: float(a))(np.array(2 - 1j))


def test_names_of_dtypes():
    names = "bool_ byte ubyte short ushort intc uintc int_ uint longlong ulonglong intp uintp p P q Q half single csingle".split()
    space = {"np": np}
    exec("def f():\n    return " + ", ".join(f"np.dtype({name!r})" for name in names), space)
    exec("def g():\n    return " + ", ".join(f"np.zeros(0, {name!r})" for name in names), space)
    assert [part.dtype for part in numba.njit(space["g"])()] == list(space["f"]())
    got = numba.njit(lambda: (np.full(2, 1, "bool_"), np.identity(2, "short"), np.eye(2, dtype="bool_")))()
    assert [part.dtype for part in got] == [np.dtype(bool), np.dtype("i2"), np.dtype(bool)]


HOLLOW = """
    a + b, a - 2, 2 * a, a / b, a // b, a % 2, a ** 2, -a, +a, abs(a), a < b, a == 2, 1 < a < 9
    n & n, n | 1, n ^ n, n << 1, n >> n, ~n
    np.sin(a), np.add(a, b), np.maximum(a, 1), np.isnan(a), np.sqrt(a), np.divmod(n, 2), divmod(n, 2), np.logical_not(n)
    np.dot(a, b), np.dot(a, 2.0), np.fix(a), np.digitize(a, c), sum((a, b)), pow(a, 2), np.add(a, b, where=True)
    (a + b) * a - np.sin(b) / 2, half + half, half * 2
    a + c, np.add(a, b, np.zeros(())), a.copy(), a[...], a.reshape(()), np.asarray(a), np.where(a > 1, a, b), np.zeros_like(a)
"""


@pytest.mark.parametrize("line", HOLLOW.strip().splitlines())
@pytest.mark.parametrize("parallel", [False, True])
def test_operations_without_dimensions(line, parallel):
    """Of arrays without dimensions alone come numbers, as in NumPy; what copies or views them keeps the array."""
    args = np.array(2.5), np.array(1.5), np.arange(3.0), np.array(3), np.array(1.5, "f4")
    f = numba.njit(parallel=parallel)(function_of(f"def f(a, b, c, n, half):\n    return ({line.strip()},)"))
    with contextlib.suppress(numba.NumbaPerformanceWarning):
        for got, want in zip(f(*args), f.py_func(*args)):
            for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (got, want))):
                assert isinstance(one, np.ndarray) == isinstance(other, np.ndarray), (line, got, want)
                assert np.shape(one) == np.shape(other) and np.asarray(one).dtype.kind == np.asarray(other).dtype.kind
                np.testing.assert_allclose(one, other, rtol=1e-6)


@pytest.mark.parametrize("operator", "+= -= *= /= //= %= **=".split())
def test_updates_without_dimensions(operator):
    f = numba.njit(function_of(f"def f(a, b):\n    a {operator} b\n    return a"))
    for b in (np.array(1.5), 2, 1.5):
        a, other = np.array(2.5), np.array(2.5)
        got, want = f(a, b), f.py_func(other, b)
        assert isinstance(got, np.ndarray) and got == want and a == other
    assert isinstance(f(2.5, np.array(1.5)), float)
