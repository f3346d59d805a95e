# SPDX-License-Identifier: MIT
"""What compiled classes are to Python."""
import copyreg
import inspect
import pickle
import sys

from gridcell import _gridcell
from numba.core.pickling import name_landing

PLAIN, PROPERTY, STATIC = range(3)

# Kept apart from the classes, so that these can be pickled: they mean something in this process alone.
_types = {}      # compiled class -> the type of its objects
_ready = set()   # types whose methods the compiler knows


class ClassType:
    """`Class.class_type` of numba: leads to the type of the objects."""

    def __init__(self, instance_type, methods):
        self.instance_type = instance_type
        self.methods = methods

    @property
    def struct(self):
        """name -> type of the fields"""
        return self.instance_type.struct

    def __repr__(self):
        return str(self.instance_type).replace("instance.", "", 1)


class CompiledClass(type):
    """The class of compiled classes: calling one makes an object."""

    @property
    def _type(cls):
        """The type of the objects; made now where the class came from another process."""
        owner = cls
        while "_fields" not in vars(owner):  # a class of Python's that inherits from a compiled one
            owner = owner.__base__
        if owner not in _types:
            from numba.core import types
            kind = _gridcell.object_type(owner, owner.__name__, list(owner._fields.items()))
            owner._has_type(kind)
            types._object_classes[kind] = owner
            register_type(kind)
        return _types[owner]

    def _has_type(cls, kind, is_ready=False):
        _types[cls] = kind
        if is_ready:
            _ready.add(kind)

    def _prepare(cls):
        """The type of the objects, once the compiler knows the methods."""
        kind = cls._type
        if kind not in _ready:
            _ready.add(kind)  # methods may speak of their class
            _gridcell.object_methods(kind, [(name, *rest) for name, rest in cls._methods.items()])
        return kind

    def __call__(cls, *args, **keywords):
        instance_type = cls._prepare()
        self = cls.__new__(cls)
        self._begin(instance_type)
        init = cls._methods.get("__init__")
        if init:
            cls._initialize(init[1], self, args, keywords)
        elif args or keywords:
            raise TypeError(f"{cls.__name__}() takes no arguments")
        return self

    def _initialize(cls, init, self, args, keywords):
        try:
            init(self, *args, **keywords)
        except TypeError:
            try:
                inspect.signature(init.py_func).bind(self, *args, **keywords)
            except TypeError as error:  # in words about parameters, which have names
                raise error from None
            raise

    @property
    def class_type(cls):
        return ClassType(cls._prepare(), {name: rest[1] for name, rest in cls._methods.items()})


class Instance(_gridcell.TypedObject):
    """An object that compiled code shares with Python."""

    def __setattr__(self, name, value):
        attribute = getattr(type(self), name, None)
        if not isinstance(attribute, property):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        attribute.__set__(self, value)

    def __reduce__(self):
        return _blank, (type(self),), self._values(), None, None, _fill_object

    def _values(self):
        """The fields that have values, by name."""
        values = {}
        for name in type(self)._fields:
            try:
                values[name] = self._get(name)
            except (AttributeError, ValueError):
                pass  # nothing was assigned yet
        return values


def _blank(cls):
    self = cls.__new__(cls)
    self._begin(cls._prepare())
    return self


def _fill_object(self, values):
    for name, value in values.items():
        self._set(name, value)


name_landing(_blank, _fill_object)


def _type_of(cls):
    return cls._type


_travelled = {}  # identity -> compiled class without a name, of this process or from another


def _type_landed(identity, name, content):
    """The type of a class that no import finds: this process's own, or the one that comes with it."""
    if identity not in _travelled:
        if content is None:
            raise pickle.UnpicklingError(
                f"the type of the compiled class {name}, which a function made: another process has it, and it comes "
                "without the class, as cloudpickle is not installed there. Define the class in a module")
        _travelled[identity] = pickle.loads(content)
    return _travelled[identity]._type


name_landing(_type_of, _type_landed)


def _is_importable(cls):
    found = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


def _reduce_type(kind):
    """What pickle keeps of the type of a compiled class's objects: the class."""
    from numba.core import types
    cls = types._object_classes[kind]
    if _is_importable(cls):
        return _type_of, (cls,)
    identity = next((known for known, travelled in _travelled.items() if travelled is cls), None)
    if identity is None:
        import uuid
        identity = uuid.uuid4().hex
        _travelled[identity] = cls
    try:
        import cloudpickle
        content = cloudpickle.dumps(cls)
    except ImportError:
        content = None
    return _type_landed, (identity, cls.__qualname__, content)


def register_type(kind):
    """Has pickle take types of compiled classes' objects."""
    copyreg.pickle(type(kind), _reduce_type)


def instance_repr(self):
    """What an object of a class without __repr__ is shown as."""
    return f"<numba.experimental.jitclass.boxing.{type(self).__name__} object at {id(self):#x}>"


def field(name):
    """The property that is a field in Python."""
    return property(lambda self: self._get(name), lambda self, value: self._set(name, value))
