# SPDX-License-Identifier: MIT
"""Types that say of themselves what numba's do, of whose classes the compiler makes none: iterators, payloads, views of
dicts and what typing goes through. Programs make them, compare them, and derive classes from them."""
from gridcell import _gridcell as _extension

_Type = _extension.Type
_names = _extension.type_names


class _Told:
    """What a type tells of itself, unless it holds an attribute of the name, as types of programs' own classes may."""

    def __init__(self, tell, doc):
        self._tell, self.__doc__ = tell, doc

    def __get__(self, instance, owner=None):
        return self if instance is None else self._tell(instance)


def _types():
    from numba.core import types
    return types


def _tuple_of(*items):
    return _types().Tuple(items)


def _indices(ndim):
    return _types().UniTuple(_names["intp"], ndim)


# Each says the name, the key (None: the name), and what else the type has

def _array_ctypes(arytype):
    return f"ArrayCTypes(dtype={arytype.dtype}, ndim={arytype.ndim})", (arytype.dtype, arytype.ndim), {
        "dtype": arytype.dtype, "ndim": arytype.ndim}


def _array_flags(arytype):
    return f"ArrayFlags({arytype})", arytype, {"array_type": arytype}


def _rows_of(array):
    """What a loop over an array goes through."""
    if array.ndim <= 1:
        return array.dtype
    return _types().Array(array.dtype, array.ndim - 1, "A", readonly=not array.mutable)


def _array_iterator(array_type):
    return f"iter({array_type})", None, {"array_type": array_type, "yield_type": _rows_of(array_type)}


def _of_container(form, item=None):
    def say(container):
        parts = {"container": container}
        if item:
            parts["yield_type"] = getattr(container, item)
        return form.format(container), container, parts
    return say


def _set_entry(set_type):
    return f"entry({set_type})", set_type, {"set_type": set_type}


def _view_of_dict(word):
    def say(parent):
        items = {"keys": parent.key_type, "values": parent.value_type,
                 "items": _tuple_of(parent.key_type, parent.value_type)}
        return f"{word}[{parent}]", None, {"parent": parent, "yield_type": items[word]}
    return say


def _dict_iterator(iterable):
    return (f"iter[{iterable.parent}->{iterable.yield_type}],{iterable}", None,
            {"parent": iterable.parent, "iterable": iterable, "yield_type": iterable.yield_type})


def _list_type_iterable(parent):
    return f"list[{parent}]", None, {"parent": parent, "yield_type": parent.item_type}


def _list_type_iterator(iterable):
    return (f"iter[{iterable.parent}->{iterable.yield_type}]", None,
            {"parent": iterable.parent, "iterable": iterable, "yield_type": iterable.yield_type})


def _class_data(classtyp):
    return f"data.{classtyp}", None, {"class_type": classtyp}


def _context_manager(cm):
    return f"ContextManager({cm})", None, {"cm": cm}


def _ephemeral_array(dtype, count):
    return f"*{dtype}[{count}]", (dtype, count), {"dtype": dtype, "count": count}


def _exception(form):
    def say(exc_class):
        if not (isinstance(exc_class, type) and issubclass(exc_class, BaseException)):
            raise TypeError(f"an exception's class is wanted, not {exc_class!r}")
        return form.format(exc_class.__name__), exc_class, {"exc_class": exc_class}
    return say


def _function_prototype(rtype, atypes):
    text = f"{rtype}({', '.join(map(str, atypes))})"
    return text, text, {"rtype": rtype, "atypes": tuple(atypes)}


def _generator(gen_func, yield_type, arg_types, state_types, has_finalizer):
    arg_types, state_types = tuple(arg_types), tuple(state_types)
    return (f"{yield_type} generator(func={gen_func}, args={arg_types}, has_finalizer={has_finalizer})",
            (gen_func, arg_types, yield_type, has_finalizer, state_types),
            {"gen_func": gen_func, "yield_type": yield_type, "arg_types": arg_types, "state_types": state_types,
             "has_finalizer": has_finalizer})


def _named_tuple_class(instance_class):
    return f"class({instance_class})", instance_class, {"instance_class": instance_class}


def _nd_enumerate(arrty):
    return f"ndenumerate({arrty})", arrty, {
        "array_type": arrty, "yield_type": _tuple_of(_indices(arrty.ndim), arrty.dtype)}


def _poison(ty):
    return f"Poison<{ty}>", None, {"ty": ty}


def _range_iterator(dtype):
    return f"range_iter_{dtype}", None, {"yield_type": dtype}


