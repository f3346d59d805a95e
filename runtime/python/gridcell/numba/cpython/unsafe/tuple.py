# SPDX-License-Identifier: MIT
"""numba.cpython.unsafe.tuple: tuples changed in one place, for compiled code."""
from numba.core import types
from numba.core.errors import RequireLiteralValue
from numba.core.made import make_function
from numba.extending import overload

__all__ = ["build_full_slice_tuple", "tuple_setitem", "unpack_single_tuple"]


def tuple_setitem(tup, idx, val):
    """The tuple with another value in one place."""
    return (*tup[:idx], val, *tup[idx + 1:])


def build_full_slice_tuple(sz):
    """As many slices [:] as are asked for, to index an array with."""
    return (slice(None, None),) * sz


def unpack_single_tuple(tup):
    """The one item of a tuple."""
    return tup[0]


@overload(tuple_setitem)
def _tuple_setitem(tup, idx, val):
    items = "".join(f"(val if idx == {at} else tup[{at}]), " for at in range(len(tup)))
    text = ("def tuple_setitem(tup, idx, val):\n"
            f"    if idx < 0:\n        idx += {len(tup)}\n    return ({items})\n")
    return make_function(text, "tuple_setitem", {}, "tuple_setitem")


@overload(build_full_slice_tuple, prefer_literal=True)
def _build_full_slice_tuple(sz):
    if not isinstance(sz, types.IntegerLiteral):
        raise RequireLiteralValue("the count of slices must be a constant")
    items = "slice(None, None), " * sz.literal_value
    return make_function(f"def build_full_slice_tuple(sz):\n    return ({items})\n",
                         "build_full_slice_tuple", {}, "build_full_slice_tuple")


@overload(unpack_single_tuple)
def _unpack_single_tuple(tup):
    return lambda tup: tup[0]
