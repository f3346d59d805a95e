# SPDX-License-Identifier: MIT
"""The part of the compiler's library that is written in the language that it compiles.

Each function stands for a function of Python or NumPy (compiler/typing/builtins.def says which).
The compiler imports it when compiled code first needs it, and types it like a user's.
"""
from gridcell import _gridcell


class _Builtin:
    """What compiled code of the library asks the compiler for (compiler/typing/rules/language/library.c)."""

    def __init__(self, name):
        self.__gridcell_builtin__ = f"library.{name}"


class _Typed:
    def __init__(self, name):
        self.__gridcell_builtin__ = f"typed.{name}"


TypedList, TypedSet = _Typed("List"), _Typed("Set")
kind = _Builtin("kind")
bits = _Builtin("bits")
form = _Builtin("form")
layout = _Builtin("layout")
bytes_of = _Builtin("bytes_of")  # that a row of uint8 holds
float_sum = _Builtin("float_sum")  # of items of a row
is_span = _Builtin("is_span")  # rather than a date
identity = _Builtin("identity")  # of a ufunc; 2: none
readonly = _Builtin("readonly")
row_of = _Builtin("row_of")  # all items of an array, for functions that do not mind their places
nesting = _Builtin("nesting")
dtype_of = _Builtin("dtype_of")
result_dtype = _Builtin("result_dtype")
tuple_set = _Builtin("tuple_set")
tuple_insert = _Builtin("tuple_insert")
tuple_drop = _Builtin("tuple_drop")
tuple_take = _Builtin("tuple_take")
tuple_full = _Builtin("tuple_full")
tuple_range = _Builtin("tuple_range")
tuple_load = _Builtin("tuple_load")
strided = _Builtin("strided")
external = _Builtin("external")
external_memory = _Builtin("external_memory")
natural_log = _Builtin("natural_log")  # of a complex number
list_load = _Builtin("list_load")
list_store = _Builtin("list_store")
list_append = _Builtin("list_append")
list_push = _Builtin("list_push")  # where there is room
list_splice = _Builtin("list_splice")
list_swap = _Builtin("list_swap")
list_part = _Builtin("list_part")  # of an item that is a tuple
list_set_part = _Builtin("list_set_part")
empty_like = _Builtin("empty_like")
key_of = _Builtin("key_of")  # as a dict or set keeps it

# kind(x): of a number, a dtype, or the items of an array
OTHER, BOOL, INT, UINT, FLOAT, COMPLEX, TIME, TEXT, RECORD = range(9)
# form(x)
NONE, NUMBER, ARRAY, TUPLE, STRING, DTYPE, SLICE = range(7)
LIST = 8
RANGE = 9
# layout(x), and the argument of strided()
C, F, A = range(3)


def _compiled(function, **options):
    return _gridcell.CPUDispatcher(function, {"nopython": True, "numpy_errors": True, "library": True, **options}, {})


def compiled(function):
    """A jitted function whose divisions by zero follow NumPy."""
    return _compiled(function)


def small(function):
    """One that runs once a call: compiled in little time rather than optimised."""
    return _compiled(function, small=True)


def threaded(function):
    """One whose prange loops run on several threads."""
    return _compiled(function, parallel=True)


def compact(function):
    """One whose loops are seldom used: neither unrolled nor vectorised."""
    return _compiled(function, compact=True)
