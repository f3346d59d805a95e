"""Polynomials, by NumPy's old functions and numpy.polynomial's."""
import gc

import numpy as np
import numpy.polynomial.polynomial as P
import numpy.polynomial.polyutils as pu
import pytest
from compare import check, check_each
from conftest import function_of

from numba import njit
from numba.core import errors
from numba.core.runtime import _nrt_python as nrt, rtsys
from numpy.polynomial import Polynomial


def same(function, *args, rtol=1e-9):
    got, want = njit(function)(*args), function(*args)
    for x, y in zip(got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,)):
        assert np.shape(x) == np.shape(y) and np.asarray(x).dtype == np.asarray(y).dtype
        assert np.allclose(x, y, rtol=rtol, atol=1e-12)


def test_highest_power_first(rng):
    a, b, i = rng.normal(size=6), rng.normal(size=3), np.array([2, 0, 5, 1])
    same(lambda a, b: (np.polyadd(a, b), np.polysub(b, a), np.polymul(a, b), np.polyder(a),
                       np.polyder(a, 2), np.polyint(a), np.polyint(a, 2), np.polyval(a, b)), a, b)
    same(lambda a, i: (np.polyadd(a, i), np.polymul(i, i), np.polyder(i), np.polyint(i)), a, i)
    same(lambda a, b: np.polydiv(a, b), a, b)
    same(lambda a, b: np.polydiv(a, b), np.polymul(a, b), b, rtol=1e-7)
    same(lambda a, b: np.polydiv(b, a), a, b)
    same(lambda a: np.polyadd(a, 2.0), a)


def test_fit(rng):
    x = np.linspace(-2, 3, 40)
    y = 3 * x ** 3 - x + 0.5 + rng.normal(size=40) / 10
    same(lambda x, y: (np.polyfit(x, y, 3), np.polyfit(x, y, 0)), x, y, rtol=1e-7)
    same(lambda x, y: np.polyfit(x, y, 2), x, np.stack((y, 2 * y), 1), rtol=1e-7)
    with pytest.raises(TypeError, match="expected x and y to have same length"):
        njit(lambda x, y: np.polyfit(x, y, 2))(x, y[1:])


def test_lowest_power_first(rng):
    a, b = rng.normal(size=6), rng.normal(size=3)

    def low(a, b):
        return (np.polynomial.polynomial.polyadd(a, b), np.polynomial.polynomial.polysub(b, a),
                np.polynomial.polynomial.polymul(a, b), np.polynomial.polynomial.polyval(b, a),
                np.polynomial.polynomial.polyder(a), np.polynomial.polynomial.polyint(a),
                np.polynomial.polyutils.trimseq(np.array([1.0, 2, 0, 0])))

    same(low, a, b)
    same(lambda a, b: np.polynomial.polynomial.polydiv(a, b), a, b)
    same(lambda a, b: np.polynomial.polynomial.polydiv(b, a), a, b)
    same(lambda a, b: np.polynomial.polynomial.polyadd(a, b), np.array([1, 2, 3]), np.array([1, 2, -3]))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint32, np.float32, np.complex64])
def test_sums_have_the_type_of_their_terms(dtype):
    for count in (1, 2, 3):
        check_each("np.polyadd(a, b)\nnp.polyadd(b, a)\nnp.polysub(a, b)", np.array([3, 1], dtype), np.array([1] * count, dtype))


@pytest.mark.sampled
@pytest.mark.parametrize("x", [2.0, 3, np.arange(3.0), np.arange(6.0).reshape(2, 3), np.array(1.5)], ids=str)
@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 3, 4)], ids=str)
def test_several_polynomials_at_once(shape, x):
    """Each along the first axis: with `tensor` at every place, else, and in np.polyval(), as what is broadcast."""
    check_each("np.polynomial.polynomial.polyval(b, a)\nnp.polynomial.polynomial.polyval(b, a, tensor=True)",
               np.arange(np.prod(shape) + 0.0).reshape(shape) - 5, x)
    if shape[1:] == () or np.ndim(x) == 0 or shape[1:][-1] == np.shape(x)[-1]:
        check_each("np.polynomial.polynomial.polyval(b, a, False)\nnp.polyval(a, b)", np.arange(np.prod(shape) + 0.0).reshape(shape) - 5, x)


