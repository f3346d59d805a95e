"""Items taken, repeated, left out and subtracted along every axis of arrays of every layout and dtype, beside NumPy."""
import itertools
import random

import numpy as np
import pytest

from numba import njit
from test_layouts import LAYOUTS, laid_out

SHAPES = [(1,), (40,), (30, 3), (3, 30), (20, 1), (4, 5, 6), (2, 30, 2), (0, 4), (17, 20)]
DTYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "?", "c16"]


def cases(name, count):
    """A sample, which begins with every dtype once."""
    found = list(itertools.product(SHAPES, LAYOUTS[:4], DTYPES))
    random.Random(name).shuffle(found)
    return sorted(found[:count], key=lambda case: (len(case[0]), case[2]))


def made(shape, dtype, layout):
    values = np.random.default_rng(5).integers(-9, 90, shape)
    return laid_out((values % 3 == 0) if dtype == "?" else values.astype(dtype), layout)


def compare(function, count, along=True):
    jitted = njit(function)
    for shape, layout, dtype in cases(function.__name__, count):
        a = made(shape, dtype, layout)
        for axis in range(-a.ndim, a.ndim) if along else [0]:
            try:
                wanted = function(a, axis)
            except IndexError as error:
                with pytest.raises(IndexError):
                    jitted(a, axis)
                continue
            for got, want in zip(*([x] if isinstance(x, np.ndarray) else x for x in (jitted(a, axis), wanted))):
                np.testing.assert_array_equal(got, want)
                assert got.dtype == want.dtype


def repeated(a, axis):
    return np.repeat(a, 3, axis)


def repeated_by_counts(a, axis):
    return np.repeat(a, np.arange(a.shape[axis]) % 3, axis)


def without_last(a, axis):
    return np.delete(a, -1, axis)


def without_some(a, axis):
    return np.delete(a, np.arange(0, a.shape[axis], 2), axis)


def taken(a, axis):
    return np.take(a, np.arange(-1, a.shape[axis] - 1), axis)


def steps(a, axis):
    return np.diff(a, 1, axis)


def second_steps(a, axis):
    return np.diff(a, 2, axis)


@pytest.mark.parametrize(
    "function", [repeated, repeated_by_counts, without_last, without_some, taken, steps, second_steps])
def test_along_axes(function):
    compare(function, 14)


def masked(a, axis):
    return a[a != 0], np.argwhere(a), np.flatnonzero(a)


def rows_taken(a, axis):
    return a[np.arange(a.shape[0])[::-1]]


def in_order(a, axis):
    return a.copy(), a[::-1].copy(), np.array([np.array_equal(a, a), np.array_equal(a, a != 0)])


@pytest.mark.parametrize("function", [masked, rows_taken, in_order])
def test_whole(function):
    compare(function, 16, along=False)


def test_places():
    jitted = njit(lambda a: np.nonzero(a))
    for shape, layout in itertools.product(SHAPES, LAYOUTS[:4]):
        a = made(shape, "i8", layout)
        for got, wanted in zip(jitted(a), np.nonzero(a), strict=True):
            np.testing.assert_array_equal(got, wanted)


SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 2.2e-308, 1.0, -1.0, 0.5, 1.5, -2.75, 1e308, 1e-40, 4503599627370497.0]


@pytest.mark.parametrize("name", ["frexp", "modf"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i1", "i8"])
def test_two_results(name, dtype):
    function = getattr(np, name)
    jitted = njit(lambda a: function(a))
    values = np.array(SPECIAL * 6) if dtype[0] == "f" else np.arange(96)
    with np.errstate(all="ignore"):
        a = values.astype(dtype).reshape(12, 8)
    for layout in LAYOUTS[:4]:
        first, second = jitted(laid_out(a, layout))
        wanted = function(a if dtype[0] == "f" else a.astype("f4" if dtype == "i1" else "f8"))
        np.testing.assert_array_equal(first, wanted[0])
        np.testing.assert_array_equal(second, wanted[1])
        assert (np.signbit(first) == np.signbit(wanted[0]))[wanted[0] == 0].all()


def test_equal_nan():
    jitted = njit(lambda a, b, nan: np.array_equal(a, b, nan))
    a = np.arange(5000.0).reshape(50, 100)
    for layouts in itertools.product(LAYOUTS[:4], repeat=2):
        b = laid_out(a, layouts[1])
        assert jitted(laid_out(a, layouts[0]), b, False)
        for place in [(0, 0), (49, 99), (20, 3)]:
            c = a.copy()
            c[place] = np.nan
            c = laid_out(c, layouts[0])
            assert not jitted(c, b, True) and not jitted(c, c, False) and jitted(c, c, True)
