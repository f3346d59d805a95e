# SPDX-License-Identifier: MIT
"""structref: mutable structs whose fields may have any types, shared by Python and compiled code."""
from gridcell import _gridcell as _extension
from numba.core import overloads as _overloads, types
from numba.core.made import make_function
from numba.experimental.jitclass.boxing import CompiledClass, Instance

_proxies = {}  # class of struct types -> class of the objects in Python
_structs = {}  # class of the objects -> (class of struct types, names of the fields)
_types = {}    # (class of struct types, fields) -> type


class StructRefProxy:
    """Base of what structs are in Python; a subclass adds properties and methods.

    Called with the fields' values in order, after define_proxy has told which they are."""

    def __new__(cls, *args):
        known = next((_structs[base] for base in cls.__mro__ if base in _structs), None)
        if known is None:
            raise NotImplementedError(
                f"{cls.__name__} stands for no struct yet: define_proxy({cls.__name__}, "
                "struct type, names of the fields) says for which")
        struct, names = known
        if len(args) != len(names):
            raise TypeError(f"{cls.__name__} has {len(names)} fields, {len(args)} values are given")
        fields = [(name, _extension.typeof(value)) for name, value in zip(names, args)]
        kind = struct(fields)
        self = _extension.TypedObject.__new__(types._struct_kinds[kind].box)
        self._begin(kind)
        for name, value in zip(names, args):
            self._set(name, value)
        return self

    def __init__(self, *args, **keywords):
        pass

    @property
    def _numba_type_(self):
        return _extension.TypedObject._numba_type_.__get__(self)


class _Kind:
    """What is known of a struct type."""

    def __init__(self, struct, fields, box):
        self.struct = struct
        self.fields = fields
        self.box = box


def _reduce_struct(self):
    """What pickle keeps of a struct: its class in Python, and the fields' values."""
    cls = type(self)
    return cls.__bases__[0], tuple(self._values().values())


def _reduction_of(proxy):
    """What pickles structs: what their class in Python says of it, or ours."""
    return next((vars(base)["__reduce__"] for base in proxy.__mro__[:-1] if "__reduce__" in vars(base)), _reduce_struct)


def _make_type(struct, fields):
    draft = object.__new__(struct)
    draft.__init__(tuple(fields))
    if "_said" not in draft.__dict__:
        raise TypeError(f"{struct.__name__}.__init__ has to call super().__init__(fields)")
    fields = draft._said
    for name, kind in fields:
        if not isinstance(name, str):
            raise ValueError(f"expecting a str for field name, not {name!r}")
        if not isinstance(kind, types.Type):
            raise ValueError(f"expecting a Numba Type for field type, not {kind!r}")
    within = draft.__dict__.get("_within")  # what the fields say of the struct itself
    key = struct, fields if within is None else tuple((name, str(kind).replace(str(within), "")) for name, kind in fields)
    if key not in _types:
        proxy = _proxies.get(struct, StructRefProxy)
        box = CompiledClass(proxy.__name__, (proxy, Instance), {
            "_fields": dict(fields), "_methods": {}, "__reduce__": _reduction_of(proxy),
            "__module__": proxy.__module__, "__qualname__": proxy.__qualname__})
        kind = _extension.object_type(box, struct.__name__, list(fields), f"numba.{struct.__name__}")
        box._has_type(kind, is_ready=True)
        types._struct_kinds[kind] = _Kind(struct, fields, box)
        if within is not None:
            within.define(kind)
        _types[key] = kind
    return _types[key]


def register(struct_type):
    """register(class)

    Declares a class of struct types: the decorator of a subclass of types.StructRef.

    struct_type: the class. Gives it back. Raises TypeError for another class.

    Example:
        @register
        class PointType(types.StructRef):
            pass
    """
    if not (isinstance(struct_type, type) and issubclass(struct_type, types.StructRef)):
        raise TypeError(f"a subclass of types.StructRef was expected, got {struct_type!r}")
    if struct_type is types.StructRef:
        raise ValueError(f"cannot register {struct_type}: derive a class of it, and register that")
    return struct_type


def define_attributes(struct_typeclass):
    """define_attributes(PointType)

    Compiled code reads and sets the fields of structs; this needs no call, and is here for
    programs that make it.

    struct_typeclass: a registered class. Gives nothing. Raises TypeError for another class.

    Example:
        define_attributes(register(type("PointType", (types.StructRef,), {})))
    """
    register(struct_typeclass)


def define_boxing(struct_type, obj_class):
    """define_boxing(PointType, Point)

    Says of which class the structs are in Python.

    struct_type: a registered class. obj_class: a subclass of StructRefProxy. Gives nothing.
    Raises TypeError for another class.

    Example:
        define_boxing(register(type("PointType", (types.StructRef,), {})),
                      type("Point", (StructRefProxy,), {}))
    """
    if not (isinstance(obj_class, type) and issubclass(obj_class, StructRefProxy)):
        raise TypeError(f"obj_class must be a subclass of StructRefProxy, not {obj_class!r}")
    _proxies[register(struct_type)] = obj_class


def define_constructor(py_class, struct_typeclass, fields):
    """define_constructor(Point, PointType, ["x", "y"])

    Compiled code makes a struct by calling the class with the values of the fields.

    py_class: a subclass of StructRefProxy. fields: their names in order. Gives nothing. Raises
    TypeError for another class.

    Example:
        define_constructor(type("Point", (StructRefProxy,), {}),
                           register(type("PointType", (types.StructRef,), {})), ["x", "y"])
    """
    register(struct_typeclass)
    names = list(fields)
    params = ", ".join(names)
    text = f"def make({params}):\n    made = struct()\n" + "".join(
        f"    made.{name} = {name}\n" for name in names) + "    return made\n"

    def implementation(*kinds):
        kind = struct_typeclass(list(zip(names, kinds)))
        return make_function(text, "make", {"struct": kind}, f"struct {py_class.__name__}")

    chosen = make_function(f"def choose({params}):\n    return implementation({params})\n",
                           "choose", {"implementation": implementation}, "struct types")
    _overloads.add_overload(py_class, _overloads.Candidate(chosen, {}, True))
    _structs[py_class] = struct_typeclass, names


def define_proxy(py_class, struct_typeclass, fields):
    """define_proxy(Point, PointType, ["x", "y"])

    Says that a class stands for a struct, in Python and in compiled code.

    py_class: a subclass of StructRefProxy. fields: their names in order. Gives nothing. Raises
    TypeError for another class.

    Example:
        @register
        class PointType(types.StructRef):
            pass

        class Point(StructRefProxy):
            pass

        define_proxy(Point, PointType, ["x", "y"])
        p = Point(1, 2.5)
    """
    define_boxing(struct_typeclass, py_class)
    define_constructor(py_class, struct_typeclass, fields)


def new(typ):
    """new(struct_type)

    In compiled code: a struct of the type, whose fields are still zero.

    typ: a struct type, known when the code is compiled. Gives the struct. Raises
    NotImplementedError in Python.

    Example:
        from numba import njit

        kind = register(type("PointType", (types.StructRef,), {}))([("x", types.int64)])

        @njit
        def f():
            p = new(kind)
            p.x = 3
            return p.x

        assert f() == 3
    """
    raise NotImplementedError("new() makes structs in compiled code only")


_overloads.add_overload(new, _overloads.Candidate(
    make_function("def choose(typ):\n    return implementation\n", "choose",
                  {"implementation": make_function("def make(typ):\n    return typ()\n", "make", {},
                                                   "struct")}, "struct types"), {}, True))


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
