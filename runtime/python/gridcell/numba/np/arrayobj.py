# SPDX-License-Identifier: MIT
"""numba.np.arrayobj: arrays in code that programs write with llvmlite's builder."""
from gridcell.absent import refuse_all


def make_array(array_type):
    """A function of (context, builder, value), which gives an array by its parts."""
    from numba.core.cgutils import create_struct_proxy
    return create_struct_proxy(array_type)


__getattr__ = refuse_all("numba.np.arrayobj", "is where numba implements arrays for its compiler; gridcell has its "
                         "own implementation, under the names of NumPy alone.")
