# SPDX-License-Identifier: MIT
"""The types that a program adds: which are equal, of what their values consist, and which values have them."""
import functools
import inspect

from gridcell import _gridcell as _extension
from numba.core import types
from numba.core.errors import TypingError

_builtin_classes = {value for value in vars(_extension).values()
                    if isinstance(value, type) and issubclass(value, types.Type)}
_first = {}    # (class, key) -> the first of equal types
_models = {}   # class of types -> class of its model, or a function that gives a model
_waiting = []  # types without a model
_layouts = {}  # type -> Layout, or what is wrong with its model


def place_of(thing):
    """Where a class or a function is written, for messages."""
    try:
        code = inspect.unwrap(thing)
        line = code.__code__.co_firstlineno if hasattr(code, "__code__") else inspect.getsourcelines(thing)[1]
        return f"{inspect.getsourcefile(code)}:{line}"
    except (OSError, TypeError):
        return getattr(thing, "__module__", "an unknown place")


def is_extension(kind):
    """Whether the type is of a class that a program derived."""
    return issubclass(type(kind), types.Type) and type(kind) not in _builtin_classes


def first_equal(kind):
    """The first type that is equal to this one, which is that, and known to the compiler, if it is new."""
    key = type(kind), kind.key
    first = _first.get(key)
    if first is None:
        first = _first[key] = kind
        _extension.extension_make(kind, kind.name)
        _waiting.append(kind)
        _place_waiting()
    return first


class EphemeralPointer(types.Type):
    """The address of a value of a type that is a member of others, such as the place that an iterator has come to:
    code has the address of a copy, and gives on what lies there at its end."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(name=f"ephemeral*{dtype}")


# --- Models

class Layout:
    """Of what the values of a type consist: names and types of members; `whole`: the model's class says
    that a value is not a struct of them, but this one."""

    def __init__(self, model, names, kinds, whole=None):
        self.model, self.names, self.kinds, self.whole = model, names, kinds, whole


def _model_class(kind):
    for base in type(kind).__mro__:
        if base in _models:
            return _models[base]
    return None


def register_model_of(type_class, model):
    """Says which model values of a class of types have."""
    if not isinstance(type_class, type):
        raise TypeError(f"register_model() takes a class of types, not {type_class!r}")
    _models[type_class] = model
    _place_waiting()


def _place_waiting():
    for kind in list(_waiting):
        if _model_class(kind) is None or kind in _layouts:
            continue
        is_array = isinstance(kind, types.Array) and not isinstance(kind, types.NestedArray)
        _layouts[kind] = ""  # its members may be asked for the type itself
        try:
            layout = _make_layout(kind)
            _extension.extension_place(kind, layout.kinds, layout.names, is_array)
        except Exception as error:  # whatever is wrong with a program's own code
            _layouts[kind] = str(error) or repr(error)
        else:
            _layouts[kind] = layout
        _waiting.remove(kind)
        if is_array:
            from numba.core.extension import arrays
            arrays.install()


def _make_layout(kind):
    from numba.core import datamodel
    model = _model_class(kind)(datamodel.default_manager, kind)
    if not isinstance(model, datamodel.DataModel):
        raise TypeError(f"{model!r} is no model: it has to derive from one of numba.extending.models")
    layout = model.layout()
    for name, member in zip(layout.names, layout.kinds):
        if not isinstance(name, str):
            raise TypeError(f"the name of a member is {name!r}, which is no str")
        if not isinstance(member, types.Type):
            raise TypeError(f"the member {name!r} is {member!r}, which is no type")
        if member == kind:
            raise TypeError(f"the member {name!r} has the type {kind} itself, so that a value had no end")
    if len(set(layout.names)) != len(layout.names):
        raise TypeError("two members have one name")
    layout.kinds = tuple(_held(member) for member in layout.kinds)
    return layout


def _held(member):
    """The compiler's type for a member: an object of Python is its address."""
    return types.voidptr if isinstance(member, types.PyObject) else types.unliteral(member)


def layout_of(kind):
    """The Layout of an extension type; TypingError where it has none."""
    kind = first_equal(kind)
    layout = _layouts.get(kind)
    if isinstance(layout, Layout):
        return layout
    class_ = type(kind)
    if layout is None:
        raise TypingError(f"the extension type {kind} (class {class_.__name__}, {place_of(class_)}) has no model: "
                          f"register one with @register_model({class_.__name__})")
    model = _model_class(kind)
    raise TypingError(f"the model {getattr(model, '__name__', model)} ({place_of(model)}) of the extension type {kind} "
                      f"does not describe it: {layout}")


# --- What has which type

@functools.singledispatch
def typeof_impl(val, c):
    """typeof_impl.register(class)

    Says which type values of a class of Python have: the decorated function is called with a value and a
    context, and gives the type.

    val: the value. c: the context; purpose says what for. Gives a type.

    Example:
        class Celsius:
            pass

        class CelsiusType(types.Type):
            def __init__(self):
                super().__init__(name="Celsius")

        @typeof_impl.register(Celsius)
        def typeof_celsius(val, c):
            return CelsiusType()

        assert typeof(Celsius()) == CelsiusType()
    """
    return _extension.typeof(val)


_any_value = typeof_impl.dispatch(object)


class TypeofContext:
    """What typeof_impl's functions are called with."""

    class _Purpose:
        name, value = "argument", 1

    purpose = _Purpose


def _ask(value):
    function = typeof_impl.dispatch(type(value))
    if function is _any_value:
        return NotImplemented
    found = function(value, TypeofContext)
    if isinstance(found, types.Type):
        return found
    raise TypeError(f"{function.__name__} ({place_of(function)}), which is registered with typeof_impl for "
                    f"{type(value).__name__}, has to give a type, not {found!r}")


def why_no_type(value):
    """The text of the failure for a value that a program's own function gave no type; None: it was not asked."""
    function = typeof_impl.dispatch(type(value))
    if function is _any_value:
        return None
    try:
        _ask(value)
    except Exception as error:  # whatever is wrong with a program's own code
        if isinstance(error, TypeError) and place_of(function) in str(error):
            return f"Cannot determine Numba type of {type(value)}: {error}"
        return (f"Cannot determine Numba type of {type(value)}: {function.__name__} ({place_of(function)}), which is "
                f"registered with typeof_impl for it, raises {type(error).__name__}: {error}")
    return None


_register = typeof_impl.register


def _register_and_tell(*args, **kwargs):
    _extension.typeof_hook(_ask)
    return _register(*args, **kwargs)


typeof_impl.register = _register_and_tell
