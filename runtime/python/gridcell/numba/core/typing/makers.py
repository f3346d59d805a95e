# SPDX-License-Identifier: MIT
"""Types by the names and arguments of numba's classes, where the compiler has another kind for them."""
import numpy as np

from gridcell import _gridcell as _extension


def _to_type(value, what):
    if not isinstance(value, _extension.Type):
        raise TypeError(f"{what} is to be a type, not {value!r}")
    return value


def _char_seq(count, letter, name):
    if not isinstance(count, (int, np.integer)) or count < 0:
        raise TypeError(f"{name}({count!r}): the number of characters is to be an integer of at least 0")
    return _extension.from_dtype(np.dtype(f"{letter}{count}"))


def unicode_char_seq(count):
    """UnicodeCharSeq(count): a string of NumPy's of so many characters."""
    return _char_seq(count, "U", "UnicodeCharSeq")


def char_seq(count):
    """CharSeq(count): a byte string of NumPy's of so many characters."""
    return _char_seq(count, "S", "CharSeq")


def class_of(dtype):
    """DType(type), TypeRef(type): what stands for the type itself."""
    return _extension.NumberClass(_to_type(dtype, "the type of a class"))


def of_members(enum):
    """The type of the members of an enum that has some."""
    return _extension.typeof(next(iter(enum)))


def predefined(name):
    """A type that has a name of its own."""
    from numba.core import types
    return getattr(types, name)


def bytes_type():
    """The type of bytes."""
    return _extension.typeof(b"")


def array_of_arrays(dtype, ndim, *args, **kwargs):
    """Array(NestedArray(...), ndim, ...): the axes of both."""
    return _extension.Array(dtype.dtype, ndim + dtype.ndim, *args, **kwargs)


def enum_member(enum, dtype):
    """EnumMember(class, dtype): a member of the enum; its values are to be of the dtype's kind."""
    member = next(iter(enum), None)
    if member is None:
        raise TypeError(f"{enum!r} has no members")
    held, asked = _extension.typeof(member.value), _to_type(dtype, "dtype")
    same = held == asked or isinstance(held, _extension.Integer) and isinstance(asked, _extension.Integer)
    if not same:
        raise TypeError(f"EnumMember({enum.__name__}, {dtype}): the values of the enum are of the type {held}")
    return of_members(enum)


def enum_class(enum, dtype):
    """EnumClass(class, dtype): an enum itself."""
    return class_of(enum_member(enum, dtype))


def buffer(dtype, ndim, layout, readonly=False, name=None):
    """MemoryView, ByteArray and PyArray (dtype, ndim, layout): arrays here."""
    return _extension.Array(dtype, ndim, layout, readonly)


def record_of(fields, size, aligned):
    """Record(fields, size, aligned): a record; the fields are pairs of a name and {'type', 'offset', 'title'}."""
    fields = sorted(fields, key=lambda field: (field[1]["offset"], field[0]))
    said = {"names": [name for name, _ in fields], "offsets": [info["offset"] for _, info in fields],
            "formats": [dtype_of(info["type"]) for _, info in fields], "itemsize": size}
    if any(info.get("title") for _, info in fields):
        said["titles"] = [info.get("title") for _, info in fields]
    return _extension.from_dtype(np.dtype(said, align=bool(aligned)))


def dtype_of(kind):
    """The dtype of a type, which may be an array within a record."""
    from numba.core import types
    if isinstance(kind, types.NestedArray):
        return np.dtype((_extension.as_dtype(kind.dtype), kind.shape))
    if kind == types.pyobject:
        return np.dtype("O")
    return _extension.as_dtype(kind)


def random_generator(name="NumPyRandomGeneratorType"):
    """The type of np.random.Generator: there is one, whatever it is called."""
    import numpy as np
    return _extension.typeof(np.random.default_rng(0))


# The class of numba.core.types -> what makes its types
MAKERS = {
    "UnicodeCharSeq": unicode_char_seq, "CharSeq": char_seq,
    "DType": class_of, "TypeRef": class_of, "EnumClass": enum_class, "IntEnumClass": enum_class,
    "DeferredType": _extension.deferred_type, "IntEnumMember": enum_member, "NumPyRandomGeneratorType": random_generator,
    **dict.fromkeys(("MemoryView", "ByteArray", "PyArray"), buffer),
}
