# SPDX-License-Identifier: MIT
"""numba.core.runtime: the memory of compiled code."""
from numba.core.runtime.nrt import rtsys

__all__ = ["rtsys"]
