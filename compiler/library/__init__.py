# SPDX-License-Identifier: MIT
"""The part of the compiler's library that is written in the language that it compiles.

Each function stands for a function of Python or NumPy (compiler/typing/builtins.def says which).
The compiler imports it when compiled code first needs it, and types it like a user's.
"""
from gridcell import _gridcell


def compiled(function):
    """A jitted function whose divisions by zero follow NumPy."""
    return _gridcell.CPUDispatcher(function, {"nopython": True, "numpy_errors": True}, {})
