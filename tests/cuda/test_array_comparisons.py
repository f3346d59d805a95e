"""NumPy's comparisons and extremes in kernels, of numbers and of arrays, complex ones among them."""
import itertools

from common import cuda, np
from test_compile import assembled
from numba import complex64

COMPARISONS = (np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal)
EXTREMES = (np.maximum, np.minimum, np.fmax, np.fmin)


@cuda.jit
def of_numbers(a, b, truths, best):
    for i in range(len(a)):
        x, y = a[i], b[i]
        truths[0, i], truths[1, i], truths[2, i] = np.greater(x, y), np.greater_equal(x, y), np.less(x, y)
        truths[3, i], truths[4, i], truths[5, i] = np.less_equal(x, y), np.equal(x, y), np.not_equal(x, y)
        best[0, i], best[1, i] = np.maximum(x, y), np.minimum(x, y)
        best[2, i], best[3, i] = np.fmax(x, y), np.fmin(x, y)


@cuda.jit
def of_arrays(a, b, truths, best):
    np.greater(a, b, truths[0])
    np.greater_equal(a, b, truths[1])
    np.less(a, b, truths[2])
    np.less_equal(a, b, out=truths[3])
    np.equal(a, b, truths[4])
    np.not_equal(a, b, truths[5])
    np.maximum(a, b, best[0])
    np.minimum(a, b, best[1])
    np.fmax(a, b, best[2])
    np.fmin(a, b, out=best[3])


def check(a, b):
    with np.errstate(invalid="ignore"):
        truths, best = [f(a, b) for f in COMPARISONS], [f(a, b) for f in EXTREMES]
    for kernel in (of_numbers, of_arrays):
        found = np.zeros(np.shape(truths), np.bool_), np.zeros(np.shape(best), np.result_type(a, b))
        kernel[1, 1](a, b, *found)
        np.testing.assert_array_equal(found[0], truths)
        for part in (np.real, np.imag):
            np.testing.assert_array_equal(part(found[1]), part(best))


def test_complex_numbers():
    nan = np.nan
    values = [0, 1, 1 + 1j, 1 - 1j, 2, complex(nan, 1), complex(1, nan), complex(nan, nan), complex(2, nan)]
    a, b = np.array(list(itertools.product(values, values))).T.copy()
    for pair in ((a, b), (a.astype(np.complex64), b.astype(np.complex64)), (a, b.real.copy())):
        check(*pair)


def test_real_numbers():
    values = [0.0, 1, -1.5, np.nan, np.inf]
    a, b = np.array(list(itertools.product(values, values))).T.copy()
    check(a, b)
    check(np.arange(-3, 4), np.arange(7, dtype=np.uint64))
    check(np.array([True, False, True]), np.array([True, True, False]))


def test_ptx():
    for kernel in (of_numbers, of_arrays):
        assembled(kernel._ptx((complex64[:], complex64[:], complex64[:, :], complex64[:, :]), 7, 5), (7, 5))
