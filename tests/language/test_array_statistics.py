# SPDX-License-Identifier: MIT
"""Reductions that pass NaN over, quantiles, averages, covariance, out=."""
import itertools
import warnings

import numpy as np
import pytest
from compare import check, check_each
from conftest import function_of
from numba import njit

NAN_NAMES = "nansum nanprod nanmean nanvar nanstd nanmin nanmax nanmedian nanargmin nanargmax".split()


@pytest.mark.parametrize("name", NAN_NAMES)
def test_nan_reductions(name, rng):
    a = rng.random((4, 5))
    a[rng.random((4, 5)) > 0.7] = np.nan
    a[:, 0] = a[0, :] = 0.5
    check_each(f"""
        np.{name}(a)
        np.{name}(a, 0)
        np.{name}(a.T, axis=1)
        np.{name}(a, axis=1, keepdims=True)
    """, a)
    check(f"np.{name}(a)", a.astype("f4"), rtol=1e-4, dtype=False)
    check(f"np.{name}(a)", np.arange(6))


def test_running_and_quantiles_with_nan(rng):
    a = rng.random((4, 5))
    a[1, 2] = a[3, 3] = np.nan
    check_each("""
        np.nancumsum(a)
        np.nancumsum(a, 1)
        np.nancumprod(a, axis=0)
        np.nanpercentile(a, 40)
        np.nanquantile(a, (0.2, 0.7))
        np.nanpercentile(a, 40, axis=0)
        np.percentile(a, 40)
        np.median(a)
        np.cumsum(a, 1)
        np.cumprod(a.T, axis=0)
        a.cumsum()
        np.max(a)
        np.argmax(a)
        np.ptp(a, 0)
        np.quantile(a, 1.5)
    """, a)


def test_averages(rng):
    a, w = rng.random((4, 5)), rng.random((4, 5))
    check_each("""
        np.average(a)
        np.average(a, 0)
        np.average(a, weights=b)
        np.average(a, 1, b)
        np.average(a, axis=0, weights=b[:, 0])
        np.average(a, weights=b * 0)
        np.cov(a)
        np.cov(a, rowvar=False)
        np.cov(a, b)
        np.cov(a, bias=True)
        np.cov(a, ddof=0)
        np.cov(a[0])
        np.cov(a[0], b[0])
        np.corrcoef(a)
        np.corrcoef(a, rowvar=False)
        np.corrcoef(a[0], b[0])
        np.corrcoef(a[0])
    """, a, w)
    check("np.cov(a)", a + 1j * w)
    check("np.corrcoef(a)", a + 1j * w)


def test_out(rng):
    a = rng.random((3, 4))
    check_each("""
        np.sum(a, 0, out=b); return b
        np.mean(a, axis=0, out=b); return b
        np.max(a, 0, out=b); return b
        np.cumsum(a[0], out=b); return b
        np.add(a[0], 1, b); return b
        np.add(a[0], a[1], out=b)
        np.sin(a[0], out=b); return b
        np.sqrt(a[0], b); return b
        np.less(a[0], 0.5, out=b); return b
        np.clip(a[0], 0.2, 0.4, out=b); return b
        np.round(a[0], 1, out=b); return b
    """, a, np.zeros(4))


@pytest.mark.parametrize("turn, dtype", enumerate("f8 f4 i4 b1 c16".split()))
def test_axes_of_the_others(turn, dtype, rng):
    a = (rng.random((3, 4, 5)) * 4 - 1).astype(dtype)
    check_each("""
        np.count_nonzero(a)
        np.count_nonzero(a, 0)
        np.count_nonzero(a, axis=(0, 2), keepdims=True)
        np.var(a, (0, 1))
        np.std(a, axis=1, ddof=1)
        np.mean(a, (0, 2))
        np.any(a, 0)
        np.all(a, (1, 2))
        np.sum(a, (0, 1, 2))
        np.prod(a, 2)
    """, a, turn=turn, rtol=1e-4)
    if dtype[0] != "c":
        check_each("""
            np.argmin(a, 0)
            np.argmax(a, 1)
            np.argmax(a, axis=2, keepdims=True)
            np.min(a, (0, 2))
            np.max(a, axis=-1, keepdims=True)
        """, a, turn=turn)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_sums_of_floats_have_numpys_bits(dtype, rng):
    @njit
    def total(a):
        return a.sum()

    for n in (0, 1, 7, 8, 9, 127, 128, 129, 1000, 100_003, 2_500_001):
        a = rng.normal(size=n).astype(dtype)
        for row in (a, a[::-1], np.repeat(a, 3)[1::3]):
            assert total(row) == row.sum()


