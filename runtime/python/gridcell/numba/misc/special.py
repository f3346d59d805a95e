# SPDX-License-Identifier: MIT
"""numba.misc.special: what functions are written with."""
from numba import literal_unroll, literally, prange

__all__ = ["literal_unroll", "literally", "prange"]
