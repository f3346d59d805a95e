# SPDX-License-Identifier: MIT
"""numba.core.typing.cffi_utils: cffi's functions and types in compiled code."""
from numba.core import foreign as _foreign
from numba.core.foreign import type_of as make_function_type

__all__ = ["make_function_type", "map_type", "register_module", "register_type"]

SUPPORTED = True


def register_module(mod):
    """Nothing is to be done: the functions of a module that cffi compiled are known by themselves."""


def register_type(ffi_type, numba_type):
    """Says which type of numba's one of cffi's (`ffi.typeof("struct name")`) is in compiled code."""
    from gridcell import _gridcell as _extension
    if not isinstance(numba_type, _extension.Type):
        raise TypeError(f"expected a type, got {numba_type!r}")
    _foreign.cffi_types[ffi_type] = numba_type


def map_type(cffi_type, use_record_dtype=False):
    """The type for one of cffi's, the signature for a function's; TypeError where there is none.

    use_record_dtype: whether a struct is a Record.
    """
    found = _foreign.from_cffi(cffi_type, use_record_dtype)
    is_function = (cffi_type.item if cffi_type.kind == "pointer" else cffi_type).kind == "function"
    return found.signature if is_function else found
