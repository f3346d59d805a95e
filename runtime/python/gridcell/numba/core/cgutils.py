# SPDX-License-Identifier: MIT
"""numba.core.cgutils: helpers for LLVM builders of llvmlite, which gridcell does not have."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(
        f"numba.core.cgutils.{name} works on LLVM builders of llvmlite, which gridcell does not "
        "have: numba.extending.overload implements functions in Python.")
