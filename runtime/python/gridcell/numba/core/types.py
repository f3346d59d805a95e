# SPDX-License-Identifier: MIT
"""numba.types: the types by all their names, their classes, and what makes them."""
from collections import namedtuple as _namedtuple
from math import prod as _prod
from types import MappingProxyType as _MappingProxyType

from gridcell import _gridcell as _extension
from numba.core import described_types, type_texts

Type = _extension.Type
Signature = _extension.Signature
_classes = {name: value for name, value in vars(_extension).items()
            if isinstance(value, type) and issubclass(value, Type)}
globals().update(_classes)
globals().update(_extension.type_names)


_RecordField = _namedtuple("_RecordField", "type offset alignment title")


def _domain(*names):
    return frozenset(_extension.type_names[name] for name in names)


signed_domain = _domain("int8", "int16", "int32", "int64")
unsigned_domain = _domain("uint8", "uint16", "uint32", "uint64")
integer_domain = signed_domain | unsigned_domain
real_domain = _domain("float32", "float64")
complex_domain = _domain("complex64", "complex128")
number_domain = real_domain | integer_domain | complex_domain


def optional(type):
    """The type of a value of `type`, or None."""
    return _classes["Optional"](type)


deferred_type = _extension.deferred_type


class Literal(Type):
    """A type of one value, as overloads are told of constants."""

    @property
    def literal_value(self):
        """The value."""
        return _extension.literal_parts(self)[0]

    @property
    def literal_type(self):
        """The type of the value."""
        return _extension.literal_parts(self)[1]


class _LiteralType:
    """A literal; isinstance takes it for its class below, and so for the value's type, too."""

    def __init__(self, value, face=None):
        self.literal_value = value
        self._face = face or _faces[type(value)]

    @property
    def __class__(self):
        return self._face

    @property
    def literal_type(self):
        """The type of the value."""
        return _extension.typeof(self.literal_value)

    def __getattr__(self, name):
        return getattr(self.literal_type, name)

    def __eq__(self, other):
        return isinstance(other, Literal) and type(self.literal_value) is type(other.literal_value) \
            and self.literal_value == other.literal_value

    def __hash__(self):
        return hash((self.literal_value, type(self.literal_value)))

    @property
    def name(self):
        """What messages call it."""
        return repr(self)

    key = name
    mangling_args = property(lambda self: (self.name, ()), doc="of the mangled name of a function that takes it")

    def __repr__(self):
        return f"Literal[{type(self.literal_value).__name__}]({self.literal_value})"


class IntegerLiteral(Literal, _classes["Integer"]):
    """The type of a known integer."""

    def __new__(cls, value):
        return _LiteralType(value)


class BooleanLiteral(Literal, _classes["Boolean"]):
    """The type of a known truth value."""

    def __new__(cls, value):
        return _LiteralType(value)


class StringLiteral(Literal):
    """The type of a known string, or of another known value that a program makes one of."""

    def __new__(cls, value):
        return _LiteralType(value, cls)


_faces = {type(1): IntegerLiteral, type(True): BooleanLiteral, type(""): StringLiteral}


class Omitted:
    """The type of an argument that was left out, with its default."""

    def __init__(self, default):
        self.value = self.default = default

    @property
    def key(self):
        """Equal for equal types."""
        return type(self.value), self.value

    @property
    def name(self):
        """What messages call it."""
        return repr(self)

    def __eq__(self, other):
        return isinstance(other, Omitted) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __repr__(self):
        return f"omitted(default={self.value!r})"


_extension.set_literal_types((IntegerLiteral, BooleanLiteral, StringLiteral, Omitted))


class _Begun:
    """The type of a list or dict whose display is known: as the plain type, with what it began as."""

    def __init__(self, plain, initial_value):
        self._plain, self.initial_value = plain, initial_value

    @property
    def __class__(self):
        return type(self._plain)

    def __getattr__(self, name):
        return getattr(self._plain, name)

    def __eq__(self, other):
        return type(other) is _Begun and self._plain == other._plain and self.initial_value == other.initial_value

    def __hash__(self):
        return hash(self._plain)

    @property
    def name(self):
        """What messages call it."""
        return str(self)

    def __str__(self):
        return str(self._plain).removeprefix("reflected ").replace("<iv=None>", f"<iv={self.initial_value}>")

    def __repr__(self):
        return repr(self._plain)


