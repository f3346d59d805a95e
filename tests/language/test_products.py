# SPDX-License-Identifier: MIT
"""Products of matrices in every layout that slices make: BLAS takes them where they lie."""
import resource

import numpy as np
import pytest
from conftest import function_of
from numba import njit

LAYOUTS = {
    "C": lambda a: a.copy(), "F": np.asfortranarray, "columns": lambda a: np.repeat(a, 2, 1)[:, ::2],
    "rows": lambda a: np.repeat(a, 2, 0)[::2], "inside": lambda a: np.pad(a, 1)[1:-1, 1:-1], "upward": lambda a: a[::-1].copy()[::-1],
    "inside F": lambda a: np.asfortranarray(np.pad(a, 1))[1:-1, 1:-1], "broadcast": lambda a: np.broadcast_to(a[:1], a.shape),
}
SHAPES = ((30, 40, 20), (1, 50, 40), (50, 40, 1), (50, 1, 40), (3, 2, 4), (1, 1, 1), (0, 3, 4), (3, 0, 4))
DTYPES = (("float64", "float64"), ("float32", "float32"), ("complex128", "complex128"), ("float32", "float64"), ("int64", "float64"))


@pytest.fixture(scope="module")
def multiply():
    return njit(function_of("def f(a, b):\n    return a @ b\n"))


@pytest.mark.filterwarnings("ignore:.*faster on contiguous")
def test_layouts(multiply, rng):
    """Both operands in each layout, by a sample of the types."""
    left, right = DTYPES[rng.integers(len(DTYPES))]
    for name, layout in LAYOUTS.items():
        for other, to_right in rng.choice(list(LAYOUTS.items()), 3, replace=False):
            for m, k, n in SHAPES:
                a, b = rng.integers(-9, 9, (m, k)).astype(left), rng.integers(-9, 9, (k, n)).astype(right)
                x, y = layout(a) if m else a, to_right(b) if k else b
                assert np.array_equal(multiply(x, y), x @ y), (name, other, m, k, n, left, right)
                assert np.array_equal(multiply(x[0] if m else x, y), (x[0] if m else x) @ y)


@pytest.mark.filterwarnings("ignore:.*faster on contiguous")
def test_vectors(multiply, rng):
    a, b = rng.integers(-9, 9, 300) * 1.0, rng.integers(-9, 9, 300) * 1.0
    for x in (a, a[::-1], np.repeat(a, 3)[::3], np.repeat(a, 2)[::-2]):
        for y in (b, b[::-1], np.repeat(b, 2)[::2]):
            for n in (0, 1, 31, 32, 200):
                assert multiply(x[:n], y[:n]) == x[:n] @ y[:n]


@pytest.mark.filterwarnings("ignore:.*faster on contiguous")
def test_no_copy(multiply):
    """Of a matrix whose rows lie apart, where the result is small."""
    large = np.ones((2000, 4000))
    vector = np.ones(2000)
    multiply(vector[:30], large[:30, :2000])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    multiply(vector, large[:, :2000])
    multiply(vector, large[::1, 1000:3000].T)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8_000  # of 31,250 KiB


def test_covariance(make, rng):
    """By BLAS, and the same on both sides of the diagonal."""
    for x in (rng.random((40, 60)), rng.random((5, 3)), rng.random((1, 9))[0], rng.random((20, 30)) + 1j * rng.random((20, 30)),
              rng.random((30, 20)).astype(np.float32)):
        for text in ("np.cov(x)", "np.corrcoef(x)", "np.cov(x, rowvar=False)"):
            f = make(f"def f(x):\n    return {text}\n")
            got, want = njit(f)(x), f(x)
            rtol = 1e-4 if x.dtype == np.float32 else 1e-12
            assert np.allclose(got, want, rtol=rtol, atol=rtol / 10)
            assert "corr" in text or np.array_equal(got, np.conj(np.transpose(got)))
