"""Expressions and reductions of few items that do not lie side by side, which are done by indices, and of so many
that they are done in chunks: windows, transposed and broadcast arrays, compared with NumPy."""
import numpy as np
from numba import njit

EXPRESSIONS = "a + r", "a * r[:, None][:len(a)]", "a + a.T", "a - r + 2 * a", "np.sqrt(a.T) + r", "a > r", "a[::2] * r + a[1::2]"
UPDATES = ("a += r", "a *= a.T", "a[1:] -= a[:-1] * 2", "np.multiply(a, r, a)", "np.add(a.T, r, a)", "a[:, 1:] += a[:, :-1] + r[1:]",
           "a.T[:] = r * 2 - a")
REDUCTIONS = "sum()", "max()", "mean()", "std()", "any()", "argmax()"
SIZES = 2, 4, 8, 10, 12  # whose squares lie around where chunks begin


def arrays(dtype, size):
    rng = np.random.default_rng(size)
    return rng.integers(1, 9, (size, size)).astype(dtype), rng.integers(1, 9, size).astype(dtype)


def test_expressions(make):
    f = njit(make("import numpy as np\ndef f(a, r):\n    return " + ", ".join(EXPRESSIONS) + "\n"))
    for size in SIZES:
        a, r = arrays("float64", size)
        for x in (a, a[::-1], a.T):
            for got, expected in zip(f(x, r), f.py_func(x, r)):
                assert np.allclose(got, expected)


def test_updates(make):
    lines = [f"def f{k}(a, r):\n    {text}\n    return a" for k, text in enumerate(UPDATES)]
    functions = make("import numpy as np\n" + "\n".join(lines) + "\nf = " + ", ".join(f"f{k}" for k in range(len(lines))) + "\n")
    for function in functions:
        f = njit(function)
        for size in SIZES:
            a, r = arrays("float64", size)
            assert np.array_equal(f(a.copy(), r), function(a.copy(), r)), function.__name__


def test_windows(make):
    """Of an array with gaps, also with a NaN, which wins, and of a single item."""
    f = njit(make("import numpy as np\ndef f(a):\n    return "
                  + ", ".join(f"np.{call.replace('(', '(a, ').replace(', )', ')')}" for call in REDUCTIONS) + "\n"))
    rng = np.random.default_rng(3)
    for dtype in ("float64", "complex128"):
        base = rng.integers(-5, 5, (30, 30)).astype(dtype)
        for height, width in ((1, 1), (3, 3), (1, 7), (8, 16), (8, 17), (20, 20)):
            for a in (base[2:2 + height, 3:3 + width], base[2:2 + height, 3:3 + width].T, base[::-1][:height, :width]):
                a = a.copy()[:, ::-1] if dtype == "complex128" else a
                with np.errstate(all="ignore"):
                    expected = f.py_func(a)
                for got, wanted in zip(f(a), expected):
                    assert np.allclose(got, wanted), (dtype, a.shape)
        if dtype == "float64":
            base[4, 4] = np.nan
            assert np.isnan(f(base[2:6, 3:7])[0]) and np.isnan(f(base[2:6, 3:7])[1])


def test_fills(make):
    """Of no items, of fewer than a vector has, and of more than are written at once; nothing beside them changes."""
    f = njit(make("def f(a, first, last, x):\n    a[first:last] = x\n    return a\n"))
    for dtype in (np.float64, np.int8, np.complex128):
        for count in (0, 1, 3, 7, 17, 40, 4095, 4096, 4097, 9000, 600_000):
            a, x = np.full(count + 9, 3, dtype), dtype(7)
            f(a, 4, 4 + count, x)
            assert (a[4:4 + count] == 7).all() and (a[:4] == 3).all() and (a[4 + count:] == 3).all(), (dtype, count)
