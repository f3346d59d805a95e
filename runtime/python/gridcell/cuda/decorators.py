# SPDX-License-Identifier: MIT
"""cuda.jit."""
from gridcell import _gridcell
from gridcell.warning import warn
from numba.core import config, errors
from numba.core.decorators import parse_signature

from .dispatcher import CUDADispatcher, check_kernel_signature

_OPTIONS = {"fastmath", "max_registers", "extensions", "boundscheck", "nopython", "argtypes",
            "restype", "bind", "target", "fast_math", "nvvm_options"}


def jit(func_or_sig=None, device=False, inline="never", forceinline=False, link=(), debug=None,
        opt=None, lineinfo=False, cache=False, launch_bounds=None, lto=None,
        shared_memory_carveout=None, **kws):
    """Compiles a function for CUDA devices: when launched, or at once for given signatures."""
    config.refresh()
    if debug is None:
        debug = bool(config.CUDA_DEBUGINFO_DEFAULT)
    if opt is None:
        opt = config.OPT != 0
    _check_options(debug, opt, lineinfo, shared_memory_carveout, inline, kws)
    options = dict(kws, device=device, inline=inline, forceinline=forceinline, link=link,
                   debug=debug, opt=bool(opt), lineinfo=lineinfo, cache=cache,
                   launch_bounds=launch_bounds, lto=lto,
                   shared_memory_carveout=shared_memory_carveout)
    argtypes = options.pop("argtypes", None)
    if argtypes is not None:
        func_or_sig = [_from_types(argtypes, options.pop("restype", None))]

    if func_or_sig is None:
        return lambda function: _make(function, options, ())
    if isinstance(func_or_sig, list):
        return lambda function: _make(function, options, func_or_sig)
    if isinstance(func_or_sig, (str, tuple, _gridcell.Signature)):
        return lambda function: _make(function, options, [func_or_sig])
    return _make(func_or_sig, options, ())


autojit = jit


def _from_types(argtypes, restype):
    from numba.core import types
    return (restype or types.none)(*argtypes)


def _warn(text):
    warn(text, errors.NumbaInvalidConfigWarning, "numba.cuda.decorators")


def _check_options(debug, opt, lineinfo, carveout, inline, kws):
    unknown = set(kws) - _OPTIONS
    if unknown:
        raise TypeError(f"cuda.jit got an unexpected keyword argument {min(unknown)!r}")
    if kws.get("boundscheck"):
        raise NotImplementedError("bounds checking is not supported for CUDA")
    if debug and opt:
        _warn("debug=True with opt=True is not supported by CUDA. This may result in a crash - set "
              "debug=False or opt=False.")
    if debug and lineinfo:
        _warn("debug and lineinfo are mutually exclusive. Use debug to get full debug info (this "
              "disables some optimizations), or lineinfo for line info only with code generation "
              "unaffected.")
    if inline not in ("never", "always", True, False) and not callable(inline):
        raise ValueError(f"inline is 'never', 'always' or a function, not {inline!r}")
    if carveout is not None:
        names = ("default", "maxl1", "maxshared")
        is_name = isinstance(carveout, str) and carveout.lower() in names
        if not is_name and not isinstance(carveout, int):
            raise ValueError(f"Invalid carveout value: {carveout!r} must be one of {names} or an integer from -1 to 100")
        if not is_name and not -1 <= carveout <= 100:
            raise ValueError(f"Carveout must be between -1 and 100, got {carveout!r}; {names} are names of three of them")


def _make(function, options, signatures):
    if isinstance(function, CUDADispatcher):
        if not signatures:
            return function
        function = function.py_func
    function = getattr(function, "py_func", function)
    if not hasattr(function, "__code__"):
        raise TypeError("The decorated object is not a function (got type %s)." % type(function))
    parsed = [parse_signature(signature) for signature in signatures]
    device = options["device"]
    if not device:
        for signature in parsed:
            check_kernel_signature(signature)
    dispatcher = CUDADispatcher(function, options)
    if device:
        dispatcher._device_signatures = parsed
        dispatcher._can_compile = False
        return dispatcher
    for signature in parsed:
        dispatcher._compile(signature.args)
    if parsed:
        dispatcher._can_compile = False
        dispatcher._specialized = len(parsed) == 1
    return dispatcher
