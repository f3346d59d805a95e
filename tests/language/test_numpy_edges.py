# SPDX-License-Identifier: MIT
"""What the whole enumeration of tests/exhaustive showed: functions of NumPy at the edges of types and shapes."""
import math

import numpy as np
import pytest
from compare import check, check_each
from conftest import function_of

from numba import TypingError, njit

NARROW = ["bool", "int8", "uint16", "int32", "float32", "float64", "complex64"]
NANS = np.array([complex(1, np.nan), complex(np.nan, 1), 2, complex(np.nan, np.nan), 1, complex(3, -np.nan), complex(0, 5)])
UNEVEN = np.array([0, -0.0, np.nan, 5e-324, -np.inf, 1, np.nan, np.inf, -1.5])


@pytest.mark.parametrize("values", [[2**64 - 1], [2**63], [0, 2**64 - 1], [2**63 - 1]])
def test_what_is_too_large_to_be_counted(values):
    f = njit(lambda a: np.bincount(a))
    g = njit(lambda a, w: np.bincount(a, w))
    a = np.array(values, np.uint64)
    for call in (lambda: f(a), lambda: g(a, np.ones(len(a))), lambda: f(np.maximum(a.astype(np.int64), 2**63 - 1))):
        with pytest.raises(ValueError, match="too large to be counted"):
            call()


def test_only_integers_are_counted_and_packed():
    check("np.bincount(a)", np.zeros(2))
    check("np.bincount(a, b)", np.zeros(2, np.complex64), np.ones(2))
    check("np.packbits(a)", np.ones(9))
    check("np.packbits(a, axis=0)", np.ones(9, np.complex64))
    check("np.bincount(a), np.bincount(a, b)", np.array([True, False]), np.ones(2))


@pytest.mark.parametrize("dtype", ["bool", "int64", "float64"])
def test_masks_hold_truths(dtype):
    """A float in a mask was taken for true, and counted by its value."""
    a, mask = np.arange(3.0), np.array([1, 0, 2]).astype(dtype)
    check_each("""
    np.add(a, a, where=b, out=np.zeros(3))
    np.sum(a, where=b)
    np.mean(a, where=b)
    np.var(a, where=b)
    np.max(a, initial=0, where=b)
    np.any(a, where=b)
    np.nanmean(a, where=b)
    np.copyto(a, 1, where=b); return a
    """, a, mask)


@pytest.mark.parametrize("name", ["sum", "max"])
@pytest.mark.parametrize("ndim", [1, 2])
def test_results_have_the_shape_of_out(name, ndim):
    """A ufunc spreads its result in `out`, a function of the whole array does not."""
    f = njit(function_of(f"def f(a, b):\n    return np.{name}(a, axis=0, out=b)\n"))
    for shape in ((3,), (4,)) if ndim == 1 else ((3, 4), (3, 1), (3, 3)):
        for out in np.zeros(4), np.zeros(1), np.zeros((3, 4)):
            try:
                want = f.py_func(np.ones(shape), out.copy())
            except ValueError:
                with pytest.raises((ValueError, TypingError), match="`out` has"):
                    f(np.ones(shape), out.copy())
            else:
                assert np.array_equal(f(np.ones(shape), out.copy()), want)


@pytest.mark.parametrize("dtype", NARROW)
def test_types_of_results(dtype):
    a = np.array([0, 1, 2, 1], dtype)
    check("np.vander(a, 3)", a)
    check("np.logical_or.reduce(a.reshape(2, 2)), np.logical_and.reduce(a)", a)
    if dtype not in ("bool", "int8"):
        check("np.angle(a)", a)
    if dtype not in ("bool", "complex64", "int8"):
        check("np.heaviside(a, a)", a)
        check("np.heaviside(a, 2)", a.astype(np.float32))
        check("np.hypot.reduce(-a.astype(np.float64)), np.hypot.reduce(-np.abs(a.reshape(2, 2)), axis=())", a.astype(np.float64))
    if dtype not in ("float32", "complex64"):
        check("np.polyder(a)", a)


