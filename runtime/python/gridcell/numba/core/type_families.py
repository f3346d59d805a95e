# SPDX-License-Identifier: MIT
"""Classes of types that user code asks isinstance() of: families that numba derives its classes
from (Hashable, Sequence, IterableType...), and classes that are one with another here."""
from gridcell import _gridcell as _extension
from numba.core.described_types import DESCRIBED, describe

_Type = _extension.Type
_names = _extension.type_names
_ITERABLE = ("Bytes", "UniTuple", "List", "ListType", "Set", "SetType", "DictType", "UnicodeType", "Array",
             "RangeType", "EnumerateType", "ZipType", "IteratorType")


def _is(*names):
    classes = tuple(getattr(_extension, name) for name in names)
    return lambda type_: isinstance(type_, classes)


_is_tuple = _is("BaseTuple")
_is_array = _is("Array", "Bytes")
_scalar = _is("Number", "Boolean", "UnicodeType", "Bytes", "EnumMember", "Record")


def _is_named(type_):
    return _is_tuple(type_) and hasattr(type_, "instance_class") and type_.instance_class is not tuple


def _is_uniform(type_):
    return len(type_) > 0 and all(item == type_[0] for item in type_)


def _hashable(type_):
    return all(map(_hashable, type_)) if _is_tuple(type_) else _scalar(type_)


def _iterable(type_):
    if _is_tuple(type_):
        return len(type_) > 0 and _is_uniform(type_)
    return _is(*_ITERABLE)(type_)


_is_list = _is("List")

# name -> (whether a type belongs to the family, what it is)
_FAMILIES = {
    "Hashable": (_hashable, "types whose values can be keys"),
    "Sequence": (lambda t: _is_list(t) or (_is_tuple(t) and _iterable(t)), "types of values that are indexed in order, of one item type"),
    "MutableSequence": (_is_list, "types of sequences that can change"),
    "IterableType": (_iterable, "types that a for loop goes through"),
    "SimpleIterableType": (_is("RangeType", "EnumerateType", "ZipType", "IteratorType", "List", "ListType",
                               "Set", "SetType", "DictType"), "iterable types with one iterator type"),
    "SimpleIteratorType": (_is("EnumerateType", "ZipType", "IteratorType"), "types of iterators"),
    "Sized": (lambda t: _is_tuple(t) or _is("List", "Set")(t), "types of values with a length"),
    "ConstSized": (_is_tuple, "types that know the length of their values"),
    "Container": (lambda t: _is("List", "Set")(t) or _is_tuple(t) and _iterable(t),
                  "types of values that hold items of one type"),
    "Buffer": (_is_array, "types of values over memory"),
    "ArrayCompatible": (_is_array, "types that are taken for arrays"),
    "BaseAnonymousTuple": (lambda t: _is_tuple(t) and not _is_named(t), "tuples without names"),
    "BaseNamedTuple": (_is_named, "types of named tuples"),
    "HeterogeneousTuple": (lambda t: _is_tuple(t) and not _is_uniform(t), "tuples of several types"),
    "_HeterogeneousTuple": (lambda t: _is_tuple(t) and not _is_uniform(t), "tuples of several types"),
    "_HomogeneousTuple": (lambda t: _is_tuple(t) and _is_uniform(t), "tuples of one type"),
    "Opaque": (_is("NoneType", "RawPointer", "PyObject", "EllipsisType", "Module", "Function", "Dispatcher"),
               "types whose values show nothing of themselves"),
    "Dummy": (_is("NoneType", "RawPointer", "PyObject", "EllipsisType", "Module", "Function", "Dispatcher"),
              "types without data"),
    "EnumClass": (lambda t: _is("NumberClass")(t) and isinstance(t.dtype, _extension.EnumMember),
                  "classes of enums"),
    "IntEnumClass": (lambda t: _is("NumberClass")(t) and _is("EnumMember")(t.dtype)
                     and str(t.dtype).startswith("IntEnum"), "classes of IntEnums"),
    "Callable": (_is("Function", "Dispatcher", "NumberClass", "BoundFunction", "FunctionType",
                     "ExternalFunctionPointer"), "types of what can be called"),
    "BaseFunction": (_is("Function", "BoundFunction"), "types of functions that are known"),
    "DType": (_is("NumberClass"), "types of dtypes"),
    "DTypeSpec": (_is("NumberClass"), "types of dtypes, and what stands for them"),
    "TypeRef": (_is("NumberClass"), "types of types"),
    "IntEnumMember": (lambda t: _is("EnumMember")(t) and str(t).startswith("IntEnum"),
                      "members of an IntEnum"),
    "UnicodeCharSeq": (lambda t: str(t).startswith("[unichr"), "strings of NumPy"),
    "CharSeq": (lambda t: str(t).startswith("[char"), "byte strings of NumPy"),
    "NumPyRandomGeneratorType": (lambda t: str(t) == "NumPyRandomGeneratorType", "np.random.Generator"),
    "DeferredType": (lambda t: str(t).startswith("instance.jitclass.deferred#"), "types said later"),
    "Generator": (lambda t: "generator" in str(t), "generators"),
    "ListIter": (_is("IteratorType"), "iterators over lists"),
    "SetIter": (_is("IteratorType"), "iterators over sets"),
    "UniTupleIter": (_is("IteratorType"), "iterators over tuples"),
    "ListTypeIteratorType": (_is("IteratorType"), "iterators over typed lists"),
    "ListTypeIterableType": (_is("ListType"), "typed lists, as a for loop goes through them"),
    "RangeIteratorType": (_is("IteratorType"), "iterators over ranges"),
    "InitialValue": (_is("List", "DictType"), "types that know what a value began as"),
    "PolynomialType": (lambda t: "olynomial" in str(t), "polynomials of NumPy"),
}

