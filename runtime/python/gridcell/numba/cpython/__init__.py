# SPDX-License-Identifier: MIT
"""numba.cpython: what compiled code knows of Python's own types."""


def __getattr__(name):
    from gridcell.hook import submodule
    return submodule(__name__, name)
