# SPDX-License-Identifier: MIT
"""Functions of one or two numbers that NumPy applies to arrays, where they are not primitives."""
import math

import numpy as np

from gridcell.library import (
    ARRAY, BOOL, COMPLEX, FLOAT, INT, NUMBER, STRING, bits, compiled, dtype_of, form, kind, small)
from gridcell.library.elementwise import line, number_of, value
from gridcell.library.numbers import common_divisor, magnitude
from gridcell.library.strides import is_same


@compiled
def as_float(x):
    if kind(x) == FLOAT:
        return x
    elif bits(x) <= 16:
        return np.float32(x)
    else:
        return float(x)


@compiled
def log_of_sum(x1, x2, power, log_2, unit):
    """Of two powers; of a sum s, log1p(s) * unit is the logarithm to the base."""
    result = dtype_of(np.hypot(x1, x2))
    x = result(x1)
    y = result(x2)
    if x == y:
        return result(x + result(log_2))
    step = x - y
    if step > 0:
        return result(x + np.log1p(power(-step)) * result(unit))
    elif step <= 0:
        return result(y + np.log1p(power(step)) * result(unit))
    else:
        return step


@compiled
def logaddexp(x1, x2):
    return log_of_sum(x1, x2, np.exp, 0.6931471805599453, 1)


@compiled
def logaddexp2(x1, x2):
    return log_of_sum(x1, x2, np.exp2, 1, 1.4426950408889634)


# Complex numbers are in order by their real parts, then by their imaginary ones. One that has a
# NaN is in no order with others of another real part.


@compiled
def complex_less(x1, x2):
    return (x1.real < x2.real and x1.imag == x1.imag and x2.imag == x2.imag) or \
        (x1.real == x2.real and x1.imag < x2.imag)


@compiled
def complex_less_equal(x1, x2):
    return (x1.real < x2.real and x1.imag == x1.imag and x2.imag == x2.imag) or \
        (x1.real == x2.real and x1.imag <= x2.imag)


@compiled
def complex_greater(x1, x2):
    return complex_less(x2, x1)


@compiled
def complex_greater_equal(x1, x2):
    return complex_less_equal(x2, x1)


def complex_extreme(holds):
    """The first number where `holds` says so or it is a NaN, else the second one."""
    @compiled
    def function(x1, x2):
        dtype = dtype_of(np.add(x1, x2))
        x, y = dtype(x1), dtype(x2)
        return x if x != x or holds(x, y) else y

    return function


complex_maximum = complex_extreme(complex_greater_equal)
complex_minimum = complex_extreme(complex_less_equal)


def number_extreme(of_two, of_complex):
    """As np.maximum and np.minimum, but a NaN is passed over."""
    @compiled
    def function(x1, x2):
        if kind(x1) == COMPLEX or kind(x2) == COMPLEX:
            dtype = dtype_of(np.add(x1, x2))
            return dtype(x1) if x2 != x2 else dtype(x2) if x1 != x1 else of_complex(x1, x2)
        elif x1 != x1:
            return dtype_of(of_two(x1, x2))(x2)
        elif x2 != x2:
            return dtype_of(of_two(x1, x2))(x1)
        else:
            return of_two(x1, x2)

    return function


fmax = number_extreme(np.maximum, complex_maximum)
fmin = number_extreme(np.minimum, complex_minimum)


@compiled
def fmod(x1, x2):
    result = dtype_of(np.remainder(x1, x2))
    if kind(result(0)) < FLOAT:
        if x2 == 0:
            return result(0)
        x, y = result(x1), result(x2)
        rest = result(x % y)
        return result(rest - y) if rest != 0 and (x < 0) != (y < 0) else rest
    else:
        return result(math.fmod(result(x1), result(x2)))


@compiled
def float_power(x1, x2):
    if kind(x1) == COMPLEX or kind(x2) == COMPLEX:
        return np.power(np.complex128(x1), np.complex128(x2))
    else:
        return np.power(np.float64(x1), np.float64(x2))