def _slice_literal(value):
    types = _types()
    plain = types.slice2_type if value.step is None else types.slice3_type
    return f"Literal[slice]({value})", (value.start, value.stop, value.step), {
        "literal_value": value, "literal_type": plain, "members": plain.members, "has_step": plain.has_step}


def _star_tuple(types):
    types = tuple(types)
    return f"StarArgTuple({', '.join(map(str, types))})", types, {"types": types, "count": len(types)}


def _star_uni_tuple(dtype, count):
    return f"StarArgUniTuple({dtype} x {count})", (dtype, count), {
        "dtype": dtype, "count": count, "types": (dtype,) * count}


def _named(name):
    return name, None, {}


def _undefined_function(nargs, dispatchers):
    text = f"undefined({', '.join(['undefined'] * nargs)})"
    return f"UndefinedFunctionType[{text}]", text, {"nargs": nargs, "dispatchers": dispatchers}


def _unicode_iterator(dtype):
    return "iter_unicode", None, {"data": dtype, "yield_type": dtype}


# Of classes that the compiler has types of, which code makes and not their names

def _enumerate(iterable_type):
    source = iterable_type.iterator_type
    return f"enumerate({source})", source, {
        "source_type": source, "yield_type": _tuple_of(_names["intp"], source.yield_type)}


def _zip(iterable_types):
    sources = tuple(kind.iterator_type for kind in iterable_types)
    return f"zip({', '.join(map(str, sources))})", sources, {
        "source_types": sources, "yield_type": _tuple_of(*(source.yield_type for source in sources))}


def _flat(arrty):
    return f"array.flat({arrty})", arrty, {
        "array_type": arrty, "dtype": arrty.dtype, "yield_type": arrty.dtype, "mutable": True}


def _nd_index(ndim):
    return f"ndindex(ndim={ndim})", ndim, {"ndim": ndim, "yield_type": _indices(ndim)}


def _nd_iter(arrays):
    types, arrays = _types(), tuple(arrays)
    ndim = max((array.ndim for array in arrays if isinstance(array, types.Array)), default=0)
    layout = "F" if any(array.layout == "F" for array in arrays if array.ndim == ndim) else "C"
    views = [types.Array(array.dtype, 0, "C") for array in arrays]
    return f"nditer(ndim={ndim}, layout={layout}, inputs={arrays})", arrays, {
        "arrays": arrays, "ndim": ndim, "layout": layout, "views": views,
        "yield_type": views[0] if len(views) == 1 else _tuple_of(*views)}


def _range(dtype):
    return f"range_state_{dtype}", None, {"dtype": dtype}


# name -> (what it says, the class above it: a family or one of the compiler's)
_ITERATOR = "SimpleIteratorType"
DESCRIBED = {
    "ArrayCTypes": (_array_ctypes, "Type"), "ArrayFlags": (_array_flags, "Type"),
    "ArrayIterator": (_array_iterator, _ITERATOR), "ClassDataType": (_class_data, "Type"),
    "ContextManager": (_context_manager, "Type"), "DictKeysIterableType": (_view_of_dict("keys"), "Type"),
    "DictValuesIterableType": (_view_of_dict("values"), "Type"), "DictItemsIterableType": (_view_of_dict("items"), "Type"),
    "DictIteratorType": (_dict_iterator, _ITERATOR), "EphemeralArray": (_ephemeral_array, "Type"),
    "ExceptionInstance": (_exception("{}(...)"), "Type"), "FunctionPrototype": (_function_prototype, "Type"),
    "Generator": (_generator, _ITERATOR), "ListIter": (_of_container("iter({})", "dtype"), _ITERATOR),
    "ListPayload": (_of_container("payload({})"), "Type"), "ListTypeIterableType": (_list_type_iterable, "Type"),
    "ListTypeIteratorType": (_list_type_iterator, _ITERATOR), "NamedTupleClass": (_named_tuple_class, "Type"),
    "NumPyRandomBitGeneratorType": (_named, "Type"), "NumpyNdEnumerateType": (_nd_enumerate, _ITERATOR),
    "Poison": (_poison, "Type"), "RangeIteratorType": (_range_iterator, _ITERATOR), "SetEntry": (_set_entry, "Type"),
    "SetIter": (_of_container("iter({})", "dtype"), _ITERATOR), "SetPayload": (_of_container("payload({})"), "Type"),
    "SliceLiteral": (_slice_literal, "Type"), "StarArgTuple": (_star_tuple, "Type"),
    "StarArgUniTuple": (_star_uni_tuple, "Type"), "UndefVar": (_named, "Type"), "UndefinedFunctionType": (_undefined_function, "Type"),
    "Undefined": (_named, "Type"),
    "UniTupleIter": (_of_container("iter({})", "dtype"), _ITERATOR), "UnicodeIteratorType": (_unicode_iterator, _ITERATOR),
}
_OF_THE_COMPILER = {
    "EnumerateType": _enumerate, "ZipType": _zip, "NumpyFlatType": _flat, "NumpyNdIndexType": _nd_index,
    "NumpyNdIterType": _nd_iter, "RangeType": _range, "ExceptionClass": _exception("{}"),
    "RawPointer": _named,
}
_ITERATORS = frozenset(("EnumerateType", "ZipType", "NumpyFlatType", "NumpyNdIndexType", "NumpyNdIterType"))
# The types of what loops go through -> those of the iterators
_LOOPS = {
    "Array": lambda self: _types().ArrayIterator(self), "List": lambda self: _types().ListIter(self),
    "Set": lambda self: _types().SetIter(self), "UniTuple": lambda self: _types().UniTupleIter(self),
    "UnicodeType": lambda self: _types().UnicodeIteratorType(self),
    "ListType": lambda self: _types().ListTypeIterableType(self).iterator_type,
    "DictType": lambda self: _types().DictKeysIterableType(self).iterator_type,
}
_KEYS = {
    "List": lambda self: (self.dtype, True, "None"), "ListType": lambda self: self.item_type,
    "DictType": lambda self: (self.key_type, self.value_type, "None"), "Set": lambda self: (self.dtype, True),
    "CPointer": lambda self: (self.dtype, None), "Optional": lambda self: self.type, "NumberClass": lambda self: self.dtype,
}


