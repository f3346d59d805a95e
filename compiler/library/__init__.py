# SPDX-License-Identifier: MIT
"""The part of the compiler's library that is written in the language that it compiles.

Each function stands for a function of Python or NumPy (compiler/typing/builtins.def says which).
The compiler imports it when compiled code first needs it, and types it like a user's.
"""
import os

from gridcell import _gridcell


class _Builtin:
    """What compiled code of the library asks the compiler for (compiler/typing/rules/language/library.c)."""

    def __init__(self, name, package="library"):
        self.__gridcell_builtin__ = f"{package}.{name}"

    def __call__(self, *arguments):
        # An object that cannot be called may be a value that a package of the environment has a type for: the
        # compiler would look for such packages, for 10 ms, in the first program that needs the library.
        raise TypeError(f"{self.__gridcell_builtin__} is for compiled code")


TypedList, TypedSet = _Builtin("List", "typed"), _Builtin("Set", "typed")


def _builtins(names):
    return map(_Builtin, names.split())


# About numbers, arrays and functions. bytes_of: that a row of uint8 holds; float_sum: of items of a row;
# is_span: rather than a date; identity: of a ufunc, 2: none; is_costly: a function of numbers
kind, bits, form, layout, nesting, readonly = _builtins("kind bits form layout nesting readonly")
bytes_of, float_sum, is_span, identity, is_costly = _builtins("bytes_of float_sum is_span identity is_costly")
dtype_of, result_dtype = _builtins("dtype_of result_dtype")
# All items of an array, for functions that do not mind their places; an array by offset, shape and strides
row_of, strided = _builtins("row_of strided")
tuple_set, tuple_insert, tuple_drop, tuple_take = _builtins("tuple_set tuple_insert tuple_drop tuple_take")
tuple_full, tuple_range, tuple_load = _builtins("tuple_full tuple_range tuple_load")
# Functions in C; natural_log: of a complex number
external, external_memory, natural_log = _builtins("external external_memory natural_log")
# 32 bits of the thread's streams of random and of np.random
word_of_python, word_of_numpy = _builtins("word_of_python word_of_numpy")
# Lists without checks. list_push: where there is room; parts: of an item that is a tuple
list_load, list_store, list_append, list_push = _builtins("list_load list_store list_append list_push")
list_splice, list_swap, list_part, list_set_part = _builtins("list_splice list_swap list_part list_set_part")
# key_of: as a dict or set keeps it; is_kept: without change
empty_like, key_of, is_kept = _builtins("empty_like key_of is_kept")

# kind(x): of a number, a dtype, or the items of an array
OTHER, BOOL, INT, UINT, FLOAT, COMPLEX, TIME, TEXT, RECORD = range(9)
# form(x)
NONE, NUMBER, ARRAY, TUPLE, STRING, DTYPE, SLICE = range(7)
LIST = 8
RANGE = 9
# layout(x), and the argument of strided()
C, F, A = range(3)


# For those who write it: each access of the library's own is checked, with 2 for "all", see enum bounds_checks.
# What fails says "of the library"; there is no such error in a library that looks before it reaches.
_CHECKS = {"boundscheck": 2} if os.environ.get("GRIDCELL_CHECK_LIBRARY", "0") not in ("", "0") else {}


def _compiled(function, **options):
    options = {"nopython": True, "numpy_errors": True, "library": True, **_CHECKS, **options}
    return _gridcell.CPUDispatcher(function, options, {})


def compiled(function):
    """A jitted function whose divisions by zero follow NumPy."""
    return _compiled(function)


def checked_indices(function):
    """One that is given a caller's indices, which may lie outside."""
    return _compiled(function, boundscheck=True)


def unbounded(function):
    """A small one that makes a view of any memory that its caller asks for."""
    return _compiled(function, small=True, boundscheck=False)


def small(function):
    """One that runs once a call: compiled in little time rather than optimised."""
    return _compiled(function, small=True)


def threaded(function):
    """One whose prange loops run on several threads."""
    return _compiled(function, parallel=True)


def inlined(function):
    """One that is made part of each caller: what loops do again and again."""
    return _compiled(function, inlined=True)


def compact(function):
    """One whose loops are seldom used: neither unrolled nor vectorised."""
    return _compiled(function, compact=True)
