# SPDX-License-Identifier: MIT
"""Functions of complex numbers in terms of real ones, for devices, and those of the module cmath
that are made of others."""
import cmath
import math

import numpy as np

from gridcell.library import compiled, natural_log


@compiled
def phase(z):
    return math.atan2(z.imag, z.real)


@compiled
def polar(z):
    return abs(z), math.atan2(z.imag, z.real)


@compiled
def rect(r, phi):
    if phi == 0:
        return complex(r, r * phi)
    return complex(r * math.cos(phi), r * math.sin(phi))


@compiled
def log_to(z, base=None):
    if base is None:
        return natural_log(z)
    return natural_log(z) / natural_log(base)


@compiled
def isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if cmath.isinf(a) or cmath.isinf(b):
        return False
    distance = abs(a - b)
    return distance <= rel_tol * abs(b) or distance <= rel_tol * abs(a) or distance <= abs_tol


@compiled
def exp(z):
    size = math.exp(z.real)
    return complex(size * math.cos(z.imag), size * math.sin(z.imag))


@compiled
def exp2(z):
    size = math.exp2(z.real)
    angle = z.imag * 0.6931471805599453
    return complex(size * math.cos(angle), size * math.sin(angle))


@compiled
def expm1(z):
    half = math.sin(z.imag / 2)
    return complex(math.expm1(z.real) * math.cos(z.imag) - 2 * half * half,
                   math.exp(z.real) * math.sin(z.imag))


@compiled
def log(z):
    return complex(math.log(abs(z)), math.atan2(z.imag, z.real))


@compiled
def log2(z):
    return complex(math.log2(abs(z)), math.atan2(z.imag, z.real) / 0.6931471805599453)


@compiled
def log10(z):
    return complex(math.log10(abs(z)), math.atan2(z.imag, z.real) / 2.302585092994046)


@compiled
def log1p(z):
    return complex(math.log(math.hypot(z.real + 1, z.imag)), math.atan2(z.imag, z.real + 1))


@compiled
def sqrt(z):
    size = abs(z)
    if size == 0:
        return complex(size, z.imag)
    part = math.sqrt((size + abs(z.real)) / 2)
    other = z.imag / (2 * part)
    if z.real >= 0:
        return complex(part, other)
    return complex(abs(other), math.copysign(part, z.imag))


@compiled
def sin(z):
    return complex(math.sin(z.real) * math.cosh(z.imag), math.cos(z.real) * math.sinh(z.imag))


@compiled
def cos(z):
    return complex(math.cos(z.real) * math.cosh(z.imag), -math.sin(z.real) * math.sinh(z.imag))


@compiled
def sinh(z):
    return complex(math.sinh(z.real) * math.cos(z.imag), math.cosh(z.real) * math.sin(z.imag))


@compiled
def cosh(z):
    return complex(math.cosh(z.real) * math.cos(z.imag), math.sinh(z.real) * math.sin(z.imag))


@compiled
def tanh(z):
    if abs(z.real) > 20:
        return complex(math.copysign(1.0, z.real), 4 * math.sin(z.imag) * math.cos(z.imag)
                       * math.exp(-2 * abs(z.real)))
    t, s = math.tan(z.imag), math.sinh(z.real)
    c = math.cosh(z.real)
    scale = 1 + s * s * (1 + t * t)
    return complex(s * c * (1 + t * t) / scale, t / scale)


@compiled
def tan(z):
    w = tanh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)


@compiled
def asinh(z):
    w = z * z + 1
    root = sqrt(w)
    if z.real >= 0:
        return log(z + root)
    return -log(root - z)


@compiled
def acosh(z):
    return log(z + sqrt(z + 1) * sqrt(z - 1))


@compiled
def atanh(z):
    return (log(1 + z) - log(1 - z)) / 2


@compiled
def asin(z):
    w = asinh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)


@compiled
def acos(z):
    w = asin(z)
    return complex(1.5707963267948966 - w.real, -w.imag)


@compiled
def atan(z):
    w = atanh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)


@compiled
def imag_of_reals(a):
    return np.zeros(a.shape, a.dtype)
