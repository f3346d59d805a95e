# SPDX-License-Identifier: MIT
"""Indexing by arrays and masks, and what finds and takes items."""
import numpy as np
import pytest
from compare import check, check_each
from conftest import function_of
from numba import njit

INTEGERS = np.array([1, -1, 0, 2])
MATRIX = np.array([[0, 1], [2, -3]])


def test_read_one_array(rng):
    for index in (INTEGERS, MATRIX, np.array([], "i8"), INTEGERS.astype("u1") % 3, np.array(2)):
        check("a[b]", rng.random(7), index)
    check("a[b]", rng.random((4, 5)), INTEGERS)
    check("a[b]", rng.random((3, 4, 5)), MATRIX)
    check("a[b]", rng.random((4, 5)).T, INTEGERS)
    check("a[b]", rng.random(9)[::-2], np.array([0, 1]))
    check("a[b]", rng.random((4, 5)).astype("c8"), INTEGERS)
    check("a[b]", rng.random((4, 5)) > 0.5, INTEGERS)
    check("a[b]", rng.random(7), np.array([9]))


def test_read_masks(rng):
    a = rng.random((3, 4, 5))
    check("a[b]", a[0, 0], a[0, 0] > 0.5)
    check("a[b]", a, a > 0.5)
    check("a[b]", a, a[:, :, 0] > 0.5)
    check("a[:, b]", a, a[0] > 0.5)
    check("a[b, 1]", a, a[:, 0, 0] > 0.5)
    check("a[b]", a[0, 0], np.array([True, False]))


def test_read_mixed(rng):
    a = rng.random((3, 4, 5))
    b = np.array([0, 2, 1])
    check_each("""
        a[:, b]
        a[b, :]
        a[b, b]
        a[:, b, b]
        a[b, :, b]
        a[0, :, b]
        a[:, 0, b]
        a[b, 0]
        a[..., b]
        a[b, None, 1:3]
        a[b, ..., 0]
        a[::-1, b, ::2]
        a[None, b]
    """, a, b)
    check("a[b, c]", a, np.array([0, 1]), MATRIX)


def test_assign(rng):
    a = rng.random((4, 5))
    b = np.array([0, 2, 1])
    check_each("""
        a[b] = 5; return a
        a[:, b] = 5.5; return a
        a[b, b] = 7; return a
        a[b] += 1; return a
        a[:, b] *= 2; return a
        a[a > 0.5] = 0; return a
        a[a > 0.5] *= 2; return a
        a[b] = a[0]; return a
        a[1:] += a[:-1]; return a
        a[...] = 3; return a
        a[..., 0] = a[0, 0]; return a
        a[0] = a[1]; return a
    """, a, b)
    check("a[b] = c\nreturn a", a, np.array([0, 2]), rng.random((2, 5)))
    check("a[b] = c\nreturn a", a, a > 0.5, rng.random((a > 0.5).sum()))
    check("a[b] = c\nreturn a", a[0], b, rng.random(3).astype("f4"))
    check("a[b] = c\nreturn a", a[0], b, rng.random(2))
    check("a[b] = 1\nreturn a", a[0], np.array([7]))


def test_where_and_nonzero(rng):
    for shape in (7, (4, 5), (3, 4, 5), (0, 3)):
        check_each("""
            np.where(a > 0.5)
            np.where(a > 0.5, a, 0)
            np.where(a > 0.5, 1, 2)
            np.where(a > 0.5, a, -a)
            np.nonzero(a > 0.5)
            np.flatnonzero(a)
            np.argwhere(a > 0.5)
        """, rng.random(shape))
    check("np.where(a > .5, a, b)", rng.random((4, 5)), rng.random(5))
    check("np.where(b, a, -a)", rng.random((4, 5)), True)
    check("np.select((a > .7, a > .3), (a, a * 2), -1.0)", rng.random((4, 5)))


def test_take(rng):
    a, b = rng.random((4, 5)), INTEGERS
    check_each("""
        np.take(a, b)
        np.take(a, 2)
        a.take(b)
        np.take(a, b, 0)
        np.take(a, b, axis=1)
        np.take(a, 1, axis=1)
        np.extract(a > 0.5, a)
        np.compress(b > 0, a, axis=0)
        np.put(a, b, a[0]); return a
        np.put(a, 3, 9.0); return a
        np.place(a, a > 0.5, a[0]); return a
    """, a, b)
    check("np.take(a, b, axis=1)", rng.random((3, 4, 5)), MATRIX)
    for axis in (0, 1):
        check(f"np.take_along_axis(a, b, {axis})", a, np.argsort(a, axis=axis))
    check("np.unravel_index(a, (3, 4, 5))", INTEGERS + 2)
    check("np.unravel_index(17, (3, 4, 5))")
    check("np.ravel_multi_index((a, b), (4, 5))", np.array([1, 2]), np.array([0, 4]))


