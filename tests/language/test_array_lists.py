# SPDX-License-Identifier: MIT
"""Lists where NumPy takes arrays, lists of arrays, and iteration over items and indices."""
import numpy as np
from compare import check, check_each


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
    check("for i in range(a.size):\n    a.flat[i] = i\nreturn a", np.zeros((3, 4)))
    check("s = 0.0\nfor x, y in np.nditer((a, b)):\n    s += x.item() * y.item()\nreturn s",
          rng.random((3, 4)), rng.random(4))
