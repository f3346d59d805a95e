# SPDX-License-Identifier: MIT
"""numba.np.extensions: what compiled code has beyond NumPy."""
import numpy as np

from numba.core.errors import TypingError
from numba.extending import overload

__all__ = ["cross2d"]


def cross2d(a, b):
    """The cross products of vectors of two: a number, or an array of them, for np.cross gives vectors."""
    a, b = np.asarray(a), np.asarray(b)
    _check(a, b)
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _check(a, b):
    if a.shape[-1] != 2 or b.shape[-1] != 2:
        raise ValueError("Incompatible dimensions for 2D cross product\n"
                         "(both dimensions must be 2)")


@overload(cross2d)
def _cross2d(a, b):
    if not all(hasattr(kind, "ndim") or hasattr(kind, "__len__") or "list" in str(kind).lower()
               for kind in (a, b)):
        raise TypingError("Inputs must be array-like.")

    def cross2d(a, b):
        x, y = np.asarray(a), np.asarray(b)
        if x.shape[-1] != 2 or y.shape[-1] != 2:
            raise ValueError("Incompatible dimensions for 2D cross product\n"
                             "(both dimensions must be 2)")
        return np.asarray(x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0])  # of two vectors, too, as in numba
    return cross2d
