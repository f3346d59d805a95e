# SPDX-License-Identifier: MIT
"""numba.np.numpy_support: between NumPy's dtypes and types."""
import numpy as np

from gridcell import _gridcell as _extension
from numba.core.ccallback import carray, farray


def from_dtype(dtype):
    """The type of the items of arrays of the dtype."""
    from numba.core import types
    if isinstance(dtype, np.dtype) and dtype.subdtype:
        return types.NestedArray(from_dtype(dtype.subdtype[0]), dtype.shape)
    if isinstance(dtype, np.dtype) and dtype.kind == "O":
        return types.pyobject
    return _extension.from_dtype(dtype)


def as_dtype(nbtype):
    """The dtype of arrays of items of the type."""
    from numba.core.typing.makers import dtype_of
    return dtype_of(nbtype)


from_struct_dtype = _extension.from_dtype
as_struct_dtype = _extension.as_dtype
numpy_version = tuple(map(int, np.__version__.split(".")[:2]))


def is_array(val):
    """Whether the value is an array of NumPy's."""
    return isinstance(val, np.ndarray)


def is_contiguous(val):
    """Whether the array lies in C's order without gaps."""
    return val.flags["C_CONTIGUOUS"]


def is_fortran(val):
    """Whether the array lies in Fortran's order without gaps, and not in C's."""
    return val.flags["F_CONTIGUOUS"] and not val.flags["C_CONTIGUOUS"]


def map_layout(val):
    """The layout of an array as types name it: C, F or A."""
    return "C" if is_contiguous(val) else "F" if is_fortran(val) else "A"


def map_arrayscalar_type(val):
    """The type of a scalar of NumPy's."""
    return from_dtype(np.asarray(val).dtype)


def type_can_asarray(arr):
    """Whether compiled code can make an array of values of the type."""
    from numba.core import types
    return isinstance(arr, (types.Array, types.Sequence, types.Tuple, types.StringLiteral, types.Number,
                            types.Boolean, types.ListType))


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
