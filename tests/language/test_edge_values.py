# SPDX-License-Identifier: MIT
"""Functions of numbers at the ends of what the types hold, one by one and in vectors."""
import itertools
import math

import numba
import numpy as np
import pytest
from compare import check_each
from conftest import function_of, same
from numba import njit

INTEGERS = [np.array([np.iinfo(t).min, np.iinfo(t).max, 0, 1, 7], t) for t in (np.int8, np.int16, np.int64, np.uint8, np.uint64)]


@pytest.mark.parametrize("a", INTEGERS, ids=lambda a: a.dtype.name)
def test_divisors_and_remainders_of_integers(a):
    for b in (a[::-1].copy(), np.array([3, 2, 5, 100, 6], a.dtype), a):
        check_each("np.gcd(a, b)\nnp.lcm(a, b)\nnp.fmod(a, b)\nnp.remainder(a, b)", a, b)
    if a.dtype.kind == "i":
        check_each("np.fmod(a, b)\nnp.gcd(a, b)", a, np.array([-1, -2, -7, 3, 1], a.dtype))


def test_vectors_of_floats():
    """As many as vector instructions take at once, and some that are left."""
    tiny = np.array([0.0, 1.0, 1e300, -3.0, 5e-324, np.inf, np.nan] * 3)
    for divisor in (5e-324, 1e-300, -2.5, np.inf):
        check_each("a % b\na // b\nnp.fmod(a, b)", tiny, np.full(21, divisor))
    for a in (np.array([1.79e308, 1e300, 1.0, np.inf, -1.0, -2.0, 0.0, -0.0, 1e-300] * 3),
              np.array([3.4e38, 1e30, 1.0, np.inf, -1.0, -2.0, 0.0, -0.0, 1e-40] * 3, np.float32)):
        check_each("np.log1p(a)", a)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_division_by_zero(dtype):
    a = np.array([1 + 2j, 0, -1j, complex(np.inf, 1), complex(np.nan, 1), -3] * 3, dtype)
    for b in (np.zeros(18, dtype), np.full(18, complex(-0.0, 0.0), dtype), np.zeros(18, np.int8)):
        check_each("a / b\nnp.divide(a, b)", a, b)


def test_powers_of_two():
    for a in (np.array([0.5, -1.0, 0.0]), np.array([0.5, -1, 0], np.float32)):
        for exponents in ([2**62, -2**62, 3], [2**31, -2**31, 2**32]):
            check_each("np.ldexp(a, b)", a, np.array(exponents))
    assert njit(lambda x: math.frexp(x))(-2**63) == (-0.5, 64)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.int16, np.int32, np.uint64, np.float32, np.float64])
def test_precision_of_functions_of_one(dtype):
    check_each("np.sinc(a)", np.array([0, 1, 1], dtype))
    if np.dtype(dtype).itemsize > 1:  # NumPy has half precision for the smaller ones
        check_each("np.deg2rad(a)\nnp.radians(a)\nnp.rad2deg(a)\nnp.degrees(a)", np.array([0, 1, 90], dtype))


CALLS = [("math.gcd(a, b)", np.int8(-128), np.int8(-128)), ("math.gcd(a, b)", np.uint64(2**63), 6),
         ("math.lcm(a, b)", np.uint64(4), -6), ("math.lcm(a, b)", np.int16(-2**15), True), ("math.lcm(a, b)", 0, np.uint8(3)),
         ("round(a, -1) + b", np.uint64(2**63 + 5), np.uint64(1)), ("round(a, -19) + b", np.uint64(2**63), np.uint64(0)),
         ("round(a, 2) + b", np.uint64(2**63 + 5), np.uint64(1)), ("round(a, -25) + b", np.uint64(2**63), np.uint64(0)),
         ("round(a) + b", np.uint64(2**63 + 5), np.uint64(1))]


@pytest.mark.parametrize("body, a, b", CALLS)
def test_integers_keep_their_sign(body, a, b):
    f = function_of(f"def f(a, b):\n    return {body}\n")
    assert same(njit(f)(a, b), f(int(a), int(b)))


def test_integers_that_do_not_fit():
    for body in ("math.gcd(a, a)", "math.lcm(a, 3)"):
        with pytest.raises(OverflowError, match="64 bits"):
            njit(function_of(f"def f(a):\n    return {body}\n"))(-2**63)


@pytest.mark.parametrize("body, a", [("np.isneginf(a)", 1j), ("np.isposinf(a)", 1j), ("np.bitwise_count(a)", 1.5),
                                     ("np.ldexp(1.0, a)", 1.5)])
def test_kinds_that_are_refused(body, a):
    f = njit(function_of(f"def f(a):\n    return {body}\n"))
    for argument in (a, np.array([a])):
        with pytest.raises(numba.TypingError):
            f(argument)


def test_trapezoids_of_narrow_integers():
    """Differences, sums and products stay in the type of the items, and wrap around in it."""
    heights, points = np.arange(6.0) ** 2, np.array([1, 200, 3, 4, 250, 6], np.uint8)
    for y, x in ((heights, points), (points, points[::-1].copy()), (heights, points > 4), (heights, points[:2])):
        check_each("np.trapezoid(a, b)\nnp.trapezoid(a)", y, x)
    for x in (np.ones(0), np.ones(4), np.ones(7)):
        check_each("np.trapezoid(a, b)", heights, x)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("distances", [np.uint32, np.int64, np.float32, np.float64])
