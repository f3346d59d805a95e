# SPDX-License-Identifier: MIT
"""numba.cuda.types: numba's types, and those of kernels alone."""
from gridcell import _gridcell as _extension
from numba.core import types as _types

globals().update({name: value for name, value in vars(_types).items() if not name.startswith("_")})
CUDADispatcher = _extension.Dispatcher


def __getattr__(name):
    return getattr(_types, name)
