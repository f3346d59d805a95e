"""float16 in compiled code: as NumPy computes with it, in scalars, arrays and ufuncs."""
import numpy as np
import pytest
from numba import float16, njit, prange, vectorize

from conftest import same

VALUES = np.array([0.0, 1.0, -2.5, 0.1, 65504.0, 6e-8, 1000.0, -0.0], np.float16)


def test_arithmetic(make):
    f = njit(make("def f(a, b):\n    return a + b, a - b, a * b, a / b, -a, abs(a)\n"))
    for a in VALUES:
        for b in VALUES[1:6]:
            with np.errstate(all="ignore"):
                assert same(tuple(np.float16(v) for v in f(a, b)), tuple(f.py_func(a, b)))


def test_arrays(make):
    f = njit(make("def f(a):\n    b = np.empty_like(a)\n    for i in range(len(a)):\n"
                  "        b[i] = a[i] * 2 + 1\n    return b, a + a, a > 0, np.sqrt(np.abs(a)), a.max(), a.astype(np.float32)\n"))
    with np.errstate(all="ignore"):
        got, want = f(VALUES), f.py_func(VALUES)
    for one, two in zip(got, want):
        np.testing.assert_array_equal(one, two)
        assert one.dtype == two.dtype if hasattr(one, "dtype") else True


def test_sums_and_loops_on_threads(make):
    f = njit(parallel=True)(make("def f(a):\n    s = 0.0\n    for i in prange(len(a)):\n        s += a[i]\n"
                                 "    return s, a.sum(), a.mean()\n", prange=prange))
    a = np.arange(100, dtype=np.float16)
    total, array_sum, mean = f(a)
    # sums are rounded once, as NumPy's are
    assert (total, float(array_sum), float(mean)) == (4950, 4952, 49.5)
    assert float(a.sum()) == 4952 and float(a.mean()) == 49.5


@pytest.mark.parametrize("signature", ([], [float16(float16, float16)]))
def test_ufuncs(make, signature):
    f = vectorize(signature)(make("def f(a, b):\n    return a * b + a\n"))
    a = np.arange(8, dtype=np.float16) / 4
    got = f(a, a)
    np.testing.assert_array_equal(got, a * a + a)
    assert got.dtype == np.float16
