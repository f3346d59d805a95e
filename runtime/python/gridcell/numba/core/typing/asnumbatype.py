# SPDX-License-Identifier: MIT
"""numba.core.typing.asnumbatype"""
from numba.extending import as_numba_type

__all__ = ["as_numba_type"]
