# SPDX-License-Identifier: MIT
"""numba.cuda.errors."""
from numba.core.errors import LoweringError, TypingError


class CudaLoweringError(LoweringError):
    pass


class KernelRuntimeError(RuntimeError):
    """An exception that a thread of a kernel raised."""

    def __init__(self, msg, tid=None, ctaid=None):
        self.tid = tid
        self.ctaid = ctaid
        self.msg = msg
        super().__init__("An exception was raised in thread=%s block=%s\n\t%s" % (tid, ctaid, msg))


missing_launch_config_msg = """
Kernel launch configuration was not specified. Use the syntax:

kernel_function[blockspergrid, threadsperblock](arg0, arg1, ..., argn)

See {} for help.

""".format("https://numba.readthedocs.io/en/stable/cuda/kernels.html#kernel-invocation")


def normalize_kernel_dimensions(griddim, blockdim):
    """Both as tuples of three."""
    def normalize(dim, name):
        dims = [dim] if not isinstance(dim, (tuple, list)) else list(dim)
        if not 1 <= len(dims) <= 3:
            raise ValueError(f"{name} must be a sequence of 1, 2 or 3 integers, got {dims}")
        for value in dims:
            if not hasattr(value, "__index__"):
                raise TypeError(f"{name} must be a sequence of integers, got {dims}")
        return tuple(int(value) for value in dims) + (1,) * (3 - len(dims))

    if None in (griddim, blockdim):
        raise ValueError(missing_launch_config_msg)
    return normalize(griddim, "griddim"), normalize(blockdim, "blockdim")
