# SPDX-License-Identifier: MIT
"""numba.core.typing.typeof"""
from numba import typeof
