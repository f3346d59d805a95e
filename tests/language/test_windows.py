"""Windows: loops of few turns, known to the compiler, in a loop that asks about all their indices before it begins."""
import random
import re
import textwrap

import numpy as np
import pytest
from numba import njit, prange

from test_bounds import agree

INNER = ("-1, 2", "0, 3", "2, -1, -1", "0, 5, 2", "1", "0", "1, -4, -2", "3, 1")
OUTER = ("1, n - 1", "n", "2, n + 1", "n - 1, -1, -1", "0, n, 2", "0", "-1, n", "n - 2, 0, -3")
INDICES = ("i + d", "i - d", "2 * i + d", "d - i", "2 * d", "i - 2 * d + 1", "n - i - d", "d")

PAIRS = [(outer, index) for outer in OUTER for index in INDICES]


@pytest.mark.parametrize("inner", INNER)
def test_a_window_fails_in_the_same_turn(make, inner):
    lines = [f"def f{k}(a, out, n):\n    for i in range({outer}):\n        s = 0.0\n        for d in range({inner}):\n"
             f"            s += a[{index}]\n        out[i] = s + 1\n    return n"
             for k, (outer, index) in enumerate(random.Random(inner).sample(PAIRS, 16))]
    source = "\n".join(lines) + "\nf = (" + ", ".join(f"f{k}" for k in range(len(lines))) + ")\n"
    for function in make(source):
        compiled = njit(function)
        for n in (0, 1, 6, 7, 8, 9, 15):
            agree(compiled, np.arange(8.0), np.zeros(16), n)


