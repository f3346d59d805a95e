"""x % y, x // y, divmod, math.fmod and NumPy's remainders of floats: bit for bit what CPython and NumPy give."""
import math

import numpy as np
import pytest
from conftest import function_of
from numba import njit

EDGES = [0.0, 5e-324, 2.2250738585072014e-308, 1e-300, 0.1, 0.25, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 3.7, 6.283185307179586, 7.0, 1e5,
         2.0**51 - 0.5, 2.0**52 + 1, 2.0**53, 1e17, 1e155, 1.7976931348623157e308, math.inf, math.nan]
CONSTANTS = [0.3, 0.5, 1.0, -1.0, 2.0, 3.0, -4.0, 1024.0, 2.0**200]


def numbers(dtype):
    rng = np.random.default_rng(11)
    edges = np.array(EDGES)
    multiples = rng.integers(1, 1 << 20, 60) * rng.choice([0.1, 0.3, 1.7, 3.7], 60)  # quotients just below whole numbers
    with np.errstate(over="ignore"):
        near = np.concatenate([np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])
        some = np.concatenate([edges, near, multiples, rng.standard_normal(40) * 10.0 ** rng.integers(-12, 12, 40)]).astype(dtype)
    return np.concatenate([some, -some])


def bits(array):
    """The array's bits; those of NaN are one number, as only its being one counts."""
    array = np.asarray(array)
    whole = array.view({4: np.uint32, 8: np.uint64}[array.itemsize]).copy()
    whole[np.isnan(array)] = 0
    return whole


FORMS = {"%": "x % y", "//": "x // y", "divmod": "divmod(x, y)[0] + divmod(x, y)[1]", "fmod": "math.fmod(x, y)"}


def table(divisor, form):
    """A function that fills an array, by scalars."""
    return function_of("def f(a, b, out):\n    for i in range(len(a)):\n        x = a[i]\n"
                       f"        y = {'b[i]' if divisor is None else repr(divisor)}\n        out[i] = {form}\n")


@pytest.mark.parametrize("divisor", [None, *CONSTANTS])
@pytest.mark.parametrize("form", FORMS)
def test_python_floats(form, divisor):
    all_numbers = numbers(np.float64)
    a = np.repeat(all_numbers, len(all_numbers))
    b = np.tile(all_numbers, len(all_numbers))
    if divisor is not None:
        a, b = all_numbers, np.full(len(all_numbers), divisor)
    keep = b != 0  # raises, which others test
    if form == "fmod":
        keep &= ~np.isinf(a)  # likewise
    a, b = a[keep], b[keep]
    f = table(divisor, FORMS[form])
    got, want = np.empty(len(a)), np.empty(len(a))
    f(a.tolist(), b.tolist(), want)
    njit(f)(a, b, got)
    wrong = np.flatnonzero(bits(got) != bits(want))
    assert not len(wrong), [(a[i], b[i], got[i], want[i]) for i in wrong[:5]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["remainder", "fmod"])
def test_numpy(name, dtype):
    function = getattr(np, name)
    x = numbers(dtype)[:, None]
    y = numbers(dtype)[None, :]
    with np.errstate(all="ignore"):
        want = function(x, y)
    got = njit(lambda a, b: function(a, b))(x, y)
    assert got.dtype == want.dtype
    wrong = np.argwhere(bits(got.ravel()) != bits(want.ravel()))
    assert not len(wrong), [(x.ravel()[i // x.size], y.ravel()[i % x.size], got.ravel()[i], want.ravel()[i]) for i in wrong[:5, 0]]


def test_loops_by_powers_of_two_vectorise():
    @njit
    def f(a):
        for i in range(len(a)):
            a[i] = a[i] % 4.0

    f(np.ones(5))
    code = next(iter(f.inspect_llvm().values()))
    assert "fmod" not in code and " x double> @llvm.trunc" in code


def test_the_fraction_of_a_number_takes_no_comparison():
    f = njit(function_of("def f(x):\n    return x % 1.0\n"))
    assert f(-0.25) == 0.75
    assert "fcmp" not in f.inspect_llvm(f.signatures[0])
