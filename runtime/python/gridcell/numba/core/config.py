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
THREADING_LAYER = os.environ.get("NUMBA_THREADING_LAYER", "default")
NUMBA_DEFAULT_NUM_THREADS = os.cpu_count() or 1
NUMBA_NUM_THREADS = _flag("NUM_THREADS", NUMBA_DEFAULT_NUM_THREADS)
