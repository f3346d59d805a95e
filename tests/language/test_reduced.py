"""Reductions of expressions of arrays, which make no array between: results and shapes as NumPy's."""
import numpy as np
import pytest

import numba
from conftest import function_of

EXPRESSIONS = ["np.sum(a * b)", "((a - b) ** 2).sum()", "np.mean((a - b) ** 2)", "(a - b).max()", "np.min(a * b + 1)",
               "np.any(a > b)", "(a > b).all()", "(a > b).sum()", "np.mean(a > b)", "np.count_nonzero(a > b)",
               "np.sqrt(np.sum((a - b) ** 2))"]


def all_of(expressions):
    return function_of("def f(a, b):\n    return (" + ", ".join(expressions) + ",)\n")


@pytest.mark.parametrize("parallel", [False, True])
def test_reductions_of_expressions(rng, parallel):
    f = all_of(EXPRESSIONS)
    compiled = numba.njit(f, parallel=parallel)
    for n in (1, 7, 1023, 1024, 1025, 5000, 100003):
        a, b = rng.standard_normal(n), rng.standard_normal(n)
        got, want = compiled(a, b), f(a, b)
        assert np.allclose(got, want, rtol=1e-13, atol=1e-15 * n), n
        if not parallel:
            assert got[0] == want[0], n  # added up in NumPy's order


def test_operands_that_do_not_lie_side_by_side(rng):
    f = all_of(EXPRESSIONS)
    a, b = rng.standard_normal((40, 60)), rng.standard_normal((40, 60))
    for left, right in ((a[::2, ::3], b[::2, ::3]), (a, b[0]), (a.T, b.T), (a.T.copy(), b.T), (a, 2.0), (a, np.array(1.5)),
                        (a.astype(np.float32), b.astype(np.float32)), ((a * 9).astype(np.int32), (b * 9).astype(np.int32))):
        assert np.allclose(numba.njit(f)(left, right), f(left, right), rtol=3e-6)


def test_what_is_not_fused(rng):
    a, b = rng.standard_normal(50), rng.standard_normal(50)
    f = function_of("""def f(a, b):
    c = a * b
    total = c.sum() + c[0]
    m = (a - b).sum
    d = a + b
    a[0] = 100
    return total, m() + m(), d.sum(), np.sum(a * b, axis=0), (a * b).astype(np.float32).max()
""")
    assert np.allclose(numba.njit(f)(a.copy(), b), f(a.copy(), b), rtol=1e-6)


def test_odd_numbers_and_no_numbers():
    f = function_of("def f(a, b):\n    return (a - b).max(), np.min(a - b), np.sum(a - b)\n")
    for place in (0, 1500, 2999):
        a = np.zeros(3000)
        a[place] = np.nan
        assert np.isnan(numba.njit(f)(a, np.ones(3000))).all()
    with pytest.raises(ValueError, match="zero-size array to reduction operation"):
        numba.njit(f)(np.zeros(0), np.zeros(0))
    with pytest.raises(ValueError, match=r"unable to broadcast argument 1 to output array.*\(3,\) \(4,\)"):
        numba.njit(f)(np.zeros(3), np.zeros(4))


def test_sums_of_few(rng):
    f = numba.njit(lambda a, b: ((a * b).sum(), np.sum(a - b)))
    for dtype in np.float64, np.float32:
        for n in 0, 1, 2, 7, 8, 9, 1024, 1025:
            a, b = rng.standard_normal((2, n)).astype(dtype)
            assert f(a, b) == ((a * b).sum(), np.sum(a - b)), (dtype, n)
    assert np.signbit(f(-np.zeros(1), np.ones(1))[0])


def test_places_and_variances(rng):
    f = function_of("""def f(a, b):
    return np.argmax(a * b), np.argmin(a - b), (a - b).var(), np.std(a * b), np.var(a), np.argmax(a[::2] + 1)
""")
    compiled = numba.njit(f)
    for dtype in np.float64, np.float32, np.int64:
        for n in 1, 7, 5000:
            a, b = (rng.random((2, n)) * 100).astype(dtype)
            assert np.allclose(compiled(a, b), f(a, b), rtol=1e-5)
    a = np.ones(5000)
    a[3000] = np.nan
    assert compiled(a, a)[:2] == (3000, 3000)


def test_whole_arrays_on_threads(rng):
    f = function_of("""def f(a):
    return np.sum(a), a.mean(), np.max(a), a.min(), np.any(a), np.all(a), np.count_nonzero(a), np.sum(a[::2])
""")
    compiled = numba.njit(parallel=True)(f)
    for dtype in np.float64, np.int32, np.uint8, np.bool_:
        a = (rng.random(100000) * 100).astype(dtype)
        assert np.allclose(compiled(a), f(a))
        assert np.allclose(compiled(a.reshape(400, 250)), f(a.reshape(400, 250)))
