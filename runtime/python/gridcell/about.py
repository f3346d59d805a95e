# SPDX-License-Identifier: MIT
"""What `gridcell info` shows: versions, devices, and what is missing."""
import os
import platform
import sys


def _device(device):
    major, minor = device.compute_capability
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    described = {"id": device.id, "name": name, "compute_capability": f"{major}.{minor}"}
    try:
        described["memory_bytes"] = int(device.memory_info()[1])
    except Exception:
        pass
    return described


def _cuda():
    from gridcell import hook
    hook.install()
    try:
        from gridcell import _gridcell, cuda
        found = {"devices": [_device(device) for device in cuda.gpus]}
        reason = _gridcell.cuda_fallback()
        return {**found, "fallback": reason} if reason else found
    except Exception as error:
        return {"devices": [], "error": f"{type(error).__name__}: {error}"}


def collect():
    """A dict of plain values (JSON can hold it)."""
    facts = {
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "cpu_count": os.cpu_count(),
        "environment": {name: os.environ[name] for name in sorted(os.environ)
                        if name.startswith(("GRIDCELL_", "NUMBA_"))},
    }
    from gridcell import _gridcell
    import numpy
    llvm, nvvm, missing = _gridcell.compilers()
    facts["gridcell"] = _gridcell.version
    facts["numpy"] = numpy.__version__
    facts["llvm"] = llvm
    facts["libnvvm"] = nvvm
    if missing:
        facts["libnvvm_missing"] = missing
    facts["threads"] = _gridcell.thread_count()[0]
    facts["cuda"] = _cuda()
    return facts
