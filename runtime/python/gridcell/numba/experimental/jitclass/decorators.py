# SPDX-License-Identifier: MIT
"""The decorator jitclass."""
import typing
from collections import OrderedDict

from gridcell import _gridcell
from numba import njit, types
from numba.core import config
from numba.experimental.jitclass.boxing import (PLAIN, PROPERTY, STATIC, CompiledClass, Instance, field, instance_repr)


_IS_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that a program wrote
# of the class that it is made of; the last two: where Python 3.14 keeps annotations
_NOT_TAKEN_OVER = ("__dict__", "__weakref__", "__annotations__", "__annotate_func__", "__annotations_cache__")


def jitclass(cls_or_spec=None, spec=None):
    """Compile a class: its fields have the types of `spec` (pairs, or a dict) and of its annotations."""
    if cls_or_spec is not None and spec is None and not isinstance(cls_or_spec, type):
        spec, cls_or_spec = cls_or_spec, None

    def wrap(cls):
        if config.DISABLE_JIT and isinstance(cls, type):
            return cls
        return _compile_class(cls, spec)
    return wrap if cls_or_spec is None else wrap(cls_or_spec)


def annotated_type(annotation):
    """The type that an annotation means."""
    plain = {int: types.int64, float: types.float64, bool: types.boolean, complex: types.complex128,
             str: types.unicode_type, type(None): types.none}
    if isinstance(annotation, _gridcell.Type):
        return annotation
    if isinstance(annotation, CompiledClass):
        return annotation._type
    try:
        if annotation in plain:
            return plain[annotation]
    except TypeError:
        pass
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is list:
        return types.ListType(annotated_type(args[0]))
    if origin is set:
        return types.SetType(annotated_type(args[0]))
    if origin is dict:
        return types.DictType(*map(annotated_type, args))
    if origin is tuple:
        return types.Tuple([annotated_type(arg) for arg in args])
    if origin is typing.Union and len(args) == 2 and type(None) in args:
        return types.optional(annotated_type([arg for arg in args if arg is not type(None)][0]))
    try:
        return _gridcell.from_dtype(annotation)
    except Exception:
        raise TypeError(f"Cannot infer numba type of python type {annotation!r}") from None


def _own_name(cls, name):
    """A name as methods of the class have it: __name is _Class__name."""
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{cls.__name__.lstrip('_')}{name}" if is_private else name


def _fields(cls, spec, base):
    """The fields in order: those of the base class, of `spec`, of the annotations."""
    fields = OrderedDict(base._fields if base else ())
    given = OrderedDict(spec or ())
    for name, kind in given.items():
        if not isinstance(name, str):
            raise TypeError("spec keys should be strings, got %r" % (name,))
        if isinstance(kind, CompiledClass):
            kind = kind._type
        if not isinstance(kind, _gridcell.Type):
            raise TypeError("spec values should be Numba type instances, got %r" % (kind,))
        fields[_own_name(cls, name)] = kind
    for name, annotation in typing.get_type_hints(cls).items():
        if name not in fields and not typing.get_origin(annotation) is typing.ClassVar:
            fields[name] = annotated_type(annotation)
    return fields


def _own_names(cls, plain):
    """What the class and its plain base classes define, the nearest last: name -> value."""
    names = {}
    for kind in (*reversed(plain), cls):
        names.update(vars(kind))
    return {name: value for name, value in names.items() if name not in _NOT_TAKEN_OVER}


def _methods(cls, base, plain):
    """name -> (kind, compiled function, compiled setter or None)"""
    methods = dict(base._methods) if base else {}
    for name, value in _own_names(cls, plain).items():
        if isinstance(value, property):
            if value.fdel:
                raise TypeError("deleter is not supported: %s" % name)
            methods[name] = (PROPERTY, njit(value.fget), njit(value.fset) if value.fset else None)
        elif isinstance(value, staticmethod):
            methods[name] = (STATIC, njit(value.__func__), None)
        elif isinstance(value, classmethod):
            raise TypeError("class methods are not supported: %s" % name)
        elif callable(value) and hasattr(value, "__code__"):
            methods[name] = (PLAIN, njit(value), None)
    return methods


def _compile_class(cls, spec):
    if not isinstance(cls, type):
        raise TypeError(f"class was expected, got {cls!r}")
    bases = [base for base in cls.__mro__[1:] if base is not object]
    compiled = [base for base in bases if isinstance(base, CompiledClass)]
    plain = [base for base in bases if not isinstance(base, CompiledClass)
             and base not in (Instance, _gridcell.TypedObject) and base.__module__ not in ("typing", "abc")]
    if any(base.__flags__ & _IS_HEAP_TYPE == 0 for base in plain) \
            or len([base for base in cls.__bases__ if isinstance(base, CompiledClass)]) > 1:
        raise TypeError("a compiled class inherits from classes of Python, and from one compiled class "
                        "at most")
    base = compiled[0] if compiled else None
    if isinstance(cls, CompiledClass) and "_fields" in vars(cls):
        raise TypeError("the class is compiled already")
    fields, methods = _fields(cls, spec, base), _methods(cls, base, plain)
    both = set(fields) & set(methods)
    if both:
        raise NameError(f"name shadowing: {', '.join(sorted(both))}")
    namespace = {name: value for name, value in _own_names(cls, plain).items()
                 if name not in fields}
    namespace.update({name: field(name) for name in fields})
    for name, (kind, function, setter) in methods.items():
        if kind == PROPERTY:
            namespace[name] = property(function, setter)
        elif kind == STATIC:
            namespace[name] = staticmethod(function)
        else:
            namespace[name] = function
    namespace.update(_fields=fields, _methods=methods, __module__=cls.__module__,
                     __qualname__=cls.__name__)
    if not base:
        namespace.setdefault("__repr__", instance_repr)
    made = CompiledClass(cls.__name__, (base or Instance,), namespace)
    made._type  # which other classes may refer to from now on
    return made
