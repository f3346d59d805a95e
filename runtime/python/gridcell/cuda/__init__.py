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


def _vectorize(function, signatures, identity=None, **options):
    """numba.vectorize for target='cuda'."""
    from .vectorizers import vectorize
    return vectorize(function, signatures, options)


def _guvectorize(function, signatures, layout, **options):
    """numba.guvectorize for target='cuda'."""
    from .gufuncs import guvectorize
    return guvectorize(function, signatures, layout, options)


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


def __getattr__(name):
    if name in ("bf16", "compiler", "dispatcher", "errors", "extending", "kernels", "libdevice", "random",
                "testing", "types", "vectorizers"):
        import importlib
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'numba.cuda' has no attribute {name!r}")
