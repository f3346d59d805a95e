# SPDX-License-Identifier: MIT
"""numba.np.ufunc: ufuncs of scalar functions."""
from numba.np.ufunc.decorators import vectorize
from numba.np.ufunc.dufunc import DUFunc


def __getattr__(name):
    if name == "guvectorize":
        from numba.np.ufunc.gufunc import guvectorize
        return guvectorize
    from gridcell.hook import submodule
    return submodule(__name__, name)
