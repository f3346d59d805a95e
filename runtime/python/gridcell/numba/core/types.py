# SPDX-License-Identifier: MIT
"""numba.types: the types by all their names, their classes, and what makes them."""
from gridcell import _gridcell as _extension

Type = _extension.Type
Signature = _extension.Signature
_classes = {name: value for name, value in vars(_extension).items()
            if isinstance(value, type) and issubclass(value, Type)}
globals().update(_classes)
globals().update(_extension.type_names)


def optional(type):
    """The type of a value of `type`, or None."""
    return _classes["Optional"](type)


deferred_type = _extension.deferred_type


def literal(value):
    """The type of a value known while compiling; here the type of the value."""
    return _extension.typeof(value)


def unliteral(type):
    return type


__all__ = sorted({*_classes, *_extension.type_names, "Signature", "deferred_type", "optional", "literal"})
