# SPDX-License-Identifier: MIT
"""numba.np.ufunc: ufuncs of scalar functions."""
from numba.np.ufunc.decorators import vectorize
from numba.np.ufunc.dufunc import DUFunc


_THREADS = ("get_num_threads", "get_parallel_chunksize", "get_thread_id", "set_num_threads",
            "set_parallel_chunksize", "threading_layer")
# the identities of ufuncs, as NumPy's C interface numbers them
PyUFunc_Zero, PyUFunc_One, PyUFunc_None, PyUFunc_ReorderableNone = 0, 1, -1, -2


def __getattr__(name):
    if name == "guvectorize":
        from numba.np.ufunc.gufunc import guvectorize
        return guvectorize
    if name in _THREADS:
        from numba.core import dispatcher
        return getattr(dispatcher, name)
    from gridcell.hook import submodule
    return submodule(__name__, name)
