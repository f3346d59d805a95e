# SPDX-License-Identifier: MIT
"""numba.core.typing.npydecl: what a dtype argument says."""
from gridcell.absent import refuse_all
from numba.core import types


def parse_dtype(dtype):
    """The type of items for the type of a dtype argument: a class of NumPy's, or a constant text; None for others."""
    if isinstance(dtype, types.StringLiteral):
        import numpy as np

        from numba.np.numpy_support import from_dtype
        return from_dtype(np.dtype(dtype.literal_value))
    return getattr(dtype, "dtype", None)


def parse_shape(shape):
    """How many axes an array of the shape has; None for what is no shape."""
    if isinstance(shape, types.Integer):
        return 1
    is_shape = isinstance(shape, types.BaseTuple) and all(isinstance(length, types.Integer) for length in shape)
    return len(shape) if is_shape else None


__getattr__ = refuse_all("numba.core.typing.npydecl", "is where numba types NumPy for its compiler; gridcell has its own "
                         "implementation, under the names of NumPy alone.")