@compiled
def gcd(x1, x2):
    result = dtype_of(np.positive(np.add(x1, x2)))
    return result(common_divisor(magnitude(result(x1)), magnitude(result(x2))))


@compiled
def lcm(x1, x2):
    result = dtype_of(np.add(x1, x2))
    a, b = magnitude(result(x1)), magnitude(result(x2))
    divisor = common_divisor(a, b)
    return result(0) if divisor == np.uint64(0) else result(a // divisor * b)


@compiled
def joined_float(x1, x2):
    """A number of the floats that hold both: beside one that is given, integers are taken into its precision."""
    if kind(x1) == FLOAT or kind(x2) == FLOAT:
        return np.add(x1, x2)
    else:
        return np.add(as_float(x1), as_float(x2))


@compiled
def heaviside(x1, x2):
    result = dtype_of(joined_float(x1, x2))
    x = result(x1)
    if x == 0:
        return result(x2)
    elif x != x:
        return x
    else:
        return result(0) if x < 0 else result(1)


@compiled
def ldexp(x1, x2):
    x = as_float(x1)
    return dtype_of(x)(math.ldexp(float(x), x2))


@compiled
def signbit(x):
    if kind(x) == FLOAT:
        return math.copysign(1.0, float(x)) < 0
    else:
        return x < 0


@compiled
def half_spacing(x):
    """As NumPy does: never negative, and towards 0 from a negative power of two."""
    size = abs(x)
    if not math.isfinite(size):
        return np.float16(math.nan)
    if x == 65504:
        return np.float16(math.inf)
    part, exponent = math.frexp(size)
    step = exponent - 12 if x < 0 and part == 0.5 else exponent - 11
    return np.float16(math.ldexp(1.0, -24 if size == 0 else max(step, -24)))


@compiled
def spacing(x):
    y = as_float(x)
    if kind(x) == FLOAT and bits(x) == 16:
        return half_spacing(float(x))
    return np.nextafter(y, dtype_of(y)(math.copysign(math.inf, float(y)))) - y


@compiled
def reciprocal(x):
    if kind(x) == COMPLEX:
        if x == 0:
            return dtype_of(x)(complex(math.nan, math.nan))
        return np.divide(dtype_of(x)(1), x)
    elif kind(x) == FLOAT:
        return np.divide(dtype_of(x)(1), x)
    elif kind(x) == BOOL:
        return np.int8(x)
    else:
        return dtype_of(np.add(x, x))(x if x == 1 or (kind(x) == INT and x == -1) else 0)


@compiled
def conjugate(x):
    return x.conjugate() if kind(x) == COMPLEX else np.int8(x) if kind(x) == BOOL else x


@compiled
def conjugate_method(x):
    """Of an array, which keeps truth values."""
    return x.conjugate() if kind(x) == COMPLEX else x


@compiled
def rint_of_complex(x):
    return dtype_of(x)(complex(np.rint(x.real), np.rint(x.imag)))


@compiled
def logical_and(x1, x2):
    return bool(x1) and bool(x2)


@compiled
def logical_or(x1, x2):
    return bool(x1) or bool(x2)


@compiled
def logical_xor(x1, x2):
    return bool(x1) != bool(x2)


@compiled
def isneginf(x):
    return x == -math.inf and x < 0  # of complex numbers refused: which part would it be?


@compiled
def isposinf(x):
    return x == math.inf and x > 0


@compiled
def iscomplex(x):
    return x.imag != 0 if kind(x) == COMPLEX else False


@compiled
def isreal(x):
    return not iscomplex(x)


@compiled
def sign(x):
    """Of a complex number."""
    size = abs(x)
    if size != size:
        return dtype_of(x)(complex(math.nan, math.nan))
    elif math.isinf(size):
        if math.isinf(x.real) and math.isinf(x.imag):
            return dtype_of(x)(complex(math.nan, math.nan))
        else:
            real = math.copysign(1.0, x.real) if math.isinf(x.real) else 0.0
            return dtype_of(x)(complex(real, math.copysign(1.0, x.imag) if math.isinf(x.imag) else 0.0))
    elif size == 0:
        return dtype_of(x)(0)
    else:
        return dtype_of(x)(complex(x.real / size, x.imag / size))


@compiled
def radians(x):
    y = as_float(x)
    return y * dtype_of(y)(0.017453292519943295)


@compiled
def degrees(x):
    y = as_float(x)
    return y * dtype_of(y)(57.29577951308232)


@compiled
def as_single(x):
    return np.float32(x)


@compiled
def as_double(x):
    return np.float64(x)


@compiled
def angle(z, deg=False):
    if kind(z) == COMPLEX:
        turn = np.arctan2(np.imag(z), np.real(z))
    elif form(z) == NUMBER:
        turn = np.arctan2(dtype_of(as_float(z))(0), as_float(z))
    elif kind(z) == BOOL:
        turn = np.arctan2(np.zeros(z.shape), z)
    else:
        turn = np.arctan2(np.zeros_like(z), z)
    if deg:
        return turn * dtype_of(turn)(180 / math.pi)
    else:
        return turn


@compiled
def sinc(x):
    if kind(x) == COMPLEX:
        y = dtype_of(x)(math.pi * (x if x != 0 else 1e-20))
        return np.sin(y) / y
    else:
        wide = x if kind(x) == FLOAT else float(x)
        y = wide * dtype_of(wide)(math.pi)
        return dtype_of(y)(1) if y == 0 else np.sin(y) / y


SMALL_I0 = (
    -4.41534164647933937950E-18, 3.33079451882223809783E-17, -2.43127984654795469359E-16, 1.71539128555513303061E-15,
    -1.16853328779934516808E-14, 7.67618549860493561688E-14, -4.85644678311192946090E-13, 2.95505266312963983461E-12,
    -1.72682629144155570723E-11, 9.67580903537323691224E-11, -5.18979560163526290666E-10, 2.65982372468238665035E-9,
    -1.30002500998624804212E-8, 6.04699502254191894932E-8, -2.67079385394061173391E-7, 1.11738753912010371815E-6,
    -4.41673835845875056359E-6, 1.64484480707288970893E-5, -5.75419501008210370398E-5, 1.88502885095841655729E-4,
    -5.76375574538582365885E-4, 1.63947561694133579842E-3, -4.32430999505057594430E-3, 1.05464603945949983183E-2,
    -2.37374148058994688156E-2, 4.93052842396707084878E-2, -9.49010970480476444210E-2, 1.71620901522208775349E-1,
    -3.04682672343198398683E-1, 6.76795274409476084995E-1)
LARGE_I0 = (
    -7.23318048787475395456E-18, -4.83050448594418207126E-18, 4.46562142029675999901E-17, 3.46122286769746109310E-17,
    -2.82762398051658348494E-16, -3.42548561967721913462E-16, 1.77256013305652638360E-15, 3.81168066935262242075E-15,
    -9.55484669882830764870E-15, -4.15056934728722208663E-14, 1.54008621752140982691E-14, 3.85277838274214270114E-13,
    7.18012445138366623367E-13, -1.79417853150680611778E-12, -1.32158118404477131188E-11, -3.14991652796324136454E-11,
    1.18891471078464383424E-11, 4.94060238822496958910E-10, 3.39623202570838634515E-9, 2.26666899049817806459E-8,
    2.04891858946906374183E-7, 2.89137052083475648297E-6, 6.88975834691682398426E-5, 3.36911647825569408990E-3,
    8.04490411014108831608E-1)


@compiled
def chebyshev(x, coefficients):
    b0 = 0.0
    b1 = 0.0
    b2 = 0.0
    for c in coefficients:
        b2 = b1
        b1 = b0
        b0 = x * b1 - b2 + c
    return 0.5 * (b0 - b2)


@compiled
def i0(x):
    y = abs(float(x))
    if y <= 8.0:
        return math.exp(y) * chebyshev(y / 2.0 - 2.0, SMALL_I0)
    else:
        return math.exp(y) * chebyshev(32.0 / y - 2.0, LARGE_I0) / math.sqrt(y)


# --- Questions about types


@small
def isscalar(element):
    return element is not None and (form(element) == NUMBER or form(element) == STRING)


@small
def iscomplexobj(x):
    return x is not None and kind(x) == COMPLEX


@small
def isrealobj(x):
    return x is None or kind(x) != COMPLEX


@small
def real(val):
    return val.real if kind(val) == COMPLEX else val


@small
def imag(val):
    if kind(val) == COMPLEX:
        return val.imag
    elif form(val) == NUMBER:
        return dtype_of(val)(0)
    else:
        return np.zeros(val.shape, val.dtype)


# --- of two results

# An output may overlap an operand: all is computed before any is written.
@compiled
def into(result, out):
    if out is None:
        return result
    else:
        np.copyto(out, result)
        return out


@compiled
def into_both(first, second, out1, out2):
    """Of two floats NumPy leaves the first one in an array that is both outputs, of others the second one."""
    if form(out1) == ARRAY and form(out2) == ARRAY and kind(second) == FLOAT:
        if is_same(out1, out2) and dtype_of(out1) == dtype_of(first):
            into(second, out2)
            return into(first, out1), out2
    return into(first, out1), into(second, out2)


@compiled
def both_of_division(x1, x2, out1=None, out2=None):
    whole, rest = np.floor_divide(x1, x2), np.remainder(x1, x2)
    if out1 is None and out2 is None:
        return number_of(whole), number_of(rest)
    else:
        return into_both(whole, rest, out1, out2)


@compiled
def modf_of_number(x):
    whole = np.trunc(x)
    if math.isinf(x):
        return np.copysign(dtype_of(x)(0), x), whole
    else:
        return np.copysign(x - whole, x), whole


@compiled
def frexp_of_number(x):
    m, e = math.frexp(x)
    return dtype_of(x)(m), np.int32(e)


@compiled
def each_modf(items, first, second):
    for i in range(len(items)):
        first[i], second[i] = modf_of_number(as_float(items[i]))


@compiled
def each_frexp(items, first, second):
    if kind(items) != FLOAT:
        each_frexp(np.multiply(items, first.dtype(1)), first, second)
    elif bits(items) == 64:
        frexp_by_bits(items, items.view(np.int64), first.view(np.int64), first, second, 52, 0x7ff, 1022)
    elif bits(items) == 32:
        frexp_by_bits(items, items.view(np.int32), first.view(np.int32), first, second, 23, 0xff, 126)
    else:
        for i in range(len(items)):
            first[i], second[i] = frexp_of_number(items[i])


@compiled
def frexp_by_bits(items, patterns, mantissas, first, second, at, mask, half):
    """Exponents are taken out of numbers and that of one half put in, but for what has no leading 1."""
    dtype = patterns.dtype
    for i in range(len(items)):
        pattern = patterns[i]
        exponent = (pattern >> dtype(at)) & dtype(mask)
        if exponent == 0 or exponent == mask:
            first[i], second[i] = frexp_of_number(items[i])
        else:
            mantissas[i] = (pattern & ~(dtype(mask) << dtype(at))) | (dtype(half) << dtype(at))
            second[i] = exponent - half


def in_two(of_number, of_items):
    """The two results of each item, as two arrays."""
    @compiled
    def results(x):
        if np.ndim(x) == 0:
            return of_number(as_float(value(x)))
        else:
            left, right = of_number(as_float(x.dtype(0)))
            first = np.empty(x.shape, dtype_of(left))
            second = np.empty(x.shape, dtype_of(right))
            of_items(x.ravel(), line(first), line(second))
            return first, second

    @compiled
    def function(x, out1=None, out2=None):
        first, second = results(x)
        return into_both(first, second, out1, out2)

    return function


modf = in_two(modf_of_number, each_modf)  # fractions and whole parts, with the signs of x
frexp = in_two(frexp_of_number, each_frexp)  # mantissas and exponents of two
