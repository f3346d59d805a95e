# SPDX-License-Identifier: MIT
"""Axes that an array does not have: the error that NumPy raises, with its words."""
import sys

import numpy as np
import pytest
from compare import check, check_each
from conftest import function_of

from numba import njit

WRONG = """
np.swapaxes(a, k, 0)
np.swapaxes(a, 0, k)
a.swapaxes(0, k)
np.rollaxis(a, k)
np.rollaxis(a, 0, k)
np.moveaxis(a, k, 0)
np.moveaxis(a, 0, k)
np.moveaxis(a, (0, k), (0, 1))
np.moveaxis(a, (0, 1), (0, k))
np.moveaxis(a, (0, 1), 0)
np.moveaxis(a, 0, (0, 1))
np.moveaxis(a, (0, 0), (0, 1))
np.moveaxis(a, (0, 1), (0, 0))
np.roll(a, 1, k)
np.roll(a, (1, 2), k)
np.roll(a, 1, (0, k))
np.roll(a, (1, 2), (0, k))
np.rot90(a, 1, (0, k))
np.rot90(a, 1, (0, 0))
np.rot90(a, 1, (0, 2))
np.flip(a, k)
np.flip(a, (0, k))
np.expand_dims(a, k)
np.diagonal(a, 0, 0, k)
np.diagonal(a, 0, k, 0)
np.diagonal(a, 0, 0, 0)
np.diagonal(a, 0, 1, -1)
np.diagonal(a[0])
np.trace(a, 0, 0, k)
np.trace(a[0])
np.cross(a, a, axis=k)
np.cross(a, a, axisb=k)
np.cross(a, a, axisc=k)
np.vecdot(a, a, axis=k)
np.take(a, [0], k)
np.sum(a, k)
np.cumsum(a, k)
np.sort(a, k)
np.diff(a, 1, k)
np.concatenate((a, a), k)
np.stack((a, a), k)
np.repeat(a, 2, k)
np.median(a, k)
np.unique(a, axis=k)
np.insert(a, 0, 0, k)
np.delete(a, 0, k)
np.split(a, 0)
np.polynomial.polynomial.polyder(a, axis=k)
np.polynomial.polynomial.polyint(a, axis=k)
""".strip().splitlines()


@pytest.mark.parametrize("call", WRONG)
def test_words_of_errors(call):
    f = njit(function_of(f"def f(a, k):\n    return {call}"))
    for a in np.ones((2, 3)), np.ones((3, 2)).T:
        for k in (5, -5) if "k" in call else (0,):
            with pytest.raises(Exception) as want:
                f.py_func(a, k)
            with pytest.raises(type(want.value)) as got:
                f(a, k)
            # which has one text for all divisions from CPython 3.14 on
            assert str(got.value).removeprefix("integer modulo") == str(want.value).removeprefix(
                "division" if sys.version_info >= (3, 14) else "integer modulo")


def test_axes_that_are_stretched():
    """One shift is made along all axes, and several along one axis are added."""
    a = np.arange(12).reshape(2, 3, 2)
    check_each("""
    np.roll(a, (1, 2), 1)
    np.roll(a, (1, 2), (-1,))
    np.roll(a, (1,), (0, 1))
    np.roll(a, (), ())
    np.roll(a, (), 1)
    np.roll(a, 1, ())
    np.roll(a, (1, 2, 3), (0, 1))
    np.moveaxis(a, 0, (2,))
    np.moveaxis(a, (0,), -1)
    np.moveaxis(a, [0, 1], (-1, 0))
    np.rollaxis(a, 2), np.rollaxis(a, 0, 3), np.rollaxis(a, -1, -2)
    np.diagonal(a, 1, 2, -2), np.trace(a, -1, 1, 0)
    """, a)


def test_more_parts_than_memory():
    f = njit(lambda a, n: len(np.array_split(a, n)))
    assert f(np.arange(3), 1000) == 1000
    with pytest.raises(MemoryError, match="Unable to allocate"):
        f(np.arange(3), 2**45)
    for n in 0, -1, 2, 3:
        check("[len(part) for part in np.array_split(a, b)]", np.arange(8), n)
    check("[len(part) for part in np.split(a, b)]", np.arange(8), 3)