def _key_of_tuple(self):
    named, is_uniform = getattr(self, "instance_class", tuple), type(self) is _extension.UniTuple
    if named is tuple:
        return (self.dtype, self.count) if is_uniform else tuple(self.types)
    return (named, self.dtype, self.count) if is_uniform else (named, tuple(self.types))


def _key_of(own, key):
    """As the class's types have it; those of derived classes are known by their names."""
    return lambda self: key(self) if type(self) is own else self.name


def _mangling_args(self):
    """The parts that the mangled name of a function with such a parameter is made of: a text, and what it is of."""
    return self.name, ()


def _mangling_of_array(self):
    return type(self).__name__, [self.dtype, self.ndim, self.layout, "mutable" if self.mutable else "readonly",
                                 "aligned" if self.aligned else "unaligned"]


def _mangling_of_tuple(self):
    named = getattr(self, "instance_class", tuple) is not tuple
    return (self.name, ()) if named else (type(self).__name__, self.key)


def _dump(self, tab=""):
    """Prints the class, the number and the name of the type."""
    print(f"{tab}DUMP {type(self).__name__}[code={self._code}, name={self.name}]")


def _nothing(self, *args):
    """None: no other way than the compiler's own."""


def _uncast(self, args):
    """Refuses to make a value of the type of one of Python's; types of numbers do."""
    raise NotImplementedError(f"no value of {self} is made of one of Python's")


def describe(name):
    """What a class of the name has: how its types begin, and what loops ask of them."""
    say, base = DESCRIBED[name]
    parts = {"__init__": _beginning(say), "key": _said_key}
    if name.startswith("Dict") and base == "Type":
        parts["iterator_type"] = _Told(lambda self: _types().DictIteratorType(self), doc="of its iterators")
    elif name == "ListTypeIterableType":
        parts["iterator_type"] = _Told(lambda self: _types().ListTypeIteratorType(self), doc="of its iterators")
    elif name == "StarArgUniTuple":
        parts["iterator_type"] = _Told(lambda self: _types().UniTupleIter(self), doc="of its iterators")
    if name.startswith("StarArg"):
        parts.update(mangling_args=_Told(lambda self: (type(self).__name__, self.key), "what mangled names are made of"), __len__=lambda self: self.count,
                     __getitem__=lambda self, place: self.types[place], __iter__=lambda self: iter(self.types))
    if name in ("Undefined", "UndefinedFunctionType"):
        parts["is_precise"] = lambda self: False
    return base, parts


def _beginning(say):
    def __init__(self, *args, **kwargs):
        name, key, parts = say(*args, **kwargs)
        self.__dict__.update(parts, _said=name if key is None else key)
        _Type.__init__(self, name)
    return __init__


_said_key = _Told(lambda self: self.__dict__.get("_said", self.name), doc="equal for equal types of one class")


# Other names and arguments that numba's classes take for types which are there -> those types