# name -> what it would be: families that no type of ours belongs to
_EMPTY = {
    "StarArgTuple": "what *args are: plain tuples here",
    "ClassType": "types of compiled classes themselves",
    "Phantom": "types without values",
    "Undefined": "what is not known yet",
    "UndefVar": "variables without a value",
    "Poison": "values that must not be used",
    "ExceptionInstance": "exceptions that were made",
    "ContextManager": "what `with` takes",
    "ArrayIterator": "iterators over arrays: IteratorType here",
    "SliceLiteral": "slices of constants: plain slices here",
    "MemoryView": "memoryviews: read-only arrays here",
    "ByteArray": "bytearrays: arrays here",
    "PyArray": "arrays of the module array: arrays here",
    "ObjModeDispatcher": "functions in object mode",
    "RecursiveCall": "calls that are being typed",
    "MakeFunctionLiteral": "inner functions as literals",
    "UndefinedFunctionType": "functions of no known type",
    "Any": "any type",
    "ClassDataType": "the data of objects",
    "DictKeysIterableType": "the keys of dicts: lists here",
    "DictValuesIterableType": "the values of dicts: lists here",
    "DictItemsIterableType": "the items of dicts: lists here",
    "DictIteratorType": "iterators over dicts",
    "NumpyNdEnumerateType": "np.ndenumerate",
    "ArrayFlags": "array.flags",
    "ArrayCTypes": "array.ctypes: a pointer here",
    "NamedTupleClass": "classes of named tuples",
    "Object": "objects",
    "UnionType": "one of several types",
    "StarArgTuple": "arguments of *args of several types: a tuple here",
    "StarArgUniTuple": "arguments of *args of one type: a tuple here",
    "NumPyRandomBitGeneratorType": "np.random.BitGenerator",
    "BaseContainerIterator": "iterators over lists and sets: IteratorType here",
    "BaseContainerPayload": "what lists and sets hold",
    "ListPayload": "what a list holds",
    "SetPayload": "what a set holds",
    "SetEntry": "an item of a set, with its hash",
    "SetIterableType": "typed sets, as a for loop goes through them",
    "SetIteratorType": "iterators over typed sets",
    "StructRefPayload": "what a StructRef holds",
    "UnicodeIteratorType": "iterators over texts",
    "EphemeralArray": "the address of an array for as long as a function runs",
    "FunctionPrototype": "the address of a function with a signature",
    "WeakType": "types of which there are no longer values",
    "CompileResultWAP": "functions by what was compiled: FunctionType here",
}
_FAMILIES.update((name, (lambda type_: False, doc)) for name, doc in _EMPTY.items())


