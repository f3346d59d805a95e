# SPDX-License-Identifier: MIT
"""Complex functions in kernels: cmath's results, also at zeros, infinities and nans."""
import cmath
import itertools
import math
import sys

from common import cuda, np
from numba import types

PARTS = [0.0, -0.0, 1.0, -1.0, 2.5, -0.3, math.inf, -math.inf, math.nan, -1e300, 1e300, 1e-310]
NAMES = ("acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh").split()

TEXT = "def kernel(z, out):\n    i = cuda.grid(1)\n    if i < z.size:\n        w = z[i]\n" + "".join(
    f"        out[{number}, i] = cmath.{name}(w)\n" for number, name in enumerate(NAMES))


def compiled(dtype):
    namespace = {"cuda": cuda, "cmath": cmath}
    exec(TEXT, namespace)
    return cuda.jit(namespace["kernel"])


def run(numbers, dtype):
    z = np.array(numbers, dtype)
    out = np.zeros((len(NAMES), len(numbers)), dtype)
    compiled(dtype)[(len(numbers) + 63) // 64, 64](z, out)
    return z, out


def are_close(x, y, tolerance, floor):
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    if math.isinf(x) or math.isinf(y):
        return x == y
    return abs(x - y) <= tolerance * max(abs(x), abs(y), floor) and (
        math.copysign(1, x) == math.copysign(1, y) or abs(x) < floor / 1e4)


def check(numbers, dtype, tolerance, floor):
    z, out = run(numbers, dtype)
    wrong = []
    for name, row in zip(NAMES, out.tolist()):
        for number, found in zip(z.tolist(), row):
            try:
                expected = getattr(cmath, name)(number)
            except (ValueError, OverflowError):
                continue
            if sys.version_info >= (3, 14) and 0 in (number.real, number.imag) and cmath.isnan(number):
                continue  # cmath follows C11's correction of these, compiled code C99
            # C leaves the sign of these parts open
            if math.isnan(number.imag) or math.isnan(number.real):
                expected, found = (complex(abs(w.real), abs(w.imag)) for w in (expected, found))
            if not (are_close(expected.real, found.real, tolerance, floor)
                    and are_close(expected.imag, found.imag, tolerance, floor)):
                wrong.append((name, number, expected, found))
    assert not wrong, (len(wrong), wrong[:5])


def test_special_values():
    check([complex(*pair) for pair in itertools.product(PARTS, PARTS)], np.complex128, 1e-12, 1e-300)


def test_accuracy():
    random = np.random.default_rng(1)
    numbers = [complex(*pair) for pair in random.normal(size=(200, 2)) * 3]
    numbers += [cmath.rect(1 + 1e-9 * k, k) for k in range(20)]
    check(numbers, np.complex128, 1e-13, 1e-3)
    check(numbers, np.complex64, 2e-5, 1e-1)


def test_types():
    @cuda.jit
    def kernel(z, w, out):
        out[0] = cmath.exp(z[0]).real
        out[1] = cmath.exp(w[0]).real
        z[0], w[0] = cmath.acos(z[0]), np.sqrt(w[0])

    z, w, out = np.ones(1, np.complex64), np.ones(1, np.complex128), np.zeros(2)
    kernel[1, 1](z, w, out)
    assert out[0] == np.float32(math.e) and out[1] == math.e
    for type in (types.complex64, types.complex128):
        assert cuda.compile_ptx(lambda z: cmath.asin(z), (type,), device=True)[1] == type
