# SPDX-License-Identifier: MIT
"""Differences, integrals, filters, products, rounding, comparing; ufuncs that the library writes."""
import numpy as np
import pytest
from compare import check, check_each
from conftest import function_of
from numba import njit
from numba.core import errors


def test_differences(rng):
    a = rng.random((4, 5))
    check_each("""
        np.diff(a)
        np.diff(a, 2)
        np.diff(a, axis=0)
        np.diff(a[0], 7)
        np.diff(a > 0.5)
        np.diff(np.arange(5))
        np.ediff1d(a)
        np.ediff1d(a, 99.0)
        np.ediff1d(a, to_begin=a[0])
        np.ediff1d(a, a[0], a[1])
        np.gradient(a[0])
        np.gradient(a[0], 0.5)
        np.gradient(a[0], np.cumsum(a[1]))
        np.gradient(a)
        np.gradient(a, axis=1)
        np.gradient(a[0, :1])
        np.trapezoid(a)
        np.trapezoid(a[0])
        np.trapezoid(a, dx=0.1)
        np.trapezoid(a, axis=0)
        np.trapezoid(a[0], np.cumsum(a[1]))
        np.interp(a, np.arange(5) / 5, a[0])
        np.interp(0.3, np.arange(5) / 5, a[0])
        np.interp(np.array((-1.0, 0.2, 9.0)), np.arange(5) / 5, a[0], -5, 7)
        np.unwrap(a * 20)
        np.unwrap(a * 20, axis=0)
        np.unwrap(a[0] * 20, 4.0)
    """, a)


def test_filters_and_products(rng):
    a, b = rng.random(7), rng.random(4)
    check_each("""
        np.convolve(a, b)
        np.convolve(a, b, 'same')
        np.convolve(a, b, mode='valid')
        np.convolve(b, a)
        np.convolve(b, a, 'same')
        np.correlate(a, b)
        np.correlate(a, b, 'full')
        np.correlate(a, b, 'same')
        np.correlate(b, a, 'full')
        np.correlate(b, a)
        np.convolve(a, b[:0])
        np.outer(a, b)
        np.outer(2, b)
        np.kron(a, b)
        np.kron(np.outer(a, b), np.outer(b, b))
        np.cross(a[:3], b[:3])
        np.cross(np.outer(b, a[:3]), a[:3])
        np.cross(a, b)
    """, a, b)
    check("np.correlate(a, b)", a + 1j * a, b - 2j * b)
    check("np.convolve(a, b)", np.arange(5), np.arange(3))
    check("np.kron(a, b)", np.arange(6, dtype="i4").reshape(2, 3), np.arange(4, dtype="i4").reshape(2, 2))


def test_fitting(rng):
    a = rng.random((3, 4)) * 6 - 3
    check_each("""
        np.clip(a, -1, 1)
        np.clip(a, None, 1)
        np.clip(a, -1, None)
        a.clip(-1, 1)
        np.clip(a, a[0], 2)
        np.clip(5, 0, 3)
        np.round(a)
        np.round(a, 2)
        np.around(a * 100, -1)
        a.round(1)
        np.round(2.5)
        np.fix(a)
        np.nan_to_num(a / 0.0)
        np.nan_to_num(np.sqrt(a), nan=7.0)
        np.nan_to_num(np.nan)
        np.isclose(a, a + 1e-9)
        np.isclose(a, a[0])
        np.isclose(np.sqrt(a), np.sqrt(a), equal_nan=True)
        np.isclose(1.0, 1.1)
        np.allclose(a, a)
        np.allclose(a, a + 1)
        np.array_equal(a, a)
        np.array_equal(a, a[0])
        np.array_equal(a, a + 1)
        np.sinc(a)
        np.i0(a)
        np.angle(a + 1j)
        np.real(a + 1j)
        np.imag(a + 1j)
        np.imag(a)
        np.iscomplex(a + 0j)
        np.isreal(a)
        np.isposinf(a / 0.0)
        np.isneginf(a)
        np.isscalar(3)
        np.isscalar(a)
        np.iscomplexobj(a)
    """, a)
    check("np.clip(a, 1, 3)", np.arange(6))
    check("np.clip(a, 0.5, 3)", np.arange(6))
    check("np.round(a, -1)", np.arange(60, 90))


