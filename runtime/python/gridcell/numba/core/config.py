# SPDX-License-Identifier: MIT
"""numba.config: settings read from NUMBA_* variables; all may be assigned."""
import os


def _flag(name, default=0):
    try:
        return int(os.environ.get("NUMBA_" + name, default))
    except ValueError:
        return default


DISABLE_JIT = _flag("DISABLE_JIT")
ENABLE_CUDASIM = _flag("ENABLE_CUDASIM")
BOUNDSCHECK = _flag("BOUNDSCHECK", -1)
DEBUGINFO_DEFAULT = _flag("DEBUGINFO")
CUDA_DEBUGINFO_DEFAULT = _flag("CUDA_DEBUGINFO")
CUDA_ENABLE_PYNVJITLINK = _flag("CUDA_ENABLE_PYNVJITLINK")
CUDA_LOW_OCCUPANCY_WARNINGS = _flag("CUDA_LOW_OCCUPANCY_WARNINGS", 1)
CUDA_WARN_ON_IMPLICIT_COPY = _flag("CUDA_WARN_ON_IMPLICIT_COPY", 1)
DISABLE_ERROR_MESSAGE_HIGHLIGHTING = _flag("DISABLE_ERROR_MESSAGE_HIGHLIGHTING")
DISABLE_PERFORMANCE_WARNINGS = _flag("DISABLE_PERFORMANCE_WARNINGS")
FULL_TRACEBACKS = _flag("FULL_TRACEBACKS")
OPT = _flag("OPT", 3)
SHOW_HELP = _flag("SHOW_HELP")
CACHE_DIR = os.environ.get("NUMBA_CACHE_DIR", "")
DEBUG_CACHE = _flag("DEBUG_CACHE")
THREADING_LAYER = os.environ.get("NUMBA_THREADING_LAYER", "default")
NUMBA_DEFAULT_NUM_THREADS = os.cpu_count() or 1
NUMBA_NUM_THREADS = _flag("NUM_THREADS", NUMBA_DEFAULT_NUM_THREADS)

# CUDA
DISABLE_CUDA = _flag("DISABLE_CUDA")
CUDA_DRIVER = os.environ.get("NUMBA_CUDA_DRIVER", "")
CUDA_LOG_LEVEL = os.environ.get("NUMBA_CUDA_LOG_LEVEL", "")
CUDA_LOG_API_ARGS = _flag("CUDA_LOG_API_ARGS")
CUDA_LOG_SIZE = _flag("CUDA_LOG_SIZE", 1024)
CUDA_VERBOSE_JIT_LOG = _flag("CUDA_VERBOSE_JIT_LOG", 1)
CUDA_PER_THREAD_DEFAULT_STREAM = _flag("CUDA_PER_THREAD_DEFAULT_STREAM")
CUDA_ARRAY_INTERFACE_SYNC = _flag("CUDA_ARRAY_INTERFACE_SYNC", 1)
CUDA_USE_NVIDIA_BINDING = _flag("CUDA_USE_NVIDIA_BINDING")
CUDA_INCLUDE_PATH = os.environ.get("NUMBA_CUDA_INCLUDE_PATH", "/usr/local/cuda/include")
CUDA_NVRTC_EXTRA_SEARCH_PATHS = os.environ.get("NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS", "")
CUDA_DEALLOCS_COUNT = _flag("CUDA_MAX_PENDING_DEALLOCS_COUNT", 10)
CUDA_DEALLOCS_RATIO = float(os.environ.get("NUMBA_CUDA_MAX_PENDING_DEALLOCS_RATIO") or 0.2)
CUDA_MEMORY_MANAGER = os.environ.get("NUMBA_CUDA_MEMORY_MANAGER", "default")


def _capability(name):
    parts = os.environ.get("NUMBA_" + name, "").split(".")
    return tuple(map(int, parts)) if all(map(str.isdigit, parts)) else None


FORCE_CUDA_CC = _capability("FORCE_CUDA_CC")
CUDA_DEFAULT_PTX_CC = _capability("CUDA_DEFAULT_PTX_CC") or (7, 5)
