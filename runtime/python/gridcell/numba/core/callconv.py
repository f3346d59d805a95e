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


class ErrorModel:
    """What code does where a float is divided by zero: `raise_on_fp_zero_division`."""

    raise_on_fp_zero_division = True

    def __init__(self, call_conv):
        self.call_conv = call_conv

    def fp_zero_division(self, builder, exc_args=None, loc=None):
        """Raises ZeroDivisionError, if that is what the model does; gives whether it is."""
        if self.raise_on_fp_zero_division:
            self.call_conv.return_user_exc(builder, ZeroDivisionError, exc_args, loc)
        return self.raise_on_fp_zero_division


class PythonErrorModel(ErrorModel):
    """As in Python, which raises an exception."""


class NumpyErrorModel(ErrorModel):
    """As in NumPy: an infinity, or NaN."""

    raise_on_fp_zero_division = False


error_models = {"python": PythonErrorModel, "numpy": NumpyErrorModel}


def create_error_model(model_name, context):
    """The error model of a name, for a context."""
    return error_models[model_name](context.call_conv)


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
