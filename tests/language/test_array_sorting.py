# SPDX-License-Identifier: MIT
"""Sorting, searching, sets, counts."""
import time

import numpy as np
import pytest
from compare import check, check_each
from conftest import function_of
from numba import njit

SORTS = """
    np.sort(a)
    np.argsort(a, kind='mergesort')
    a.sort(); return a
    np.unique(a)
    np.median(a)
    np.searchsorted(np.sort(a), a)
    np.searchsorted(np.sort(a), a, side='right')
    np.searchsorted(np.sort(a), a[0]) if a.size else 0
    np.partition(a, a.size // 2)[a.size // 2] if a.size else 0
    a.argsort(kind='mergesort')
"""


@pytest.mark.parametrize("dtype", "f8 f4 i8 i4 u1 i2".split())
def test_rows(dtype, rng):
    for n in (0, 1, 2, 17, 200):
        a = rng.integers(0, 50, n).astype(dtype)
        if dtype[0] == "f" and n > 2:
            a[n // 2] = np.nan
        for body in SORTS.strip().splitlines() if n in (0, 17) else SORTS.strip().splitlines()[:3]:
            if n == 0 and "median" in body:
                continue
            check(body.strip().replace("; ", "\n"), a)


def test_order_of_complex_and_bool(rng):
    a = (rng.integers(0, 4, 50) + 1j * rng.integers(0, 4, 50)).astype("c16")
    a[3] = complex(np.nan, 1)
    a[7] = complex(1, np.nan)
    check_each("np.sort(a)\n np.argsort(a, kind='mergesort')", a)
    check_each("np.sort(a)\n np.argsort(a, kind='mergesort')", rng.random(20) > 0.5)


def test_axes(rng):
    for a in (rng.random((3, 4, 5)), np.asfortranarray(rng.random((3, 4, 5))), rng.random((6, 4, 5))[::-2]):
        check_each("""
            np.sort(a)
            np.sort(a, 0)
            np.sort(a, axis=1)
            np.sort(a, axis=None)
            np.argsort(a)
            np.argsort(a, axis=0)
            a.sort(1); return a
            a.sort(); return a
            np.median(a)
            np.median(a, 0)
            np.median(a, axis=(0, 2))
            np.median(a, axis=1, keepdims=True)
            np.percentile(a, 30)
            np.percentile(a, 30, axis=1)
            np.quantile(a, (0.1, 0.5, 0.9))
            np.quantile(a, (0.1, 0.5), axis=0)
            np.unique(a)
        """, a)


def test_sorts_survive_hard_orders():
    n = 3000
    for a in (np.arange(n), np.arange(n)[::-1].copy(), np.zeros(n, "i8"), np.arange(n) % 2, np.arange(n) ^ 1365):
        check("np.sort(a)", a)
        check("np.argsort(a, kind='stable')", a)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_a_stable_sort_keeps_the_order_of_zeros(rng, dtype):
    """And of the signs of NaN, which equal nothing but come together."""
    items = [0.0, -0.0, 1.0, -1.0, np.nan]
    for n in (3, 17, 300):
        a = np.empty(n, dtype)
        if a.dtype.kind == "c":
            a.real, a.imag = rng.choice(items, n), rng.choice(items[:4], n)
        else:
            a[:] = np.copysign(rng.choice(items, n), rng.choice([-1, 1], n))
        for text in ("np.sort(a, kind='stable')", "np.sort(a, kind='mergesort')", "np.sort(a, stable=True)",
                     "np.sort(a, None, 'stable')", "np.sort(np.stack((a, -a)), 1, 'stable')",
                     "np.sort(np.stack((a, -a)), 0, stable=True)"):
            f = function_of(f"def f(a):\n    return {text}")
            assert njit(f)(a).tobytes() == f(a).tobytes(), (text, a)
        f = function_of("def f(a):\n    a.sort(kind='stable')\n    return a")
        assert njit(f)(a.copy()).tobytes() == f(a.copy()).tobytes()


def test_search(rng):
    a, b = np.sort(rng.integers(0, 20, 15)).astype("f8"), rng.integers(-2, 23, (3, 4)).astype("f8")
    check_each("""
        np.searchsorted(a, b)
        np.searchsorted(a, b, 'right')
        np.searchsorted(a, 7.5)
        a.searchsorted(b)
        np.searchsorted(a[::-1], b, sorter=np.argsort(a[::-1]))
        np.digitize(b, np.unique(a))
        np.digitize(b, np.unique(a), right=True)
        np.digitize(b, np.unique(a)[::-1])
        np.digitize(b, np.unique(a)[::-1], True)
        np.digitize(3.5, a)
        np.bincount(b[b >= 0].astype(np.int64))
        np.bincount(b[b >= 0].astype(np.int64), minlength=40)
        np.bincount(b[b >= 0].astype(np.int64), b[b >= 0])
        np.bincount(b.astype(np.int64).ravel())
        np.histogram(b)
        np.histogram(b, 4)
        np.histogram(b, 4, density=True)
        np.histogram(b, 4, None, False, np.abs(b))
        np.histogram(b, np.unique(a), density=True, weights=b * b)
        np.histogram(b, 5, (0.0, 10.0))
        np.histogram(b, np.unique(a))
        np.lexsort((a, a * 0))
    """, a, b)


def test_sets(rng):
    a, b = rng.integers(0, 9, 12), rng.integers(4, 14, (3, 3))
    check_each("""
        np.unique(a, return_index=True)
        np.unique(a, return_inverse=True)
        np.unique(a, return_counts=True)
        np.unique(b, True, True, True)
        np.isin(a, b)
        np.isin(b, a, invert=True)
        np.isin(3, a)
        np.intersect1d(a, b)
        np.union1d(a, b)
        np.setdiff1d(a, b)
        np.setdiff1d(a, b, True)
        np.setxor1d(a, b)
        np.union1d(a, a * 0.5)
    """, a, b)


def test_kth_of_two_axes_is_refused():
    for name in "partition", "argpartition":
        f = njit(function_of(f"def f(a, k):\n    return np.{name}(a, k)\n"))
        for kth in np.array([[1, 2]]), np.zeros((0, 2), int):
            with pytest.raises(ValueError, match="object too deep for desired array"):
                f(np.arange(6.0), kth)
        assert f(np.arange(6.0), np.array([1, 2])).shape == (6,)


def patterns(rng, n):
    """Numbers in an order that sorting meets often."""
    x = rng.random(n)
    rising, other = np.sort(x[:n // 2]), np.sort(x[n // 2:])
    yield from (x, np.sort(x), np.sort(x)[::-1].copy(), np.concatenate((rising, other[::-1])), np.concatenate((rising, other)),
                np.floor(x * 5), np.arange(n) % 100 * 1.0, np.sort(np.floor(x * 50))[::-1].copy(), np.append(np.sort(x), x[:30]))


ORDERINGS = {"sort": "np.sort(a)", "argsort": "np.argsort(a, kind='stable')", "median": "np.median(a)", "unique": "np.unique(a)",
             "percentile": "np.percentile(a, 30)", "percentiles": "np.percentile(a, np.array([25.0, 50.0, 90.0]))",
             "partition": "np.partition(a, 40)[40]"}


@pytest.mark.parametrize("text", ORDERINGS.values(), ids=ORDERINGS.keys())
def test_patterns(text, rng, make):
    f = make(f"def f(a):\n    return {text}\n")
    compiled = njit(f)
    for n in (1, 2, 17, 100, 5000):
        for a in patterns(rng, n):
            a = a if n > 40 else np.resize(a, 41)
            assert np.allclose(compiled(a), f(a), rtol=1e-13)
            a = a.copy()
            a[n // 3] = np.nan
            assert np.allclose(compiled(a), f(a), rtol=1e-13, equal_nan=True)


def test_patterns_take_no_longer(rng, make):
    """Than numbers in no order, whatever the order; some took five times as long."""
    def least(compiled, a):
        times = []
        for _ in range(4):
            start = time.thread_time()
            compiled(a)
            times.append(time.thread_time() - start)
        return min(times)

    for text in (ORDERINGS["sort"], ORDERINGS["argsort"], ORDERINGS["median"]):
        compiled = njit(make(f"def f(a):\n    return {text}\n"))
        random, *others = patterns(rng, 100_000)
        compiled(random)
        limit = 2.5 * least(compiled, random)
        assert all(least(compiled, a) < limit for a in others), text
