# SPDX-License-Identifier: MIT
"""numba.np.arraymath: parts of NumPy's functions that libraries call."""
from gridcell.absent import refuse_all
from numba.core.decorators import always_jit as njit


@njit
def _inner_product(a, b):
    total = a[0] * b[0]
    for i in range(1, len(a)):
        total = total + a[i] * b[i]
    return total


def _get_inner_prod(dta, dtb):
    """A jitted function of two arrays of these types: the sum of the products of their items."""
    return _inner_product


__getattr__ = refuse_all("numba.np.arraymath", "is where numba implements NumPy for its compiler; gridcell has its own "
                         "implementation, under the names of NumPy alone.")
