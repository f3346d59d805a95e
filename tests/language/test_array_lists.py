# SPDX-License-Identifier: MIT
"""Lists where NumPy takes arrays, lists of arrays, and iteration over items and indices."""
import warnings

import numpy as np
import pytest
from compare import check, check_each

import numba
from conftest import function_of


def test_lists(rng):
    check_each("""
        np.array([1, 2, 3])
        np.array([[1, 2], [3, 4]])
        np.array([1.5, 2], np.float32)
        np.array([x * 2 for x in range(4)])
        np.array([[i + j for i in range(3)] for j in range(2)])
        np.array([(1, 2), (3, 4)])
        np.array([a[0], a[1]])
        np.array([[a[0], a[1]], [a[1], a[2]]])
        np.array([[1, 2], [3]])
        np.array([[a[0, 1], a[1, 1]], [a[2, 0]]])
        np.array([a[0, 1], 3])
        np.array([[a[0, 1], 3, 1j]])
        np.array([[[a[0, 1]], [a[1, 1]]]])
        np.array([[[[a[0, 1]]]]])
        np.array([1, a[0, 1], a[1, 1], 4, 5, a[0, 1], 7, 8, 9, 10])
        np.array([len(a), 2], np.float32)
        np.array([len(a), 2], np.int8)
        np.array([len(a), 2], dtype=np.complex128)
        np.array([a[0, 1], 2.75], np.int64)
        np.array([len(a) > 2, False])
        np.array([len(a) > 2, 7])
        np.asarray([[a[0, 1], a[1, 1]], [a[1, 1], a[2, 0]]], "f4")
        np.dot([a[0, 1], a[1, 1]], [a[2, 0], 2.0])
        np.array([a[0, 1], a[1, 1]], ndmin=2)
        np.array([[a[0, 1], 2], [a[1, 2], 3]], order="F").T
        np.asarray([1.5, 2])
        np.sum([1, 2, 3])
        np.median([3, 1, 2])
        np.sort([3, 1, 2])
        np.dot([1, 2], [3, 4])
        a[[0, 2]]
        a[[True, False, True]]
        a[[0, 2]] = [1, 2, 3, 4]; return a
        np.where([True, False], [1, 2], [3, 4])
        np.interp(2.5, [1, 2, 3], [3, 2, 0])
    """, rng.random((3, 4)), dtype=False)


def test_lists_of_arrays(rng):
    check_each("""
        np.concatenate([a, a])
        np.concatenate([a, a], axis=1)
        np.concatenate([a, a], axis=None)
        np.stack([a, a], axis=1)
        np.stack([a, a[:2]])
        np.vstack([a, a])
        np.hstack([a, a])
        np.dstack([a, a])
        np.vstack([a[0], a[1]])
        np.hstack([a[0], a[1]])
        np.dstack([a[0], a[1]])
        np.column_stack([a[0], a[1]])
        np.array_split(a, 2)
        np.array_split(a, 5, axis=1)
        np.split(a, 3)
        np.split(a, (1, 2))
        np.split(a, [1, 2], 1)
        np.split(a, 5)
        np.hsplit(a, 2)
        np.vsplit(a, 3)
    """, rng.random((3, 4)))


def test_iteration(rng):
    for a in (rng.random((3, 4)), rng.random((3, 4)).T, rng.random((2, 3, 4))[:, ::-1]):
        check("s = 0.0\nfor i, x in enumerate(a.flat):\n    s += i * x\nreturn s", a)
        check("s = 0.0\nfor i, x in np.ndenumerate(a):\n    s += (i[0] * 10 + i[1]) * x\nreturn s", a)
        check("s = 0.0\nfor i in np.ndindex(a.shape):\n    s += i[0] * a[i]\nreturn s", a)
        check("s = 0.0\nfor x in np.nditer(a):\n    s += x.item()\nreturn s", a)
        check("return a.flat[5], len(a.flat)", a)
    check("s = 0\nfor i, j in np.ndindex(2, 3):\n    s += i * 10 + j\nreturn s")
    for a in (np.zeros((3, 4)), np.asfortranarray(np.zeros((3, 4))), np.zeros((4, 6))[1:, ::2], np.zeros((2, 3, 4)).transpose(1, 2, 0),
              np.zeros(24)[::2], np.array(0.0), np.zeros((0, 3)).T):
        check("for i in range(-a.size, a.size):\n    a.flat[i] = i\nreturn a", a)
        check("f = a.flat\na.flat[1:3] = 7\na.flat[a.flat == 7] += 1\na.flat[:2] = a.flat[-2:]\nreturn a, f[:1].size", a)
    check("s = 0.0\nfor x, y in np.nditer((a, b)):\n    s += x.item() * y.item()\nreturn s",
          rng.random((3, 4)), rng.random(4))


def test_tuples_stand_for_arrays():
    f = function_of("""def f(a):
    return (np.sum((1, 2, 3)), np.mean((1, 2.5)), np.max((1, 4, 2)), np.sqrt((1, 4)), np.dot((1, 2), (3, 4)),
            np.cumsum((1, 2)), np.interp((0.5, 1.5), (0, 1, 2), (3, 2, 0)), np.digitize((1, 2), (0, 1, 2)),
            np.histogram(a, (0, 1, 2)), a.searchsorted([1, 2]), np.searchsorted(a, (1.5, 2)), np.take(a, (0, 1)),
            np.concatenate(([1, 2], [3])), np.concatenate((a, [1.0])), np.concatenate((a, (1.0, 2.0))),
            np.hstack(([1, 2], [3])), np.vstack(([1, 2], [3, 4])), np.stack(((1, 2), a[:2])), np.polyval((1, 2, 3), a),
            np.linspace((0, 1), a[:2], 4), np.linalg.norm((3.0, 4.0)), np.allclose(a[:3], (0, 1, 2)), np.array_equal((1, 2), [1, 2]))
""")
    a = np.arange(5.0)
    for got, want in zip(numba.njit(f)(a), f(a)):
        assert np.array_equal(got[0], want[0]) if isinstance(want, tuple) else np.array_equal(got, want)


def test_products_of_arrays_with_gaps_warn():
    a = np.ones((4, 4))
    for expression, text in (("np.dot(a, b)", r"np.dot\(\) is faster on contiguous arrays, called on \(array"),
                             ("a @ b", "'@' is faster on contiguous arrays, called on "),
                             ("np.vdot(a, b)", r"np.vdot\(\) is faster on contiguous arrays")):
        f = function_of(f"def f(a, b):\n    return {expression}\n")
        with pytest.warns(numba.NumbaPerformanceWarning, match=text):
            numba.njit(f)(a[0, ::2], a[:2, 0])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            numba.njit(f)(a[0], a[1])
            numba.njit(f)(np.arange(4)[::2], np.arange(2))
