# SPDX-License-Identifier: MIT
"""numba.stencils: what @stencil makes."""


def __getattr__(name):
    from gridcell.hook import submodule
    return submodule(__name__, name)
