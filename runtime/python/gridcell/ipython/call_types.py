"""Completion behind calls: what is known of a call's result without making it.

A class's call gives an object of it; a function says by its annotation what it returns; of the methods of Python's own
types it is known.
"""
import ast
import inspect
import types
import typing

import _gridcell_kernel as kernel

_TEXT = {"same": "capitalize casefold center expandtabs format format_map join ljust lower lstrip removeprefix "
                 "removesuffix replace rjust rstrip strip swapcase title translate upper zfill",
         list: "split rsplit splitlines", tuple: "partition rpartition", int: "count find index rfind rindex",
         bool: "endswith startswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable "
               "isspace istitle isupper"}
_SETS = {"same": "copy difference intersection symmetric_difference union", bool: "isdisjoint issubset issuperset"}
_METHODS = {
    str: {**_TEXT, bytes: "encode"},
    bytes: {**_TEXT, str: "decode hex"}, bytearray: {**_TEXT, "same": _TEXT["same"] + " copy", str: "decode hex"},
    list: {"same": "copy", int: "count index"}, tuple: {int: "count index"},
    dict: {"same": "copy", type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"},
    set: _SETS, frozenset: _SETS,
    int: {int: "bit_length bit_count conjugate", bytes: "to_bytes", tuple: "as_integer_ratio"},
    float: {str: "hex", bool: "is_integer", tuple: "as_integer_ratio", float: "conjugate"},
    complex: {complex: "conjugate"},
    range: {int: "count index"},
    type(iter("")): {}, types.GeneratorType: {},
}
_FUNCTIONS = {str: "ascii bin chr format hex input oct repr", int: "hash id len ord", list: "dir sorted",
              bool: "all any callable hasattr isinstance issubclass", dict: "globals locals"}


class _Instance:
    """Stands for any object of a class."""

    def __init__(self, kind):
        self.kind = kind


class _Value:
    """An object that exists; `owner` is what a function was taken from."""

    def __init__(self, value, owner=None):
        self.value, self.owner = value, owner


def _find(words, name):
    """The key of a table whose words have the name."""
    return next((kind for kind, names in words.items() if name in names.split()), None)


def _of_method(kind, name):
    for base in kind.__mro__:
        result = _find(_METHODS.get(base, {}), name)
        if result is not None:
            return _Instance(base if result == "same" else result)
    return None


def _annotated(annotation, function, owner):
    """The class that an annotation names; NULL where it names none."""
    if isinstance(annotation, str):
        words = annotation.removesuffix(" | None").strip()
        if words.rpartition(".")[2] == "Self":
            return owner
        annotation = getattr(function, "__globals__", {}).get(words.partition("[")[0])
    if annotation is getattr(typing, "Self", typing) and owner:
        return owner
    parts = [part for part in typing.get_args(annotation) if part is not type(None)]
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return _annotated(parts[0], function, owner) if len(parts) == 1 else None
    annotation = typing.get_origin(annotation) or annotation
    return annotation if isinstance(annotation, type) else None


def _result(callee):
    """What a call gives."""
    value, owner = callee.value, callee.owner
    if isinstance(value, type):
        is_ordinary = type(value).__call__ is type.__call__ or type(value).__module__ == "abc"
        return _Instance(value) if is_ordinary else None
    if isinstance(value, (types.BuiltinMethodType, types.MethodDescriptorType)):
        bound = getattr(value, "__self__", None)
        if isinstance(bound, types.ModuleType):
            kind = _find(_FUNCTIONS, value.__name__) if bound.__name__ == "builtins" else None
            return _Instance(kind) if kind else None
        kind = owner or getattr(value, "__objclass__", None) or (bound if isinstance(bound, type) else type(bound))
        return _of_method(kind, value.__name__)
    if isinstance(value, types.MethodType):
        owner = owner or (value.__self__ if isinstance(value.__self__, type) else type(value.__self__))
        value = value.__func__
    function = inspect.unwrap(value) if isinstance(value, types.FunctionType) else value
    notes = getattr(function, "__annotations__", None) if isinstance(function, types.FunctionType) else None
    kind = _annotated(notes["return"], function, owner) if notes and "return" in notes else None
    return _Instance(kind) if kind else None


def _attribute(place, name):
    """What is under a name of an object of that class."""
    try:
        found = inspect.getattr_static(place.kind, name)
    except AttributeError:
        return None
    if isinstance(found, property):
        notes = getattr(found.fget, "__annotations__", {})
        kind = _annotated(notes["return"], found.fget, place.kind) if "return" in notes else None
        return _Instance(kind) if kind else None
    if isinstance(found, (classmethod, staticmethod)):
        found = found.__func__
    return _Value(found, place.kind)


def _infer(node):
    try:
        return _Value(kernel.evaluate(ast.unparse(node)))
    except LookupError:
        pass
    if isinstance(node, ast.Call):
        callee = _infer(node.func)
        return _result(callee) if isinstance(callee, _Value) else None
    if isinstance(node, ast.Attribute):
        owner = _infer(node.value)
        return _attribute(owner, node.attr) if isinstance(owner, _Instance) else None
    if isinstance(node, ast.JoinedStr):
        return _Instance(str)
    return None


def members(expression):
    """(name, kind, signature) of what the result of an expression with calls has; empty where that isn't known."""
    try:
        found = _infer(ast.parse(expression, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return []
    if not isinstance(found, _Instance):
        return []
    return names_of(found.kind)


def names_of(kind):
    """(name, kind, signature) of what objects of a class have."""
    names = {name: inspect.getattr_static(kind, name, None) for name in type.__dir__(kind)
             if not hasattr(type, name) or hasattr(object, name)}
    names.update(dict.fromkeys(getattr(kind, "__annotations__", {})))
    return [(name, "function" if inspect.isroutine(value) or isinstance(value, (classmethod, staticmethod))
             else "instance", "") for name, value in names.items()]