class _Family(type):
    """The class of families: a type belongs to one by what it is, not by its class."""

    def __instancecheck__(cls, value):
        if cls not in _tests or type.__instancecheck__(cls, value):
            return type.__instancecheck__(cls, value)
        if not isinstance(getattr(value, "literal_value", ""), str):
            value = getattr(value, "literal_type", value)
        return isinstance(value, _Type) and bool(_tests[cls](value))

    def __call__(cls, *args, **kwargs):
        if cls not in _tests or cls.__name__ in _OPEN or cls.__name__ in DESCRIBED:
            return type.__call__(cls, *args, **kwargs)
        from numba.core.typing.makers import MAKERS
        if cls.__name__ in MAKERS:
            return MAKERS[cls.__name__](*args, **kwargs)
        raise TypeError(f"cannot create '{cls.__name__}' types: the compiler has none of its own")

    def __subclasscheck__(cls, other):
        return type.__subclasscheck__(cls, other)


# Families of which programs make types without a class of their own
_OPEN = "Opaque", "Dummy", "Phantom", "VarArg"


_tests = {}


def _say_iterator(self, name, iterator_type):
    """The name, and the type of the iterators."""
    self._iterator_type = iterator_type
    _Type.__init__(self, name)


def _say_items(self, name, yield_type):
    """The name, and the type of the items."""
    self.yield_type = yield_type
    _Type.__init__(self, name)


def _say_buffer(self, dtype, ndim, layout, readonly=False, name=None):
    """What lies in the memory, and how; the name, where the class does not make it."""
    self.dtype, self.ndim, self.layout, self.mutable = dtype, ndim, layout, not readonly
    _Type.__init__(self, name or f"{type(self).__name__.lower()}({dtype}, {ndim}d, {layout})")


def _say_rest(self, dtype):
    """The type of each of the arguments."""
    self.dtype = dtype
    _Type.__init__(self, f"*{dtype}")


# What programs' own types inherit from some families
_INHERITED = {
    "VarArg": {"__init__": _say_rest},
    "SimpleIterableType": {"__init__": _say_iterator, "iterator_type": property(lambda self: self._iterator_type)},
    "Buffer": {"__init__": _say_buffer},
    "SimpleIteratorType": {"__init__": _say_items, "iterator_type": property(lambda self: self)},
}


def _make(name):
    from numba.core import types
    test, doc = _FAMILIES[name]
    base, parts = describe(name) if name in DESCRIBED else ("Type", _INHERITED.get(name, {}))
    made = _Family(name, (getattr(types, base),), {"__doc__": f"Family of types: {doc}.", "__module__": "numba.core.types",
                                                   **parts})
    _tests[made] = test
    return made


class _Maker(type):
    """The class of classes that make tuples of a namedtuple's class."""

    def __instancecheck__(cls, value):
        return isinstance(value, _Type) and _is_named(value) and cls._fits(value)


class NamedUniTuple(metaclass=_Maker):
    """NamedUniTuple(dtype, count, class): a namedtuple whose fields have one type."""

    def __new__(cls, dtype, count, cls_):
        return _extension.named_tuple_type(cls_, [dtype] * count)

    _fits = staticmethod(_is_uniform)


class NamedTuple(metaclass=_Maker):
    """NamedTuple(types, class): a namedtuple whose fields have these types."""

    def __new__(cls, types, cls_):
        return _extension.named_tuple_type(cls_, list(types))

    @staticmethod
    def _fits(type_):
        return not _is_uniform(type_)


class Pair(metaclass=_Maker):
    """Pair(first, second): a tuple of two."""

    def __new__(cls, first, second):
        return _extension.Tuple((first, second))

    _fits = staticmethod(lambda type_: False)


