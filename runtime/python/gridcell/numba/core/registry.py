# SPDX-License-Identifier: MIT
"""numba.core.registry: the class of jitted functions."""
from gridcell._gridcell import CPUDispatcher
