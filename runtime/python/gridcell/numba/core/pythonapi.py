# SPDX-License-Identifier: MIT
"""numba.core.pythonapi: Python's C API for generators of code."""
from numba.core.extension.boxing import BoxContext as _BoxContext
from numba.core.extension.boxing import NativeValue, PythonAPI, ReflectContext as _ReflectContext
from numba.core.extension.boxing import UnboxContext as _UnboxContext
from numba.core.extension.boxing import box, reflect, unbox
from numba.core.extension.pythonapi import EnvironmentManager

PY_UNICODE_WCHAR_KIND, PY_UNICODE_1BYTE_KIND, PY_UNICODE_2BYTE_KIND, PY_UNICODE_4BYTE_KIND = 0, 1, 2, 4


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
