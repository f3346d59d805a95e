# SPDX-License-Identifier: MIT
"""numba.core: what numba has in modules of its own."""


def __getattr__(name):
    from gridcell.hook import submodule
    return submodule(__name__, name)
