# SPDX-License-Identifier: MIT
"""numba.core.callconv: how code that a program writes leaves its function."""
from collections import namedtuple

from llvmlite import ir

from numba.core.written.exits import CallConv as BaseCallConv

Status = namedtuple("Status", "code is_ok is_none is_error is_stop_iteration is_python_exc is_user_exc excinfoptr")

_int32 = ir.IntType(32)
RETCODE_OK, RETCODE_EXC, RETCODE_NONE, RETCODE_STOPIT = (_int32(code) for code in (0, -1, -2, -3))
RETCODE_USEREXC = FIRST_USEREXC = _int32(1)

CPUCallConv = MinimalCallConv = BaseCallConv


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