def test_arrays_of_no_dimensions_and_numbers():
    for a in np.array(3.5), np.array(7), np.array(True):
        check_each("""
        np.array_equal(a, a), np.array_equal(a, a, equal_nan=True)
        np.kron(a, a) + 0
        np.repeat(a, 2, axis=0)
        np.array_equiv(a, a)
        """, a)
    check("np.clip(a, 1, 7) + 0, np.clip(a, None, 7) + 0, np.clip(a, a, 7.5) + 0", np.array(9))
    check("np.repeat(a, 2, axis=-1), np.asfortranarray(a), np.flip(a), np.size(a)", 2.5)
    check("np.array_equal(a, a, equal_nan=True), np.array_equal(a, a)", math.nan)
    for body in "np.size(a, 0)", "np.gradient(a, axis=0)":
        with pytest.raises(ValueError, match="axis"):
            njit(function_of(f"def f(a):\n    return {body}"))(3)


@pytest.mark.filterwarnings("ignore")
def test_order_of_what_is_not_a_number():
    check_each("""
    np.searchsorted(np.sort(a), a)
    np.searchsorted(np.sort(a), a, side='right')
    """, NANS)
    check("np.unique(a, axis=0)", UNEVEN)
    check("np.unique(a, axis=0)", np.column_stack((UNEVEN, UNEVEN[::-1])))
    check("np.unwrap(a), np.unwrap(a[::-1])", UNEVEN)
    check("np.quantile(a, 0.3), np.percentile(a, 60), np.nanquantile(a, [0.1, 0.6])", np.full(4, np.inf))


@pytest.mark.filterwarnings("ignore")
def test_division_by_zero():
    for a, b in (1j, 0), (np.complex64(1), np.int8(0)), (2.0, 0j), (0j, 0.0), (1.0, 0):
        f = njit(lambda a, b: np.divide(a, b))
        assert not np.isfinite(f(a, b))
        with pytest.raises(ZeroDivisionError):
            njit(lambda a, b: a / b)(a, b)
    f = njit(lambda a, b: math.log(a, b))
    assert f(8.0, 2.0) == 3
    for a in 2.0, 1.0, np.uint16(3):
        with pytest.raises(ZeroDivisionError):
            f(a, 1)


def test_exactness():
    f = njit(lambda n: math.isqrt(n))
    for n in 2**64 - 1, 2**64 - 2**33, (2**32 - 1)**2, (2**32 - 1)**2 - 1, 2**63, 0, 3:
        assert f(np.uint64(n)) == math.isqrt(n)
    for n in 2**63 - 1, 3037000499**2, 3037000499**2 - 1, 1:
        assert f(n) == math.isqrt(n)
    a, x = np.array([1, 2, 5], np.float32), np.array([0, 2**31 + 1, 5], np.uint32)
    check("np.trapezoid(a, b)", a, x, rtol=1e-15)
    for kind in np.int8, np.int32, np.uint64, np.bool_:
        check("np.average(a, weights=b)", np.array([1, 0, 1]).astype(kind), np.array([0.1, 0.7, 3 + 1j], np.complex64), rtol=1e-14)
    with pytest.raises(ValueError, match="Too many bins"):
        njit(lambda a: np.histogram(a, 3))(np.array([1.7e308]))
    check("np.clip(a, b, 7.5), np.clip(a, 1.5, b)", np.arange(9), np.array([2]))
    check("np.ediff1d(a, 1, 2)", np.array([True, False]))
    with pytest.raises(Exception, match="unexpected keyword argument 'dtype'"):
        njit(lambda a: np.bitwise_count(a, dtype=np.uint8))(np.arange(3))


@pytest.mark.parametrize("dtype", NARROW)
def test_numbers_between_arrays_have_their_type(dtype):
    a = np.arange(4).astype(dtype)
    if dtype != "bool":
        check_each("np.linspace(a, 3, 4)\nnp.linspace(0, a, 3, endpoint=False)\nnp.linspace(a, a * a, 1, axis=-1)", a)
    check_each("np.take(a, 1, axis=-1)\nnp.take(a, [1], axis=0)\na.take(-1, 0)\nnp.take(a, 9, 0, mode='clip')", a)


@pytest.mark.sampled
@pytest.mark.parametrize("of_weights", NARROW)
@pytest.mark.parametrize("dtype", NARROW)
def test_averages_and_sums_of_weights(dtype, of_weights):
    a, b = np.arange(6).reshape(2, 3).astype(dtype), np.ones(3, of_weights)
    check_each("np.average(a, axis=0, returned=True)\nnp.average(a, 1, b, True)\nnp.average(a, 1, b)", a, b)


