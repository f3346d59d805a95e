# SPDX-License-Identifier: MIT
"""numba.core.registry: the class of jitted functions."""
from gridcell._gridcell import CPUDispatcher


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
