# SPDX-License-Identifier: MIT
"""vectorize: a ufunc of a scalar function."""
import sys
import types as python_types

from gridcell import _gridcell as _extension
from numba.core import caching
from numba.core.decorators import check_mode, compiler_options, parse_signatures
from numba.np.ufunc.dufunc import as_ufunc, make_dufunc

_CPU_OPTIONS = ("nopython", "forceobj", "cache", "locals", "fastmath", "error_model", "debug",
                "boundscheck", "parallel", "writable_args")


def _make(function, signatures, target, identity, options):
    if target == "cuda":
        from gridcell import cuda
        return cuda._vectorize(function, signatures, identity=identity, **options)
    if isinstance(function, _extension.CPUDispatcher):
        dispatcher = function
    elif isinstance(function, python_types.FunctionType):
        unknown = set(options) - set(_CPU_OPTIONS)
        if unknown:
            raise KeyError(f"Unrecognized options: {unknown}. "
                           f"Known options are {dict.fromkeys(_CPU_OPTIONS).keys()}")
        check_mode(options)
        kept = {name: options[name] for name in ("fastmath", "debug", "forceobj") if name in options}
        # a ufunc divides as NumPy does
        told = compiler_options({**kept, "nopython": True, "error_model": "numpy"})
        dispatcher = _extension.CPUDispatcher(function, told, kept)
        dispatcher._told = told
        if options.get("cache") or caching.wants_all():
            caching.attach(dispatcher)
    else:
        raise TypeError(f"The decorated object is not a function (got type {type(function)}).")
    if signatures:
        return as_ufunc(dispatcher, signatures, identity, target == "parallel")
    return make_dufunc(dispatcher, identity, target == "parallel")


def check_target(target):
    """The target, under its name of today: numbapro called cuda gpu."""
    if target == "gpu" and "numbapro" in sys.modules:
        return "cuda"
    if target not in ("cpu", "parallel", "cuda"):
        raise ValueError(f"Unsupported target: {target}")
    return target


def vectorize(ftylist_or_function=(), target="cpu", identity=None, **kws):
    """Make a NumPy ufunc of a function of scalars.

    With signatures (one, or a list) it is compiled for them at once; without, for the types of
    the arrays that it is called with. target: 'cpu', 'parallel' (several threads) or 'cuda'.
    """
    target = check_target(target)
    given = ftylist_or_function
    if isinstance(given, (python_types.FunctionType, _extension.CPUDispatcher)):
        return _make(given, [], target, identity, kws)
    if isinstance(given, (str, _extension.Signature)):
        given = [given]
    elif given and isinstance(given, tuple) and isinstance(given[0], _extension.Type):
        given = [given]
    signatures = parse_signatures(list(given))
    return lambda function: _make(function, signatures, target, identity, kws)


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
