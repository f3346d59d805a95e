# SPDX-License-Identifier: MIT
"""Functions of complex numbers in terms of real ones, for devices, and those of the module cmath
that are made of others."""
import math

import numpy as np

from gridcell.library import C, compiled, natural_log, strided

LN_2, LN_10, HALF_PI = 0.6931471805599453, 2.302585092994046, 1.5707963267948966
LARGE = 4e307


@compiled
def phase(z):
    return math.atan2(z.imag, z.real)


@compiled
def polar(z):
    return abs(z), math.atan2(z.imag, z.real)


@compiled
def rect(r, phi):
    if phi == 0:  # r * phi would be NaN for an infinite r
        return complex(r, math.copysign(phi, math.copysign(1.0, r) * math.copysign(1.0, phi)) if r == r else 0.0)
    if math.isinf(r) and phi != phi:
        return complex(math.inf, phi)
    if r == 0 and not math.isfinite(phi):
        return complex(abs(r), abs(r))
    return complex(r * math.cos(phi), r * math.sin(phi))


@compiled
def log_to(z, base=None):
    if base is None:
        return natural_log(z)
    return natural_log(z) / natural_log(base)


@compiled
def exp(z):
    return turned(math.exp(z.real), z.real, z.imag)


@compiled
def exp2(z):
    return turned(math.exp2(z.real), z.real * LN_2, z.imag * LN_2)


@compiled
def turned(size, x, angle):
    """What has the absolute value `size`, which is exp(x), and this angle."""
    if angle == 0:
        return complex(size, angle)
    if math.isinf(x) and not math.isfinite(angle):
        return complex(size, size if x < 0 else angle - angle)
    if math.isinf(size) and math.isfinite(x):
        half = math.exp(x / 2)
        return complex(half * math.cos(angle) * half, half * math.sin(angle) * half)
    return complex(size * math.cos(angle), size * math.sin(angle))


@compiled
def expm1(z):
    x, y = z.real, z.imag
    if y == 0:
        return complex(math.expm1(x), y)
    if math.isinf(x):
        w = exp(z)
        return complex(w.real - 1, w.imag)
    half = math.sin(y / 2)
    return complex(math.expm1(x) * math.cos(y) - 2 * half * half, math.exp(x) * math.sin(y))


@compiled
def log_of_size(x, y):
    """The logarithm of |x + iy|, exact where that is near 1 and where it overflows."""
    size = math.hypot(x, y)
    if 0.7 < size < 1.8:
        long, short = max(abs(x), abs(y)), min(abs(x), abs(y))
        return math.log1p((long - 1) * (long + 1) + short * short) / 2
    if math.isinf(size) and math.isfinite(x) and math.isfinite(y):
        return math.log(math.hypot(x / 2, y / 2)) + LN_2
    return math.log(size)


@compiled
def log(z):
    return complex(log_of_size(z.real, z.imag), math.atan2(z.imag, z.real))


@compiled
def log2(z):
    return complex(math.log2(abs(z)), math.atan2(z.imag, z.real) / LN_2)


@compiled
def log10(z):
    return complex(log_of_size(z.real, z.imag) / LN_10, math.atan2(z.imag, z.real) / LN_10)


@compiled
def log1p(z):
    return complex(log_of_size(z.real + 1, z.imag), math.atan2(z.imag, z.real + 1))


@compiled
def sqrt(z):
    x, y = z.real, z.imag
    size = math.hypot(x, y)
    if size == 0:
        return complex(size, y)
    if math.isinf(y):
        return complex(size, y)
    if math.isinf(x):
        rest = y - y  # 0 or nan
        return complex(size, math.copysign(rest, y)) if x > 0 else complex(rest, math.copysign(x, y))
    if math.isinf(size):
        part = math.sqrt((math.hypot(x / 8, y / 8) + abs(x / 8)) / 2)
        other = y / 16 / part
        scale = math.sqrt(8)
        part, other = part * scale, other * scale
    else:
        part = math.sqrt((size + abs(x)) / 2)
        other = y / (2 * part)
    if x >= 0:
        return complex(part, other)
    return complex(abs(other), math.copysign(part, y))


@compiled
def sinh(z):
    x, y = z.real, z.imag
    if y == 0:
        return complex(math.sinh(x), y)
    if not math.isfinite(y):
        if x == 0 or math.isinf(x):
            return complex(abs(x), y - y)
    big = math.cosh(x)
    if math.isinf(big) and math.isfinite(x):
        half = math.exp(abs(x) / 2)
        return complex(math.copysign(half, x) * math.cos(y) / 2 * half, half * math.sin(y) / 2 * half)
    return complex(math.sinh(x) * math.cos(y), big * math.sin(y))


