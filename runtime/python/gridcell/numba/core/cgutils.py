# SPDX-License-Identifier: MIT
"""numba.core.cgutils: helpers for LLVM builders of llvmlite, which gridcell does not have."""
from gridcell.absent import refuse_all

__getattr__ = refuse_all(
    "numba.core.cgutils", "works on LLVM builders of llvmlite, which gridcell does not have: "
    "numba.extending.overload implements functions in Python.")