@pytest.mark.parametrize("name", "logaddexp logaddexp2 fmax fmin fmod float_power heaviside logical_and logical_or "
                         "logical_xor copysign hypot arctan2 maximum minimum nextafter power remainder".split())
def test_binary_ufuncs(name, rng):
    a, b = rng.random(6) * 4 - 1, rng.random(6) * 3 - 1
    if "power" in name:
        a, b = abs(a), abs(b)
    check(f"np.{name}(a, b)", a, b)
    check(f"np.{name}(a, b)", a[0], b[0])
    a[2] = b[3] = np.nan
    check(f"np.{name}(a, b)", a.astype("f4"), b.astype("f4"), rtol=1e-4)


@pytest.mark.parametrize("name", "signbit spacing reciprocal conjugate square negative sign rint trunc cbrt exp2 log1p expm1 "
                         "degrees radians isnan isinf isfinite logical_not absolute fabs positive tanh arcsinh".split())
def test_unary_ufuncs(name, rng):
    a = rng.random((2, 3)) * 0.9 + 0.1
    check(f"np.{name}(a)", a)
    check(f"np.{name}(a[0, 1])", a)
    check(f"np.{name}(a)", a.astype("f4"), rtol=1e-4)


def test_integer_ufuncs(rng):
    a, b = rng.integers(-20, 20, 8), rng.integers(1, 9, 8)
    check_each("""
        np.gcd(a, b)
        np.lcm(a, b)
        np.fmod(a, b)
        np.fmod(a, 0 * b)
        np.ldexp(a * 1.5, b)
        np.gcd(12, 18)
        np.bitwise_and(a, b)
        np.left_shift(a, b)
        np.invert(a)
        np.floor_divide(a, b)
        np.mod(a, b)
    """, a, b)


# ---- functions of two results

divmod_of = njit(lambda a, b: np.divmod(a, b))
modf_of = njit(lambda a: np.modf(a))
frexp_of = njit(lambda a: np.frexp(a))


def check_results(results, expected):
    for result, right in zip(results, expected, strict=True):
        if np.ndim(right):
            assert result.dtype == right.dtype
        np.testing.assert_array_equal(result, right)
        if np.asarray(right).dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(result), np.signbit(right))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_functions_of_two_results(dtype):
    x = np.array([1.5, -2.75, 0, -0.0, np.inf, -np.inf, np.nan, 1e30, -7], dtype)
    table = x.reshape(3, 3)
    for operand in (x[1], x[3], x[4], x[5], x[6], x, x[::2], table, table.T, x[:0]):
        check_results(modf_of(operand), np.modf(operand))
        check_results(frexp_of(operand), np.frexp(operand))
    for left, right in ((x[1], dtype(2)), (table[:2, 0], dtype(-2)), (dtype(7), np.array([3, -3], dtype))):
        check_results(divmod_of(left, right), np.divmod(left, right))
    check_results(divmod_of(np.arange(-5, 5), 3), np.divmod(np.arange(-5, 5), 3))
    check_results(modf_of(np.arange(-2, 2)), np.modf(np.arange(-2, 2)))


def test_functions_of_two_results_take_outputs():
    from numba import TypingError
    x, y = np.array([[7.5, -3.25], [0.5, -9.0]]), np.array([2.0, -2.5])
    for function, operands in ((np.divmod, (x, y)), (np.divmod, (x[0, 0], y)), (np.modf, (x,)), (np.modf, (x[0, 1],))):
        names = "ab"[:len(operands)]
        one, two = (eval(f"njit(lambda {','.join(names)}, {', '.join(outs)}: f({', '.join(names)}, {', '.join(outs)}))",
                         {"njit": njit, "f": function}) for outs in (["o"], ["o", "p"]))
        expected = function(*operands)
        for shape in (np.shape(expected[0]), (3, 2, 2)):
            first, second = np.zeros(shape), np.zeros(shape)
            result = two(*operands, first, second)
            assert result[0].base is first or result[0] is first
            for made, right in zip((first, second), expected):
                np.testing.assert_array_equal(made, np.broadcast_to(right, shape))
            np.testing.assert_array_equal(one(*operands, first)[1], expected[1])
    a = x.copy()  # an output may be an operand
    divmod_into = njit(lambda a, b, o: np.divmod(a, b, o))
    check_results(divmod_into(a, y, a), np.divmod(x, y))
    mantissa, exponent = np.zeros(2), np.zeros(2, np.int32)
    njit(lambda a, o, p: np.frexp(a, o, p))(y, mantissa, exponent)
    check_results((mantissa, exponent), np.frexp(y))
    for wrong in (np.zeros(2, np.int64), np.zeros(3)):
        with pytest.raises((TypingError, ValueError, TypeError)):
            divmod_into(y, 2.0, wrong)