@pytest.mark.parametrize("p", [3, 2.5, np.array(3.0), np.ones((2, 2))], ids=str)
def test_what_is_no_polynomial(p):
    for function in (lambda p: np.polyder(p), lambda p: np.polyint(p)):
        with pytest.raises(ValueError if np.ndim(p) == 2 else TypeError):
            njit(function)(p)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32, np.uint64, np.int8])
def test_differences_of_unsigned_coefficients(dtype):
    """The negative of one is none of its type."""
    a, b = np.array([3, 1, 0], dtype), np.array([7, 5], np.int64)
    check_each("np.polysub(a, b)\nnp.polysub(b, a)\nnp.polysub(b, a[1:])\nnp.polynomial.polynomial.polysub(b, a)\nnp.polynomial.polynomial.polysub(a, a)", a, b)


@pytest.mark.parametrize("name", ["polymul", "polydiv", "polyadd", "polysub"])
def test_rows_alone_are_polynomials(name):
    """NumPy adds rows of rows of one length, which are no polynomials, and fails at others somewhere inside."""
    f = njit(function_of(f"def f(a, b):\n    return np.{name}(a, b)"))
    g = njit(function_of(f"def f(a, b):\n    return np.polynomial.polynomial.{name}(a, b)"))
    for a, b in (np.ones((2, 2)), np.ones(2)), (np.ones(2), np.ones((1, 2))), (np.ones((2, 2)), np.ones((2, 2))):
        with pytest.raises(ValueError, match="Polynomial must be 1d only"):
            f(a, b)
        with pytest.raises(ValueError, match="Coefficient array is not 1-d"):
            g(a, b)
    check(f"np.polynomial.polynomial.{name}(a, b)", np.zeros(0), np.ones(2))
    check(f"np.polynomial.polynomial.{name}(b, a)", np.zeros(0), np.ones(2))