@compiled
def cosh(z):
    x, y = z.real, z.imag
    if y == 0:
        return complex(math.cosh(x), abs(y) if math.isnan(x) else math.copysign(1.0, x) * y)
    if not math.isfinite(y):
        if x == 0:
            return complex(y - y, abs(x))
        if math.isinf(x):
            return complex(abs(x), y - y)
    big = math.cosh(x)
    if math.isinf(big) and math.isfinite(x):
        half = math.exp(abs(x) / 2)
        return complex(half * math.cos(y) / 2 * half, math.copysign(half, x) * math.sin(y) / 2 * half)
    return complex(big * math.cos(y), math.sinh(x) * math.sin(y))


def turned_back(hyperbolic):
    """The function of angles that belongs to a hyperbolic one: f(iz) / i."""
    @compiled
    def function(z):
        w = hyperbolic(complex(-z.imag, z.real))
        return complex(w.imag, -w.real)

    return function


sin = turned_back(sinh)


@compiled
def cos(z):
    return cosh(complex(-z.imag, z.real))


@compiled
def tanh(z):
    x, y = z.real, z.imag
    if y == 0:
        return complex(math.tanh(x), y)
    if not math.isfinite(y):
        return complex(math.copysign(1.0, x), 0.0) if math.isinf(x) else complex(y - y, y - y)
    if abs(x) > 20:
        return complex(math.copysign(1.0, x), 4 * math.sin(y) * math.cos(y) * math.exp(-2 * abs(x)))
    if x == 0:
        return complex(x, math.tan(y))
    t, s = math.tan(y), math.sinh(x)
    scale = 1 + s * s * (1 + t * t)
    return complex(s * math.cosh(x) * (1 + t * t) / scale, t / scale)


tan = turned_back(tanh)


# The inverse functions are computed in double precision, by way of the square roots of what they are
# at most 1 from: that is exact where powers and logarithms cancel.


@compiled
def is_large(x, y):
    """Whether 1 is nothing beside a part, which may be infinite."""
    return abs(x) > LARGE or abs(y) > LARGE


@compiled
def log_of_twice(x, y):
    return math.log(math.hypot(x / 2, y / 2)) + 2 * LN_2


@compiled
def asinh(z):
    x, y = np.float64(z.real), np.float64(z.imag)
    if is_large(x, y):
        return complex(math.copysign(log_of_twice(x, y), x), math.atan2(y, abs(x)))
    if y == 0:
        return complex(math.asinh(x), y)
    a, b = sqrt(complex(1 + y, -x)), sqrt(complex(1 - y, x))
    return complex(math.asinh(a.real * b.imag - b.real * a.imag),
                   math.atan2(y, a.real * b.real - a.imag * b.imag))


@compiled
def acosh(z):
    x, y = np.float64(z.real), np.float64(z.imag)
    if is_large(x, y):
        return complex(log_of_twice(x, y), math.atan2(y, x))
    a, b = sqrt(complex(x - 1, y)), sqrt(complex(x + 1, y))
    return complex(math.asinh(a.real * b.real + a.imag * b.imag), 2 * math.atan2(a.imag, b.real))


@compiled
def atanh(z):
    x, y = np.float64(z.real), np.float64(z.imag)
    sign = math.copysign(1.0, x)
    w = atanh_of_positive(abs(x), sign * y)
    return complex(sign * w.real, sign * w.imag)


@compiled
def atanh_of_positive(x, y):
    if is_large(x, y) or max(x, abs(y)) > 6e153:
        size = math.hypot(x / 2, y / 2)
        angle = y if math.isnan(y) else math.copysign(HALF_PI, y)
        return complex(0.0 if math.isinf(size) else x / 4 / size / size, angle)
    if x == 0 and math.isnan(y):
        return complex(x, y)
    if x == 1 and abs(y) < 1e-150:
        if y == 0:
            return complex(math.inf, y)
        return complex(-math.log(math.sqrt(abs(y)) / math.sqrt(math.hypot(y, 2))),
                       math.copysign(math.atan2(2, -abs(y)) / 2, y))
    return complex(math.log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4,
                   -math.atan2(-2 * y, (1 - x) * (1 + x) - y * y) / 2)


asin = turned_back(asinh)


@compiled
def acos(z):
    x, y = np.float64(z.real), np.float64(z.imag)
    if is_large(x, y):
        return complex(math.atan2(abs(y), x), math.copysign(log_of_twice(x, y), -y))
    if x == 0 and math.isnan(y):
        return complex(HALF_PI, y)
    a, b = sqrt(complex(1 - x, -y)), sqrt(complex(1 + x, y))
    return complex(2 * math.atan2(a.real, b.real), math.asinh(b.real * a.imag - b.imag * a.real))


atan = turned_back(atanh)


@compiled
def imag_of_reals(a):
    """Zeros, which are not to be written to: they are no part of the array."""
    zeros = np.zeros(a.shape, a.dtype)
    return strided(np.broadcast_to(zeros, a.shape), a.dtype, C, 0, a.shape, None)
