# SPDX-License-Identifier: MIT
"""numba.cuda.extending: what a program may add to what kernels understand; see numba.extending, whose
functions these are: an overload serves kernels and compiled functions of the CPU alike."""
from numba import extending as _extending

globals().update({name: value for name, value in vars(_extending).items() if not name.startswith("_")})


def __getattr__(name):
    if name in ("core_models", "models"):
        from numba.core.datamodel import models
        return models
    return getattr(_extending, name)
