# SPDX-License-Identifier: MIT
"""np.insert: every kind of index beside every kind of value, beside NumPy."""
import warnings

import numpy as np
import pytest
from conftest import function_of

from numba import njit

ARRAYS = [np.arange(4), np.arange(6)[::-1], np.zeros(0), np.arange(12.0).reshape(3, 4)]
INDICES = {
    "number": [0, 2, -1, 9],
    "list": [[2], [0, 2], [2, 2], [1, -1], [3, 0, 3]],
    "array": [np.array([2, 0, 1]), np.array([1]), np.zeros(0, np.int64), np.array([0, 0])],
    "mask": [np.array([True, False, True]), np.array([False, True, False])],
    "slice": [slice(0, 2), slice(None, None)],
}
VALUES = {
    "number": [7],
    "list": [[98, 99], [5], [1, 2, 3]],
    "row": [np.array([5]), np.array([1, 2, 3]), np.array([1, 2, 3, 4])],
    "matrix": [np.array([[1, 2, 3, 4]]), np.array([[1], [2], [3]]), np.arange(8).reshape(2, 4),
               np.arange(6).reshape(3, 2)],
}


def outcome(function, *args):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args)
    except (IndexError, ValueError) as error:
        return type(error).__name__


@pytest.mark.sampled
@pytest.mark.parametrize("form", INDICES)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_insert(axis, form):
    f = njit(function_of(f"def f(a, at, values):\n    return np.insert(a, at, values, axis={axis})"))
    for a in ARRAYS:
        for kind in VALUES:
            if (axis or 0) >= a.ndim or (kind == "matrix" and (axis is None or a.ndim == 1)):
                continue
            for at in INDICES[form]:
                for values in VALUES[kind]:
                    want, got = outcome(f.py_func, a, at, values), outcome(f, a, at, values)
                    case = f"{a.tolist()}, {at}, {values}: {got}, not {want}"
                    if isinstance(want, str) or isinstance(got, str):
                        assert isinstance(want, str) and isinstance(got, str), case
                    else:
                        assert got.dtype == want.dtype and np.array_equal(got, want), case
