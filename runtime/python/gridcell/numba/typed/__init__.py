# SPDX-License-Identifier: MIT
"""numba.typed: List, Dict and Set, which Python and compiled code share without copies."""
from numba.typed.typeddict import Dict
from numba.typed.typedlist import List
from numba.typed.typedset import Set

__all__ = ["Dict", "List", "Set"]
