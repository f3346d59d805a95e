# SPDX-License-Identifier: MIT
"""The `numba` namespace, by gridcell."""
from collections import namedtuple as _namedtuple

from gridcell import _gridcell as _extension
from gridcell import hook as _hook

_hook._loaded(_extension)

from gridcell import seeding as _seeding

_seeding.watch()

__version__ = "0.61.0"
_VersionInfo = _namedtuple(
    "version_info", "major minor patch short full string tuple git_revision")
version_info = _VersionInfo(0, 61, 0, (0, 61), (0, 61, 0), __version__, ("0", "61", "0"), None)

from numba.core import config, errors, types
from numba.core import registry as _registry, typing as _typing  # cloudpickle wants them loaded
from numba.core.errors import *
from numba.core.types import *
from numba.core.ccallback import carray, cfunc, farray
from numba.core.decorators import generated_jit, jit, jit_module, njit
from numba.core.dispatcher import (
    get_num_threads, get_parallel_chunksize, get_thread_id, literal_unroll, literally,
    parallel_chunksize, prange,
    set_num_threads, set_parallel_chunksize, threading_layer)
from numba.core.objmode import objmode
from numba.np.ufunc import guvectorize, vectorize
from numba.stencils.stencil import stencil


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
    "prange", "set_num_threads",
    "set_parallel_chunksize", "stencil", "typeof", "vectorize",
] + [name for name in _type_names if name[0].islower()] + errors.__all__

# Submodules that are imported when they are first named.
_LAZY = ("cuda", "np", "typed", "experimental", "extending", "pycc", "testing", "misc")


def __getattr__(name):
    if name in _LAZY:
        import importlib
        try:
            return importlib.import_module("numba." + name)
        except ModuleNotFoundError as error:
            if error.name != "numba." + name:
                raise
    if name == "check_cuda":  # numbapro's
        from numba import cuda
        return cuda.detect
    if name == "CU":
        from gridcell.cudalib.units import CU
        return CU
    if name == "jitclass":  # where it was before numba 0.49
        from numba.experimental import jitclass
        return jitclass
    raise AttributeError(f"module 'numba' has no attribute {name!r}")
