# SPDX-License-Identifier: MIT
from numba.np import numpy_support