@pytest.mark.sampled
@pytest.mark.parametrize("other", ["int8", "int64", "uint64", "float32"])
@pytest.mark.parametrize("dtype", NARROW)
def test_sums_of_products_have_the_type_of_both(dtype, other):
    """As NumPy's and numba's: an int64 beside a float32 makes float64 here, as it does in np.dot()."""
    check_each("np.convolve(a, b)\nnp.correlate(a, b, 'full')\nnp.correlate(b, a)", np.array([1, 0, 3]).astype(dtype), np.ones(2, other))


@pytest.mark.parametrize("a", [np.array(2.0), np.arange(3.0), np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3))], ids=repr)
def test_orders_of_memory(a):
    check("np.asarray(a, order='F'), np.asarray(a, np.int32, order='F'), np.asarray(a, order='C')", a)
    for order in "CFA":
        f = function_of(f"def f(a):\n    return a.tobytes(order='{order}')\n")
        assert njit(f)(a) == f(a)


def test_integers_stay_integers_when_clipped():
    """A bound of either sign made floats of uint64, which lose what is beyond 2**53."""
    a = np.array([2**64 - 1, 2**63 + 5, 2**53 + 1, 3, 0], np.uint64)
    check_each("np.clip(a, 1, None)\nnp.clip(a, 2, 2**62)\nnp.clip(a, None, 7)\na.clip(1)\nnp.clip(a.reshape(5, 1).T, 4, None)", a)
    check_each("np.clip(a, 1, 7)\nnp.clip(a, a, 7)\nnp.clip(a, 1, None)\nnp.clip(a, None, 2**62)", a[1])
    assert njit(lambda x: np.clip(x, -5, None))(a[1]) == 2**63 + 5


@pytest.mark.parametrize("method", ["linear", "higher", "midpoint", "hazen", "inverted_cdf", "averaged_inverted_cdf"])
@np.errstate(all="ignore")
def test_quantiles_of_infinities(method):
    """Where an item is infinite, NumPy has NaN also for the one beside it."""
    f = njit(function_of(f"def f(a, q):\n    return np.quantile(a, q, method='{method}'), np.nanquantile(a, q, method='{method}')"))
    for items in ([1], [1, 1, 0], [1, 0], [-1, -1, 2], [0, 1, 1], [-1, 1], [-1, -1, -1, 2, 3], [1, 2, 3]):
        a = np.array([math.copysign(math.inf, x) if abs(x) == 1 else x for x in items])
        for q in 0.0, 0.1, 0.5, 1.0:
            np.testing.assert_array_equal(f(a, q), f.py_func(a, q), err_msg=f"{a}, {q}")
    check_each("np.percentile(a, [10, 50])\nnp.quantile(a, 0.5, axis=0)", np.array([np.inf]))


