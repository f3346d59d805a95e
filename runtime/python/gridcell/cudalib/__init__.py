# SPDX-License-Identifier: MIT
"""What `numbapro.cudalib`, `accelerate.cuda` and `pyculib` were: NVIDIA's libraries for arrays.

Fourier transforms (cufft), linear algebra (blas), random numbers (rand) and sorting are here;
sparse matrices are not.
"""
__version__ = "1.0.0"
_ALIASES = {"cublas": "blas", "curand": "rand", "fft": "cufft"}
_MODULES = ("blas", "cufft", "rand", "sorting")


def __getattr__(name):
    import importlib
    target = _ALIASES.get(name, name)
    if target in _MODULES:
        return importlib.import_module("." + target, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
