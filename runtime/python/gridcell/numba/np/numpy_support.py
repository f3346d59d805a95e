# SPDX-License-Identifier: MIT
"""numba.np.numpy_support: between NumPy's dtypes and types."""
from gridcell import _gridcell as _extension

from_dtype = _extension.from_dtype
as_dtype = _extension.as_dtype
