# SPDX-License-Identifier: MIT
"""Where NVIDIA's libraries lie: CUDA's folder, packages of Python, the system's folders."""
import ctypes
import functools
import glob
import os
import sys


def _candidates(name, versions):
    # as the compiler looks for NVIDIA's: what the user named, the environment's, the system's
    named = [f"{os.environ[root]}/lib64" for root in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(root)]
    packages = [f"{folder}/nvidia/*/lib" for folder in sys.path if folder]
    for place in (*named, *packages, "/usr/local/cuda/lib64"):
        yield from sorted(glob.glob(f"{place}/{name}.so*"), reverse=True)
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


class Library:
    """One of NVIDIA's libraries, loaded when it is first asked for: Library(title, name, *versions)."""

    def __init__(self, title, *names):
        self._title, self._names = title, names

    @functools.cached_property
    def _loaded(self):
        return load(*self._names)

    def is_available(self):
        """Whether there is such a library; without one, the CPU computes."""
        return self._loaded is not None

    def __getattr__(self, name):
        return getattr(self._loaded, name)

    def check(self, call, result):
        """Raises RuntimeError for a call's result that is not 0."""
        if result:
            raise RuntimeError(f"{call} failed with {self._title}'s error {result}")
