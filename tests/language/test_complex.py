"""Complex functions, the module cmath, and the functions of math that were added late."""
import cmath
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from conftest import function_of, outcome, same_floats
from numba import njit

NAMES = ["exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
         "acosh", "atanh", "log10"]
rng = random.Random(11)
NUMBERS = [complex(a, b) for a in (0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.25, 20.0, 1e-10) for b in (
    0.0, -0.0, 1.0, -1.0, 0.3, -2.5, 1e-9)] + [complex(rng.uniform(-9, 9), rng.uniform(-9, 9)) for _ in range(100)]


def close(got, want):
    """Equal within rounding, the sign of zeros included where the other part tells a branch."""
    if not (np.isfinite(want.real) and np.isfinite(want.imag)):
        return np.array([got.real, got.imag], dtype=object).tolist() == [want.real, want.imag] or (
            str(got).replace("-nan", "nan") == str(want).replace("-nan", "nan"))
    return abs(got - want) <= 1e-13 * max(abs(want), 1e-300) or abs(got - want) < 1e-15


def test_cmath(make):
    for name in NAMES:
        plain = make(f"def f(z):\n    return cmath.{name}(z)\n", cmath=cmath)
        f = njit(plain)
        for z in NUMBERS:
            try:
                want = plain(z)
            except (ValueError, OverflowError):
                continue
            got = f(z)
            assert close(got, want), (name, z, got, want)
            if abs(want.imag) > 1e-3:  # the branch
                assert math.copysign(1, got.imag) == math.copysign(1, want.imag), (name, z, got, want)


def test_cmath_others(make):
    source = ("def f(z, w):\n    return cmath.phase(z), cmath.polar(z), cmath.rect(abs(z), 0.7), cmath.log(z, 2), cmath.isnan(z), "
              "cmath.isfinite(z), cmath.isinf(z), cmath.isclose(z, w), cmath.isclose(z, w, rel_tol=0.5), cmath.pi, z.conjugate()\n")
    plain = make(source, cmath=cmath)
    f = njit(plain)
    for z in NUMBERS:
        if z:
            got, want = f(z, z + 1e-12), plain(z, z + 1e-12)
            assert all(close(complex(*g), complex(*w)) if isinstance(g, tuple) else close(complex(g), complex(w))
                       for g, w in zip(got, want)), (z, got, want)


def test_numpy_on_complex(make):
    names = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "sin", "cos", "tan", "arcsin", "arccos",
             "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"]
    numbers = np.array([z for z in NUMBERS if abs(z) > 1e-3 and abs(z) < 15])
    for name in names:
        f = njit(make(f"def f(a):\n    return np.{name}(a)\n"))
        with np.errstate(all="ignore"):
            want = getattr(np, name)(numbers)
        got = f(numbers)
        good = np.isfinite(want)
        np.testing.assert_allclose(got[good], want[good], rtol=1e-12, atol=1e-14, err_msg=name)
        assert f(np.complex64(1 + 2j)) == pytest.approx(complex(getattr(np, name)(np.complex64(1 + 2j))), rel=1e-5)


def check(make, source, cases):
    plain = make(source)
    jitted = njit(plain)
    for case in cases:
        got, want = outcome(jitted, *case), outcome(plain, *case)
        assert got == want or (got != got and want != want), (source, case, got, want)


def test_integer_functions(make):
    pairs = [(a, b) for a in (0, 1, 2, 5, 12, 18, 20, 35, 61) for b in (0, 1, 2, 3, 7, 10, 20, 30)]
    check(make, "def f(a, b):\n    return math.comb(a, b)\n", pairs + [(-1, 2), (2, -1)])
    check(make, "def f(a, b):\n    return math.perm(a, b)\n", [p for p in pairs if p[0] < 21] + [(-1, 2), (2, -1)])
    check(make, "def f(a, b):\n    return math.lcm(a, b), math.gcd(a, b)\n", pairs + [(-4, 6), (6, -4), (-3, -5)])
    check(make, "def f(n):\n    return math.factorial(n)\n", [(n,) for n in range(-1, 21)])
    check(make, "def f(n):\n    return math.isqrt(n)\n", [(n,) for n in (
        -1, 0, 1, 2, 3, 4, 99, 100, 2**52, 2**53 - 1, 3037000499**2, 3037000499**2 - 1, 2**63 - 1, 94906267**2 - 1)])
    check(make, "def f(n):\n    return n.bit_length(), n.bit_count()\n", [(n,) for n in (0, 1, -1, 255, 256, -255, 2**62, -2**63, 2**63 - 1)])
    with pytest.raises(OverflowError):
        njit(make("def f(n):\n    return math.factorial(n)\n"))(21)


