# SPDX-License-Identifier: MIT
"""numba.misc"""


def __getattr__(name):
    from gridcell.hook import submodule
    return submodule(__name__, name)
