# SPDX-License-Identifier: MIT
"""The `numba` namespace, by gridcell."""
import sys as _sys

from gridcell import _gridcell as _extension
from gridcell import hook as _hook
from gridcell.versions import version_of as _version_of

_hook._loaded(_extension)

from gridcell import seeding as _seeding

_seeding.watch()

__version__ = _version_of("numba", "0.68.1")

from numba.core import config, errors, types
from numba.core import registry as _registry, typing as _typing  # cloudpickle wants them loaded
from numba.core.errors import *
from numba.core.types import *
from numba.core.decorators import generated_jit, jit, jit_module, njit
from numba.core.dispatcher import (
    get_num_threads, get_parallel_chunksize, get_thread_id, literal_unroll, literally,
    parallel_chunksize, pndindex, prange,
    set_num_threads, set_parallel_chunksize, threading_layer)


def autojit(function=None, backend=None, target="cpu", **options):
    """jit, by its name in numbapro; there was one backend left."""
    decorate = jit(target=target, **options) if target != "cpu" else jit(**options)
    return decorate if function is None else decorate(function)


typeof = _extension.typeof
from_dtype = _extension.from_dtype

from numba.documentation import describe as _describe

_describe(globals())

_type_names = [name for name in types.__all__ if name not in ("bool", "Type", "Signature")]
__all__ = [
    "carray", "cfunc", "farray", "from_dtype", "get_num_threads", "get_parallel_chunksize", "guvectorize", "jit",
    "jit_module", "literal_unroll", "literally", "njit", "objmode", "parallel_chunksize",
    "pndindex", "prange", "set_num_threads",
    "set_parallel_chunksize", "stencil", "typeof", "vectorize",
] + [name for name in _type_names if name[0].islower()] + errors.__all__

# What is imported when it is first named, so that importing numba takes little time: submodules,
# and names with the module that they are in
_LAZY = ("cuda", "np", "typed", "experimental", "extending", "pycc", "stencils", "testing", "misc", "cpython", "parfors")
_HOMES = {
    "carray": "numba.core.ccallback", "cfunc": "numba.core.ccallback", "farray": "numba.core.ccallback",
    "guvectorize": "numba.np.ufunc.gufunc", "objmode": "numba.core.objmode",
    "stencil": "numba.stencils.stencil", "vectorize": "numba.np.ufunc.decorators",
    "version_info": "numba._version",
}


def __getattr__(name):
    if name in _LAZY:
        try:
            __import__("numba." + name)
            return _sys.modules["numba." + name]
        except ModuleNotFoundError as error:
            if error.name != "numba." + name:
                raise
    if name in _HOMES:
        __import__(_HOMES[name])
        value = globals()[name] = getattr(_sys.modules[_HOMES[name]], name)
        _describe({name: value})
        return value
    if name == "check_cuda":  # numbapro's
        from numba import cuda
        return cuda.detect
    if name == "CU":
        from gridcell.cudalib.units import CU
        return CU
    if name == "jitclass":  # where it was before numba 0.49
        from numba.experimental import jitclass
        return jitclass
    from gridcell import absent
    absent.refuse_name(__name__, name)


def __dir__():
    return sorted({*globals(), *_HOMES})