def test_float_functions(make):
    reals = [0.0, 1.0, -1.0, 1.5, 1e300, -1e-300, math.inf, -math.inf, math.nan, 1 + 1e-10, 1e16, 2.0**52 + 1]
    check(make, "def f(x):\n    return x.is_integer()\n", [(x,) for x in reals])
    check(make, "def f(x, y):\n    return math.isclose(x, y), math.isclose(x, y, abs_tol=2.0), math.isclose(x, y, rel_tol=0.9)\n",
          [(x, y) for x in reals for y in reals])
    check(make, "def f(x, y):\n    return math.remainder(x, y)\n", [(x, y) for x in (1.5, -7.25, 10.0) for y in (2.0, -3.0, 0.7)])
    check(make, "def f(x, y):\n    return math.fmod(x, y), math.modf(x), math.log(abs(x) + 1, 3), math.hypot(x, y)\n",
          [(x, y) for x in (1.5, -7.25, 10.0) for y in (2.0, -3.0)])
    sums = [(0.1,) * 10, (1e100, 1.0, -1e100, 1e-100), (1e16, 1.0, 1e-16), (1.0, 2.0), (math.inf, 1.0), (-math.inf, math.nan)]
    sums += [tuple(rng.uniform(-1, 1) * 10.0 ** rng.randint(-20, 20) for _ in range(30)) for _ in range(40)]
    check(make, "def f(t):\n    return math.fsum(t)\n", [(t,) for t in sums])
    check(make, "def f(t):\n    return math.prod(t), math.prod(t, start=2)\n", [((1, 2, 3),), ((1.5, 2.0),)])
    plain = make("def f(p, q):\n    return math.dist(p, q)\n")
    for p, q in [((0.0, 3.0), (4.0, 0.0)), ((1e200, 0.0), (-1e200, 1.0)), ((1e-200,), (0.0,)), ((1.0, 2.0, 3.0), (1.0, 2.0, 3.0))]:
        assert njit(plain)(p, q) == pytest.approx(plain(p, q), rel=1e-15)


def test_round_digits(make):
    reals = [2.675, 1.005, 0.5, 1.5, 2.5, -2.5, 1e22, 123456.789, 5e-324, 0.15, 0.25, 0.35, 1e-5, 987654321.987654321,
             math.inf, 1e300, 15.0, 25.0, 1.25e15, 4503599627370497.5, 0.1 + 0.2]
    reals += [rng.uniform(-1, 1) * 10.0 ** rng.randint(-5, 15) for _ in range(300)]
    reals += [rng.randint(0, 10**6) / 1000 + 0.0005 for _ in range(200)]
    cases = [(x, n) for x in reals for n in (-20, -3, -1, 0, 1, 2, 3, 10, 17)]
    check(make, "def f(x, n):\n    return round(x, n)\n", cases + [(-x, n) for x, n in cases[:100]])


def test_powers_of_zero(make):
    """0 to a power that is negative or no real number is NaN, as in NumPy's arrays."""
    exponents = [1j, -1 + 0j, 2 + 0j, 0.5 + 0j, 1 + 1j, 0j, -0.5j, -1, -2, 3, 0]
    power = njit(make("def f(a, b):\n    return a ** b\n"))
    constant = njit(make("def f(a):\n    return a ** -1, a ** -2, a ** 2\n"))(0j)
    assert same_floats(constant, [complex(math.nan, math.nan)] * 2 + [0j], 0)
    for zero in (0j, 0.0, 0, -0.0):
        for b in exponents:
            if isinstance(b, int) and not isinstance(zero, complex):
                continue
            with np.errstate(all="ignore"):
                want = complex((np.array([zero], complex) ** np.array([b]))[0])
            assert same_floats(power(zero, b), want, 0), (zero, b)


