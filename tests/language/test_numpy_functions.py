"""Functions of NumPy that few programs use, results at the edges of types, and arguments of ufuncs."""
import numpy as np
import pytest
from conftest import function_of

from numba import njit

M = np.arange(12.0).reshape(3, 4)
HALVES = np.array([0, 1, -1, 65504, np.inf, np.nan, 1e-7, 0.1, 2048], np.float16)
BIG = np.array([1e30, -1e30, 3e38, 1, -2, 0, np.inf, 1e19, 1e-20], np.float32)
SMALL = np.float32([[1, 2], [3, 4]])
STEPS = np.linspace(-2.5, 2.5, 6)
BITS = np.array([[1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0]], bool)
BYTES = np.array([[1, 200, 37], [255, 0, 129]], np.uint8)
ROWS = np.array([[0, 1], [1, 0], [0, 1], [1, 1], [0, 0], [1, 0]])
X, Y = np.random.default_rng(2).random((2, 50))

EXACT = [
    ("np.spacing(a)", HALVES), ("np.spacing(a)", np.float32([0, 1, -1, 3e38])),
    *[("a + b", HALVES, np.arange(9, dtype=d)) for d in "int8 uint8 int16 uint16 int32 int64 uint64".split()],
    ("b * a", HALVES, np.arange(9)), ("a + 1", HALVES), ("a * 2 + b", HALVES, np.arange(9)),
    ("np.add.reduce(a)", np.zeros(0)), ("np.add.reduce(a, 0)", np.zeros((0, 3))), ("np.multiply.reduce(a)", np.zeros(0)),
    ("np.logical_and.reduce(a)", np.zeros(0, bool)), ("np.bitwise_and.reduce(a)", np.zeros(0, np.int64)),
    ("np.linalg.norm(a, axis=0)", SMALL), ("np.linalg.norm(a, axis=1, keepdims=True)", SMALL),
    ("np.linalg.norm(a, 1, axis=1)", SMALL), ("np.linalg.norm(a, axis=0)", ROWS),
    ("np.sign(a)", np.array([0, -3j, -2 + 0j, 3 + 4j, complex(np.inf, 1), complex(1, np.nan)])),
    ("np.einsum('i...->...', a)", M), ("np.einsum('...ij->...ji', a)", np.arange(24.0).reshape(2, 3, 4)),
    ("np.einsum('...i,...i->...', a, b)", M, M), ("np.einsum('...ij,...jk', a, b)", np.ones((2, 3, 4)), np.ones((4, 5))),
    ("np.einsum('ij,ij->i', a, b)", M, np.ones((1, 4))), ("np.einsum('...,...', a, b)", M, np.ones(4)),
    *[("np.bitwise_count(a)", np.array([0, 1, 5, 127, 3], d)) for d in "int8 uint8 int16 int32 int64 uint64".split()],
    ("np.bitwise_count(a)", np.array([-1, -128], np.int8)), ("np.bitwise_count(a)", np.array([2**64 - 1], np.uint64)),
    ("np.bitwise_count(a)", np.array([-2**63])),
    ("np.packbits(a)", BITS), ("np.packbits(a, axis=1)", BITS), ("np.packbits(a, axis=0)", BITS),
    ("np.packbits(a, axis=-1, bitorder='little')", BITS.astype(np.int32) * 3), ("np.packbits(a)", np.zeros(0, bool)),
    ("np.unpackbits(a)", BYTES), ("np.unpackbits(a, axis=1)", BYTES), ("np.unpackbits(a, axis=0, count=5)", BYTES),
    ("np.unpackbits(a, count=-3, bitorder='little')", BYTES), ("np.unpackbits(a, count=60)", BYTES),
    ("np.lib.stride_tricks.as_strided(a, (3, 2), (8, 8))", np.arange(5)),
    ("np.lib.stride_tricks.sliding_window_view(a, 3)", np.arange(7)),
    ("np.lib.stride_tricks.sliding_window_view(a, (2, 2))", M),
    ("np.lib.stride_tricks.sliding_window_view(a, 2, axis=1)", M),
    ("np.lib.stride_tricks.sliding_window_view(a, (2, 3), axis=(1, 0))", M),
    ("np.shares_memory(a, a[1:]), np.shares_memory(a[::2], a[1::2]), np.may_share_memory(a[::2], a[1::2]), "
     "np.shares_memory(a, a.copy()), np.shares_memory(a[:2], a[2:]), np.shares_memory(a[::-1], a[3:4])", np.arange(6)),
    ("np.piecewise(a, [a < 0, a >= 0], [-1, 1])", STEPS), ("np.piecewise(a, a < 0, [1, 2])", STEPS),
    ("np.piecewise(a, [a < 0, a >= 0], [lambda x: -x, lambda x: x * 2])", STEPS),
    ("np.piecewise(a, (a < 0, a > 1), (lambda x: -x, 3, 9))", STEPS),
    ("np.apply_along_axis(lambda r: r.sum(), 0, a)", M), ("np.apply_along_axis(lambda r: r.sum(), 1, a)", M),
    ("np.apply_along_axis(lambda r: np.sort(r)[::-1], 0, a)", M), ("np.apply_along_axis(lambda r: r.max(), 0, a)", X),
    ("np.apply_along_axis(lambda r: r[:2], -1, a)", np.arange(24).reshape(2, 3, 4)),
    ("np.block([[a, b], [b, a]])", np.ones((2, 2)), np.zeros((2, 2))), ("np.block([a, b])", X, Y),
    ("np.block([[a], [b]])", X, Y), ("np.block(a)", X),
    ("np.block([[a, b], [c, d]])", np.ones((2, 2)), np.zeros((2, 3)), np.ones((1, 2)), np.zeros((1, 3))),
    ("a[np.ix_(b, c)]", M, np.array([0, 2]), np.array([1, 3])), ("a[np.ix_([0, 2], [1, 3])]", M),
    ("np.ix_(a, b)", np.array([0, 2]), np.array([True, False, True])),
    ("np.histogram2d(a, b)", X, Y), ("np.histogram2d(a, b, 5)", X, Y), ("np.histogram2d(a, b, (3, 4))", X, Y),
    ("np.histogram2d(a, b, (c, 4))", X, Y, np.array([0, 0.3, 1])), ("np.histogram2d(a, b, c)", X, Y, np.array([0, 0.3, 1])),
    ("np.histogram2d(a, b, 4, ((0, 1), (0, .5)))", X, Y), ("np.histogram2d(a, b, 3, weights=a)", X, Y),
    ("np.unique(a, axis=0)", ROWS), ("np.unique(a, axis=1)", ROWS), ("np.unique(a, True, True, True, 0)", ROWS),
    ("np.unique(a, axis=-1)", np.arange(20).reshape(2, 2, 5) % 3), ("np.unique(a)", ROWS), ("np.sort(np.unique_values(a))", ROWS),
    ("np.asarray_chkfinite(a)", M), ("np.asarray_chkfinite([1, 2])",), ("np.squeeze(a)", M), ("a.squeeze()", M),
    ("np.add(a, b, dtype=np.float32)", np.arange(3), np.arange(3.0)), ("np.sqrt(a, dtype=np.float32)", np.arange(3)),
    ("np.add(a, b, out=c, where=a > 1)", np.arange(3.0), np.arange(3.0), np.full(3, 9.0)),
    ("np.divide(a, b, out=np.zeros_like(a), where=b != 0)", np.arange(3.0), np.array([0, 1.0, 2])),
    ("np.multiply(a, 2, dtype=np.int64) + 1", np.arange(3, dtype=np.int8)), ("np.add(a, 1, dtype='f4')", np.arange(3)),
    ("np.add(a + 1, b * 2, where=True, out=b)", np.arange(3.0), np.ones(3)),
    ("np.add(a, b, where=c, out=np.zeros((2, 3)))", np.arange(3.0), 1.0, np.array([[True, False, True], [False, True, True]])),
    ("np.where(a > 0, np.add(a, b, where=a > 1), 0)[2]", np.arange(3.0), np.arange(3.0)),
    ("np.gcd(a, 4, where=a > 1, out=np.zeros(5, np.int64))", np.arange(5)),
]
CLOSE = [
    ("np.arcsinh(a)", BIG), ("np.arccosh(a)", np.abs(BIG) + np.float32(1)), ("np.arcsinh(a)", np.float64([1e300, -1e300, 3])),
    ("np.arccosh(a)", np.float64([1e300, 1, 1.5])), ("np.linalg.norm(a)", SMALL), ("np.linalg.norm(a, 3, axis=1)", SMALL),
    ("np.linalg.norm(a, 2, axis=(0, 1))", SMALL), ("np.linalg.norm(a, np.inf)", SMALL), ("np.sign(a)", np.array([1 + 2j])),
    ("np.histogram2d(a, b, [3, 4], density=True)", X, Y),
]


