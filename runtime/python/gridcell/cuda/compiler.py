# SPDX-License-Identifier: MIT
"""Kernels and device functions as PTX, without a device."""
import os

from numba.core import types
from numba.core.decorators import parse_signature

from .dispatcher import CUDADispatcher, check_kernel_signature

DEFAULT_CC = (7, 5)  # the oldest that current toolkits compile for


def _default_cc():
    text = os.environ.get("NUMBA_CUDA_DEFAULT_PTX_CC", "")
    return tuple(int(part) for part in text.split(".")) if text else DEFAULT_CC


def _dispatcher(pyfunc, debug, lineinfo, fastmath, opt):
    options = {"debug": debug, "lineinfo": lineinfo, "fastmath": fastmath,
               "opt": True if opt is None else opt}
    return CUDADispatcher(getattr(pyfunc, "py_func", pyfunc), options)


def compile_ptx(pyfunc, sig, debug=None, lineinfo=False, device=False, fastmath=False, cc=None,
                opt=None, abi="c", abi_info=None, **unused):
    """(PTX, return type) of a kernel, or with device=True of a device function, for the compute
    capability `cc` (major, minor).

    A device function takes and gives numbers as in C (abi="c"); it is named as the Python function,
    or as abi_info={"abi_name": ...} says. TypeError when a kernel's signature returns something.
    """
    signature = parse_signature(sig)
    cc = tuple(cc or _default_cc())
    dispatcher = _dispatcher(pyfunc, debug, lineinfo, fastmath, opt)
    if device:
        name = (abi_info or {}).get("abi_name", dispatcher.py_func.__name__)
        return dispatcher._device_ptx(signature.args, signature.return_type, *cc, name)
    check_kernel_signature(signature)
    return dispatcher._ptx(signature.args, *cc), types.void


def compile_ptx_for_current_device(pyfunc, sig, **options):
    """(PTX, return type) for the device in use; see compile_ptx."""
    from .api import get_current_device
    return compile_ptx(pyfunc, sig, cc=get_current_device().compute_capability, **options)


def compile(pyfunc, sig, debug=None, lineinfo=False, device=True, fastmath=False, cc=None, opt=None,
            abi="c", abi_info=None, output="ptx", **unused):
    """(PTX, return type), of a device function unless device=False; see compile_ptx.

    NotImplementedError for any output but "ptx", and for any abi but "c".
    """
    if output != "ptx":
        raise NotImplementedError(f"output={output!r}: PTX is what is made (output='ptx')")
    if abi != "c":
        raise NotImplementedError(f"abi={abi!r}: functions are made to be called as in C (abi='c')")
    return compile_ptx(pyfunc, sig, debug, lineinfo, device, fastmath, cc, opt, abi, abi_info)


def compile_for_current_device(pyfunc, sig, **options):
    """(PTX, return type) for the device in use; see compile."""
    from .api import get_current_device
    return compile(pyfunc, sig, cc=get_current_device().compute_capability, **options)