def test_rect_at_the_edges():
    f = njit(lambda r, phi: cmath.rect(r, phi))
    values = [0.0, -0.0, 1.5, -1.5, math.inf, -math.inf, math.nan]
    for r in values:
        for phi in values:
            try:
                want = cmath.rect(r, phi)
            except ValueError:  # nothing in math or cmath raises when it is compiled
                want = complex(math.nan, math.nan)
            assert str(f(r, phi)) == str(want), (r, phi)


def test_whole_powers_in_math(make):
    f = njit(make("def f(x, n):\n    return math.pow(x, n)\n"))
    for x in (0, 0.0, -0.0):
        with pytest.raises(ZeroDivisionError):
            f(x, -1)
        assert f(x, 0) == 1.0 and f(x, 3) == 0.0
    assert f(2, -2) == 0.25 and f(-2.0, 3) == -8.0 and f(math.inf, -1) == 0.0


def test_logarithms_and_roots_at_the_edges(make):
    """Sizes near 1, where a logarithm is near 0, and of the smallest and the largest numbers; each part is right."""
    f = njit(make("def f(z):\n    return cmath.log(z), cmath.sqrt(z), np.log10(z)\n", cmath=cmath))
    sizes = [1.0, 1 - 1e-16, 1 + 1e-15, 0.7, 1.75, 5e-324, 1e-310, 1e-160, 1e-140, 1e140, 1e150, 1e300, 1.7e308, math.inf]
    angles = [0.0, -0.0, 0.5, math.pi / 4, 1.5, 3.0, -2.0, math.pi]
    numbers = [cmath.rect(r, phi) for r in sizes for phi in angles] + [complex(1e308, -1e308), complex(0.6, 0.8)]
    numbers += [complex(a, b) for a in (0.0, -0.0, 1.0, math.inf, -math.inf, math.nan) for b in (0.0, -0.0, 2.0, -math.inf, math.nan)]
    for z in numbers:
        if z != 0:
            log = cmath.log(z)
            if 0.5 < abs(z) < 2:  # where Python's own loses digits
                log = complex(math.log1p(Fraction(z.real) ** 2 + Fraction(z.imag) ** 2 - 1) / 2, log.imag)
            want = log, cmath.sqrt(z), complex(log.real / math.log(10), log.imag / math.log(10))
            for got, expected in zip(f(z), want):
                for part, wanted in ((got.real, expected.real), (got.imag, expected.imag)):
                    assert part == wanted or part != part and wanted != wanted or math.isclose(part, wanted, rel_tol=2e-15), (
                        z, got, expected)


EDGES = (0.0, 5e-324, 2.2e-308, 2.3e-308, 1e-9, 1.0, 699.9, 700.1, 709.9, 745.2, 1e300, math.inf, math.nan)


@pytest.mark.parametrize("name", ("exp", "sin", "cos", "sinh", "cosh"))
def test_exponentials_are_numpys_to_the_last_bit(name):
    edges = [sign * edge for edge in EDGES for sign in (1, -1)]
    numbers = np.array([complex(x, y) for x in edges for y in edges])
    rng = np.random.default_rng(3)
    numbers = np.concatenate([numbers, rng.normal(0, 300, 2000) + 1j * rng.normal(0, 300, 2000)])
    f = njit(function_of(f"def f(a):\n    return np.{name}(a)\n"))
    with np.errstate(all="ignore"):
        got, want = f(numbers), getattr(np, name)(numbers)
    for x, y in ((got.real, want.real), (got.imag, want.imag)):
        assert np.array_equal(x, y, equal_nan=True) and np.array_equal(np.signbit(x)[x == x], np.signbit(y)[x == x])
