# SPDX-License-Identifier: MIT
"""numba.parfors.parfor: warnings about parallel loops come from here, by name."""
from numba.core.dispatcher import prange
from numba.core.errors import NumbaParallelSafetyWarning, UnsupportedParforsError

__all__ = ["NumbaParallelSafetyWarning", "UnsupportedParforsError", "prange"]