def test_polynomials_of_nothing():
    check_each("""
    np.polymul(a, b)
    np.polymul(b, a)
    np.polymul(a, a)
    np.roots(a)
    np.roots(c)
    np.polyfit(a, a, 1)
    np.polyfit(c, b, 1)
    np.polynomial.polynomial.polyval(2.0, a)
    np.polynomial.polynomial.polyder(a)
    np.polynomial.polynomial.polyint(a)
    """, np.zeros(0), np.ones(3), np.ones((2, 2)))


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["int64", "float32", "complex128"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_calculus_along_axes(axis, dtype):
    """Of several polynomials of numpy.polynomial at once; the axis was left out of account."""
    a = np.arange(24).reshape(2, 3, 4).astype(dtype)
    check_each(f"""
    np.polynomial.polynomial.polyder(a, axis={axis})
    np.polynomial.polynomial.polyder(a, 2, 3, {axis})
    np.polynomial.polynomial.polyder(a, 9, axis={axis})
    np.polynomial.polynomial.polyint(a, axis={axis})
    np.polynomial.polynomial.polyint(a, 2, [3], -1, 2, {axis})
    np.polynomial.polynomial.polyint(a[:, ::-1], 2, [3, 4], axis={axis})
    np.polynomial.polynomial.polyint(a[0], axis={axis})
    """, a)


def test_orders_of_calculus():
    check_each("""
    np.polynomial.polynomial.polyder(a, -1)
    np.polynomial.polynomial.polyder(a, 0)
    np.polynomial.polynomial.polyint(a, -1)
    np.polynomial.polynomial.polyint(a, 0)
    np.polynomial.polynomial.polyint(a, 1, [1, 2])
    np.polynomial.polynomial.polyint(a[:1], 2, 3)
    np.polynomial.polynomial.polyint(a[:1] + 1, 2)
    np.polynomial.polynomial.polyint(3.0)
    np.polynomial.polynomial.polyder(3.0)
    """, np.arange(4.0))


def test_quotients_of_other_types():
    """Also where the first is shorter, and is the remainder."""
    f = njit(lambda a, b: P.polydiv(a, b))
    for a in (np.array([1.5, 2]), np.array([1, 2, 3, 4]), np.array([1j, 2, 1])):
        for b in (np.array([2, 3, 1 + 2j]), np.array([2.0, 4, 5]), np.array([3])):
            for got, want in zip(f(a, b), P.polydiv(a, b)):
                assert got.dtype == want.dtype
                np.testing.assert_allclose(got, want)


def test_values_at_arrays_of_no_dimensions():
    """A number, as in NumPy."""
    for function in (lambda x, c: P.polyval(x, c), lambda x, c: np.polyval(c, x)):
        for x in (np.array(2.0), np.array(3), np.array(1j)):
            for c in (np.array([1.0, 2, 3]), np.array([4])):
                got = njit(function)(x, c)
                assert not isinstance(got, np.ndarray) and got == function(x, c)


def test_series():
    f, g = njit(lambda a: pu.as_series(a)), njit(lambda a, trim: pu.as_series(a, trim))
    for given in (np.arange(4), np.arange(6).reshape(2, 3), (1, np.arange(3), np.arange(2, dtype="f4")), ([1, 2, 3, 0], [1, 2]),
                  ((0, 1e-3, 0, 0), (1j, 2, 0)), (2, [1.1, 0.0]), [np.array([1, 0])], (np.array([1, 0], "f4"), np.array([2], "f4"))):
        for got, want in ((f(given), pu.as_series(given)), (g(given, False), pu.as_series(given, False))):
            assert [(row.dtype, row.tolist()) for row in got] == [(row.dtype, row.tolist()) for row in want]
    for given, text in ((np.empty(0),), "is empty"), ((np.ones((2, 2)),), "not 1-d"):
        with pytest.raises(ValueError, match=text):
            f(given)


@pytest.mark.parametrize("code", ["i8", "f4", "f8", "c16"])
def test_polynomials_as_values(code):
    """They are made, passed and given back, and let go of their arrays."""
    one, three = njit(lambda c: Polynomial(c)), njit(lambda c, d, w: Polynomial(c, d, w))
    parts, same = njit(lambda p: (p.coef, p.domain, p.window)), njit(lambda p: p)
    c, d, w = np.array([1, 2, 3], code), np.array([0, 1]), np.array([0.0, 2.0])
    for got, want in ((one(c), Polynomial(c)), (three(c, d, w), Polynomial(c, d, w)), (same(Polynomial(c, d, w)), Polynomial(c, d, w))):
        assert got == want and got.coef.dtype == want.coef.dtype and got.domain.dtype == want.domain.dtype
        assert [part.tolist() for part in parts(got)] == [want.coef.tolist(), want.domain.tolist(), want.window.tolist()]
    was_on = nrt.memsys_stats_enabled()
    nrt.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(5):
        got = parts(same(three(one(c).coef, d, w)))
    del got
    gc.collect()
    after = rtsys.get_allocation_stats()
    if not was_on:
        nrt.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0


def test_polynomials_that_are_none():
    one, three = njit(lambda c: Polynomial(c)), njit(lambda c, d, w: Polynomial(c, d, w))
    two = np.ones(2)
    with pytest.raises(ValueError, match="Domain has wrong number of elements."):
        three(two, np.ones(3), two)
    with pytest.raises(ValueError, match="Window has wrong number of elements."):
        three(two, two, np.ones(1))
    with pytest.raises(ValueError, match="is empty"):
        one(np.ones(0))
    with pytest.raises(errors.TypingError, match="Coefficient array is not 1-d"):
        one(np.ones((2, 2)))
    with pytest.raises(errors.TypingError, match="takes arrays in compiled code: coef is"):
        one(3)
