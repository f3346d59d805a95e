# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.nvvm: names that programs look for."""
from .error import NvvmError, NvvmSupportError


def is_available():
    """Whether kernels can be compiled for a GPU: always, as the compiler needs no toolkit."""
    return True