def test_counts_between_even_edges(rng):
    @njit
    def counts(a, n, limits):
        return np.histogram(a, n, limits)[0]

    for n, limits in (1, (-1.0, 1.0)), (7, (-4.0, 3.0)), (50, (-2.0, 5.0)), (66, (0.0, 0.1)):
        edges = np.linspace(*limits, n + 1)
        for a in (rng.normal(size=3000), np.round(rng.normal(size=3000), 1), edges, np.nextafter(edges, 9),
                  np.nextafter(edges, -9), rng.integers(-5, 5, 100)):
            np.testing.assert_array_equal(counts(a, n, limits), np.histogram(a, n, limits)[0])
    for n, low, width in (3, 1e16, 10.0), (66, 1 / 3, 1e-12), (20, -1e300, 1e300), (9, 1e-10, 50.0), (70, 0, 7e6):
        limits = low, low + width
        edges = np.linspace(*limits, n + 1)
        for size in 0, 1, 511, 512, 513, 2000:
            inside = rng.uniform(low - width / 9, low + width * 10 / 9, size)
            some = inside.copy()
            some[::3] = rng.choice(edges, len(some[::3]))
            at_ends = np.where(inside > low + width / 4, inside, rng.choice(limits, size))
            for a in (inside, some, at_ends, np.nextafter(rng.choice(edges, size), np.inf), inside[::-2],
                      np.where(inside > low + width / 2, np.nan, -np.inf), rng.choice(edges, size)):
                np.testing.assert_array_equal(counts(a, n, limits), np.histogram(a, n, limits)[0])
    for dtype in np.int64, np.float32, np.int8, np.uint64:
        a = rng.integers(0, 100, 2000).astype(dtype)
        np.testing.assert_array_equal(counts(a, 10, (0.0, 99.0)), np.histogram(a, 10, (0.0, 99.0))[0])
    tiny = np.array([0.0, 5e-324, 1e-323])
    assert counts(tiny, 2, (0.0, 1e-323)).tolist() == [1, 2]


METHODS = """linear lower higher midpoint nearest inverted_cdf averaged_inverted_cdf closest_observation
    interpolated_inverted_cdf hazen weibull median_unbiased normal_unbiased""".split()


def test_methods_of_quantiles(rng):
    for n in (1, 4, 9, 11):
        check_each("\n".join(f"np.quantile(a, [0, .1, .25, .5, .9, 1], method='{m}')" for m in METHODS), rng.random(n))


def test_quantiles_along_axes(rng):
    a = rng.random((3, 4, 5))
    a[0, 1, 2] = np.nan
    check_each("""
        np.nanquantile(a, [.1, .5], axis=1)
        np.nanpercentile(a, [10, 50], axis=(0, 2), keepdims=True)
        np.percentile(a, [10, 50], axis=0, keepdims=True)
        np.quantile(a, [.1, .5], keepdims=True)
        np.quantile(a, 2)
        np.average(a, axis=1, keepdims=True)
        np.average(a, axis=0, weights=a, keepdims=True)
        np.average(a, axis=0, weights=np.zeros(3))
    """, a)


def test_initial_and_where(rng):
    check_each("\n".join(f"np.{name}(a, axis={axis}, where=b{start})"
                         for name, start in (("sum", ""), ("prod", ", initial=2"), ("max", ", initial=0"),
                                             ("min", ", initial=9"), ("mean", ""), ("any", ""), ("all", ""))
                         for axis in (None, 0)), rng.random((3, 4)), rng.random((3, 4)) > 0.3)
    check_each("""
        np.sum(a, initial=3)
        a.max(initial=100)
        np.min(a[:0], initial=4)
        np.max(a[:0], axis=0, initial=4, keepdims=True)
    """, rng.random((3, 4)))


def test_modes_of_take(rng):
    check_each("""
        np.take(a, b, mode='wrap')
        np.take(a, b, mode='clip')
        np.take(a, b, axis=1, mode='wrap')
        np.take(a, b)
        np.sort(a, stable=True)
    """, rng.random((4, 5)), np.array([[0, 25], [-3, 1]]))


