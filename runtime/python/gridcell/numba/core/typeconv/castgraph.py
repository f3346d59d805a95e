# SPDX-License-Identifier: MIT
"""numba.core.typeconv.castgraph"""
from numba.core.typeconv import Conversion
