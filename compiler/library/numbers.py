# SPDX-License-Identifier: MIT
"""Functions of the math module that are loops or return several values; integers as texts."""
import math

import numpy as np

from gridcell.library import FLOAT, UINT, compiled, kind


@compiled
def magnitude(x):
    """Of an integer, the smallest too, whose own type does not hold it."""
    return np.uint64(-np.int64(x)) if x < 0 else np.uint64(x)


@compiled
def ulp(x):
    size = abs(float(x))
    if not size < math.inf:
        return size
    up = math.nextafter(size, math.inf)
    return up - size if up < math.inf else size - math.nextafter(size, 0.0)


@compiled
def common_divisor(a, b):
    while b != np.uint64(0):
        a, b = b, a % b
    return a


@compiled
def gcd(a, b):
    divisor = common_divisor(magnitude(a), magnitude(b))
    if divisor > np.uint64(9223372036854775807):
        raise OverflowError("the greatest common divisor does not fit in 64 bits")
    return np.int64(divisor)


@compiled
def power(x, n):
    """math.pow to an integer power."""
    if x == 0 and n < 0:
        raise ZeroDivisionError("0.0 cannot be raised to a negative power")
    return math.pow(x, n)


@compiled
def times_modulo(a, b, m):
    """a * b % m of three uint64, a and b less than m."""
    one = np.uint64(1)
    if a < np.uint64(4294967296) and b < np.uint64(4294967296):
        return a * b % m
    total = np.uint64(0)
    while b != np.uint64(0):
        if b & one != np.uint64(0):
            total = total + a if total < m - a else total - (m - a)
        a = a + a if a < m - a else a - (m - a)
        b = b >> one
    return total


@compiled
def inverse_modulo(a, m):
    """The inverse of a modulo m, for 0 <= a < m."""
    r, s, x, y = m, a, 0, 1
    while s != 0:
        quotient = r // s
        r, s = s, r - quotient * s
        x, y = y, x - quotient * y
    if r != 1:
        raise ValueError("base is not invertible for the given modulus")
    return x % m


@compiled
def pow_modulo(base, exp, mod):
    if mod == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    size = abs(np.int64(mod))
    rest = np.int64(base) % size
    left = np.int64(exp)
    if left < 0:
        rest = inverse_modulo(rest, size)
        left = -left
    m = np.uint64(size)
    factor = np.uint64(rest)
    result = np.uint64(1) % m
    while left != 0:
        if left & 1:
            result = times_modulo(result, factor, m)
        factor = times_modulo(factor, factor, m)
        left >>= 1
    whole = np.int64(result)
    return whole if mod > 0 or whole == 0 else whole - size


@compiled
def round_whole(x, ndigits):
    """An integer to 10 ** -ndigits, halves to the even one."""
    if ndigits >= 0:
        return x
    elif ndigits < -18:
        return x * 0
    unit = 10 ** -ndigits
    whole = x // unit
    rest = x - whole * unit
    if rest * 2 > unit or (rest * 2 == unit and whole % 2 != 0):
        whole += 1
    return whole * unit


@compiled
def round_natural(x, ndigits):
    """The same of an uint64, which no signed type holds."""
    if ndigits >= 0:
        return x
    elif ndigits < -19:
        return np.uint64(0)
    unit = np.uint64(1)
    for _ in range(-ndigits):
        unit *= np.uint64(10)
    whole = x // unit
    rest = x - whole * unit
    if rest > unit - rest or (rest == unit - rest and whole % np.uint64(2) != np.uint64(0)):
        whole += np.uint64(1)
    return whole * unit


@compiled
def frexp(x):
    """x as (m, e) with x == m * 2**e and 0.5 <= abs(m) < 1."""
    if x == 0 or math.isnan(x) or math.isinf(x):
        return float(x), 0
    x = float(x)
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


@compiled
def lcm(a, b):
    x, y = magnitude(a), magnitude(b)
    if x == np.uint64(0) or y == np.uint64(0):
        return 0
    part = x // common_divisor(x, y)
    if part > np.uint64(9223372036854775807) // y:
        raise OverflowError("the least common multiple does not fit in 64 bits")
    return np.int64(part * y)


@compiled
def isqrt(n):
    """The whole part of the square root."""
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    largest = np.uint64(4294967295 if kind(n) == UINT else 3037000499)
    size = np.uint64(n)
    one = np.uint64(1)
    root = np.uint64(math.sqrt(size))
    while root > largest or root * root > size:
        root -= one
    while root < largest and (root + one) * (root + one) <= size:
        root += one
    return int(root)


