# SPDX-License-Identifier: MIT
"""Arrays of truth values that choose: of other shapes than what they choose from, and without items."""
import numpy as np
import pytest
from compare import check, check_each

MASK = np.array([[True, False, True], [False, True, True]])
SMALLER = {"0d": np.array(3.0), "1d": np.arange(3.0), "row": np.ones((1, 3)), "column": np.ones((2, 1)), "other": np.ones((2, 2))}
REDUCED = """
    np.{0}(a, where=b{1})
    np.{0}(a, axis=-1, where=b{1})
    a.{0}(where=b{1})
"""


@pytest.mark.sampled
@pytest.mark.parametrize("shape", SMALLER)
@pytest.mark.parametrize("name", ["sum", "prod", "any", "all", "mean", "var", "std", "min", "max"])
def test_masks_of_reductions_are_no_larger(name, shape):
    """They were stretched with the array, and its items counted several times."""
    extra = ", initial=1" if name in ("min", "max") else ""
    check_each(REDUCED.format(name, extra), SMALLER[shape], MASK)


@pytest.mark.parametrize("shape", ["1d", "row"])
def test_masks_of_reductions_without_nan_are_no_larger(shape):
    check_each("""
    np.nansum(a, where=b)
    np.nanprod(a, axis=-1, where=b)
    np.nanmean(a, where=b)
    np.nanvar(a, axis=-1, where=b)
    np.nanstd(a, where=b)
    np.nanmin(a, where=b, initial=0)
    np.nanmax(a, where=b, initial=0)
    """, SMALLER[shape], MASK)


@pytest.mark.parametrize("name", ["sum", "mean", "var", "max"])
def test_masks_of_reductions_are_stretched(name):
    extra = ", initial=1" if name == "max" else ""
    for mask in np.array([True, False, True]), np.array([[True], [False]]), np.array(True), MASK:
        check(f"np.{name}(a, axis=0, where=b{extra})", np.arange(6.0).reshape(2, 3), mask)
    check(f"np.{name}(a, axis=0, where=True{extra})", np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("shape", [(0,), (0, 2), (3, 0), (4, 0), (0, 3), (0, 0)])
def test_masks_without_items(shape):
    """Along an axis where they have none they choose none, of any number."""
    mask, a = np.zeros(shape, bool), np.ones((3, 2))
    check_each("""
    a[b]
    a[b] = 7; return a
    a[b] += 7; return a
    """, a, mask)
    if len(shape) == 1:
        check_each("""
        a[:, b]
        a[b, 1]
        a[b, b]
        a[0, b]
        c[b]
        c[b] = 7; return c
        """, a, mask, np.arange(5))


def test_masks_of_copies():
    a = np.zeros(3)
    check("np.copyto(a, 2, where=b)\nreturn a", np.array(3.0), np.array(True))
    check("np.copyto(a, 2, where=b)\nreturn a", np.array(3.0), np.array(False))
    check("np.copyto(a, 2, where=b)\nreturn a", a, MASK)
    check("np.copyto(a, b, where=b)\nreturn a", a, MASK.astype(bool))
    check("np.broadcast_to(a, 3)", MASK)
    check("np.broadcast_to(a, ())", a)
