# SPDX-License-Identifier: MIT
"""Where NVIDIA's libraries lie: CUDA's folder, packages of Python, the system's folders."""
import ctypes
import glob
import os
import sys


def _candidates(name, versions):
    roots = [os.environ.get(root) for root in ("CUDA_HOME", "CUDA_PATH")] + ["/usr/local/cuda"]
    for root in filter(None, roots):
        yield from sorted(glob.glob(f"{root}/lib64/{name}.so*"), reverse=True)
    for folder in sys.path:
        yield from sorted(glob.glob(f"{folder}/nvidia/*/lib/{name}.so*"), reverse=True)
    for version in versions:
        yield f"{name}.so.{version}"
    yield f"{name}.so"


def load(name, *versions):
    """The library of this name, in the first of the versions that is there; None without one."""
    for path in _candidates(name, versions):
        try:
            return ctypes.CDLL(path)
        except OSError:
            pass
    return None