def copies(args):
    return [x.copy() if isinstance(x, np.ndarray) else x for x in args]


def compiled(expression, count):
    return njit(function_of(f"def f({', '.join('abcd'[:count])}):\n    return {expression}\n"))


def parts(value):
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(4))
def test_exact(part):
    for expression, *args in EXACT[part::4]:
        f = compiled(expression, len(args))
        got, want = f(*copies(args)), f.py_func(*copies(args))
        assert len(parts(got)) == len(parts(want)), expression
        for g, w in zip(parts(got), parts(want)):
            equal_nan = np.asarray(w).dtype.kind in "fc"
            assert np.array_equal(g, w, equal_nan=equal_nan), f"{expression}: {g!r} for {w!r}"
            assert np.ndim(w) == 0 or g.dtype == w.dtype, f"{expression}: {g.dtype} for {w.dtype}"


@pytest.mark.filterwarnings("ignore")
def test_close():
    for expression, *args in CLOSE:
        f = compiled(expression, len(args))
        for g, w in zip(parts(f(*copies(args))), parts(f.py_func(*copies(args)))):
            assert np.allclose(g, w, rtol=1e-6, atol=0, equal_nan=True), f"{expression}: {g!r} for {w!r}"
            assert np.ndim(w) == 0 or g.dtype == w.dtype, f"{expression}: {g.dtype} for {w.dtype}"


@pytest.mark.parametrize("change, array", [
    ("a += 1", np.array([True, False])), ("a += 1.5", np.array([1, 2])), ("a /= 2", np.array([1, 2])),
    ("a *= 2j", np.array([1.0, 2.0]))])
def test_results_that_do_not_fit_the_array(change, array):
    f = njit(function_of(f"def f(a):\n    {change}\n    return a\n"))
    with pytest.raises(Exception, match="does not fit into the array"):
        f(array.copy())


@pytest.mark.parametrize("expression, array, words", [
    ("np.squeeze(a)", np.ones((1, 3)), "needs `axis`"), ("np.asarray_chkfinite(a)", np.array([np.nan]), "infs or NaNs"),
    ("np.lib.stride_tricks.sliding_window_view(a, 9)", np.arange(7), "larger than input"),
    ("np.einsum('...i->i', a)", M, "needs an ellipsis"), ("np.maximum.reduce(a)", np.zeros(0), "no identity"),
    ("np.packbits(a, None, 'up')", BITS, "little")])
def test_what_is_refused(expression, array, words):
    with pytest.raises(Exception, match=words):
        compiled(expression, 1)(array)