INTEGERS = "i1 i2 i4 i8 u1 u2 u4 u8".split()


@pytest.mark.parametrize("expression", ["a + b", "a / b", "a ** b", "np.multiply(a, b)", "np.subtract(b, a)"])
def test_integers_take_the_width_of_what_they_meet(expression):
    """Of an array's items, whatever the integer's own width; numba and NumPy agree for literals."""
    f = njit(function_of(f"def f(a, b):\n    return {expression}"))
    for inexact in ("f4", "f8", "c8", "c16"):
        a = np.array([1, 3, 2]).astype(inexact)
        for code in INTEGERS if inexact == "c8" else ("i8", "u1"):
            b = np.array([2, 1, 1]).astype(code)
            for x, y in ((a, b), (a, b[0]), (a[0], b)):
                got = f(x, y)
                assert got.dtype == a.dtype, (inexact, code, got.dtype)
                assert np.allclose(got, f.py_func(x, y), rtol=1e-6), (inexact, code)


def test_literals_beside_single_precision():
    a = np.array([1 + 2j, 3 - 1j], np.complex64)
    for x in (a, a.real.copy()):
        for expression in ("a * 2", "2 - a", "a / 2", "a ** 2", "a ** 3", "a + True"):
            check(expression, x)


def test_interpolation_at_infinities():
    points = np.array([-np.inf, 0.5, 1.0, 1.5, 2.0, np.inf, np.nan, -3.0])
    for xp in ([-np.inf, 1, 2, np.inf], [0.0, 1, 2, 3], [0.0, np.inf], [-np.inf, 0.0], [1.0]):
        for fp in ([1.0, 2, 3, 4], [1.0, np.inf, np.inf, 2], [-np.inf, 1, np.nan, np.inf], [5.0, 5, 5, 5]):
            values = np.array(fp[:len(xp)])
            check("np.interp(a, b, c)", points, np.array(xp), values)
            check("np.interp(a, b, c)", points, np.array(xp), values + 1j * values[::-1])


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9, 30])
def test_interpolation_of_unordered_points(count, rng):
    """NumPy promises nothing for them; its answers are given all the same."""
    for _ in range(5):
        check("np.interp(a, b, c)", rng.uniform(-1, count, 200), rng.permutation(count) * 1.0, rng.random(count))
    points = rng.permutation([np.nan, np.inf, *range(count)])[:count]
    check("np.interp(a, b, c)", np.append(rng.uniform(-1, count, 50), np.nan), points, rng.random(count))


@pytest.mark.parametrize("name", ["gcd", "lcm"])
def test_divisors_are_of_integers(name):
    f = njit(function_of(f"def f(a, b):\n    return np.{name}(a, b)"))
    for a, b in ((1.5, 2), (np.arange(3.0), 2), (2j, 1), (True, False), (np.arange(3, dtype="u8"), np.arange(3))):
        with pytest.raises(errors.TypingError, match=f"{name}.*\n(.*\n)*.*integer"):
            f(a, b)
    least = np.array([-2**63, -2**63, 0, -4], np.int64)
    check(f"np.{name}(a, b)", least, np.array([0, 6, -2**63, 6]))


def test_points_between_complex_numbers(rng):
    """To the last digit, as NumPy: with infinite parts and NaN, at points and between them."""
    f = njit(lambda x, xp, fp: np.interp(x, xp, fp))
    xp = np.sort(rng.random(200))
    parts = rng.random((2, 200))
    parts[0, ::7], parts[1, ::11], parts[0, ::13] = np.inf, -np.inf, np.nan
    x, fp = np.concatenate((rng.random(300), xp, [-1, 2])), np.empty(200, complex)
    fp.real, fp.imag = parts
    got, want = f(x, xp, fp), np.interp(x, xp, fp)
    np.testing.assert_array_equal(got.real, want.real)
    np.testing.assert_array_equal(got.imag, want.imag)
