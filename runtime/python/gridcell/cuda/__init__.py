# SPDX-License-Identifier: MIT
"""numba.cuda by gridcell: kernels for CUDA devices, or for the emulated one where there is none."""
from gridcell import _gridcell as _extension

_extension.load_numpy()  # every device array has a NumPy dtype

from . import cudadrv
from .cudadrv import devicearray, devices, driver, nvvm
from .cudadrv.devicearray import DeviceNDArray
from .cudadrv.driver import (BaseCUDAMemoryManager, CudaAPIError, CudaDriverError, CudaSupportError,
                             GetIpcHandleMixin, HostOnlyCUDAMemoryManager, IpcHandle, MappedMemory,
                             MemoryInfo, MemoryPointer, PinnedMemory, set_memory_manager)
from .cudadrv.runtime import runtime
from .api import *
from .args import In, InOut, Out
from .compiler import (compile, compile_all, compile_for_current_device, compile_ptx,
                       compile_ptx_for_current_device)
from .decorators import autojit, jit
from .foreign import *
from .reduction import Reduce, reduce
from .stubs import *
from .vector_types import *
from .observing import xray


def _vectorize(function, signatures, identity=None, **options):
    """numba.vectorize for target='cuda'."""
    from .vectorizers import vectorize
    return vectorize(function, signatures, options)


def _guvectorize(function, signatures, layout, **options):
    """numba.guvectorize for target='cuda'."""
    from .gufuncs import guvectorize
    return guvectorize(function, signatures, layout, options)


def vectorize(*signatures, **options):
    """numba.vectorize with target='cuda'."""
    from numba import vectorize
    return vectorize(*signatures, **{**options, "target": "cuda"})


def guvectorize(*args, **options):
    """numba.guvectorize with target='cuda'."""
    from numba import guvectorize
    return guvectorize(*args, **{**options, "target": "cuda"})


def is_available():
    """Whether there is a device: a GPU, or the emulated one. Never raises."""
    try:
        return len(gpus) > 0
    except Exception:
        return False


def cuda_error():
    """What kept CUDA from starting, or None."""
    try:
        len(gpus)
    except Exception as error:
        return error
    return None


def is_supported_version():
    return True


from .documentation import describe as _describe

_describe(globals())


_SUBMODULES = ("bf16", "compiler", "cudadecl", "cudaimpl", "dispatcher", "errors", "extending", "kernels",
               "libdevice", "random", "testing", "types", "vectorizers")
_SHARED = ("cgutils", "config", "core", "datamodel", "misc", "np", "typeconv", "typing", "utils")  # the compiler's, by hook.ALIASES
HAS_NUMBA = True
implementation = "gridcell"


def __getattr__(name):
    import importlib
    if name in _SUBMODULES:
        return importlib.import_module("." + name, __name__)
    if name in _SHARED:
        return importlib.import_module("numba.cuda." + name)
    if name == "literal_unroll":
        from numba import literal_unroll
        return literal_unroll
    if not name.startswith("_"):
        types = importlib.import_module(".types", __name__)
        if isinstance(getattr(types, name, None), (_extension.Type, type)):
            return getattr(types, name)
    raise AttributeError(f"module 'numba.cuda' has no attribute {name!r}")
