# SPDX-License-Identifier: MIT
"""Operators and the functions of integers, at their edges: as plain Python has them."""
import enum
import math
import operator

import numba
import numpy as np
import pytest
from conftest import same
from numba import njit, prange

CASES = [
    (lambda a: (operator.eq(a, 7), operator.ne(a, 7), operator.lt(a, 8), operator.le(a, 6), operator.gt(a, 6),
                operator.ge(a, 8)), (7,)),
    (lambda a: (operator.neg(a), operator.pos(a), operator.invert(a), operator.not_(a), operator.truth(a),
                operator.abs(-a)), (7,)),
    (lambda a: (operator.is_(a, None), operator.is_not(a, None), operator.contains((1, 7), a),
                operator.getitem((1, 7), 0), operator.iadd(a, 2), operator.ilshift(a, 2), operator.concat((1,), (2,))),
     (7,)),
    (lambda a, b: (operator.add(a, b), operator.mul(a, 2), operator.lt(a, b)), ([1], [2])),
    (lambda a: (operator.concat("a", "b"), operator.concat(b"1", b"2"), operator.concat([a], [2]), operator.concat((a,), (2.5,))),
     (7,)),
    (lambda a: (3.0 in a, 9.0 in a, 2 not in a), (np.array([3.0, 1, 2]),)),
    (lambda: (2**-1, 10**-2, (-2)**-3, 2**3, 2**0), ()),
    (lambda a, b: (round(a, -2), round(b, -1), round(a, 2), round(250, -2), round(350, -2), round(-250, -2),
                   round(-1251, -2)), (1234, np.int32(15))),
    (lambda a, b: (math.gcd(a, b), math.lcm(a, b), math.comb(5, 2), math.perm(5), math.perm(5, 2), math.isqrt(17),
                   math.factorial(5)), (6, 4)),
    (lambda x: (type(x) is int, type(x) is not float, type(x) == int), (3,)),
    (lambda t: (t[::-1], t[1::2], t[-1:0:-1], t[::10], t[::-10], t[3:1], t[10:], t[:-10:-1]), ((1, 2.5, 3, 4, 5),)),
    (lambda t: ((1,) * 3, 2 * t, t * 0, () * 4, (t + t) * 2, t * -1), ((1, 2.5),)),
    (lambda n: (range(n)[2], range(n)[-1], range(1, n, 2).start, range(1, n, 2).stop, range(1, n, 2).step,
                list(range(n)[2:5]), list(range(10, 0, -3)[::-1]), list(range(n)[::-2])), (10,)),
]


@pytest.mark.parametrize("place", range(len(CASES)))
def test_as_python(place):
    f, args = CASES[place]
    assert same(njit(f)(*args), f(*args), rtol=1e-15)


def test_negative_powers():
    power = njit(lambda a, b: a ** b)
    with pytest.raises(ZeroDivisionError, match="0 cannot be raised to a negative power"):
        power(0, -1)
    assert [power(a, b) for a, b in ((2**63 - 1, -2), (-1, -3), (-1, -2), (1, -5), (7, -1), (0, 0))] \
        == [0, -1, 1, 1, 0, 1]


def test_functions_of_integers():
    assert njit(lambda a: math.gcd(a, 4))(np.uint64(6)) == 2
    with pytest.raises(numba.TypingError, match="It takes integers"):
        njit(lambda a: math.gcd(a, 4))(2.5)
    with pytest.raises(numba.TypingError, match="isnan"):
        njit(lambda a: math.isnan(a))(1j)


def test_length_of_an_enum():
    class Color(enum.Enum):
        RED = 1
        BLUE = 2
    assert njit(lambda: len(Color))() == 2


def test_unpacking():
    @njit
    def each(n):
        a, b = range(n)
        c, d = "xy"
        e, g = np.arange(n)
        h, *i, j = [1, 2, 3, 4]
        k, *rest = [n]
        return a, b, c, d, e, g, h, i, j, k, len(rest)
    assert each(2) == (0, 1, "x", "y", 0, 1, 1, [2, 3], 4, 2, 0)
    for n, message in ((1, "not enough values to unpack .expected 2, got 1"), (3, "too many values to unpack")):
        with pytest.raises(ValueError, match=message):
            each(n)


def test_chunk_size():
    @njit(parallel=True)
    def inside(n):
        s = 0
        with numba.parallel_chunksize(4):
            for i in prange(n):
                s += i
            size = numba.get_parallel_chunksize()
        return s, size, numba.get_parallel_chunksize()
    assert inside(100) == (4950, 4, 0)

    @njit
    def left_early(n):
        with numba.parallel_chunksize(n):
            if n == 5:
                return numba.get_parallel_chunksize()
            raise ValueError("inside")
    assert left_early(5) == 5
    with pytest.raises(ValueError, match="inside"):
        left_early(6)
    with pytest.raises(ValueError, match="chunksize must be"):
        left_early(-1)
    assert numba.get_parallel_chunksize() == 0

    @njit
    def threads(n):
        numba.set_num_threads(n)
        return numba.get_num_threads()
    before = numba.get_num_threads()
    try:
        assert threads(1) == 1
        with pytest.raises(ValueError, match="number of threads"):
            threads(0)
    finally:
        numba.set_num_threads(before)


def test_values_that_are_never_equal(make):
    f = njit(make("""
def f(s, n, t):
    return s == n, s != n, n != s, s != t, t == s, s == "a", s != b"a"
"""))
    assert f("a", 1, (1, 2)) == (False, True, True, True, False, True, True)


def test_ranges_compare(make):
    f = njit(make("""
def f(a, b):
    return range(a) == range(b), range(a) != range(b), range(0, a, 3) == range(0, b, 3), range(5, a) == range(7, a)
"""))
    for a, b in ((3, 3), (1, 2), (0, -1), (4, 5)):
        assert f(a, b) == f.py_func(a, b)


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "//", "%", "**"])
def test_number_and_array_of_no_dimensions_in_place(make, op):
    """A number does not change in place: it becomes the array that the operator makes."""
    f = njit(make(f"def f(a, b):\n    a {op}= b\n    return a\n"))
    for a, b in ((7.5, np.array(2.0)), (np.int16(7), np.array(2, np.uint16)), (3.0, np.array([2.0, 4.0]))):
        assert np.array_equal(f(a, b), f.py_func(a, b))


@pytest.mark.parametrize("a", [np.arange(3.0), 7, 2.5, 1j, True, np.int8(3)], ids=lambda a: type(a).__name__)
def test_what_is_no_sequence_is_not_concatenated(a):
    for f in lambda a: operator.concat(a, a), lambda a: operator.concat(a, (1,)):
        for function in f, njit(f):
            with pytest.raises(TypeError, match="concatenat"):
                function(a)