@pytest.mark.parametrize("kind", ["uint8", "uint32", "uint64", "int64"])
def test_distances_of_integers_wrap_around(kind):
    """Of two axes wide ones became floats before they were multiplied."""
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    x = np.array([[5, 3, high // 3, 0], [high, 0, 1, low], [7, high - 1, low, 9]], np.dtype(kind).type)
    for y in (x[::-1].copy("F"), np.ones((3, 4))):
        check_each("np.trapezoid(a, b)\nnp.trapezoid(a, b, axis=0)", y, x)


@pytest.mark.parametrize("counts", [np.zeros(0), np.zeros(0, np.float32), np.ones(3), np.ones(3, np.complex64)])
@pytest.mark.parametrize("a", [np.zeros(0), np.zeros((3, 0))])
def test_counts_of_repetitions_are_integers(a, counts):
    for body in "np.repeat(a, b)", "np.repeat(a, b, axis=0)", "a.repeat(b)":
        with pytest.raises((TypeError, TypingError), match="integers|complex number has no real value"):
            njit(function_of(f"def f(a, b):\n    return {body}"))(a, counts)


@pytest.mark.parametrize("layout", ["C", "F", "strided", "0d", "empty"])
def test_places_of_several_axes(layout):
    """The coordinates of numbers have the shape of those numbers, in the order of the array, not of its memory."""
    numbers = np.arange(24).reshape(2, 3, 4) % 12
    a = {"C": numbers, "F": numbers.T, "strided": numbers[:, ::2, ::-1], "0d": np.array(5), "empty": numbers[:, :0]}[layout]
    check_each("""
    np.unravel_index(a, (3, 4))
    np.unravel_index(a, (3, 4), 'F')
    np.unravel_index(a, 12)
    np.unravel_index(a.astype(np.uint8), (2, 2, 3))
    np.unravel_index(a, ())
    np.ravel_multi_index((a % 3, a % 2), (3, 4))
    np.unravel_index(a - 1, (3, 4))
    np.unravel_index(a * 1.0, (3, 4))
    """, a)


def test_places_of_numbers():
    check_each("""
    np.unravel_index([3, 4], (3, 4))
    np.unravel_index((3, 4), (3, 4))
    np.unravel_index(0, ())
    np.unravel_index(1, ())
    np.unravel_index(1.5, (3, 4))
    """)


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
def test_one_array_for_two_results(dtype):
    """What stays is the first of two floats, and the second of others, as of those that are cast."""
    a = np.array([[5, 7, -9], [2, 3, 8]]).astype(dtype)
    plane, wide = np.zeros((2, 3), dtype), np.zeros((2, 3))
    check_each("""
    np.divmod(a, 4, b, b); return b
    np.divmod(a, 4, c, c); return c
    np.divmod(a, a, a, a); return a
    np.divmod(a.T, 4, b.T, b.T); return b
    """, a, plane, wide)
    if dtype[0] == "f":
        check_each("""
        np.modf(a, b, b); return b
        np.modf(a, c, c); return c
        np.modf(a, a, a); return a
        np.modf(2.5, c, c); return c
        np.frexp(a, c, c); return c
        """, a / a.dtype.type(4), plane, wide)


def test_no_more_steps_than_items():
    """Differences of nothing are taken no more: some are asked for that would last for years."""
    for a in np.zeros(0), np.arange(3.0), np.arange(3).astype("m8[s]"):
        f = njit(lambda a, n: np.diff(a, n))
        assert f(a, 2**62).dtype == a.dtype and len(f(a, 2**62)) == 0
    for shape in (3, 4), (0, 3), (3, 0):
        for n in range(1, 6):
            check("np.diff(a, b), np.diff(a, b, 0)", np.arange(12.0)[:math.prod(shape)].reshape(shape) ** 3, n)


@pytest.mark.parametrize("decimals", [10**7, 2**31, 2**62, -10**7, -2**31 - 1, -2**62, 400, -400])
def test_decimals_of_rounding(decimals):
    check_each("""
    np.around(a, b)
    a.round(b)
    np.round(2.5, b)
    np.around(a, b, a); return a
    """, np.array([1.5, -2.25]), decimals)


def test_less_than_none():
    """What is not there may be repeated less than never, and a triangle may have less than no rows."""
    check_each("""
    np.repeat(a, -5)
    np.repeat(b, -5)
    a.repeat(-5)
    np.repeat(c, -1, 0)
    np.repeat(c, -1, 1)
    np.repeat(a, c[0, :0].astype(np.int64))
    np.tri(4, -1)
    np.tri(-1, 4)
    np.tri(-4)
    np.tri(3, 3, -2**40), np.tri(3, 3, 2**62)
    """, np.zeros(0), np.ones(2), np.zeros((0, 2)))


@pytest.mark.parametrize("name", ["blackman", "hanning", "hamming", "bartlett", "kaiser"])
@pytest.mark.parametrize("length", [0, 1, -1, -2**63, 2**62, 7, 2.5, 1.0, 1.2, 0.5, 6.0, -3.5, 1e18, 1e300, math.inf, math.nan])
def test_lengths_of_windows(name, length):
    """An integer, or a number from which NumPy makes one."""
    check(f"np.{name}(a{', 2.0' if name == 'kaiser' else ''})", length)


def test_steps_between_far_integers():
    """Their distance is no int64, and was taken for nothing."""
    check_each("""
    np.arange(-2**63, 2**63 - 1, 2**62)
    np.arange(2**62 + 2**61, -2**62 - 2**61, -2**62)
    np.arange(a, b)
    np.arange(a, b, 2**61)
    np.arange(b, a)
    """, -2**63, 2**63 - 1)


def test_points_of_wrong_moments():
    f = njit(lambda mean, cov: np.random.multivariate_normal(mean, cov))
    g = njit(lambda r, mean, cov: r.multivariate_normal(mean, cov))
    shapes = {"mean": ((), (2, 2)), "cov must": (2, 4), "same length": (2, (3, 3)), "cov must be": (2, (2, 3)), "one item": (0, (0, 0))}
    for words, (mean, cov) in shapes.items():
        for call in lambda *moments: f(*moments), lambda *moments: g(np.random.default_rng(1), *moments):
            with pytest.raises(ValueError, match=words):
                call(np.zeros(mean), np.zeros(cov))