def test_covariance_of_one_variable(rng):
    """A single row of a matrix is refused, as NumPy's result for it has no dimensions; a single column gives a matrix."""
    for name in ("cov", "corrcoef"):
        f = njit(function_of(f"def f(a, rowvar):\n    return np.{name}(a, None, rowvar)"))
        check(f"np.{name}(a)", rng.random(5))
        check(f"np.{name}(a)", rng.random(5) + 1j * rng.random(5))
        check(f"np.{name}(a)", rng.random((3, 5)) + 1j * rng.random((3, 5)))
        with pytest.raises(RuntimeError, match="1-d array"):
            f(rng.random((1, 5)), True)
        column = rng.random((5, 1))
        np.testing.assert_allclose(f(column, False), [[getattr(np, name)(column, None, False)]])
        for rows in ((1.0, 2.5, 1.5),), ((1, 2j, 3),), ([1.0, 5.0],), (rng.random(4),), ((1, 2), (3, 5)):
            check(f"np.{name}(a)", rows)  # of a tuple, how many rows there are is known
        check(f"np.{name}(a, None, False)", rng.random((3, 4)))
    with np.errstate(all="ignore"):
        for odd in ([2.0, 2.0, 2.0], [1.0, np.nan, 2.0], [1.0, np.inf], [1.0]):
            check("np.corrcoef(a)", np.array(odd))
        check_each("""
            np.cov(a, None, False)
            np.cov(a, b, False)
            np.cov(b, a, False)
        """, rng.random((1, 4)), rng.random((1, 4)))  # one row of the first is turned, of the second not


@pytest.mark.parametrize("code", ["i8", "u8", "i1", "?"])
def test_means_that_no_integer_holds(code):
    largest = True if code == "?" else np.iinfo(code).max
    a = np.full((4, 3), largest, code)
    check_each("""
        np.nanmean(a)
        np.nanmean(a, 0)
        np.nanmean(a, axis=1, keepdims=True)
        np.mean(a)
        np.nanvar(a)
        np.nanstd(a)
    """, a)


@pytest.mark.parametrize("name", ["add", "maximum", "logical_or"])
def test_masks_of_reductions_by_ufuncs(name, rng):
    """They were refused."""
    for a in rng.integers(0, 9, (3, 4)), np.array(5):
        check_each(f"""
            np.{name}.reduce(a, where=np.asarray(a > 3))
            np.{name}.reduce(a, where=a > 3, initial=2)
            np.{name}.reduce(a, axis=-1, keepdims=True, where=a > 3, initial=1), np.{name}.reduce(a, 0, where=True)
            np.{name}.reduce(a, None, None, None, False, 3, a > 100)
        """, a)


def test_medians_of_complex_numbers():
    for a in np.array([1 + 2j, 3 - 1j, 1 - 2j, 2, 1j]), np.array([1 + 2j, 1 - 1j]), np.array([[1j, np.nan], [2, 3j]]):
        check("np.median(a), np.median(a, axis=0), np.nanmedian(a, axis=-1, keepdims=True)", a)


@pytest.mark.parametrize("dtype", ["c8", "c16", "f4", "f8"])
def test_both_parts_of_what_has_no_value(dtype):
    a = np.array([complex(np.nan, 1), complex(1, np.nan)]).astype(dtype) if dtype[0] == "c" else np.full(2, np.nan, dtype)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source in ("np.median(a[:0])", "np.nanmedian(a[:0])", "np.median(a[:0], axis=0)", "np.nanmin(a)", "np.nanmax(a[::-1])",
                       "np.nanmin(a, axis=0)", "np.nanmax(a.reshape(2, 1), axis=0)[0]"):
            wanted, got = eval(source, {"np": np, "a": a}), njit(eval(f"lambda a: {source}"))(a)
            assert (str(got.real), str(got.imag)) == (str(wanted.real), str(wanted.imag)), source


def test_medians_of_complex_numbers_without_a_value():
    odd = [1 + 1j, complex(np.nan, 1), complex(2, np.nan), complex(np.nan, np.nan), complex(np.inf, 0)]
    for n in 1, 2, 3, 4:
        rows = np.array(list(itertools.product(odd, repeat=n)))
        for part in "real", "imag":  # a complex NaN equals any other
            check_each(f"""
                np.median(a, axis=1).{part}
                np.median(a[:, ::-1], 1).{part}
                np.median(a).{part}
            """, rows)
            check(f"np.nanmedian(a, axis=0).{part}", rows[~np.isinf(rows).any(axis=1)])


def test_trapezoids_of_given_widths():
    check("np.trapezoid(a, dx=[1, 2, 3]), np.trapezoid(a, dx=np.array([1., 2, 3]), axis=-1), np.trapezoid(a, dx=np.array(2))",
          np.arange(4.0))


def test_average_of_numbers():
    for a, weights in (3.0, 2.0), (True, 2), (3, 0.5), (2 - 1j, 3), (np.array(3.0), np.array(2.0)), (3.0, 0.0), (3.0, np.arange(2.0)):
        check("np.average(a, weights=b)", a, weights)
    check_each("np.average(a, weights=b, returned=True)\nnp.average(a, axis=0, weights=b)", 3.0, 2.0)
    check("np.average(a, weights=2)", np.arange(3.0))
