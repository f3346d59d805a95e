# SPDX-License-Identifier: MIT
"""Values of a program's own types between Python and compiled code: @box and @unbox, and the functions that are
compiled of them, once for a type.

The runtime calls an unboxer with (where a value is wanted, an object), and it says whether it is there; a boxer
with where a value is, and it gives the object, or null with an exception set."""
from llvmlite import ir

from gridcell import _gridcell as _extension
from numba.core import types
from numba.core.ccallback import cfunc
from numba.core.errors import TypingError
from numba.core.extension import later, registry
from numba.core.extension.pythonapi import EnvironmentManager, NativeValue, PythonAPI
from numba.core.written import helpers, text

_boxes, _unboxes, _reflects = {}, {}, {}  # class of types -> generator
_made = []                 # the callbacks, whose code the runtime has the addresses of


def box(typeclass):
    """box(class of types)

    Says how a value of a program's own type becomes an object: the decorated function is called with
    (type, value, c), writes code with c.builder and c.pyapi, and gives the object's address, null where that fails.

    typeclass: the class. c has context, builder, pyapi, and box(type, value) for members.

    Example:
        class AgeType(types.Type):
            def __init__(self):
                super().__init__(name="Age")

        @box(AgeType)
        def box_age(typ, val, c):
            return c.box(types.int64, val)
    """
    return _registrar(_boxes, typeclass, "box")


def unbox(typeclass):
    """unbox(class of types)

    Says how an object becomes a value of a program's own type: the decorated function is called with
    (type, object, c), writes code with c.builder and c.pyapi, and gives a NativeValue.

    typeclass: the class. c has context, builder, pyapi, and unbox(type, object) for members.

    Example:
        class SizeType(types.Type):
            def __init__(self):
                super().__init__(name="Size")

        @unbox(SizeType)
        def unbox_size(typ, obj, c):
            return c.unbox(types.int64, obj)
    """
    return _registrar(_unboxes, typeclass, "unbox")


def reflect(typeclass):
    """reflect(class of types)

    Says what is to be done to the object when a call ends that had the value as an argument, for types whose
    attribute `reflected` is True: the decorated function is called with (type, value, c), and writes code with
    c.builder and c.pyapi; c.set_error() where that fails.

    typeclass: the class. c has context, builder, pyapi, and box(type, value).

    Example:
        class TallyType(types.Type):
            reflected = True

            def __init__(self):
                super().__init__(name="Tally")

        @reflect(TallyType)
        def reflect_tally(typ, val, c):
            tally = context_proxy = c.context.make_helper(c.builder, typ, val)
            c.pyapi.object_setattr_string(tally.parent, "count", c.box(types.int64, tally.count))
    """
    return _registrar(_reflects, typeclass, "reflect")


def _registrar(table, typeclass, what):
    if not isinstance(typeclass, type) or not issubclass(typeclass, types.Type):
        raise TypeError(f"{what}() takes a class of types, not {typeclass!r}")

    def register(generator):
        table[typeclass] = generator
        return generator
    return register


def _find(table, kind, what):
    registry.layout_of(kind)  # says what is wrong with its model
    for base in type(kind).__mro__:
        if base in table:
            return table[base]
    problem = f"cannot convert native {kind} to Python object" if what == "box" else f"can't unbox {kind} type"
    raise TypeError(f"{problem}: values of the extension type have no way {'to' if what == 'box' else 'from'} Python, "
                    f"register one with @{what}({type(kind).__name__})")


class _BoxingContext:
    """What generators are called with as `c`."""

    def __init__(self, context, builder):
        self.context, self.builder, self.pyapi = context, builder, PythonAPI(context, builder)
        self.env_manager = EnvironmentManager(self.pyapi)

    def box(self, typ, val):
        """The object for a value of any type."""
        return self.pyapi.from_native_value(typ, val)

    def unbox(self, typ, obj):
        """The NativeValue of any type for an object."""
        return self.pyapi.to_native_value(typ, obj)


class BoxContext(_BoxingContext):
    """What @box's functions are called with."""


class UnboxContext(_BoxingContext):
    """What @unbox's functions are called with."""


class ReflectContext(_BoxingContext):
    """What @reflect's functions are called with."""

    def __init__(self, context, builder, is_error):
        super().__init__(context, builder)
        self.is_error = is_error

    def set_error(self):
        """Says that it failed, with an exception set."""
        self.builder.store(helpers.true_bit, self.is_error)

    def reflect(self, typ, val):
        """Does for a member what @reflect registered for its type; plain containers are told by themselves."""
        generator = _reflect_of(typ)
        if generator is not None:
            generator(typ, val, self)


def _reflect_of(kind):
    """What @reflect registered for a type, or None."""
    if not getattr(kind, "reflected", False):
        return None
    return next((_reflects[base] for base in type(kind).__mro__ if base in _reflects), None)


def _reflector(kind):
    """The address of the function that does what @reflect registered, of where a value is; None: nothing is."""
    generator = _reflect_of(kind)
    if generator is None:
        return None

    def write(context, builder, signature, args):
        value = text.load(builder, kind, args[0])
        is_error = helpers.alloca_once_value(builder, helpers.false_bit)
        generator(kind, value, ReflectContext(context, builder, is_error))
        context.nrt.decref(builder, kind, value)
        return builder.zext(builder.not_(builder.load(is_error)), helpers.int8_t)
    return _compile(kind, generator, "reflect", types.uint8(types.voidptr), write)


def _compile(kind, generator, what, signature, write):
    """The address of the function that `write` writes."""
    from numba.extending import _call_of_written
    params = ["place", "obj"][:len(signature.args)]
    write.__name__ = f"{what}.{generator.__name__}"
    function = _call_of_written("written", params, signature, write,
                                f"@{what} of the extension type {kind}", generator.__code__)
    made = cfunc(signature)(function)
    _made.append(made)
    return made.address


def unboxer(kind):
    """The address of the function that unboxes values of a type."""
    generator = _find(_unboxes, kind, "unbox")
    reflector = _reflector(kind)

    def write(context, builder, signature, args):
        place, obj = args
        native = generator(kind, obj, UnboxContext(context, builder))
        if not isinstance(native, NativeValue):
            raise TypeError(f"it gives {native!r}, where a NativeValue is wanted")
        wanted = text.value_type(kind)
        if getattr(native.value, "type", None) != wanted:
            raise TypeError(f"its NativeValue is of {getattr(native.value, 'type', native.value)}, where {kind} is {wanted}")
        done = helpers.alloca_once_value(builder, builder.not_(native.is_error))
        with builder.if_then(builder.load(done)):
            text.store(builder, kind, native.value, place)
            if reflector is not None:
                later.register_reflect(context, builder, done, kind, native.value, reflector)
            if native.cleanup is not None:
                later.register_cleanup(context, builder, done, native.cleanup)
        return builder.zext(builder.load(done), helpers.int8_t)
    return _compile(kind, generator, "unbox", types.uint8(types.voidptr, types.voidptr), write)


def boxer(kind):
    """The address of the function that boxes values of a type."""
    generator = _find(_boxes, kind, "box")

    def write(context, builder, signature, args):
        made = generator(kind, text.load(builder, kind, args[0]), BoxContext(context, builder))
        if getattr(made, "type", None) != helpers.voidptr_t:
            raise TypeError(f"it gives {made!r}, where the address of an object is wanted")
        return made
    return _compile(kind, generator, "box", types.voidptr(types.voidptr), write)
