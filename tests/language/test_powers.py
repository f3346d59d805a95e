# SPDX-License-Identifier: MIT
"""Literal powers: whole and half ones of every kind of number are found without logarithms."""
import numpy as np
import pytest
from numba import njit

WHOLE = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16)
EXPONENTS = {
    "float64": (*WHOLE, -1, -2, -3, -4, -5, -6, 0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 2.0, 3.0, 4.0, -1.0, -2.0, 11, 17, 0.25),
    "float32": (*WHOLE, -1, -2, -3, 0.5, 1.5, 2.0, 3.0), "complex128": (0, 1, 2, 3, 4, 5, -1, -2, 2.0, 3.0, 0.5),
    "complex64": (2, 3, 4, -1), "int32": (2, 3, 4, 5, 0.5, 1.5, 2.0, 3.0), "uint8": (2, 3, 1.5, 3.0), "int64": (2, 3, 7, 2.5),
}
CALLS = ("a ** {}", "np.power(a, {})", "np.float_power(a, {})")


def operands(dtype):
    kind = np.dtype(dtype).kind
    numbers = np.array([0, 1, 2, 3, 5, 7]) if kind in "iu" else np.array([-0.0, 0.0, 0.3, 1.0, 1.7, 3.3, np.inf, np.nan])
    if kind == "f":
        numbers = np.concatenate((numbers, -numbers, [1e-30, 1e30]))
    if kind == "c":
        numbers = numbers[2:6] + 1j * np.array([0.3, -2.0, 0.0, 1.1])
    return numbers.astype(dtype)


def as_pow(a, exponent):
    """By pow, which NumPy's operator does not take for a square root."""
    return np.power(a, np.full(a.shape, exponent))


@pytest.mark.parametrize("dtype", EXPONENTS)
def test_values(dtype, rng, make):
    a = operands(dtype)
    for exponent in EXPONENTS[dtype]:
        call = rng.choice(CALLS[:2] if "complex" in dtype else CALLS)
        with np.errstate(all="ignore"):
            f = make(f"def f(a):\n    return {call.format(exponent)}\n")
            got = njit(f)(a)
            base = a.astype("complex128" if got.dtype.kind == "c" else got.dtype)
            is_whole = got.dtype.kind == "i" and not isinstance(exponent, float)
            want = as_pow(base, np.int64(exponent) if is_whole else exponent).astype(got.dtype)
        rtol = 1e-6 if got.dtype.char in "fF" else 4e-15  # at most 16 units in the last place
        assert np.allclose(got, want, rtol=rtol, atol=0, equal_nan=True), (call, exponent, got, want)


@pytest.mark.parametrize("text", ("a ** 3", "a ** 4", "a ** -2", "a ** 1.5", "a ** 3.0", "np.power(a, 3)", "np.power(a, -1.5)",
                                  "np.float_power(a, 3)", "(a ** 3 + 1).sum()", "2 * a ** 3 - a ** -1"))
def test_no_logarithm(text, make):
    compiled = njit(make(f"def f(a):\n    return {text}\n"))
    compiled(np.ones(3))
    assert "pow" not in next(iter(compiled.inspect_llvm().values())).replace("llvm.powi", "").replace("power", "")


def test_numbers(make):
    for text in ("x ** 3", "x ** 3.0", "x ** -2.0", "np.power(x, 3)", "np.power(x, -2)", "x ** 1.5", "np.float_power(x, 4)"):
        f = make(f"def f(x):\n    return {text}\n")
        for x in (0.3, 1.7, 12.5, np.float64(3.25)):
            assert np.isclose(njit(f)(x), f(x), rtol=2e-15)
