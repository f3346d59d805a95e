# SPDX-License-Identifier: MIT
"""Sobol's sequence: points that fill a cube evenly.

Each dimension has a primitive polynomial over the field of two elements, of growing degree, and
odd numbers to begin its recurrence with, which are drawn once and for all.
"""
import functools

import numpy as np


def _is_primitive(polynomial, degree):
    """Whether x has the order 2**degree - 1 modulo the polynomial."""
    order = (1 << degree) - 1
    factors = [p for p in range(2, order + 1) if order % p == 0 and all(p % q for q in range(2, p))]

    def power(exponent):
        result, base = 1, 2
        while exponent:
            if exponent & 1:
                result = _times(result, base, polynomial, degree)
            base = _times(base, base, polynomial, degree)
            exponent >>= 1
        return result

    return power(order) == 1 and all(power(order // p) != 1 for p in factors)


def _times(a, b, polynomial, degree):
    result = 0
    while b:
        if b & 1:
            result ^= a
        b >>= 1
        a <<= 1
        if a >> degree & 1:
            a ^= polynomial
    return result


@functools.lru_cache(maxsize=None)
def _polynomials(count):
    found, degree = [], 1
    while len(found) < count:
        for polynomial in range((1 << degree) + 1, 1 << degree + 1, 2):
            if degree == 1 or _is_primitive(polynomial, degree):
                found.append((polynomial, degree))
        degree += 1
    return found[:count]


@functools.lru_cache(maxsize=None)
def _directions(dimension, bits):
    """The number that each bit of a point's Gray code stands for."""
    if dimension == 0:
        return tuple(1 << bits - 1 - i for i in range(bits))
    polynomial, degree = _polynomials(dimension)[-1]
    first = np.random.Generator(np.random.Philox(key=dimension))
    m = [2 * int(first.integers(0, 1 << i)) + 1 for i in range(min(degree, bits))]
    while len(m) < bits:
        value = m[-degree] ^ m[-degree] << degree
        for k in range(1, degree):
            if polynomial >> degree - k & 1:
                value ^= m[-k] << k
        m.append(value)
    return tuple(m[i] << bits - 1 - i for i in range(bits))


def sobol(count, ndim, bits, offset=0, is_scrambled=False):
    """Points offset, offset + 1, ... as unsigned integers, all of a dimension before the next."""
    index = np.arange(offset, offset + count, dtype=np.uint64)
    gray = index ^ index >> np.uint64(1)
    points = np.zeros((ndim, count), np.uint64)
    for dimension in range(ndim):
        for bit, direction in enumerate(_directions(dimension, bits)):
            is_set = (gray >> np.uint64(bit) & np.uint64(1)).astype(bool)
            points[dimension] ^= np.where(is_set, np.uint64(direction), np.uint64(0))
    if is_scrambled:
        shifts = np.random.Generator(np.random.Philox(key=1 << 64)).integers(
            0, 1 << bits, ndim, np.uint64)
        points ^= shifts[:, None]
    return points.astype(np.dtype(f"u{bits // 8}")).ravel()
