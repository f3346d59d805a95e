"""Reductions of whole arrays in kernels: NumPy's results, of arrays of every kind and layout."""
import linecache

from common import cuda, np
from numba import bool_, complex128, float32, float64, int32
from test_compile import assembled

NAMES = ("sum", "min", "max", "mean", "std", "var", "all", "any", "prod", "ptp", "argmin", "argmax")
FUNCTIONS = (*NAMES, "nansum", "nanmin", "nanmax", "nanmean", "nanstd", "nanvar", "nanprod", "count_nonzero",
             "nanargmin", "nanargmax", "amin", "amax")
METHODS = tuple(name for name in NAMES if name != "ptp")
CALLS = tuple(f"np.{name}(a)" for name in FUNCTIONS)
METHOD_CALLS = tuple(f"a.{name}()" for name in METHODS)

# how `a` is made of x
ROWS = {"global": "x", "strided": "x[::-2]"}
TABLES = {"global": "x", "turned": "x.T", "apart": "x[:, ::2]", "both": "x[::-1].T[1:]"}
COPIES = """cuda.{place}.array({shape}, {dtype})
    for i in range(a.shape[0]):
        a[i] = x[i]"""
TABLE_COPIES = """cuda.{place}.array({shape}, {dtype})
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = x[i, j]"""


def written(calls, array):
    """A kernel with all the calls, each of which writes an item."""
    lines = [f"    out[{i}] = {call}" for i, call in enumerate(calls)]
    source = "\n".join(["def reduce(x, out):", f"    a = {array}", *lines, ""])
    name = f"<reductions {abs(hash(source))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope = {"np": np, "cuda": cuda, "float64": float64, "float32": float32, "int32": int32, "bool_": bool_,
             "complex128": complex128}
    exec(compile(source, name, "exec"), scope)
    return scope["reduce"]


def check(x, array, host, calls=CALLS):
    expected = [eval(call, {"np": np, "a": host}) for call in calls]
    out = np.zeros(len(calls), np.complex128 if x.dtype.kind == "c" else np.float64)
    cuda.jit(written(calls, array))[1, 1](x, out)
    np.testing.assert_allclose(out, expected, rtol=2e-6 if x.dtype == np.float32 else 1e-12)


def check_copies(x, dtype, calls=CALLS):
    """Of local and shared memory."""
    for place in ("local", "shared"):
        text = COPIES if x.ndim == 1 else TABLE_COPIES
        check(x, text.format(place=place, shape=x.shape, dtype=dtype), x, calls)


def test_rows():
    x = np.array([3.5, 1.25, -9, 2, 7, -9, 0, 7])
    for array in ROWS.values():
        check(x, array, eval(array))
    check(x, "x", x, METHOD_CALLS)
    check(x.astype(np.float32), "x", x.astype(np.float32))
    check_copies(x, "float64")


def test_tables():
    x = np.array([[3.5, 1.25, -9, 2], [7, -9, 0, 7], [0.5, 6, 2, 2]])
    for array in TABLES.values():
        check(x, array, eval(array))
    check(x, "x[:, ::2]", x[:, ::2], METHOD_CALLS)
    check_copies(x.astype(np.float32), "float32")


def test_numbers_that_are_none():
    for x in (np.array([3.5, np.nan, -9, 2, np.nan, 7]), np.array([[np.nan, 1, 4], [8, np.nan, 1]])):
        for array in ("x.T", "x[::-1]"):
            check(x, array, eval(array))


def test_integers_and_truths():
    x = np.array([[3, -2, 0], [5, 9, 1]], np.int32)
    check(x, "x.T", x.T)
    check_copies(x[0], "int32")
    calls = tuple(call for call in CALLS if "ptp" not in call)
    check(x > 0, "x[:, ::2]", (x > 0)[:, ::2], calls)
    check_copies(x > 0, "bool_", calls)


def test_complex_numbers():
    x = np.array([[1 + 2j, 3 - 1j, 0], [2.5, 1j, 3 + 1j]])
    for array in ("x", "x.T", "x[0]"):
        check(x, array, eval(array))


def test_arguments():
    calls = ("np.var(a, ddof=1)", "a.std(ddof=2)", "np.nanvar(a, ddof=1)", "np.nanstd(a, correction=1)",
             "np.sum(a, initial=5)", "a.max(initial=99)", "np.var(a[0], axis=0)")
    x = np.array([[3.5, 1.25, -9], [7, np.e, 0]])
    out = np.zeros(len(calls))
    cuda.jit(written(calls, "x"))[1, 1](x, out)
    expected = [np.var(x, ddof=1), x.std(ddof=2), np.var(x, ddof=1), np.std(x, ddof=1), x.sum() + 5, 99, x[0].var()]
    np.testing.assert_allclose(out, expected)


def test_ptx():
    assembled(cuda.jit(written(CALLS, "x[:, ::2]"))._ptx((float64[:, :], float64[:]), 7, 5), (7, 5))
    assembled(cuda.jit(written(METHOD_CALLS, "x"))._ptx((float64[:], float64[:]), 9, 0), (9, 0))
