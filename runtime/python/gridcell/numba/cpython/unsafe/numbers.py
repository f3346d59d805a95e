# SPDX-License-Identifier: MIT
"""numba.cpython.unsafe.numbers: bits of integers, for compiled code."""
import numpy as np

from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload

__all__ = ["leading_zeros", "trailing_zeros", "viewer"]


def trailing_zeros(x):
    """How many bits below the lowest one that is set; the width of the type for 0."""
    raise NotImplementedError("trailing_zeros() is for compiled code")


def leading_zeros(x):
    """How many bits above the highest one that is set; the width of the type for 0."""
    raise NotImplementedError("leading_zeros() is for compiled code")


def viewer(value, viewty):
    """The bits of a number as one of another type of its size."""
    raise NotImplementedError("viewer() is for compiled code")


def _width(name, x):
    if not isinstance(x, types.Integer):
        raise TypingError(f"{name} is only defined for integers, but value passed was '{x}'.")
    return x.bitwidth, (1 << x.bitwidth) - 1


@overload(trailing_zeros)
def _trailing_zeros(x):
    bits, _ = _width("trailing_zeros", x)

    def trailing_zeros(x):
        count = 0
        while count < bits and not (x >> count) & 1:
            count += 1
        return count
    return trailing_zeros


@overload(leading_zeros)
def _leading_zeros(x):
    bits, _ = _width("leading_zeros", x)

    def leading_zeros(x):
        count = 0
        while count < bits and not (x >> (bits - 1 - count)) & 1:
            count += 1
        return count
    return leading_zeros


@overload(viewer)
def _viewer(value, viewty):
    kind = viewty.dtype
    if value.bitwidth != kind.bitwidth:
        raise TypingError(f"Expected types of the same size: {value} has {value.bitwidth} bits, {kind} {kind.bitwidth}")

    def viewer(value, viewty):
        return np.array([value]).view(viewty)[0]
    return viewer
