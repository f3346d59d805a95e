# SPDX-License-Identifier: MIT
"""Parameters that a function is compiled for each value of, arguments that lend their memory, and
stencils that are made in compiled code."""
import array
import ctypes

import numpy as np
import pytest
from conftest import function_of

import numba
from numba import literally, njit, types
from numba.core.errors import TypingError, UnsupportedError
from numba.extending import overload


def jitted(source, **names):
    name = source.split("(")[0].removeprefix("def ")
    return njit(function_of(source, name, literally=literally, numba=numba, stencil=numba.stencil, **names))


def test_index_of_a_mixed_tuple():
    f = jitted("def f(t, i):\n    return t[literally(i)]\n")
    t = (1, 2.5, "a")
    assert [f(t, i) for i in (2, 0, 1, 0)] == ["a", 1, 2.5, 1]
    assert len(f.signatures) == 3 and str(f.signatures[0][1]) == "Literal[int](2)"


def test_callers_pass_literals_on():
    g = jitted("def g(n):\n    return np.zeros((3,) * literally(n)).ndim\n")
    f = jitted("def f(n):\n    return g(n), g(3)\n", g=g)
    assert f(2) == (2, 3) and f(1) == (1, 3)


def test_text_and_bool():
    f = jitted("def f(x, mode):\n    if literally(mode) == 'a':\n        return x + 1\n    return x * 10\n")
    assert (f(2, "a"), f(2, "b")) == (3, 20)
    assert jitted("def f(x):\n    return literally(x)\n")(True) is True


def test_overload_that_wants_a_literal():
    def told(n):
        pass

    @overload(told)
    def told_overload(n):
        if isinstance(n, types.Literal):
            text = str(n)
            return lambda n: text
        return lambda n: literally(n)
    f = jitted("def f(n):\n    return told(n)\n", told=told)
    assert f(3) == "Literal[int](3)" and f(4) == "Literal[int](4)"


def test_what_is_no_literal():
    with pytest.raises(TypingError, match="Cannot request literal type"):
        jitted("def f(x):\n    y = x + 1\n    return literally(y)\n")(3)
    with pytest.raises(TypingError, match="'x' of f .* must be an int, a bool or a str, not float64"):
        jitted("def f(x):\n    return literally(x)\n")(1.5)


def test_objects_that_lend_memory():
    f = jitted("def f(b):\n    s = b[0]\n    for x in b:\n        s += x\n    b[0] = 9\n    return s, len(b), b.itemsize\n")
    data = bytearray(b"abc")
    assert f(data) == (97 + 97 + 98 + 99, 3, 1) and data == b"\x09bc"
    numbers = array.array("i", [1, 2, 3])
    assert f(b=numbers) == (7, 3, 4) and numbers[0] == 9
    assert f(memoryview(np.arange(4.0))) == (6.0, 4, 8)
    assert f((ctypes.c_double * 3)(1, 2, 3)) == (7.0, 3, 8)
    with pytest.raises(TypingError, match="Cannot modify readonly array"):
        f(memoryview(b"abc"))
    assert jitted("def f(b):\n    return np.frombuffer(b, dtype=np.uint8)\n")(bytearray(b"ab")).tolist() == [97, 98]
    assert str(numba.typeof(bytearray(b"a"))) == "array(uint8, 1d, C)"


def test_stencil_made_in_code():
    a = np.arange(16.0).reshape(4, 4)
    kernel = "lambda a: 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])"
    f = jitted(f"def f(a):\n    k = numba.stencil({kernel})\n    return k(a)\n")
    assert (f(a)[1:-1, 1:-1] == a[1:-1, 1:-1]).all() and not f(a)[0].any()
    f = jitted("def f(a):\n    return stencil(lambda a: a[-1] + a[1], cval=7.0)(a)\n")
    assert f(np.arange(5.0)).tolist() == [7, 2, 4, 6, 7]
    neighbours = function_of("def neighbours(a):\n    return a[-1] + a[1]\n", "neighbours")
    f = jitted("def f(a, out):\n    stencil(neighbours)(a, out=out)\n", neighbours=neighbours)
    out = np.zeros(5)
    f(np.arange(5.0), out)
    assert out.tolist() == [0, 2, 4, 6, 0]


def test_stencil_that_cannot_be_made():
    with pytest.raises(UnsupportedError, match="the kernel uses a variable of the compiled function"):
        jitted("def f(a, w):\n    return stencil(lambda a: a[-1] * w)(a)\n")(np.ones(3), 2.0)


def test_a_slice():
    @njit
    def f(a, s):
        return a[literally(s)]
    assert f(np.arange(9), slice(1, 4)).tolist() == [1, 2, 3] and f(np.arange(9), slice(None, 5, 2)).tolist() == [0, 2, 4]
