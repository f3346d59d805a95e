# SPDX-License-Identifier: MIT
"""Functions of the math module that are loops or return several values."""
import math

from gridcell.library import compiled


@compiled
def gcd(a, b):
    a, b = abs(a), abs(b)
    while b != 0:
        a, b = b, a % b
    return a


@compiled
def frexp(x):
    """x as (m, e) with x == m * 2**e and 0.5 <= abs(m) < 1."""
    if x == 0 or math.isnan(x) or math.isinf(x):
        return float(x), 0
    e = math.floor(math.log2(abs(x))) + 1
    m = math.ldexp(math.ldexp(x, -(e // 2)), -(e - e // 2))
    while abs(m) >= 1:
        m, e = m / 2, e + 1
    while abs(m) < 0.5:
        m, e = m * 2, e - 1
    return m, e


@compiled
def modf(x):
    """The fraction and the whole part of x, both with its sign."""
    x = float(x)
    if math.isnan(x):
        return x, x
    elif math.isinf(x):
        return math.copysign(0.0, x), x
    whole = x
    if abs(x) < 4503599627370496.0:  # 2**52: from there on every float is whole
        whole = math.copysign(float(math.trunc(x)), x)
    return math.copysign(x - whole, x), whole
