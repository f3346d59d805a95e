# SPDX-License-Identifier: MIT
"""Quantiles whose dtype is that of the items, and the precision that their places are computed in."""
import numpy as np
import pytest
from compare import check, check_each, compiled

from numba import TypingError

CHOOSING = "lower higher nearest inverted_cdf closest_observation".split()


@pytest.mark.parametrize("dtype", ["int64", "bool", "uint8", "float32", "M8[D]"])
def test_quantiles_that_are_items(dtype):
    """They were float64, in which integers lose digits."""
    values = (np.arange(14) * 5 % 13 + (2**53 if dtype == "int64" else 0)).astype(dtype).reshape(2, 7)
    check("np.quantile(a, [.1, .5, 1], 1, method='nearest'), np.nanquantile(a, .3, method='higher')", values)
    if dtype not in ("float32", "M8[D]"):  # of these there is a number for no items
        check("np.quantile(a, .5, method='lower')", values[:, :0])


def test_methods_that_choose_items():
    values = (2**53 + np.arange(14) * 5 % 13).reshape(2, 7)
    check(", ".join(f"np.quantile(a, [.1, .5, 1], method='{m}')" for m in CHOOSING), values)
    check("np.nanpercentile(a, 30, axis=0, method='lower'), np.percentile(a, (0, 70), method='nearest', keepdims=True)", values)


def test_quantiles_by_numbers_that_are_whole():
    """Lines lead to an item there, and to the same one in the precision of q."""
    large = 2**53 + np.arange(11)[::-1]
    check_each("""
    np.quantile(a, [0, 1])
    np.quantile(a, 1)
    np.nanquantile(a, 0, axis=0)
    np.percentile(a, True, method='lower')
    np.quantile(a, np.array([.1, .3], np.float32), method='higher')
    """, large)


@pytest.mark.parametrize("method", ["lower", "linear", "x"])
def test_methods_of_quantiles_that_a_caller_chooses(method):
    check("np.quantile(a, .4, method=b), np.percentile(a, [10, 90], method=b)", np.arange(5), method)
    check("np.quantile(a, .4, method=b)", np.arange(5.0), method)
    with pytest.raises(TypingError, match="`method` of np.quantile"):
        compiled("np.quantile(a, .4, method=b + 'er')", 2)(np.arange(5), "low")


def test_quantiles_of_complex_numbers():
    check("np.quantile(a, .5, method='lower')", np.arange(3) * 1j)
    check("np.quantile(a, .5), np.percentile(a, 101)", np.arange(3.0))


def test_q_without_dimensions():
    check_each("""
        np.quantile(a, np.array(.5))
        np.nanpercentile(a, np.array(30), axis=0)
        np.percentile(np.array(5.0), np.array(1))
    """, np.arange(6.0).reshape(2, 3))
