# SPDX-License-Identifier: MIT
"""What `gridcell info` shows: versions, devices, and what is missing."""
import os
import platform
import sys


def _device_info():
    try:
        from gridcell import cuda
    except ImportError:
        return {"available": False, "devices": []}
    describe = getattr(cuda, "_describe_devices", None)
    return describe() if describe else {"available": bool(cuda.is_available()), "devices": []}


def collect():
    """A dict of plain values (JSON can hold it)."""
    from gridcell import _gridcell
    import numpy
    return {
        "gridcell": _gridcell.version,
        "python": platform.python_version(),
        "executable": sys.executable,
        "numpy": numpy.__version__,
        "llvm": _gridcell.llvm_version() if hasattr(_gridcell, "llvm_version") else None,
        "platform": platform.platform(),
        "cpu_count": os.cpu_count(),
        "threads": _gridcell.thread_count()[0],
        "cuda": _device_info(),
        "environment": {name: os.environ[name] for name in sorted(os.environ)
                        if name.startswith(("GRIDCELL_", "NUMBA_"))},
    }