class _Mixed:
    """The type of a display of items of several types: a LiteralList or LiteralStrKeyDict, with the literals in it."""

    def __init__(self, face, items, fields=()):
        self._face, self.types, self.fields = face, tuple(items), tuple(fields)
        self.count = len(self.types)

    @property
    def __class__(self):
        return self._face

    @property
    def literal_value(self):
        """The types of the items, by the keys' where it is a dict's."""
        keys = map(StringLiteral, self.fields)
        return dict(zip(keys, self.types)) if self._face is _classes["LiteralStrKeyDict"] else list(self.types)

    def __len__(self):
        return self.count

    def __getitem__(self, place):
        return self.types[place]

    def __eq__(self, other):
        return type(other) is _Mixed and (self._face, self.types, self.fields) == (other._face, other.types, other.fields)

    def __hash__(self):
        return hash((self._face, self.types, self.fields))

    @property
    def name(self):
        """What messages call it."""
        return repr(self)

    def __repr__(self):
        parts = self.literal_value
        if isinstance(parts, dict):
            return f"LiteralStrKey[Dict]({{{', '.join(f'{key}: {parts[key]}' for key in parts)}}})"
        return f"LiteralList({tuple(parts)})"


def _mixed(face, parts):
    """LiteralList(types) and LiteralStrKeyDict({literal of a key: type})."""
    if face is _classes["LiteralList"]:
        return _Mixed(face, parts)
    return _Mixed(face, parts.values(), [key.literal_value for key in parts])


_TUPLES = _classes["BaseTuple"], _classes["LiteralList"], _classes["LiteralStrKeyDict"]  # whose values are tuples


def _is_mixed(type):
    return isinstance(type, (_classes["LiteralList"], _classes["LiteralStrKeyDict"]))


def _known(type, value):
    """The type of a value that is known when code is compiled, as it stands in a question (NotImplemented: it is not)."""
    if _is_mixed(type):
        values = value if isinstance(value, tuple) else [NotImplemented] * len(type)
        return _Mixed(type.__class__, map(_known, type.types, values), type.fields)
    if value is NotImplemented:
        return type
    if isinstance(value, (list, dict)):
        return _Begun(type, value)
    return literal(value) if _is_literal(value) else type


def _is_literal(value):
    return type(value) in _faces


def literal(value):
    """The type of a known int, bool or str; TypeError for other values."""
    if not _is_literal(value):
        from numba.core.errors import LiteralTypingError
        raise LiteralTypingError(f"{type(value)} cannot be used as a literal")
    return _LiteralType(value)


def unliteral(type):
    """The type without the value that a literal has."""
    if _is_begun(type):
        return type._plain
    return type.literal_type if isinstance(type, Literal) else type


def _is_begun(kind):
    return type(kind) is _Begun


def _make_c_struct(fields):
    """The Record of the fields, pairs of name and type, as a C compiler places them."""
    import numpy as np
    from numba.core.typing.makers import dtype_of
    return _extension.from_dtype(np.dtype([(name, dtype_of(kind)) for name, kind, *_ in fields], align=True))


def _signature_type(self):
    """The type of functions with the signature."""
    return _classes["FunctionType"](self)


def _cast_python_value(self, value):
    """The value as one of NumPy's of the type."""
    return self(value)


Signature.as_type = _signature_type
for _name in ("List", "DictType"):
    _classes[_name].initial_value = None  # what a value began as is told to overloads alone
for _name in ("LiteralList", "LiteralStrKeyDict"):
    _classes[_name].literal_value = property(lambda self: _known(self, NotImplemented).literal_value,
                                             doc="the types of the items, by keys where it is a dict's")
_Integer, _Number = _classes["Integer"], _classes["Number"]
_Integer.maxval = property(lambda self: (1 << (self.bitwidth - self.signed)) - 1,
                           doc="the largest value")
_Integer.minval = property(lambda self: -(1 << (self.bitwidth - 1)) if self.signed else 0,
                           doc="the smallest value")
_Number.cast_python_value = _cast_python_value


_Bytes = _classes["Bytes"]
_Bytes.dtype, _Bytes.ndim, _Bytes.layout = _extension.type_names["uint8"], 1, "C"


def _from_bitwidth(bitwidth, signed=True):
    """The integer type of so many bits."""
    return _extension.type_names[f"{'' if signed else 'u'}int{bitwidth}"]


def _type_of_field(part):
    return NestedArray(*part) if isinstance(part, tuple) else part


def _members(record):
    return [(name, _type_of_field(part), offset) for name, part, offset, _ in record._parts]


def _fields(record):
    """The fields as NumPy's dtypes have them: by name, and again by title."""
    rows = [(name, title, _RecordField(_type_of_field(part), offset, None, title))
            for name, part, offset, title in record._parts]
    return {**{name: field for name, _, field in rows}, **{title: field for _, title, field in rows if title}}


def _dtype_of(named):
    if len(named) and len(set(named.types)) == 1 and named.instance_class is not tuple:
        return named.types[0]
    raise AttributeError(f"the items of {named} have no one type")


def _field_of(record, name):
    return _fields(record)[name]


