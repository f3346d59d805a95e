# SPDX-License-Identifier: MIT
from numba.np import numpy_support
"""numba.np: what numba has in modules of its own."""


def __getattr__(name):
    from gridcell.hook import submodule
    return submodule(__name__, name)
