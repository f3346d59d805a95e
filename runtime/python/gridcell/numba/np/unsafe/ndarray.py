# SPDX-License-Identifier: MIT
"""numba.np.unsafe.ndarray: tuples of an array's items, for compiled code."""
import numpy as np

from numba.core import types
from numba.core.errors import RequireLiteralValue, TypingError
from numba.core.made import make_function
from numba.extending import overload

__all__ = ["empty_inferred", "to_fixed_tuple"]


def empty_inferred(shape):
    """An array of float64 that holds anything, in Python; compiled code has np.empty."""
    return np.empty(shape)


def to_fixed_tuple(array, length):
    """The first `length` items of an array of one dimension, as a tuple."""
    return tuple(array[:length])


@overload(to_fixed_tuple, prefer_literal=True)
def _to_fixed_tuple(array, length):
    if not isinstance(length, types.IntegerLiteral):
        raise RequireLiteralValue("*length* argument must be a constant")
    if array.ndim != 1:
        raise TypingError(f"Not supported on array.ndim={array.ndim}")
    items = "".join(f"array[{at}], " for at in range(length.literal_value))
    return make_function(f"def to_fixed_tuple(array, length):\n    return ({items})\n",
                         "to_fixed_tuple", {}, "to_fixed_tuple")


@overload(empty_inferred)
def _empty_inferred(shape):
    return lambda shape: np.empty(shape)