_Integer.from_bitwidth = staticmethod(_from_bitwidth)
_Record = _classes["Record"]
_Record.__len__ = lambda self: len(self._parts)
_Record.members = property(_members, doc="the fields in order: name, type, offset")
_Record.fields = property(_fields, doc="name or title -> type, offset, alignment, title of a field")
_Record.bitwidth = property(lambda self: 8 * self.size, doc="how many bits it takes")
_classes["Tuple"].dtype = property(lambda self: _dtype_of(self), doc="the type of all items, where a named tuple has one")
_Record.typeof = lambda self, name: _field_of(self, name).type
_Record.offset = lambda self, name: _field_of(self, name).offset
_Record.has_titles = property(lambda self: any(title for *_, title in self._parts), doc="whether some field has a title")
_Record.is_title = lambda self, name: any(title == name for *_, title in self._parts)
_Record.aligned = property(lambda self: self.dtype.isalignedstruct, doc="whether laid out as C does")
_object_classes = {}  # type of the objects of a compiled class -> that class
_classes["ClassInstanceType"].struct = property(
    lambda self: dict(_object_classes[self]._fields), doc="name -> type of a compiled class's fields")
_classes["ClassInstanceType"].class_type = property(
    lambda self: _object_classes[self].class_type, doc="what leads back to the class")
_classes["Record"].make_c_struct = staticmethod(_make_c_struct)
_classes["FunctionType"].nargs = property(lambda self: len(self.signature.args),
                                          doc="how many arguments it takes")

def _address_of_function(self, function):
    """The address of a function of ctypes or cffi, as get_pointer of the type that it has."""
    from numba.core import foreign
    return foreign.address_of(function)


_SliceType = _classes["SliceType"]
_SliceType.members = property(lambda self: str(self).count(":") + 1, doc="how many parts it says")
_SliceType.has_step = property(lambda self: self.members == 3, doc="whether it says a step")
_classes["ExternalFunctionPointer"].get_pointer = _address_of_function
del BoundFunction  # programs make these by their templates (type_families.py)

_struct_kinds = {}  # type of a struct -> what numba.experimental.structref knows of it


class _StructClass(type):
    """The class of classes of struct types: calling one gives a type of the compiler's."""

    def __call__(cls, fields):
        from numba.experimental import structref
        return structref._make_type(cls, fields)

    def __instancecheck__(cls, value):
        known = _struct_kinds.get(value) if isinstance(value, Type) else None
        return known is not None and issubclass(known.struct, cls)


class StructRef(metaclass=_StructClass):
    """Base of the classes of struct types, which numba.experimental.structref registers."""

    def __init__(self, fields):
        self._said = tuple(self.preprocess_fields(tuple(fields)))

    @property
    def literal_type(self):
        """What stands for the type within its own fields, as preprocess_fields() may say them."""
        if "_within" not in self.__dict__:
            self._within = deferred_type()
        return self._within

    def preprocess_fields(self, fields):
        """What a subclass changes of the fields, pairs of name and type, before there is a type."""
        return tuple((name, unliteral(kind)) for name, kind in fields)


_classes["ClassInstanceType"].field_dict = property(
    lambda self: _MappingProxyType(dict(_struct_kinds[self].fields) if self in _struct_kinds else {}),
    doc="name -> type of a struct's fields")


class WrapperAddressProtocol:
    """Base of objects that stand for a function of C in compiled code.

    A subclass has two methods: __wrapper_address__(), the address of the function, and
    signature(), what it takes and gives. Compiled code calls the objects, alone or in tuples
    and lists with jitted functions and callbacks."""

    @property
    def _numba_type_(self):
        return _classes["FunctionType"](self.signature())

    @property
    def __gridcell_function__(self):
        from numba.core.foreign import function_at
        address, signature = self.__wrapper_address__(), self.signature()
        if not isinstance(address, int) or address <= 0:
            raise ValueError(f"wrapper address of {self!r} instance must be a positive integer but got {address!r}: "
                             f"{type(self).__name__}.__wrapper_address__() gives where the function of C lies")
        known = self.__dict__.get("_gridcell_known")
        if known is None or known[0] != (address, signature):
            known = self._gridcell_known = (address, signature), function_at(address, signature)
        return known[1]


# --- Classes that a program derives from ours: what a type of theirs says of itself, its object holds

class _Held:
    """An attribute that is kept in the object, where the class above has one of the compiler's."""

    def __init__(self, name):
        self._name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self._name not in instance.__dict__:
            raise AttributeError(f"the type of class {type(instance).__name__} does not say its {self._name!r}")
        return instance.__dict__[self._name]

    def __set__(self, instance, value):
        instance.__dict__[self._name] = value


def _begin_integer(self, name, bitwidth=None, signed=None):
    from numba.core import type_families
    Type.__init__(self, name)
    self.bitwidth = type_families.parse_integer_bitwidth(name) if bitwidth is None else bitwidth
    self.signed = type_families.parse_integer_signed(name) if signed is None else signed


