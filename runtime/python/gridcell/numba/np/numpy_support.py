# SPDX-License-Identifier: MIT
"""numba.np.numpy_support: between NumPy's dtypes and types."""
import numpy

from gridcell import _gridcell as _extension
from numba.core.ccallback import carray, farray

from_dtype = _extension.from_dtype
as_dtype = _extension.as_dtype
numpy_version = tuple(map(int, numpy.__version__.split(".")[:2]))
