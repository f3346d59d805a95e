# SPDX-License-Identifier: MIT
"""Kernels and device functions as PTX or LTO-IR, without a device."""
import os
import re

from numba.core import types
from numba.core.decorators import parse_signature

from .dispatcher import CUDADispatcher, check_kernel_signature

DEFAULT_CC = (7, 5)  # the oldest that current toolkits compile for


def _version(text):
    return tuple(int(part) for part in text.split("."))


def _default_cc():
    text = os.environ.get("NUMBA_FORCE_CUDA_CC") or os.environ.get("NUMBA_CUDA_DEFAULT_PTX_CC", "")
    return _version(text) if text else DEFAULT_CC


def _target(cc):
    """((major, minor), the letter of a target that other GPUs cannot run, or none)."""
    major, minor, letter = (*(cc or _default_cc()), "")[:3]
    least = {"": (0, 0), "a": (9, 0), "f": (10, 0)}
    if letter not in least or (major, minor) < least[letter]:
        raise ValueError(f"there is no compute capability {major}.{minor}{letter}")
    return (major, minor), letter


def _for_target(code, cc, letter):
    """PTX for the target of that letter, which has all that the plain one has; PTX of a back end that
    knows older targets only stays what it is."""
    if not letter or not isinstance(code, str):
        return code
    plain = f".target sm_{cc[0]}{cc[1]}"
    return re.sub(rf"^{re.escape(plain)}\b", plain + letter, code, count=1, flags=re.MULTILINE)


def _dispatcher(pyfunc, debug, lineinfo, fastmath, opt, launch_bounds, forceinline):
    options = {"debug": debug, "lineinfo": lineinfo, "fastmath": fastmath,
               "opt": True if opt is None else opt, "launch_bounds": launch_bounds,
               "forceinline": forceinline}
    if not debug:
        options["boundscheck"] = False  # for a GPU, whatever the device here is
    return CUDADispatcher(getattr(pyfunc, "py_func", pyfunc), options)


def _check(abi, output):
    if abi not in ("c", "numba"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if output not in ("ptx", "ltoir"):
        raise NotImplementedError(f"Unsupported output type: {output}")


def _symbol(function, abi, abi_info, argtypes):
    """The name of a device function: as in C, or one that its types are part of."""
    name = (abi_info or {}).get("abi_name")
    if name or abi == "c":
        return name or function.__name__
    text = "__".join([function.__name__, *(str(type) for type in argtypes)])
    return "".join(c if c.isalnum() or c == "_" else f"_{ord(c):02x}" for c in text)


def compile(pyfunc, sig, debug=None, lineinfo=False, device=True, fastmath=False, cc=None, opt=None,
            abi=None, abi_info=None, output="ptx", forceinline=False, launch_bounds=None, **unused):
    """(code, return type) of a device function, or with device=False of a kernel, for the compute
    capability `cc`, (major, minor) or (major, minor, "a" or "f"): PTX, or with output="ltoir"
    libnvvm's code to be optimised when it is linked.

    A device function takes and gives numbers as in C (abi="c", unless it is said) and is named as the Python function,
    or as abi_info={"abi_name": ...} says; with abi="numba" it gives its result through a pointer,
    its first parameter, and returns a status. TypeError when a kernel's signature returns something.
    """
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels: they are launched, not called")
    abi = abi or "c"
    _check(abi, output)
    signature = parse_signature(sig)
    cc, letter = _target(cc)
    dispatcher = _dispatcher(pyfunc, debug, lineinfo, fastmath, opt, launch_bounds, forceinline)
    if device:
        name = _symbol(dispatcher.py_func, abi, abi_info, signature.args)
        code, returned = dispatcher._device_ptx(signature.args, signature.return_type, *cc, name,
                                                abi == "numba", output == "ltoir")[:2]
        return _for_target(code, cc, letter), returned
    check_kernel_signature(signature)
    return _for_target(dispatcher._ptx(signature.args, *cc, output == "ltoir"), cc, letter), types.void


def compile_ptx(pyfunc, sig, debug=None, lineinfo=False, device=False, fastmath=False, cc=None,
                opt=None, abi="numba", abi_info=None, forceinline=False, launch_bounds=None,
                **unused):
    """(PTX, return type), of a kernel unless device=True; see compile."""
    return compile(pyfunc, sig, debug, lineinfo, device, fastmath, cc, opt, abi, abi_info, "ptx",
                   forceinline, launch_bounds)


def compile_all(pyfunc, sig, debug=None, lineinfo=False, device=True, fastmath=False, cc=None,
                opt=None, abi=None, abi_info=None, output="ptx", forceinline=False,
                launch_bounds=None, **unused):
    """compile_all(pyfunc, sig, device=True, cc=None, abi="c", output="ptx", ...)

([code...], return type): the function's own code first; see compile.

pyfunc: a function. sig: its signature. Raises as compile does.

Example:
    codes, returned = cuda.compile_all(lambda x: x + 1, "int32(int32)", abi_info={"abi_name": "f"})
    assert ".func" in codes[0]
"""
    code, returned = compile(pyfunc, sig, debug, lineinfo, device, fastmath, cc, opt, abi, abi_info,
                             output, forceinline, launch_bounds)
    return [code], returned


def _current_cc():
    from .api import get_current_device
    return get_current_device().compute_capability


def compile_for_current_device(pyfunc, sig, **options):
    """(code, return type) for the device in use; see compile."""
    return compile(pyfunc, sig, cc=_current_cc(), **options)


def compile_ptx_for_current_device(pyfunc, sig, **options):
    """(PTX, return type) for the device in use; see compile_ptx."""
    return compile_ptx(pyfunc, sig, cc=_current_cc(), **options)
