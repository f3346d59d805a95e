# SPDX-License-Identifier: MIT
"""numba.core.typing.ctypes_utils: between ctypes' classes and types."""
from numba.core.foreign import from_ctypes, to_ctypes, type_of as make_function_type

__all__ = ["from_ctypes", "make_function_type", "to_ctypes"]