def _named_type(own, name=None, *rest):
    if not isinstance(name, str):
        raise TypeError(f"cannot create '{own.__module__}.{own.__name__}' types")
    found = _names.get(name)
    if found is None:
        raise ValueError(f"no type is named {name!r}")
    return found


def _slice_of(name, members):
    return _types().slice3_type if members == 3 else _types().slice2_type


def _bytes_of(dtype, ndim, layout, readonly=True, name=None):
    if (dtype, ndim, layout) != (_names["uint8"], 1, "C"):
        raise TypeError(f"Bytes({dtype}, {ndim}, {layout!r}): bytes are of uint8, of one dimension, in C order")
    return _extension.typeof(b"")


_MAKERS = {
    "EllipsisType": lambda name: _types().ellipsis, "SliceType": _slice_of, "Dispatcher": _extension.typeof,
    "ClassInstanceType": lambda class_type: class_type.instance_type, "Bytes": _bytes_of,
}
_made = {}  # name -> the class of the types of a class of the compiler's that say what they are given


def _class_of(own, say):
    parts = {"__init__": _beginning(say), "key": _said_key, "__module__": own.__module__, "__doc__": own.__doc__}
    if own.__name__ == "RangeType":
        parts["iterator_type"] = _Told(lambda self: _types().RangeIteratorType(self.dtype), "of its iterators")
    elif own.__name__ in _ITERATORS:
        parts["iterator_type"] = _Told(lambda self: self, "of its iterators")
    return type(own.__name__, (own,), parts)


def make(own, *args, **kwargs):
    """The type that a class of the compiler's makes of what numba's class takes."""
    name = own.__name__
    if name in _MAKERS:
        return _MAKERS[name](*args, **kwargs)
    if name not in _OF_THE_COMPILER:
        return _named_type(own, *args)
    if name not in _made:
        _made[name] = _class_of(own, _OF_THE_COMPILER[name])
    return _made[name](*args, **kwargs)


def _from_types(tys, pyclass=None):
    """The tuple type of the items' types, of a named tuple's class where one is given."""
    types, tys = _types(), tuple(tys)
    return types.Tuple(tys) if pyclass is None or pyclass is tuple else types.NamedTuple(tys, pyclass)


def _are_types(types):
    """Raises TypeError where an item is no type."""
    for place, kind in enumerate(types):
        if not isinstance(kind, _Type):
            raise TypeError(f"all elements of the tuple must be of type numba.types.Type; item {place} is {kind!r}")


def _is_f_contig(self):
    return self.layout == "F" or self.ndim <= 1 and self.layout == "C"


def _count_of_letters(self):
    head, _, count = str(self).strip("[]").partition(" x ")
    if head not in ("char", "unichr"):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute 'count'")
    return int(count)


def install():
    """Gives the compiler's classes what numba's types have beside it, once."""
    _Type.mutable = _Type.reflected = False
    _Type.mangling_args = _Told(_mangling_args, "what mangled names are made of")
    _Type.dump, _Type.augment, _Type.can_convert_from = _dump, _nothing, _nothing
    _Type.cast_python_value = _uncast
    _Type.count = _Told(_count_of_letters, "of the characters of a text of NumPy's")
    for name in ("CPointer", "ClassInstanceType", "List", "ListType", "MemInfoPointer", "NumpyFlatType", "Record", "Set"):
        getattr(_extension, name).mutable = True
    _extension.List.reflected = _extension.Set.reflected = True
    _extension.Array.mangling_args = _Told(_mangling_of_array, "what mangled names are made of")
    _extension.BaseTuple.mangling_args = _Told(_mangling_of_tuple, "what mangled names are made of")
    _extension.BaseTuple.key = _Told(_key_of_tuple, doc="equal for equal types of one class")
    for name, key in _KEYS.items():
        own = getattr(_extension, name)
        own.key = _Told(_key_of(own, key), "equal for equal types of one class")
    for name, iterator in _LOOPS.items():
        getattr(_extension, name).iterator_type = _Told(iterator, doc="of its iterators")
    _extension.DictType.keyvalue_type = _Told(lambda self: _tuple_of(self.key_type, self.value_type),
                                                 doc="of a key with its value")
    array = _extension.Array
    array.LAYOUTS, array.array_priority, array.slice_is_copy = frozenset(("C", "F", "CS", "FS", "A")), 0.0, False
    array.is_f_contig = _Told(_is_f_contig, doc="whether the items lie in the order of Fortran")
    array.as_array = _Told(lambda self: self, doc="the type itself")
    _extension.BaseTuple.from_types = staticmethod(_from_types)
    _extension.BaseTuple.is_types_iterable = staticmethod(_are_types)
