# SPDX-License-Identifier: MIT
"""Functions and pointers of ctypes, as compiled code takes them."""
import ctypes

from gridcell import _gridcell as _extension

_NEEDS_GIL = 4  # ctypes' FUNCFLAG_PYTHONAPI
_names = _extension.type_names
_CPointer, _Foreign = _extension.CPointer, _extension.ExternalFunctionPointer

_NUMBERS = {
    ctypes.c_bool: "boolean", ctypes.c_int8: "int8", ctypes.c_uint8: "uint8",
    ctypes.c_int16: "int16", ctypes.c_uint16: "uint16", ctypes.c_int32: "int32",
    ctypes.c_uint32: "uint32", ctypes.c_int64: "int64", ctypes.c_uint64: "uint64",
    ctypes.c_float: "float32", ctypes.c_double: "float64", ctypes.c_void_p: "voidptr",
    ctypes.py_object: None,
}
_BY_TYPE = {name: class_ for class_, name in _NUMBERS.items() if name}


def from_ctypes(class_):
    """The type for a class of ctypes, or None (void)."""
    if class_ is None:
        return _names["none"]
    name = _NUMBERS.get(class_)
    if name:
        return _names[name]
    if isinstance(class_, type) and issubclass(class_, ctypes._Pointer):
        return _CPointer(from_ctypes(class_._type_))
    raise TypeError(f"Unsupported ctypes type: {class_}")


def to_ctypes(type_):
    """The class of ctypes for a type; None for void."""
    if type_ == _names["none"]:
        return None
    class_ = _BY_TYPE.get(str(type_)) or (ctypes.c_bool if str(type_) == "bool" else None)
    if class_ is None and type_ == _names["voidptr"]:
        class_ = ctypes.c_void_p
    if class_ is None and isinstance(type_, _CPointer):
        class_ = ctypes.POINTER(to_ctypes(type_.dtype))
    if class_ is None:
        raise TypeError(f"Cannot convert Numba type '{type_}' to ctypes type")
    return class_


def type_of(function):
    """The type of a function of ctypes; TypeError where it does not declare what it takes."""
    if function.argtypes is None:
        raise TypeError(
            f"ctypes function {function.__name__!r} doesn't define its argument types; "
            "consider setting the `argtypes` attribute")
    if function._flags_ & _NEEDS_GIL:
        raise TypeError(
            f"ctypes function {getattr(function, '__name__', function)!r} works on Python "
            "objects; call it in a block `with objmode()`")
    params = tuple(from_ctypes(class_) for class_ in function.argtypes)
    return _Foreign(_extension.Signature(from_ctypes(function.restype), params))


def address_of(value):
    """The address that a function or pointer of ctypes, or an integer, stands for."""
    if isinstance(value, int):
        return value
    return ctypes.cast(value, ctypes.c_void_p).value or 0


def function_at(address, signature):
    """A jitted function that calls the one of C at an address."""
    from numba.core.decorators import njit
    from numba.core.made import make_function
    params = [to_ctypes(type_) for type_ in signature.args]
    target = ctypes.CFUNCTYPE(to_ctypes(signature.return_type), *params)(address)
    names = ", ".join(f"a{number}" for number in range(len(params)))
    made = make_function(f"def call({names}):\n    return target({names})\n", "call",
                         {"target": target}, "function at an address")
    return njit(signature)(made)
