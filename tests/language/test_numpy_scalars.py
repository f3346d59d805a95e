# SPDX-License-Identifier: MIT
"""Scalars of NumPy: attributes, methods, ufuncs that divide by zero, uint64 with plain integers."""
import numpy as np
import pytest
from compare import check, compiled
from conftest import function_of

from numba import njit
from numba.core.errors import TypingError


@pytest.mark.parametrize("a, b", [(5, 0), (-7, 0), (5.5, 0.0), (np.uint8(5), np.uint8(0)), (7, -2)])
def test_division_by_zero(a, b):
    check("np.mod(a, b), np.remainder(a, b), np.floor_divide(a, b), np.divmod(a, b)", a, b)
    if isinstance(a, (int, float)):
        check("a % b, a // b", a, b)


def test_division_of_fusions():
    a, b = np.array([5, -7, 0, 3]), np.array([0, 2, 0, -2])
    check("np.floor_divide(a, b) + np.mod(a, b), a // b, a % b, a // 0", a, b)


def test_index_of_remainder():
    """The remainder by a length of zero is no index."""
    f = njit(function_of("def f(a, n):\n    return a[np.mod(7, len(a))] + a[np.mod(n, len(a))]"), boundscheck=True)
    assert f(np.arange(3), 4) == 2
    with pytest.raises(IndexError):
        f(np.empty(0, np.int64), 4)


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "complex64", "bool"])
def test_scalar_is_like_array(dtype):
    a = np.array([1, 2], dtype)
    check("x = a[1]\nreturn (x.item(), x.astype(np.float64), x.astype(np.int8), x.dtype == np.float32, x.itemsize, "
          "x.nbytes, x.ndim, x.size, x.shape, x.T, x.tolist(), x.copy())", a)
    check("np.zeros(2, a[0].dtype), np.ones(1, a[0].dtype.type)", a)


def test_scalar_made():
    check("x = np.float32(a)\nreturn x.item(), x.astype(np.int16), x.view(np.int32), x.round(1), x.dtype.itemsize", 2.26)
    check("a.sum().item(), a.mean().astype(np.float32), a[0].round()", np.array([2.5, 3.75]))
    check("a[0].view(np.int64)", np.array(["2020-01-01"], "M8[D]"))
    assert compiled("hasattr(a, 'shape'), hasattr(a, 'dtype'), hasattr(a, 'real')", 1)(5) == (False, False, True)


def test_weak_integers():
    a = np.array([1, 5, 2 ** 63], np.uint64)
    check("a << 1, a >> 1, a & 1, a | 6, a ^ 3, np.left_shift(a, 1), np.bitwise_and(1, a)", a)
    check("np.logaddexp(a, 1), np.logaddexp2(a, 2)", np.array([1.5, 2.5], np.float32))


def test_arrays_of_texts():
    """A dtype tells their length, which the texts alone do not."""
    check("np.array([a, 'b', 'bcd'], 'U3'), np.array(('x', a), dtype='U2'), np.array([[a], ['y']], dtype='U5')", "xyz")
    check("np.asarray([c for c in a], 'U1'), np.sort(np.array(['b', 'a'], 'U1'))", "xyz")
    with pytest.raises(TypingError, match="a dtype that says how long"):
        compiled("np.array([a, 'b'])", 1)("x")


def test_questions_about_what_may_be_none():
    ask = njit(lambda x: (np.iscomplexobj(x), np.isrealobj(x), np.isscalar(x)))

    @njit
    def f(x, y):
        if x > 2:
            y = None
        return ask(y)
    for y in (2, 2j):
        assert f(1, y) == (np.iscomplexobj(y), np.isrealobj(y), True)
        assert f(3, y) == (np.iscomplexobj(None), np.isrealobj(None), np.isscalar(None)) or y == 2j
    assert f(3, 2) == (False, True, False)


def test_arange_to_a_complex_number():
    for function, args in ((lambda x: np.arange(x), (4 + 4j,)), (lambda x: np.arange(x), (4 + 2j,)),
                           (lambda x, y: np.arange(x, y), (1 + 1j, 4 + 6j)), (lambda x: np.arange(x), (3 - 1j,))):
        np.testing.assert_array_equal(njit(function)(*args), function(*args))
