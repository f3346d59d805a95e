# SPDX-License-Identifier: MIT
"""numba.core.boxing: what generators of code call for values of numba's own types, by the kind of type."""
from numba.core.extension.boxing import NativeValue, box, reflect, unbox

_KINDS = ("array", "bool", "complex", "dict", "float", "integer", "list", "set", "slice", "tuple", "namedtuple", "none",
          "record", "bytes", "unicode_str", "npdatetime", "nptimedelta", "optional", "dispatcher", "enum", "charseq")


def _boxer(name):
    def box_value(typ, val, c):
        return c.box(typ, val)
    box_value.__name__ = name
    return box_value


def _unboxer(name):
    def unbox_value(typ, obj, c):
        return c.unbox(typ, obj)
    unbox_value.__name__ = name
    return unbox_value


globals().update({f"box_{kind}": _boxer(f"box_{kind}") for kind in _KINDS})
globals().update({f"unbox_{kind}": _unboxer(f"unbox_{kind}") for kind in _KINDS})


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
