"""Arithmetic of scalars against plain Python and NumPy: values, result types, edges."""
import cmath
import math
import operator

import numpy as np
import pytest
from conftest import same
from numba import njit, typeof, types

INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float32, np.float64]
COMPLEX = [np.complex64, np.complex128]

add = njit(lambda a, b: a + b)
sub = njit(lambda a, b: a - b)
mul = njit(lambda a, b: a * b)
div = njit(lambda a, b: a / b)
floordiv = njit(lambda a, b: a // b)
mod = njit(lambda a, b: a % b)
power = njit(lambda a, b: a ** b)


def returned(function, *args):
    """The name of the type that a call returns."""
    function(*args)
    want = tuple(typeof(arg) for arg in args)
    return next(str(s.return_type) for s in function.nopython_signatures if s.args == want)


@pytest.mark.parametrize("function, left, right, text", [
    (add, np.int8(1), np.int8(1), "int64"), (mul, np.int8(1), np.int8(1), "int64"),
    (add, np.int32(1), np.int32(1), "int64"), (add, True, True, "int64"),
    (add, np.uint32(1), np.uint32(1), "uint64"), (add, np.uint64(1), np.int64(1), "int64"),
    (add, np.uint64(1), 1, "int64"), (sub, np.uint64(1), 1, "int64"),
    (div, np.int32(1), np.int32(2), "float64"), (div, np.uint64(1), 2, "float64"),
    (div, 1, 2, "float64"), (add, np.float32(1), 1, "float64"),
    (add, np.float32(1), np.int32(1), "float64"), (div, np.float32(1), 2, "float64"),
    (mul, np.float32(1), 2.0, "float64"), (add, np.float32(1), np.int8(1), "float32"),
    (add, np.float32(1), np.int16(1), "float32"), (add, np.float32(1), np.float32(1), "float32"),
    (power, np.float32(2), 0.5, "float64"), (power, np.float32(2), np.int32(2), "float32"),
    (floordiv, np.float32(2), np.float32(2), "float32"), (power, 2, 3, "int64"),
    (mul, np.complex64(1), 2.0, "complex128"), (add, np.complex64(1), np.complex64(1), "complex64"),
    (add, np.complex64(1), np.float32(1), "complex64"),
])
def test_promotion(function, left, right, text):
    assert returned(function, left, right) == text


@pytest.mark.parametrize("body, arg, text", [
    ("x ** 2", np.float32(3), "float32"), ("math.sqrt(x)", np.float32(2), "float32"),
    ("np.sqrt(x)", np.float32(2), "float32"), ("abs(x)", np.float32(-2), "float32"),
    ("math.exp(x)", 2, "float64"), ("math.pow(x, x)", 2, "float64"),
    ("min(x, 1.0)", np.float32(2), "float64"), ("max(x, 1.0)", 2, "float64"),
    ("round(x)", 2.5, "int64"), ("int(x)", 2.5, "int64"), ("math.floor(x)", 2.5, "int64"),
    ("math.ceil(x)", 2.5, "int64"), ("round(x, 2)", 2.567, "float64"), ("abs(x)", np.complex64(1), "float32"),
    ("~x", True, "bool"), ("-x", np.uint64(1), "uint64"), ("x << 1", np.uint32(1), "uint64"),
    ("x >> 1", np.uint64(4), "uint64"), ("not x", 3, "bool"), ("x < 2", 3, "bool"),
    ("float(x)", 3, "float64"), ("complex(x)", 3.0, "complex128"), ("bool(x)", 3, "bool"),
    ("np.float32(x)", 3, "float32"), ("np.int8(x)", 3, "int8"),
])
def test_result_types(make, body, arg, text):
    assert returned(njit(make(f"def f(x):\n    return {body}\n")), arg) == text


@pytest.mark.parametrize("kind", INTS)
def test_integer_arithmetic(kind, rng):
    info = np.iinfo(kind)
    pairs = rng.integers(info.min, info.max, (40, 2), dtype=kind, endpoint=True).tolist()
    pairs += [(info.min, info.max), (info.max, info.max), (info.min, 1), (0, info.max)]
    mask = (1 << 64) - 1
    for a, b in pairs:
        left, right = kind(a), kind(b)
        for function, op in ((add, operator.add), (sub, operator.sub), (mul, operator.mul)):
            exact = op(a, b) & mask
            got = function(left, right)
            assert got & mask == exact, (function, a, b)
        if b:
            assert floordiv(left, right) & mask == a // b & mask, (a, b)
            assert mod(left, right) & mask == a % b & mask, (a, b)
            assert same(div(left, right), a / b, rtol=1e-15)


def test_int64_wraps():
    assert add(2**63 - 1, 1) == -2**63
    assert sub(-2**63, 1) == 2**63 - 1
    assert mul(2**62, 4) == 0
    assert njit(lambda x: -x)(-2**63) == -2**63
    assert abs(njit(lambda x: abs(x))(-2**63)) == 2**63


@pytest.mark.filterwarnings("ignore:.*encountered in scalar:RuntimeWarning")
@pytest.mark.parametrize("kind", [float, *FLOATS])
def test_float_division_and_modulo(kind, rng):
    values = [kind(v) for v in rng.normal(0, 10, 20).tolist()]
    values += [kind(v) for v in (-7.5, 2.0, -2.0, 0.5, 1e30, -1e-30, math.inf, -math.inf)]
    for a in values:
        for b in values:
            if kind is not np.float32:
                if math.isfinite(a):
                    assert same(floordiv(a, b), float(a) // float(b)), (a, b)
                    assert same(mod(a, b), float(a) % float(b)), (a, b)
                assert same(div(a, b), float(a) / float(b))
            else:
                assert same(div(a, b), kind(a / b), rtol=1e-7) or not np.isfinite(a / b)
    assert math.copysign(1, mod(kind(-0.0), kind(2.0))) in (1.0, -1.0)


def test_zero_division():
    for function, text in ((div, "division by zero"), (floordiv, "division by zero"),
                           (mod, "modulo by zero")):
        for zero in (0, 0.0):
            one = type(zero)(1)
            with pytest.raises(ZeroDivisionError, match=text):
                function(one, zero)
    quiet = njit(error_model="numpy")(lambda a, b: a / b)
    assert quiet(1.0, 0.0) == math.inf and math.isnan(quiet(0.0, 0.0))


@pytest.mark.parametrize("a, b", [(2, 10), (2, -1), (2, 100), (-3, 3), (0, 0), (7, 0), (-1, 63)])
def test_integer_power(a, b):
    got = power(a, b)
    if b < 0:
        assert got == 0
    else:
        assert got == np.int64(a ** b & (2**64 - 1) if a ** b >= 0 else a ** b) if abs(
            a ** b) < 2**63 else True
    assert power(2, 100) == 0


def test_float_power(rng):
    for a, b in zip(rng.uniform(0.1, 10, 30).tolist(), rng.uniform(-5, 5, 30).tolist()):
        assert same(power(a, b), a ** b, rtol=1e-14)
    for a, n in zip(rng.uniform(-3, 3, 30).tolist(), rng.integers(-6, 6, 30).tolist()):
        assert same(power(a, n), a ** n, rtol=1e-14)


def test_shifts_and_bits(make, rng):
    f = njit(make("def f(a, b, n):\n    return a & b, a | b, a ^ b, a << n, a >> n, ~a\n"))
    for a, b in rng.integers(-2**62, 2**62, (30, 2)).tolist():
        n = int(rng.integers(0, 63))
        want = (a & b, a | b, a ^ b, int(np.int64((a << n) & (2**64 - 1)) if (a << n) >> 63 == 0
                else np.array((a << n) & (2**64 - 1), np.uint64).astype(np.int64)), a >> n, ~a)
        assert f(a, b, n) == want


def test_comparisons(make, rng):
    f = njit(make("def f(a, b):\n    return a < b, a <= b, a == b, a != b, a > b, a >= b\n"))
    values = [0, 1, -1, 2**53, 2**63 - 1, -2**63, 0.0, -0.0, 1.5, math.inf, math.nan]
    for a in values:
        for b in values:
            if type(a) is type(b) or max(abs(a), abs(b)) < 2**53:
                assert f(a, b) == f.py_func(a, b), (a, b)
    g = njit(make("def f(a, b, c):\n    return a < b < c, a < b and b or c, not a\n"))
    assert g(1, 2, 3) == (True, 2, False) and g(3, 2, 1) == (False, 1, False)


@pytest.mark.parametrize("kind", [complex, *COMPLEX])
def test_complex(kind, make, rng):
    f = njit(make("def f(a, b):\n    return a + b, a - b, a * b, a / b, -a, a.real, a.imag, abs(a), "
                  "a == b, a.conjugate()\n"))
    for _ in range(20):
        a, b = (kind(complex(*rng.normal(size=2))) for _ in range(2))
        rtol = 1e-5 if kind is np.complex64 else 1e-13
        assert same(tuple(map(complex, f(a, b)[:4])), tuple(map(complex, f.py_func(a, b)[:4])), rtol)
        assert same(f(a, b)[5:8], tuple(float(v) for v in f.py_func(a, b)[5:8]), rtol)
    assert njit(lambda x, y: complex(x, y))(1.0, 2.0) == 1 + 2j


UNARY = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "degrees", "erf",
         "erfc", "exp", "expm1", "fabs", "floor", "gamma", "lgamma", "log", "log10", "log1p",
         "log2", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc", "isnan", "isinf",
         "isfinite"]


@pytest.mark.parametrize("name", UNARY)
def test_math_functions(name, make, rng):
    f = njit(make(f"def f(x):\n    return math.{name}(x)\n"))
    for x in [*rng.uniform(0.01, 0.99, 20).tolist(), *rng.uniform(1.01, 8, 10).tolist()]:
        try:
            want = f.py_func(x)
        except ValueError:
            continue
        assert same(f(x), want, rtol=1e-12 if name in ("gamma", "lgamma") else 4e-15), x
        got = f(np.float32(x))
        if isinstance(want, float):
            assert np.isclose(got, f.py_func(float(np.float32(x))), rtol=2e-5, atol=1e-6)
    if name not in ("acosh",):
        assert isinstance(f(1) if name != "atanh" else f(0), (int, float, bool))


@pytest.mark.parametrize("name", ["atan2", "copysign", "fmod", "hypot", "pow", "ldexp"])
def test_math_functions_of_two(name, make, rng):
    f = njit(make(f"def f(x, y):\n    return math.{name}(x, y)\n"))
    for x, y in rng.uniform(0.1, 9, (20, 2)).tolist():
        y = int(y) if name == "ldexp" else y
        assert same(f(x, y), f.py_func(x, y), rtol=1e-14)


def test_math_constants(make):
    f = njit(make("def f():\n    return math.pi, math.e, math.inf, np.pi, math.nan\n"))
    assert f()[:4] == (math.pi, math.e, math.inf, math.pi) and math.isnan(f()[4])


@pytest.mark.parametrize("value", [0.5, 1.5, 2.5, -0.5, -1.5, 2.675, 1e15 + 0.5, -7.49])
def test_round(value, make):
    assert njit(make("def f(x):\n    return round(x)\n"))(value) == round(value)
    got = njit(make("def f(x):\n    return round(x, 2)\n"))(value)
    assert abs(got - round(value, 2)) < 0.011


def test_min_max_abs(make, rng):
    f = njit(make("def f(a, b, c):\n    return min(a, b, c), max(a, b, c), abs(a)\n"))
    for args in rng.integers(-100, 100, (20, 3)).tolist():
        assert f(*args) == f.py_func(*args)
    for args in rng.normal(size=(20, 3)).tolist():
        assert f(*args) == f.py_func(*args)


def test_constants_that_no_integer_holds(make):
    """A number of the type stands for one, the same in each use; loops over it end, and the code around them runs."""
    casts = ("int(1e308)", "int(-1e308)", "int(np.nan)", "np.int32(1e30)", "np.uint64(-1e30)", "np.uint64(1e30)", "np.int8(1e300)")
    body = "".join(f"    a = {text}\n    for i in range(a):\n        if i == 5:\n            break\n        n += 1\n"
                   f"    o.append((a ^ a) == 0)\n" for text in casts)
    f = njit(make("def f():\n    n = 0\n    o = []\n" + body + "    for i in range(1e308):\n        if i == 5:\n"
                  "            break\n        n += 1\n    return n % 5, o\n"))
    assert f() == (0, [True] * len(casts))


def test_casts(make, rng):
    f = njit(make("def f(x):\n    return int(x), float(x), bool(x), np.int32(x), np.float32(x)\n"))
    for x in rng.uniform(-1000, 1000, 20).tolist():
        assert f(x) == (int(x), x, True, int(np.int32(x)), float(np.float32(x)))
    g = njit(make("def f(x):\n    return np.uint8(x), np.int8(x)\n"))
    assert g(300) == (44, 44) and g(200) == (200, -56)


def test_literals_keep_width(make):
    f = njit(make("K = np.float32(2.5)\ndef f(x):\n    return x * K\n"))
    assert returned(f, np.float32(2)) == "float32"
    big = njit(make("def f():\n    return 2**62 + 2**62 - 1\n"))
    assert big() == 2**63 - 1


def test_widths_in_and_out():
    identity = njit(lambda x: x)
    for kind in INTS:
        info = np.iinfo(kind)
        for value in (info.min, info.max, 1):
            assert identity(kind(value)) == value and type(identity(kind(value))) is int
    for kind in FLOATS:
        assert identity(kind(0.1)) == float(kind(0.1)) and type(identity(kind(1))) is float
    assert identity(np.complex64(1 + 2j)) == 1 + 2j and type(identity(1j)) is complex
    assert identity(np.bool_(True)) is True and identity(False) is False
    assert identity(2**63) == 2**63 and identity(None) is None
    assert identity(float("nan")) != identity(float("nan"))


def test_cmath_free_mandelbrot(make):
    f = njit(make("def f(x, y, n):\n    c = complex(x, y)\n    z = 0j\n    for i in range(n):\n"
                  "        z = z * z + c\n        if z.real * z.real + z.imag * z.imag >= 4:\n"
                  "            return i\n    return n\n"))
    for x in np.linspace(-2, 1, 9).tolist():
        for y in np.linspace(-1, 1, 7).tolist():
            assert f(x, y, 50) == f.py_func(x, y, 50)
