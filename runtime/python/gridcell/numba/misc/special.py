# SPDX-License-Identifier: MIT
"""numba.misc.special: what functions are written with."""
from numba import literal_unroll, literally, pndindex, prange, typeof

__all__ = ["literal_unroll", "literally", "pndindex", "prange"]


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