FORMS = {
    "two axes": "s += a[i + d, 1 + e]",
    "another axis": "s += a[i + d, 1 + e] * b[e + 1, d + 1]",
    "some turns": "if d != 0 or e != 0:\n    s += a[i + d, 1 + e]",
    "guarded": "if 0 <= i + d < n and 0 <= 1 + e < m:\n    s += a[i + d, 1 + e]",
    "leaves": "if a[i, 0] > 30:\n    break\ns += a[i + d, 1 + e]",
    "goes on": "if e == 0:\n    continue\ns += a[i + d, 1 + e]",
    "stores": "out[i, 0] += a[i + d, 1 + e]",
    "raises": "if a[i, 0] == 18:\n    raise ValueError('18')\ns += a[i + d, 1 + e]",
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("rows", ("1, n - 1", "n", "2, n + 1"))
def test_forms_of_windows(make, name, rows):
    body = textwrap.indent(FORMS[name], 16 * " ")
    f = njit(make(f"""
def f(a, b, out, n, m):
    for i in range({rows}):
        s = 0.0
        for d in range(-1, 2):
            for e in range(-1, 2):
{body}
        out[i, 1] += s
    return m
"""))
    for shape in ((7, 9), (3, 3), (2, 5), (5, 2), (1, 1)):
        a, n, m = np.arange(float(shape[0] * shape[1])).reshape(shape), *shape
        for size in (n, n + 1, n + 3, n - 1, 0):
            agree(f, a, np.ones((3, 3)), np.zeros((12, 2)), size, m)
            agree(f, a, np.ones((3, 2)), np.zeros((12, 2)), size, m)


def test_windows_in_a_nest(make):
    f = njit(make("""
def f(a, out, n, m):
    for i in range(1, n):
        for j in range(m, 0, -1):
            s = 0.0
            for d in range(-1, 2):
                for e in range(3):
                    s += a[i - d, j - e]
            out[i, j] += s
    return m
"""))
    a = np.arange(63.0).reshape(7, 9)
    for n, m in ((6, 8), (7, 8), (6, 9), (6, 12), (0, 3), (1, 1), (9, 3)):
        agree(f, a, np.zeros((12, 14)), n, m)
        agree(f, a, np.zeros((4, 14)), n, m)


def test_windows_in_threads(make):
    source = """
def f(a, out, n):
    for i in prange(1, n):
        for j in range(1, a.shape[1] - 1):
            s = 0.0
            for d in range(-1, 2):
                for e in range(-1, 2):
                    s += a[i + d, j + e]
            out[i, j] = s
    return 0
"""
    f, a = njit(parallel=True)(make(source, prange=prange)), np.arange(200.0).reshape(20, 10)
    agree(f, a, np.zeros((20, 10)), 19)
    for n in (20, 25):
        with pytest.raises(IndexError, match="index is out of bounds"):
            f(a, np.zeros((20, 10)), n)


def test_the_message_names_the_first_index_outside(make):
    f = njit(make("""
def f(a, n):
    s = 0.0
    for i in range(n):
        t = 0.0
        for d in range(4):
            t += a[2 * i + d]
        s += t
    return s
"""))
    with pytest.raises(IndexError, match="index 7 on axis 0 of size 7"):
        f(np.ones(7), 9)
    assert f(np.ones(8), 3) == 12


def test_a_window_has_vectors(make):
    f = njit(make("""
def f(a, out):
    n, m = a.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            s = 0.0
            for d in range(-1, 2):
                for e in range(-1, 2):
                    s += a[i + d, j + e]
            out[i, j] = s
"""))
    f(np.ones((9, 9)), np.ones((9, 9)))
    assert re.search(r"fadd <\d+ x double>", f.inspect_llvm(f.signatures[0]))


@pytest.mark.parametrize("radius", (1, 2, 3))
def test_windows_of_a_constants_size_have_vectors(make, radius):
    """Their ends are sums of globals, and they have up to seven rows and columns."""
    f = make(f"""
R = {radius}

def f(a, w, out):
    for y in range(R, a.shape[0] - R):
        for x in range(R, a.shape[1] - R):
            total = 0.0
            for i in range(-R, R + 1):
                for j in range(2 * R + 1):
                    total += w[i + R, j] * a[y + i, x + j - R]
            out[y, x] = total
""")
    compiled, rng = njit(f), np.random.default_rng(radius)
    a, w = rng.random((23, 29)), rng.random((2 * radius + 1, 2 * radius + 1))
    out, expected = np.zeros_like(a), np.zeros_like(a)
    compiled(a, w, out)
    f(a, w, expected)
    np.testing.assert_allclose(out, expected, rtol=1e-13)
    assert re.search(r"fmul <\d+ x double>", compiled.inspect_llvm(compiled.signatures[0]))


REACHES = {
    "around": ("r, n - r", "-r, r + 1", "a[i + k] * b[k + r]"),
    "around, the window's numbers": ("r, n - r", "i - r, i + r + 1", "a[k] * b[k - i + r]"),
    "around, down": ("n - r - 1, r - 1, -1", "r, -r - 1, -1", "a[i + k] * b[r - k]"),
    "twice negative": ("r, n", "-(r + 1), 0", "a[i + k] * b[-k - 1]"),
    "a start that is too low": ("r - 1, n", "-r, r + 1", "a[i + k] * b[k + r]"),
    "the other sign": ("r, n", "-r, r + 1", "a[i - k] * b[r - k]"),
    "behind": ("n", "0, len(b)", "b[k] * (a[i - k] if i - k >= 0 else 0.0)"),
    "behind, from the end": ("n", "0, len(b)", "b[k] * a[i - k]"),
    "behind and one more": ("n", "0, len(b)", "b[k] * a[i - k - 1]"),
    "behind and one less": ("n", "0, len(b)", "b[k] * a[i - k + 1]"),
    "halves": ("n", "0, 3", "a[i // 2] + a[i >> k] + a[(i - 1) // 2] + a[i // (k + 1)] + a[(i + k) // 2]"),
    "masked": ("n", "0, 3", "a[i & k] + a[i & 5] + a[i % 3] + a[i % n] + a[i & -k]"),
    "least": ("n + 2", "0, 3", "a[min(i, n - 1)] + a[min(k, i)] + a[min(i - k, n - 2)]"),
}


@pytest.mark.parametrize("name", REACHES)
def test_windows_of_any_reach(make, name):
    """Where an index cannot be negative, or not too large, because of what it was made of; and where it can."""
    rows, window, term = REACHES[name]
    f = njit(make(f"""
def f(a, b, out, n, r):
    for i in range({rows}):
        s = 0.0
        for k in range({window}):
            s += {term}
        out[i] = s
    return r
"""))
    for n in (0, 1, 4, 9, 10, 11):
        for r in (0, 1, 2, 4, 5, -1, -3, 2 ** 62, 2 ** 63 - 1):
            agree(f, np.arange(1.0, 11.0), np.arange(2.0, 7.0), np.zeros(12), n, r)


def test_a_window_of_any_reach_asks_for_no_sign(make):
    f = njit(make("""
def f(a, w, out, r):
    for i in range(r, len(a) - r):
        for k in range(-r, r + 1):
            out[i] += a[i + k] * w[k + r]
"""))
    (a, w), out = np.random.default_rng(5).random((2, 25)), np.zeros(25)
    f(a, w[:7], out, 3)
    assert np.allclose(out[3:-3], np.correlate(a, w[:7], "valid"))
    assert "ashr" not in f.inspect_llvm(f.signatures[0])  # of an index, by 63: whether it counts from the end


def test_what_only_lessens_an_index_is_not_asked_about(make):
    for term in ("a[i - k] if i - k >= 0 else 0.0", "a[i // 2]", "a[i >> 1]", "a[i & 3]", "a[min(i, k)]"):
        f = njit(make(f"""
def f(a):
    s = 0.0
    for i in range(len(a)):
        for k in range(len(a)):
            s += {term}
    return s
"""))
        f.compile("float64(float64[::1])")
        assert "raise" not in f.inspect_llvm(f.signatures[0]), term


def test_rows_of_many_stores_have_vectors(make):
    f = njit(make("""
def f(a, b, c, n):
    for k in range(n):
        for j in range(48):
            c[2, j] += a[k] * b[k, j]
"""))
    a, b, c = np.ones(3), np.ones((3, 48)), np.zeros((3, 48))
    f(a, b, c, 3)
    assert (c[2] == 3).all() and not c[:2].any()
    assert re.search(r"fadd <\d+ x double>", f.inspect_llvm(f.signatures[0]))
    with pytest.raises(IndexError, match="index 40 on axis 1 of size 40"):
        f(a, b, c[:, :40], 3)


def test_what_varies_around_a_row_is_asked_about_plainly(make):
    """Only an answer that stays is hidden from LLVM, which would write the loops around it twice."""
    for index, is_hidden in (("i + k", False), ("k + n", True)):
        f = njit(make(f"""
def f(x, taps, y, n):
    for i in range(len(y)):
        for k in range(len(taps)):
            y[i] += x[{index}] * taps[k]
"""))
        f.compile("void(float64[::1], float64[::1], float64[::1], int64)")
        assert (" asm " in f.inspect_llvm(f.signatures[0])) == is_hidden, index


def test_a_window_with_continue_is_written_out(make):
    f = njit(make("""
def f(a, w, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            s = 0.0
            for p in range(3):
                for q in range(3):
                    y, x = i + p - 1, j + q - 1
                    if y < 0 or y >= n or x < 0 or x >= m:
                        continue
                    s += a[y, x] * w[p, q]
            out[i, j] = s
"""))
    a, w = np.random.default_rng(6).random((8, 9)), np.arange(9.0).reshape(3, 3)
    got, want = np.zeros_like(a), np.zeros_like(a)
    f(a, w, got)
    f.py_func(a, w, want)
    assert np.array_equal(got, want)
    assert f.inspect_llvm(f.signatures[0]).count("fmul") >= 9


def test_arrays_out_of_containers_have_dense_rows(make):
    for argument, take in (("t", "t[0], t[1]"), ("t", "t"), ("t", "t[0][0], t[0][1]")):
        f = njit(make(f"""
def f({argument}):
    a, out = {take}
    for i in range(len(a)):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * 2.0
"""))
        pair = np.ones((5, 40)), np.zeros((5, 40))
        f((pair,) if "0][" in take else pair)
        assert (pair[1] == 2).all()
        code = f.inspect_llvm(f.signatures[0])
        assert re.search(r"load <\d+ x double>", code) and "gather" not in code


def test_only_short_rows_run_without_strips(make):
    """A row of memory is soon over; what may take long asks on its way whether to stop."""
    for inner, strips in (("a.shape[1]", False), ("1, a.shape[1] - 1", False), ("10 ** 12", True), ("n", True)):
        f = njit(make(f"""
def f(a, n):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range({inner}):
            s += a[i, j % 4]
    return s
"""))
        f.compile("float64(float64[:,::1], int64)")
        assert ("strip" in f.inspect_llvm(f.signatures[0])) == strips
    f = njit(make("def f(a):\n    s = 0.0\n    for i in range(len(a)):\n        s += a[i]\n    return s\n"))
    f.compile("float64(float64[::1])")
    assert "strip" in f.inspect_llvm(f.signatures[0])


def test_a_first_index_from_the_end_leaves_vectors_to_the_others(make):
    f = njit(make("""
def f(a, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            out[i, j] = a[i - 1, j] + a[i, j - 1]
"""))
    a = np.arange(60.0).reshape(4, 15)
    got, want = np.zeros((4, 15)), np.zeros((4, 15))
    f(a, got)
    f.py_func(a, want)
    assert np.array_equal(got, want)
    code = f.inspect_llvm(f.signatures[0])
    assert re.search(r"fadd <\d+ x double>", code) and "gather" not in code


AROUND = ("i - 1, i + 2", "i + 1, i - 2, -1", "i - 2, i + 3, 2", "i, i", "i + 1, i - 1", "i - 1, i + 2, -1", "i - 1, i + 1, m",
          "i + 2 - 3, 1 + i + 1", "i - 1, m + 2", "i - 20, i + 20", "j - 1, i + 2")


@pytest.mark.parametrize("around", AROUND)
def test_ranges_around_a_number(make, around):
    f = make(textwrap.dedent(f"""
        def f(a, m):
            out = np.zeros(a.shape, np.int64)
            for i in range(2, len(a) - 2):
                j = i
                for y in range({around}):
                    for x in range({around}):
                        out[i, 2] += a[y % len(a), x % a.shape[1]] * (3 * y - x)
            return out
        """))
    compiled = njit(f)
    a = np.arange(77).reshape(11, 7)
    for m in (1, 2, 4):
        assert np.array_equal(compiled(a, m), f(a, m))


def test_windows_around_a_number_have_vectors():
    def f(a, out):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                near = 0
                for y in range(i - 1, i + 2):
                    for x in range(j - 1, j + 2):
                        near += a[y, x]
                out[i, j] = 1 if near == 3 else 0

    compiled = njit(f)
    a = np.arange(60, dtype=np.uint8).reshape(5, 12) % 3
    got, want = np.zeros_like(a), np.zeros_like(a)
    compiled(a, got)
    f(a, want)
    assert np.array_equal(got, want)
    code, = compiled.inspect_llvm().values()
    assert re.search(r"store <\d+ x i8>", code)


def test_rows_that_go_different_ways_are_unrolled(make):
    """A branch in each copy of a turn is foreseen better than one for all turns."""
    f = make("""
def f(a, b, t):
    for i in range(a.size):
        for j in range(b.size):
            if a[i] == b[j]:
                t[i + 1, j + 1] = t[i, j] + 1
            else:
                t[i + 1, j + 1] = max(t[i, j + 1], t[i + 1, j])
    return t[-1, -1]
""")
    compiled, (a, b) = njit(f), np.random.default_rng(5).integers(0, 3, (2, 37))
    table = np.zeros((38, 38), np.int64)
    assert compiled(a, b, table) == f(a, b, np.zeros_like(table))
    assert compiled.inspect_llvm(compiled.signatures[0]).count("icmp eq i64") > 6
