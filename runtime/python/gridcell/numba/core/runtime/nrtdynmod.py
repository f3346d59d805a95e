# SPDX-License-Identifier: MIT
"""numba.core.runtime.nrtdynmod: llvmlite's types of counted memory, and of the functions that count."""
from llvmlite import ir

_word_type = ir.IntType(64)
_pointer_type = ir.IntType(8).as_pointer()

# How many references there are; how it is freed, where its bytes are, how many. The first is as in numba.
_meminfo_struct_type = ir.LiteralStructType([_word_type, _pointer_type, _pointer_type, _word_type])
incref_decref_ty = ir.FunctionType(ir.VoidType(), [_pointer_type])
meminfo_data_ty = ir.FunctionType(_pointer_type, [_pointer_type])


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
