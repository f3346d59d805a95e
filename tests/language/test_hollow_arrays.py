# SPDX-License-Identifier: MIT
"""Arrays without items, with axes that have a length: what is left of them after an axis is gone has items."""
import numpy as np
import pytest
from compare import check, check_each

import numba

HOLLOW = np.ones((3, 0))


def test_products():
    for b in (HOLLOW, np.ones(0), np.ones((2, 4, 0))):
        check_each("np.inner(a, b)\nnp.inner(b, a)", HOLLOW, b)
    for a, b in ((np.ones((2, 3, 0)), np.ones(0)), (np.ones((2, 3, 0)), np.ones((2, 0, 4))), (HOLLOW, HOLLOW.T),
                 (HOLLOW.T, HOLLOW), (np.ones((2, 3, 2)), np.ones((2, 2, 4)))):
        check_each("np.dot(a, b)\nnp.matmul(a, b)", a, b)


def test_integrals():
    for y in (np.ones(0), HOLLOW, HOLLOW.T, np.ones((2, 0, 3)), np.ones(1, np.complex64)):
        check_each("np.trapezoid(a)\nnp.trapezoid(a, axis=0)", y)
    check("np.trapezoid(a, b)", np.ones(0), np.ones(0, np.complex128))
    check("np.trapezoid(a, b)", np.ones((3, 4)), np.arange(12.0).reshape(3, 4) ** 2)


def test_items_that_are_not_there():
    check_each("np.put(a, [0], 1.0)\nnp.put(a, [0, 1], [2.0])\na.put([0], 1.0)", HOLLOW)
    check_each("np.choose(a, (1.0, 2.0))", np.ones(3))


@pytest.mark.parametrize("shape", [(6,), (3, 6), (2, 3, 6), (3, 0), (0, 3)])
def test_keys_of_several_rows(shape, rng):
    keys = rng.integers(0, 3, (3, *shape))
    check("np.lexsort((a, b, c))", *keys)


def test_conditions_have_one_axis():
    check_each("np.compress(a, b)\nb.compress(a)", np.array([[True], [False]]), np.arange(3))


def test_joins_of_different_dimensions():
    for call in ("np.hstack((a, b))", "np.concatenate((a, b), axis=1)", "np.concatenate((a, b))", "np.append(a, b, axis=1)"):
        for b in (np.arange(3.0), np.ones((3, 2, 1))):
            check(call, np.ones((3, 2)), b)


SHORTENED = {
    "max": lambda a, axis: np.max(a, axis), "min": lambda a, axis: a.min(axis), "ptp": lambda a, axis: np.ptp(a, axis),
    "nanmax": lambda a, axis: np.nanmax(a, axis), "argmin": lambda a, axis: np.argmin(a, axis),
    "nanargmax": lambda a, axis: np.nanargmax(a, axis), "reduce": lambda a, axis: np.subtract.reduce(a, axis),
}


@pytest.mark.parametrize("name", SHORTENED)
def test_lines_without_items(name):
    """They have no largest item, be there lines or not."""
    function = SHORTENED[name]
    compiled = numba.njit(function)
    for axis, shape in ((1, (0, 0)), (-1, (2, 0)), (0, (0, 3)), (1, (0, 3)), (0, (3, 0))):
        a = np.zeros(shape)
        try:
            wanted = function(a, axis)
        except ValueError:
            with pytest.raises(ValueError):
                compiled(a, axis)
        else:
            assert compiled(a, axis).shape == wanted.shape
