# SPDX-License-Identifier: MIT
"""numba.np.types: types of NumPy's dates and spans of time."""
from numba.core.types import NPDatetime, NPTimedelta