def test_writing_through_arrays_of_positions(rng):
    a, order = rng.normal(size=(3, 4)), rng.integers(0, 4, (3, 2))

    def put(a, order, values):
        np.put_along_axis(a, order, values, 1)
        return a

    def copy(a, mask):
        np.copyto(a, 2.5, where=mask)
        return a

    def mask(a, mask):
        np.putmask(a, mask, np.array([1.0, 2, 3]))
        return a

    for values in (9.0, np.array([[1.0], [2], [3]]), rng.normal(size=(3, 2))):
        want = a.copy()
        put(want, order, values)
        assert np.array_equal(njit(put)(a.copy(), order, values), want)
    for function in (copy, mask):
        assert np.array_equal(njit(function)(a.copy(), a > 0), function(a.copy(), a > 0))
    with pytest.raises(IndexError, match="out of bounds"):
        njit(put)(a.copy(), order + 5, 9.0)


def test_select_from_lists(rng):
    v = rng.normal(size=20)
    for function in (lambda v: np.select([v > 0, v < -1], [v, v * 2], 0.0),
                     lambda v: np.select([v > 0, v < -1, v < 5], [v, v * 2, v - 1])):
        assert np.array_equal(njit(function)(v), function(v))
    assert np.array_equal(njit(lambda i: np.choose(i, [i, i * 2, i * 3]))(np.array([0, 2, 1])), [0, 6, 2])


def test_arrays_as_other_numbers(rng):
    v = rng.normal(size=5)
    for function in (lambda v: np.float32(v), lambda v: np.int64(v * 9), lambda v: np.complex128(v),
                     lambda v: np.float64([1, 2, 3]), lambda v: np.bool_(v)):
        got, want = njit(function)(v), function(v)
        assert np.array_equal(got, want) and got.dtype == want.dtype


@pytest.mark.parametrize("body, index", [
    ("a[i]", 3), ("a[i]", -4), ("a[:, i]", 4), ("a[i, j]", 3), ("a[j, i]", 4), ("a[[0, 5]]", 0), ("a.take(i)", -13),
    ("np.take(a, i)", 12), ("np.take(a, i, axis=1)", 4), ("np.take(a, i[0], axis=1)", -5), ("np.delete(a, i[0], axis=1)", 4),
    ("np.insert(a, i[0], 1, axis=1)", 5),
    ("np.put(a, i, 1)", 40),
    ("np.take_along_axis(a, i.reshape(1, 1), 0)", 9), ("np.put_along_axis(a, i.reshape(1, 1), 1, 1)", 9),
    ("a[i] = 1", 3), ("a[:, i] = 1", -5), ("a[i, j] = 1", 7), ("a[i] += 1", 3)])
def test_index_arrays_out_of_bounds_are_told(body, index):
    """The index, the axis and its size, as NumPy tells them."""
    f = function_of(f"def f(a, i, j):\n    {'' if '= 1' in body else 'return '}{body}\n")
    texts = []
    for function in f, njit(f):
        with pytest.raises(IndexError) as raised:
            function(np.arange(12).reshape(3, 4), np.array([index]), np.array([0]))
        texts.append(str(raised.value))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("index", ["1, i", "k, i", "1, i, k", "1, k, i", ":, k, i", "k, :, i", "1, ..., i", "None, 1, i",
                                   "1, i, 1:3", "0, 1:3, i", "i * 0, 1, i"])
def test_axes_in_messages_are_the_arrays(index):
    """Also where integers before the index array have taken axes away, and new ones came."""
    for body in (f"return a[{index}]", f"a[{index}] = 3.0"):
        f = function_of(f"def f(a, i, k):\n    {body}\n")
        texts = []
        for function in f, njit(f):
            with pytest.raises(IndexError) as raised:
                function(np.zeros((3, 4, 5)), np.array([0, 9]), 1)
            texts.append(str(raised.value))
        assert texts[0] == texts[1]
