# SPDX-License-Identifier: MIT
"""Reductions along axes, compared with NumPy for dtypes, layouts and edges."""
import itertools

import numpy as np
import pytest
from numba import njit

NAMES = "sum prod mean var std min max any all".split()
AXES = (0, -1, (0, 2), (-1, 0, 1), ())
LAYOUTS = {"C": lambda a: a, "F": np.asfortranarray, "strided": lambda a: a[:, ::-1, ::2]}


def same(got, want, dtype):
    got, want = np.asarray(got), np.asarray(want)
    rtol = 1e-4 if np.dtype(dtype).char in "fF" else 1e-9
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    assert np.allclose(got, want, rtol=rtol, atol=rtol, equal_nan=True)


def numbers(rng, shape, dtype):
    a = rng.integers(0 if np.dtype(dtype).kind in "ub" else -3, 4, shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.integers(-3, 4, shape)
    return a.astype(dtype)


def along(make, name, axis, extra=""):
    return njit(make(f"def f(a):\n    return np.{name}(a, axis={axis}{extra})\n"))


@pytest.mark.sampled
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_layouts(name, axis, rng, make):
    if axis == () and name in ("mean", "var", "std"):
        return
    for keep in ("", ", keepdims=True"):
        f = along(make, name, axis, keep)
        for layout in LAYOUTS.values():
            a = layout(rng.random((3, 4, 4)))
            same(f(a), f.py_func(a), "f8")


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", "f4 i1 u1 i4 u4 i8 u8 b1 c8 c16".split())
@pytest.mark.parametrize("name", NAMES)
def test_dtypes(name, dtype, rng, make):
    if name in ("min", "max") and dtype[0] == "c":
        return
    a = numbers(rng, (3, 5), dtype)
    for axis, keep in itertools.product((0, -1), (False, True)):
        f = along(make, name, axis, f", keepdims={keep}")
        same(f(a), f.py_func(a), a.dtype)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["f8", "i4"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["argmin", "argmax", "cumsum", "cumprod"])
def test_single_axis(name, layout, axis, dtype, rng, make):
    f = along(make, name, axis)
    a = LAYOUTS[layout](numbers(rng, (3, 4, 4), dtype))
    same(f(a), f.py_func(a), dtype)


def test_axis_at_run_time_and_methods(rng, make):
    f = njit(make("def f(a, k):\n    return a.sum(k), a.mean(axis=k), a.max(axis=k, keepdims=True), a.cumsum(k)\n"))
    a = rng.random((3, 4, 2))
    for k in range(-3, 3):
        for got, want in zip(f(a, k), f.py_func(a, k)):
            same(got, want, "f8")


def test_keepdims_of_all_and_one_dimension(rng, make):
    f = njit(make("def f(a):\n    return a.sum(keepdims=True), np.sum(a, None, keepdims=True), a.min(keepdims=False)\n"))
    for a in (rng.random((2, 3)), rng.random(4)):
        for got, want in zip(f(a), f.py_func(a)):
            same(got, want, "f8")
    g = njit(make("def f(a):\n    return a.sum(axis=0), a.sum(axis=-1, keepdims=True), np.argmax(a, 0)\n"))
    for got, want in zip(g(a), g.py_func(a)):
        same(got, want, "f8")


def test_dtype_and_ddof(rng, make):
    f = njit(make("def f(a):\n    return np.sum(a, 0, np.float32), np.mean(a, 1, dtype=np.float64)\n"))
    a = numbers(rng, (3, 4), "i2")
    for got, want in zip(f(a), f.py_func(a)):
        same(got, want, "f4")
    h = njit(make("def f(a):\n    return a.prod(dtype=np.int8)\n"))
    a = np.full(9, 3, "i8")
    assert h(a) == h.py_func(a), "wraps"
    g = njit(make("def f(a):\n    return np.var(a, axis=0, ddof=1), np.std(a, ddof=1), a.var(ddof=2)\n"))
    a = rng.random((4, 3))
    for got, want in zip(g(a), g.py_func(a)):
        same(got, want, "f8")


def test_empty_axes_and_nan(make):
    f = along(make, "sum", 0)
    same(f(np.zeros((0, 3))), np.zeros(3), "f8")
    same(f(np.zeros((3, 0))), np.zeros(0), "f8")
    largest = along(make, "max", 1)
    same(largest(np.zeros((0, 3))), np.zeros(0), "f8")
    with pytest.raises(ValueError, match="zero-size array"):
        largest(np.zeros((3, 0)))
    same(largest(np.array([[1, np.nan, 3], [4, 5, 6]])), np.array([np.nan, 6]), "f8")


@pytest.mark.parametrize("axis, message", [(2, "out of bounds"), (-3, "out of bounds"), ((0, 5), "out of bounds"),
                                           ((0, 0), "duplicate value"), ((1, -1), "duplicate value")])
def test_wrong_axes(axis, message, make):
    for name in ("sum", "max", "mean"):
        with pytest.raises(ValueError, match=message):
            along(make, name, axis)(np.ones((2, 2)))


def test_keepdims_must_be_a_literal(make):
    from numba.core.errors import TypingError
    f = njit(make("def f(a, keep):\n    return np.sum(a, 0, keepdims=keep)\n"))
    with pytest.raises(TypingError, match="literal True or False"):
        f(np.ones((2, 2)), True)
    g = njit(make("def f(a):\n    return a.sum(keepdim=True)\n"))
    with pytest.raises(TypingError, match="unexpected keyword argument 'keepdim'"):
        g(np.ones(2))


# functions that take an axis: which one is out of bounds, and of how many, is said as NumPy says it
NAMING = ["np.sum(a, axis=i)", "np.max(a, axis=i)", "np.flip(a, i)", "np.expand_dims(a, i)", "np.sort(a, i)", "np.take(a, np.array([0]), i)",
          "np.concatenate((a, a), i)", "np.stack((a, a), i)", "np.rollaxis(a, i)", "np.roll(a, 1, i)", "np.cumsum(a, i)", "np.argmax(a, i)",
          "np.transpose(a, (0, i))", "np.repeat(a, 2, i)", "np.mean(a, i)", "np.median(a, i)", "np.any(a, i)"]


@pytest.mark.parametrize("text", NAMING)
def test_axes_out_of_bounds_are_named(make, text):
    f = make(f"def f(a, i):\n    return {text}\n")
    compiled = njit(f)
    for axis in (5, -9):
        raised = []
        for function in (compiled, f):
            with pytest.raises(np.exceptions.AxisError) as caught:
                function(np.ones((2, 3)), axis)
            raised.append((str(caught.value), caught.value.axis, caught.value.ndim))
        assert raised[0] == raised[1]


@pytest.mark.parametrize("names", ("sum max any ptp nansum count_nonzero argmax cumsum", "mean std median"))
def test_axes_of_a_number(make, names):
    """To NumPy's ufuncs a number has the axes 0 and -1, to means none."""
    fitting = (0, -1) if "sum" in names else ()
    calls = [f"np.{name}(x, axis=i)" for name in names.split()]
    f = make(f"def f(x, i):\n    return {', '.join(calls)}\n")
    compiled = njit(f)
    for axis in fitting:
        for got, want in zip(compiled(2.5, axis), f(2.5, axis)):
            assert np.shape(got) == np.shape(want) and got == want
    one = make("def f(x, i, k):\n" + "".join(f"    if k == {k}:\n        {call}\n" for k, call in enumerate(calls)))
    each = njit(one)
    for k, axis in itertools.product(range(len(calls)), (1, -2) if fitting else (0, -1, 1)):
        for function in (each, one):
            with pytest.raises(np.exceptions.AxisError, match=f"axis {axis} is out of bounds for array of dimension"):
                function(2.5, axis, k)


def test_a_number_with_initial_keepdims_and_tuples():
    def f(x):
        return (np.sum(x, axis=0, keepdims=True), np.max(x, axis=-1, initial=7.0), np.argmax(x, axis=0, keepdims=True),
                np.sum(x, axis=()), np.prod(x, axis=0, initial=2.0), np.std(x, axis=()))

    for got, want in zip(njit(f)(2.5), f(2.5)):
        assert np.shape(got) == np.shape(want) and got == want
    with pytest.raises(np.exceptions.AxisError, match="axis 0 is out of bounds for array of dimension 0"):
        njit(lambda x: np.sum(x, axis=(0,)))(2.5)


def test_running_sums_have_the_dtype_asked_for(rng):
    a = rng.integers(-9, 9, (2, 3)).astype(np.int16)

    def f(a):
        return (np.cumsum(a, 0, np.int32), np.cumprod(a, 1, np.int16), np.nancumsum(a, dtype=np.int8), a.cumsum(1), a.cumsum(dtype=np.float32))

    for got, want in zip(njit(f)(a), f(a)):
        assert got.dtype == want.dtype and got.tolist() == want.tolist()


def test_sums_of_minus_zero():
    """Zeros add up to one without a sign."""
    def f(a, b):
        return (np.sum(a), np.mean(a), np.sum(b, 0)[0], np.mean(b, 1)[0], np.mean(-0.0), np.median(a), np.median(b),
                np.median(b, 0)[0], np.nanmedian(b))

    assert not np.signbit(njit(f)(np.full(3, -0.0), np.full((2, 2), -0.0))).any()


def test_means_divide_by_large_counts():
    """2**24 + 1 is no float32."""
    a = np.zeros(2**24 + 1, np.float32)
    a[0] = 2**24 - 1

    def f(a):
        return np.mean(a), np.mean(a.reshape((1, -1)), axis=1)[0]

    assert njit(f)(a) == f(a)