@compiled
def factorial(n):
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    if n > 20:
        raise OverflowError("the factorial of numbers above 20 does not fit in 64 bits")
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result


@compiled
def check_choice(n, k):
    if kind(n) >= FLOAT or kind(k) >= FLOAT:
        raise TypeError("'float' object cannot be interpreted as an integer")
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")


@compiled
def perm(n, k=None):
    if k is None:
        most = n
    else:
        most = k
    check_choice(n, most)
    return perm_of(np.int64(n), np.int64(most))


@compiled
def perm_of(n, most):
    if most > n:
        return 0
    result = 1
    for i in range(n - most + 1, n + 1):
        if result > 9223372036854775807 // i:
            raise OverflowError("the number of permutations does not fit in 64 bits")
        result *= i
    return result


@compiled
def comb(n, k):
    check_choice(n, k)
    return comb_of(np.int64(n), np.int64(k))


@compiled
def comb_of(n, k):
    if k > n:
        return 0
    if k > n - k:
        k = n - k
    result = 1
    for i in range(1, k + 1):
        factor = n - k + i
        a, b = result, i  # result * factor / i, without leaving 64 bits on the way
        while b != 0:
            a, b = b, a % b
        rest = i // a
        result //= a
        factor //= rest
        if result > 9223372036854775807 // factor:
            raise OverflowError("the number of combinations does not fit in 64 bits")
        result *= factor
    return result


@compiled
def isclose_of_reals(a, b, rel_tol=1e-09, abs_tol=0.0):
    return isclose(float(a), float(b), rel_tol, abs_tol)


@compiled
def isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    """Of the module cmath, and of math for floats."""
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if np.isinf(a) or np.isinf(b):
        return False
    distance = abs(b - a)
    return distance <= abs(rel_tol * b) or distance <= abs(rel_tol * a) or distance <= abs_tol


@compiled
def dist(p, q):
    """The distance of two points, scaled so that squares neither overflow nor vanish."""
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    largest = 0.0
    for a, b in zip(p, q):
        size = abs(float(a) - float(b))
        if math.isinf(size):
            return size
        if size > largest or math.isnan(size):
            largest = size
    if largest == 0.0 or math.isnan(largest):
        return largest
    total = 0.0
    for a, b in zip(p, q):
        part = (float(a) - float(b)) / largest
        total += part * part
    return largest * math.sqrt(total)


@compiled
def prod(iterable, start=1):
    result = start
    for x in iterable:
        result = result * x
    return result


@compiled
def fsum(seq):
    """The sum without loss: partial sums that do not overlap are kept (Shewchuk)."""
    partials = np.empty(64, np.float64)
    count = 0
    special = 0.0
    for item in seq:
        x = float(item)
        if math.isinf(x) or math.isnan(x):
            special += x
            continue
        kept = 0
        for j in range(count):
            y = partials[j]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        partials[kept] = x
        count = kept + 1
    if special != 0.0 or math.isnan(special):
        if math.isnan(special):
            return special
        return special
    if count == 0:
        return 0.0
    high = partials[count - 1]
    low = 0.0
    n = count - 1
    while n > 0:
        x = high
        n -= 1
        y = partials[n]
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            break
    if n > 0 and ((low < 0.0 and partials[n - 1] < 0.0) or (low > 0.0 and partials[n - 1] > 0.0)):
        y = low * 2.0  # half a unit in the last place: the rest decides
        x = high + y
        if y == x - high:
            high = x
    return high


@compiled
def bit_length(n):
    size = abs(n)
    count = 0
    if size < 0:  # the smallest integer has no opposite
        return 64
    while size != 0:
        size >>= 1
        count += 1
    return count


@compiled
def bit_count(n):
    size = abs(n)
    count = 0
    if size < 0:
        return 1
    while size != 0:
        count += size & 1
        size >>= 1
    return count


@compiled
def is_integer(x):
    return x - x == 0 and np.floor(x) == x


# `n & n` is n, and refuses what is no integer.

@compiled
def binary(n):
    return f"{n & n:#b}"


@compiled
def hexadecimal(n):
    return f"{n & n:#x}"


@compiled
def octal(n):
    return f"{n & n:#o}"