def _begin_float(self, name, bitwidth=None):
    from numba.core import type_families
    Type.__init__(self, name)
    self.bitwidth = type_families.parse_integer_bitwidth(name) if bitwidth is None else bitwidth


def _begin_complex(self, name, underlying_float):
    Type.__init__(self, name)
    self.underlying_float, self.bitwidth = underlying_float, 2 * underlying_float.bitwidth


def _begin_array(self, dtype, ndim, layout, readonly=False, name=None, aligned=True):
    plain = _classes["Array"](dtype, ndim, layout, readonly, aligned=aligned)
    Type.__init__(self, name or plain.name)
    for part in ("dtype", "ndim", "layout", "mutable", "aligned", "is_contig", "is_c_contig"):
        setattr(self, part, getattr(plain, part))


def _begin_over(class_, part):
    def begin(self, element, *rest):
        Type.__init__(self, class_(element).name)
        setattr(self, part, element)
    return begin


def _begin_tuple(self, *args, **kwargs):
    raise TypeError(f"{type(self).__name__} derives from a class of types of tuples, which cannot be: derive it from "
                    "types.Type, and register a TupleModel")


def _box_type(self):
    import numpy as np
    return np.ndarray


def _key_of_array(self):
    return self.dtype, self.ndim, self.layout, self.mutable, self.aligned


_classes["Array"].key = property(_key_of_array, doc="equal for equal types of one class")
_classes["Array"].box_type = property(_box_type, doc="the class of the objects in Python")

_own = frozenset(_classes.values())
_beginnings = {"Integer": _begin_integer, "Float": _begin_float, "Complex": _begin_complex, "Array": _begin_array,
               **dict.fromkeys(("BaseTuple", "UniTuple", "Tuple"), _begin_tuple),
               "Optional": _begin_over(_classes["Optional"], "type"),
               **{_name: _begin_over(_classes[_name], "dtype") for _name in ("CPointer", "List", "ListType", "Set", "SetType")}}


def _begin(own):
    """The __init__ of a class of ours: what the types of derived classes begin as; ours are there already."""
    def __init__(self, *args, **kwargs):
        if type(self) not in _own:
            own(self, *args, **kwargs)
    return __init__


for _name, _function in _beginnings.items():
    _classes[_name].__init__ = _begin(_function)


def _keep_parts(cls, **kwargs):
    """Run for each class that derives from one of types."""
    super(Type, cls).__init_subclass__(**kwargs)
    inherited = {name for base in cls.__mro__ if base in _own and base is not Type for name, part in vars(base).items()
                 if type(part).__name__ == "getset_descriptor"}
    for name in inherited - {name for base in cls.__mro__ if base not in _own for name in vars(base)}:
        setattr(cls, name, _Held(name))


Type.__init_subclass__ = classmethod(_keep_parts)


class NestedArray(_classes["Array"]):
    """NestedArray(dtype, shape): an array within a record."""

    def __init__(self, dtype, shape):
        if isinstance(dtype, NestedArray):
            dtype, shape = dtype.dtype, (*shape, *dtype.shape)
        self.shape = tuple(int(side) for side in shape)
        super().__init__(dtype, len(self.shape), "C", name=f"nestedarray({dtype}, {self.shape})")

    @property
    def nitems(self):
        """How many items it has."""
        return _prod(self.shape)

    @property
    def size(self):
        """How many bytes it takes."""
        return self.nitems * _extension.as_dtype(self.dtype).itemsize

    @property
    def strides(self):
        """The bytes between two items, along each axis."""
        return tuple(_prod(self.shape[axis + 1:], start=self.size // max(self.nitems, 1)) for axis in range(self.ndim))

    @property
    def key(self):
        """Equal for equal types."""
        return self.dtype, self.shape

    def __repr__(self):
        return f"NestedArray({self.dtype!r}, {self.shape})"


described_types.install()
type_texts.install()
Type.is_internal = property(lambda self: type(self).__module__.partition(".")[0] == "numba",
                            doc="whether it is one of the package's own")
_codes = {}
Type._code = property(lambda self: _codes.setdefault(self, len(_codes)), doc="a number of its own")

__all__ = sorted({*_classes, *_extension.type_names, "Signature", "deferred_type", "optional", "literal",
                  "unliteral", "Literal", "IntegerLiteral", "BooleanLiteral", "StringLiteral",
                  "Omitted", "StructRef", "WrapperAddressProtocol"})

def __getattr__(name):
    from numba.core import type_families
    value = globals()[name] = type_families.find(name)
    return value


# The modules that numba keeps them in
import sys as _sys

for _name in ("abstract", "common", "containers", "function_type", "functions", "iterators", "misc", "npytypes", "scalars"):
    globals()[_name] = _sys.modules[f"{__name__}.{_name}"] = _sys.modules[__name__]
