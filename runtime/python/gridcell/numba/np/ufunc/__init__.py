# SPDX-License-Identifier: MIT
"""numba.np.ufunc: ufuncs of scalar functions."""
from numba.np.ufunc.decorators import vectorize
from numba.np.ufunc.dufunc import DUFunc
from numba.np.ufunc.gufunc import guvectorize
