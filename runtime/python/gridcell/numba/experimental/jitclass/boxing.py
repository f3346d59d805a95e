# SPDX-License-Identifier: MIT
"""What compiled classes are to Python."""
import inspect

from gridcell import _gridcell

PLAIN, PROPERTY, STATIC = range(3)


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

    def _prepare(cls):
        """The type of the objects, once the compiler knows the methods."""
        if not cls._is_ready:
            cls._is_ready = True  # methods may speak of their class
            _gridcell.object_methods(cls._type, [(name, *rest) for name, rest in cls._methods.items()])
        return cls._type

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


def instance_repr(self):
    """What an object of a class without __repr__ is shown as."""
    return f"<numba.experimental.jitclass.boxing.{type(self).__name__} object at {id(self):#x}>"


def field(name):
    """The property that is a field in Python."""
    return property(lambda self: self._get(name), lambda self, value: self._set(name, value))
