# SPDX-License-Identifier: MIT
"""Which CUDA libraries can be loaded."""
import ctypes
import ctypes.util


def open_cudalib(lib):
    path = ctypes.util.find_library(lib)
    return ctypes.CDLL(path or f"lib{lib}.so")


def test():
    """Prints for each library whether it loads; True if all do."""
    done = True
    for lib in ("cuda", "nvvm", "cudart"):
        try:
            open_cudalib(lib)
            result = "ok"
        except OSError as error:
            result = f"ERROR: {error}"
            done = False
        print(f"Finding and loading {lib}: {result}")
    return done
