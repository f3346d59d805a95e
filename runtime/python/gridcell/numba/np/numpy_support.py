# SPDX-License-Identifier: MIT
"""numba.np.numpy_support: between NumPy's dtypes and types."""
import collections

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


def type_is_scalar(typ):
    """Whether values of the type are scalars of NumPy's."""
    from numba.core import types
    return isinstance(typ, (types.Boolean, types.Number, types.UnicodeType, types.StringLiteral, types.NPTimedelta,
                            types.NPDatetime))


def check_is_integer(v, name):
    """TypingError where neither a value nor a type is one of integers; `name`: whose it is."""
    from numba.core import types
    from numba.core.errors import TypingError
    if not isinstance(v, (int, types.Integer)):
        raise TypingError(f"{name} must be an integer")


def lt_floats(a, b):
    """Whether a float goes before another where these are sorted: NaN is last."""
    return a < b or (b != b and a == a)


def lt_complex(a, b):
    """Whether a complex number goes before another where these are sorted: by the real part, then the imaginary one; NaN
    is last."""
    if a.real == b.real or (a.real != a.real and b.real != b.real):
        return lt_floats(a.imag, b.imag)
    if (a.imag != a.imag) != (b.imag != b.imag) and a.real == a.real and b.real == b.real:
        return b.imag != b.imag
    return lt_floats(a.real, b.real)


# --- Loops of ufuncs

class UFuncLoopSpec(collections.namedtuple("UFuncLoopSpec", "inputs outputs ufunc_sig")):
    """A loop of a ufunc: types of what it is given and gives, and NumPy's text for it, such as "dd->d"."""

    __slots__ = ()

    numpy_inputs = property(lambda self: [as_dtype(kind) for kind in self.inputs], doc="The dtypes that it is given.")
    numpy_outputs = property(lambda self: [as_dtype(kind) for kind in self.outputs], doc="The dtypes that it gives.")


def ufunc_can_cast(from_, to, has_mixed_inputs, casting="safe"):
    """Whether a loop may be given items of one dtype as another: beside floats integers of any width may be floats."""
    from_, to = np.dtype(from_), np.dtype(to)
    is_mixed = has_mixed_inputs and from_.kind in "iu" and to.kind in "cf"
    return is_mixed or np.can_cast(from_, to, casting)


def ufunc_find_matching_loop(ufunc, arg_types):
    """The first loop of a ufunc of NumPy's that takes types of operands, and of results that come after these, as a
    UFuncLoopSpec; None: there is none."""
    given, wanted = arg_types[:ufunc.nin], arg_types[ufunc.nin:]
    kinds = [as_dtype(kind) for kind in given]
    is_mixed = any(kind.kind in "iu" for kind in kinds) and any(kind.kind in "cf" for kind in kinds)
    for text in ufunc.types:
        inputs, outputs = text.split("->")
        if "e" in inputs and not any(kind.char == "e" for kind in kinds):
            continue  # small integers are computed with as float32
        takes = all((kind.char == letter) if letter in "mM" or kind.kind in "mM" else letter != "O"
                    and ufunc_can_cast(kind, np.dtype(letter), is_mixed) for kind, letter in zip(kinds, inputs))
        gives = takes and all(np.can_cast(np.dtype(letter), as_dtype(kind), "same_kind")
                              for kind, letter in zip(wanted, outputs))
        if gives and "O" not in outputs:
            return UFuncLoopSpec(*_types_of_loop(ufunc, given, kinds, inputs, outputs), text)
    return None


def _types_of_loop(ufunc, given, kinds, inputs, outputs):
    """The types that a loop is given, and those that it gives: of dates and spans of time with NumPy's unit for them."""
    taken = [kind if letter in "mM" else from_dtype(np.dtype(letter)) for kind, letter in zip(given, inputs)]
    if "m" in outputs or "M" in outputs:
        empty = [np.empty(0, kind if letter in "mM" else letter) for kind, letter in zip(kinds, inputs)]
        found = ufunc(*empty)
        return taken, [from_dtype(each.dtype) for each in (found if isinstance(found, tuple) else (found,))]
    return taken, [from_dtype(np.dtype(letter)) for letter in outputs]


def supported_ufunc_loop(ufunc, loop):
    """Whether compiled code has the loop."""
    return loop is not None and not set(loop.ufunc_sig) & set("OgG")


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
