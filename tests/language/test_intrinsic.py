# SPDX-License-Identifier: MIT
"""Intrinsics whose bodies are Python, and abs() of a compiled object."""
import numpy as np
import pytest
from conftest import function_of

from numba import float64, njit, types
from numba.core.errors import TypingError
from numba.experimental import jitclass
from numba.extending import intrinsic


def test_body_by_types():
    @intrinsic
    def following(typingctx, x):
        if isinstance(x, types.Integer):
            return x(x), lambda x: x + 1
        if isinstance(x, types.Array):
            def body(x):
                return x.sum()
            return x.dtype(x), body
    f = njit(function_of("def f(x):\n    return following(x)\n", following=following))
    assert f(4) == 5 and f(np.ones(3)) == 3.0
    with pytest.raises(TypingError, match="following"):
        f("a")
    with pytest.raises(NotImplementedError, match="for compiled code"):
        following(1)


def test_bodies_of_other_parameters():
    """Four parameters are those of a generator of code: test_written_code.py."""
    @intrinsic
    def other(typingctx, x):
        return x(x), lambda y: y + 1
    f = njit(function_of("def f(x):\n    return other(x)\n", other=other))
    with pytest.raises(TypingError, match=r"of \(y\): it has to be a function of \(x\), or of \(context"):
        f(1)


def test_abs_of_an_object():
    @jitclass([("x", float64)])
    class Vector:
        def __init__(self, x):
            self.x = x

        def __abs__(self):
            return -self.x if self.x < 0 else self.x
    f = njit(function_of("def f(v):\n    return abs(v)\n"))
    assert f(Vector(-2.5)) == 2.5 == abs(Vector(-2.5))
