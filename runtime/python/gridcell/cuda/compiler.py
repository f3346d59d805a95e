# SPDX-License-Identifier: MIT
"""Kernels as PTX, without a device."""
import os

from numba.core import types
from numba.core.decorators import parse_signature

from .dispatcher import CUDADispatcher, check_kernel_signature

DEFAULT_CC = (7, 5)  # the oldest that current toolkits compile for


def _default_cc():
    text = os.environ.get("NUMBA_CUDA_DEFAULT_PTX_CC", "")
    return tuple(int(part) for part in text.split(".")) if text else DEFAULT_CC


def compile_ptx(pyfunc, sig, debug=None, lineinfo=False, device=False, fastmath=False, cc=None,
                opt=None, **unused):
    """(PTX, return type) of a kernel for a compute capability."""
    if device:
        raise NotImplementedError("PTX of a device function alone is not supported")
    signature = parse_signature(sig)
    check_kernel_signature(signature)
    options = {"debug": debug, "lineinfo": lineinfo, "fastmath": fastmath,
               "opt": True if opt is None else opt}
    kernel = CUDADispatcher(getattr(pyfunc, "py_func", pyfunc), options)
    return kernel._ptx(signature.args, *(cc or _default_cc())), types.void


def compile_ptx_for_current_device(pyfunc, sig, **options):
    """(PTX, return type) of a kernel for the device in use."""
    from .api import get_current_device
    return compile_ptx(pyfunc, sig, cc=get_current_device().compute_capability, **options)


def compile(pyfunc, sig, device=True, output="ptx", **options):
    """(PTX, return type); kernels only, so device=False has to be said."""
    if output != "ptx":
        raise NotImplementedError("only PTX is made")
    return compile_ptx(pyfunc, sig, device=device, **options)