class _BoundMaker(type):
    """The class of BoundFunction."""

    def __instancecheck__(cls, value):
        return isinstance(value, _extension.BoundFunction)


class BoundFunction(metaclass=_BoundMaker):
    """BoundFunction(template, type): a method of values of the type, whose calls a class of templates types."""

    def __new__(cls, template, this):
        from numba.core.extension.templates import _Bound
        return _Bound(template, this)


class VarArg:
    """VarArg(type): any number of arguments of a type, a class of types, or types.Any; the last that lower_builtin names."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __repr__(self):
        return f"*{self.dtype}"


class _Domain(frozenset):
    """A set of types."""


def _domain(*names):
    return _Domain(_names[name] for name in names)


_signed, _unsigned = ("int8", "int16", "int32", "int64"), ("uint8", "uint16", "uint32", "uint64")
_reals, _complexes = ("float32", "float64"), ("complex64", "complex128")
signed_domain = _domain(*_signed)
unsigned_domain = _domain(*_unsigned)
integer_domain = _domain(*_signed, *_unsigned)
real_domain = _domain(*_reals)
complex_domain = _domain(*_complexes)
number_domain = _domain(*_signed, *_unsigned, *_reals, *_complexes)
sizeof_unicode_char = 4  # bytes

# What programs ask for by name, and no value is of: name -> text
_SILENT = {"undefined": "undefined", "unknown": "unknown", "code_type": "code", "ffi": "ffi", "pyfunc_type": "pyfunc",
           "py2_string_type": "str", "npy_bitgen": "NumPyRandomBitGeneratorType"}
# Of loops over ranges: name -> the type of their numbers
_RANGES = {"range_state32_type": "int32", "range_iter32_type": "int32", "range_state64_type": "int64",
           "range_iter64_type": "int64", "unsigned_range_state64_type": "uint64", "unsigned_range_iter64_type": "uint64"}


def maybe_literal(value):
    """The literal type of a value, or None."""
    from numba.core import types
    return types.literal(value) if types._is_literal(value) else None


def parse_integer_bitwidth(name):
    """The bits of an integer type by its name, such as int32."""
    return int("".join(filter(str.isdigit, name)))


def parse_integer_signed(name):
    """Whether the integer type of the name has a sign."""
    return name.startswith("int")


def is_homogeneous(*types):
    """Whether all of the types are one."""
    return len(set(types)) <= 1


# How Python, NumPy and C name numbers of their own, in numba's newer releases
_WORLDS = {"py_int": "int64", "py_float": "float64", "py_bool": "boolean", "py_complex": "complex128",
           "np_long": "int64", "np_ulong": "uint64"}


def _of_world(name):
    world, _, plain = name.partition("_")
    if plain.endswith("_domain") and world in ("np", "py"):
        return globals()[plain]
    return _names.get(_WORLDS.get(name) or (plain if world in ("np", "c") else ""))


def _of_range(name):
    """The type of a range of numbers of a type, or what stands for that of its iterator."""
    from numba.core.typing.context import Context
    if "iter" in name:
        return find("Opaque")(f"range_iter_{_RANGES[name]}")
    return Context().resolve_function_type(range, (_names[_RANGES[name]],), {}).return_type


def find(name):
    """The class or value of the name; AttributeError where there is none."""
    if name == "EphemeralPointer":
        from numba.core.extension.registry import EphemeralPointer
        return EphemeralPointer
    if name == "ExternalFunction":
        from numba.core.foreign import ExternalFunction
        return ExternalFunction
    if name == "npy_rng":
        import numpy as np
        from gridcell import _gridcell as extension
        return extension.typeof(np.random.default_rng())
    if name in _SILENT:
        return find("Opaque")(_SILENT[name])
    if name in _RANGES:
        return _of_range(name)
    if name == "numpy_version":
        from numba.np.numpy_support import numpy_version
        return numpy_version
    value = _make(name) if name in _FAMILIES else _of_world(name)
    if value is None and not name.startswith("_"):
        value = globals().get(name)
    if value is None or name == "find":
        raise AttributeError(f"module 'numba.core.types' has no attribute {name!r}")
    return value
