# SPDX-License-Identifier: MIT
"""CUDA's vector types: float32x4, uchar2, double3... with the fields x, y, z and w.

Each is made of scalars and vectors, as many numbers in all as it has fields; they are converted to
its type. In a kernel as on the host its values cannot be changed.
"""
import collections
import itertools

import numpy as np

from numba.core import types

_NAMES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
          "float64")
_ALIASES = {"char": "int8", "short": "int16", "int": "int32", "long": "int64",
            "longlong": "int64", "uchar": "uint8", "ushort": "uint16", "uint": "uint32",
            "ulong": "uint64", "ulonglong": "uint64", "float": "float32", "double": "float64"}


def _vector(base, count):
    name = f"{base}x{count}"
    fields = collections.namedtuple(name, list("xyzw"[:count]))
    scalar = getattr(np, base)

    def __new__(cls, *values):
        numbers = list(itertools.chain.from_iterable(
            value if isinstance(value, tuple) else (value,) for value in values))
        if len(numbers) != count:
            raise TypeError(f"{name} takes {count} numbers, {len(numbers)} were given")
        return fields.__new__(cls, *map(scalar, numbers))

    return type(name, (fields,), {
        "__new__": __new__, "__slots__": (), "__module__": "numba.cuda",
        "__gridcell_element__": getattr(types, base), "name": name, "base_type": getattr(types, base),
        "num_elements": count, "attr_names": tuple("xyzw"[:count]), "aliases": (),
        "__doc__": f"{count} numbers of {base}: {', '.join('xyzw'[:count])}."})


vector_types = {}
for _base in _NAMES:
    for _count in (1, 2, 3, 4):
        _made = vector_types[f"{_base}x{_count}"] = _vector(_base, _count)
        _made.user_facing_object = _made  # numba's tells a type from what makes its values
for _alias, _base in _ALIASES.items():
    for _count in (1, 2, 3, 4):
        _made = vector_types[f"{_alias}{_count}"] = vector_types[f"{_base}x{_count}"]
        _made.aliases += (f"{_alias}{_count}",)
globals().update(vector_types)
__all__ = list(vector_types)
