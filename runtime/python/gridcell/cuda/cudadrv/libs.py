# SPDX-License-Identifier: MIT
"""Which CUDA libraries can be loaded."""
import ctypes
import ctypes.util
import glob
import os
import sys


def open_cudalib(lib):
    path = ctypes.util.find_library(lib)
    return ctypes.CDLL(path or f"lib{lib}.so")


def get_cuda_include_dir():
    """The folder of CUDA's headers: of the toolkit, or of NVIDIA's packages. Raises FileNotFoundError where there is none."""
    named = [os.path.join(os.environ[root], "include") for root in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(root)]
    packages = [place for folder in sys.path if folder for place in sorted(glob.glob(f"{folder}/nvidia/*/include"))]
    for folder in (*named, *packages, "/usr/local/cuda/include"):
        if os.path.isfile(os.path.join(folder, "cuda.h")):
            return folder
    raise FileNotFoundError("no folder of CUDA's headers was found: CUDA_HOME names the toolkit's, and the package "
                            "nvidia-cuda-runtime brings them")


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
