"""Numbers that an expression of whole arrays names take no operand's place: however many there are, it is one loop."""
import locale

import numpy as np
import pytest
from numba import njit

EXPRESSIONS = [
    "1.0 + 2 * x - 3 * x ** 2 + 4 * x ** 3 - 5 * x ** 4 + 6 * x ** 5",
    "((((6 * x - 5) * x + 4) * x - 3) * x + 2) * x + 1",
    "x * 0.1 + y * 0.2 - 0.3 + (x - 1e-300) * (y + 1e300) / 7 - -0.0 * x",
    "(x + 1) * (y + 1) + (x + 1) * 3 + 1",
    "np.maximum(x * 2 - 1, np.minimum(y * 3 + 2, 5)) * 7 - 11",
    "np.where(x > 1, x * 2 + 3, y - 4) * 5 + 6",
    "2 ** (x * 0.5 + 1) + (y * 3 + 1) ** 3 - 4 * 5",
    "np.sqrt(x * x + y * y + 1) * np.inf - np.nan * (x + 2)",
]
EXACT = ["(x * 3 + 7) * 9 - 2 - (y + 5) * 11 + 13", "(x + 1 > 2) & (y * 2 + 1 < 100)",
         "(x * 9223372036854775807 + 1) * -9223372036854775807 - 2", "(x * 5 + 3) // 7 + (y * 3 - 20) % 9",
         "(x * 3) * True + (y - 2) * 4"]
OPTIONS = ({}, {"parallel": True}, {"fastmath": False, "error_model": "numpy"})


def function(text):
    names = {"np": np}
    exec(f"def f(x, y):\n    return {text}", names)
    return names["f"]


def check(text, x, y, options=({},), exact=False):
    plain = function(text)
    with np.errstate(all="ignore"):
        want = plain(x, y)
    for option in options:
        jitted = njit(**option)(plain)
        got = jitted(x, y)
        assert np.shape(got) == np.shape(want)
        if exact:
            assert np.asarray(got).dtype == want.dtype and np.array_equal(got, want)
        else:
            assert np.allclose(got, want, rtol=1e-6 if x.dtype == np.float32 else 1e-12, equal_nan=True)
    return jitted


@pytest.mark.parametrize("text", EXPRESSIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64, np.int32])
def test_dtypes(text, dtype, rng):
    if dtype == np.complex128 and ("max" in text or "where" in text):
        pytest.skip("complex numbers have no order")
    if "1e300" in text and dtype == np.float32:
        pytest.skip("NumPy keeps float32 there")
    x, y = (rng.integers(1, 9, (2, 300))).astype(dtype)
    check(text, x, y, OPTIONS if dtype == np.float64 else ({},))


@pytest.mark.parametrize("text", EXACT)
@pytest.mark.parametrize("shape", [(300,), (20, 15), ()])
def test_integers(text, shape, rng):
    x, y = rng.integers(-50, 50, (2, *shape))
    check(text, np.asarray(x), np.asarray(y), OPTIONS, exact=True)


def test_layouts(rng):
    x, y = rng.normal(size=(2, 24, 36))
    for view in (np.asfortranarray(x), x[::2, ::3], x.T[:24, :24], x[:, :1]):
        check(EXPRESSIONS[1], view, y[:view.shape[0], :view.shape[1]])
        check(EXPRESSIONS[1], view, view)


def test_one_loop(rng):
    x, y = rng.normal(size=(2, 1000))
    for text in EXPRESSIONS[:2]:
        code = check(text, x, y).inspect_llvm()
        assert "".join(code.values()).count("call ptr @gridcell_memory_create(") == 1, text


def test_where_the_expression_ends(rng):
    """In a sum, in an array that is there, and in one that changes."""
    @njit
    def f(x, y, out):
        np.add(x * 2 + 1, (y - 3) * 4 + 5, out)
        y += (x * 6 - 7) * 8 + 9
        return np.sum((x * 2 + 1) * (x * 3 + 4) + 5), np.max((x - 1) * 2 - y * 3 + 4)

    x, y = rng.normal(size=(2, 500))
    wants = f.py_func(x, y.copy(), want := np.empty(500)), want
    gots = f(x, y.copy(), got := np.empty(500)), got
    for want, got in zip(wants, gots):
        assert np.allclose(want, got, rtol=1e-12)


def test_an_expression_of_many_hundred_operations(rng):
    x, y = rng.uniform(0.1, 0.9, (2, 50))
    text = "x"
    for i in range(120):
        text = f"({text} * 0.{i + 1} + {i})"
    check(text, x, y)


def test_a_comma_as_decimal_point(rng):
    """What the literals say does not depend on the locale."""
    known = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
            break
        except locale.Error:
            pass
    try:
        check("(x * 0.75 + 1.5) * 2.5 - 0.125", *rng.normal(size=(2, 20)), exact=True)
    finally:
        locale.setlocale(locale.LC_NUMERIC, known)