def test_trapezoids_between_distances_of_two_axes(dtype, distances):
    """Wide integers beside narrow floats are floats of 64 bits."""
    rng = np.random.default_rng(9)
    y = (rng.integers(0, 60, (3, 5)) / 2 + (0 if dtype().real.dtype == dtype else 1j) * rng.integers(0, 60, (3, 5)) / 2).astype(dtype)
    x = rng.integers(0, 2**32, (3, 5)).astype(distances)
    for a in (y, np.asfortranarray(y), y[:, ::-1]):
        got = njit(lambda a, x: np.trapezoid(a, x))(a, x)
        np.testing.assert_allclose(got, np.trapezoid(a, x), rtol=1e-4 if distances == np.float32 else 1e-12)


def test_result_for_a_masked_call_has_its_kind():
    for out in (np.zeros(6, np.int32), np.zeros(6, np.float32), np.zeros(6, np.complex128)):
        check_each("np.sqrt(a, out=b, where=a > 1)", np.arange(6.0), out)


def test_truths_that_are_shifted():
    truths = np.array([True, False, True])
    check_each("a << b\na >> b\nnp.left_shift(a, b)\nnp.right_shift(a, b)", truths, truths[::-1].copy())


def test_complex_numbers_are_rounded_by_parts():
    for dtype in (np.complex64, np.complex128):
        check_each("np.rint(a)\nnp.rint(a[0])", np.array([1.5 + 2.5j, -0.4 - 3.5j, complex(np.inf, np.nan)], dtype))


def test_isclose_compares_floats():
    f = njit(function_of("def f(a, b):\n    return math.isclose(a, b)\n"))
    for a, b in ((2**62, 2**62 + 1), (-2**63, -2**63 + 7), (np.int8(1), True), (1.0, 1 + 1e-10), (np.inf, np.inf)):
        assert f(a, b) == f.py_func(a, b)
    with pytest.raises(numba.TypingError):
        f(1j, 1j)


def test_remainders_that_are_floats():
    """No integer type holds both an int64 and an uint64."""
    check_each("np.fmod(a, b)", np.array([0, 7, -2**63]), np.array([0, 3, 2**64 - 1], np.uint64))


def test_more_axes_than_there_are():
    """The first pair of axes that is missing, or of two lengths, is what the error is about."""
    for a, b in itertools.product((np.array(2.0), np.ones(3), np.ones((2, 3)), np.ones((3, 2))), repeat=2):
        check_each("\n".join(f"np.tensordot(a, b, {count})" for count in range(4)), a, b)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", "sinh cosh tanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt sin cos tan arcsin arccos arctan "
                         "arcsinh arccosh arctanh".split())
def test_last_places_at_the_ends_of_ranges(name, dtype):
    """In vectors and one by one: where results become infinite, subnormal or leave the domain.

    SLEEF's exp is infinite where 2e-13 of the largest number are left, and pow where 3e-6 are (docs/numpy-support.md)."""
    info = np.finfo(dtype)
    end = math.log(float(info.max))
    sizes = np.concatenate([np.linspace(end - 1, end + 1, 999), np.linspace(end, end + 40, 99), np.linspace(0.9, 1.1, 99),
                            np.linspace(info.maxexp - 1, info.maxexp + 1, 99), np.linspace(info.maxexp, info.maxexp + 60, 99),
                            np.geomspace(float(info.tiny) / 1e5, float(info.max), 999), [0.0, np.inf, np.nan]])
    a = np.concatenate([sizes, -sizes]).astype(dtype)
    out = np.empty_like(a)
    njit(function_of(f"def f(a, out):\n    for i in range(len(a)):\n        out[i] = np.{name}(a[i])\n"))(a, out)
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(a.astype(np.longdouble)).astype(dtype)
        near = (out == wanted) | np.isnan(out) & np.isnan(wanted) | (abs(out - wanted) <= 4 * np.spacing(abs(wanted)))
        near |= (name == "exp") & (out == np.inf) & (wanted > (1 - 1e-12) * info.max)
    assert near.all(), [(a[i], out[i], wanted[i]) for i in np.flatnonzero(~near)[:5]]
    one = njit(function_of(f"def f(x):\n    return np.{name}(x)\n"))
    some = slice(None, None, 50)
    with np.errstate(all="ignore"):
        assert all(same(one(x), y) or abs(one(x) - y) <= 4 * np.spacing(abs(y)) for x, y in zip(a[some], wanted[some]))


def test_narrow_complex_powers_of_wide_parts():
    """The length of the base to the real exponent is infinite, or next to nothing, where the power is neither."""
    a = np.array([1e30 + 1e30j, 1e-30 - 1e-30j, 3e38 + 1j, 1e-40 + 0j, 2, 0], np.complex64)
    b = np.array([2 + 80j, 2 + 80j, 1 + 1j, 0.5 + 1j, 3 + 2j, 1j], np.complex64)
    f = njit(function_of("def f(a, b):\n    return a ** b\n"))
    wanted = f(a.astype(complex), b.astype(complex))
    np.testing.assert_allclose(f(a, b), wanted, rtol=1e-6)
    for x, y, z in zip(a, b, wanted):
        np.testing.assert_allclose(f(x, y), z, rtol=1e-6)
