# SPDX-License-Identifier: MIT
"""Functions and pointers of ctypes and cffi, as compiled code takes them."""
import ctypes
import functools
import sys
import types

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
        is_struct = isinstance(type_.dtype, _extension.Record)
        class_ = ctypes.c_void_p if is_struct else ctypes.POINTER(to_ctypes(type_.dtype))
    if class_ is None:
        raise TypeError(f"Cannot convert Numba type '{type_}' to ctypes type")
    return class_


cffi_types = {}  # cffi's type -> the one that a program says it is


def _cffi_dtype(kind):
    """NumPy's dtype for a type within a struct of cffi's."""
    import numpy as np
    if kind.kind == "array":
        return np.dtype((_cffi_dtype(kind.item), kind.length))
    return _extension.as_dtype(from_cffi(kind, True))


def _cffi_record(kind):
    """The Record of a struct, its fields where cffi has them."""
    import _cffi_backend
    import numpy as np
    for name, field in kind.fields:
        if field.bitsize != -1 or field.bitshift != -1:
            raise ValueError(f"field {name!r} has bitshift, this is not supported")
    names, fields = zip(*kind.fields) if kind.fields else ((), ())
    return _extension.from_dtype(np.dtype(
        {"names": list(names), "formats": [_cffi_dtype(field.type) for field in fields],
         "offsets": [field.offset for field in fields],
         "itemsize": _cffi_backend.sizeof(kind), "aligned": True}))


def from_cffi(kind, with_structs=False):
    """The type for one of cffi's; TypeError where compiled code has none."""
    if kind in cffi_types:
        return cffi_types[kind]
    if kind.kind == "struct" and with_structs:
        return _cffi_record(kind)
    if kind.kind == "void":
        return _names["none"]
    if kind.kind == "primitive":
        name = _CFFI_NUMBERS.get(kind.cname) or _cffi_number(kind.cname)
        if name:
            return _names[name]
    if kind.kind == "pointer":
        if kind.item.kind == "void":
            return _names["voidptr"]
        if kind.item.kind == "function":
            return _cffi_signature(kind.item, with_structs)
        return _CPointer(from_cffi(kind.item, with_structs))
    if kind.kind == "array":
        return _CPointer(from_cffi(kind.item, with_structs))
    if kind.kind == "function":
        return _cffi_signature(kind, with_structs)
    raise TypeError(f"Unsupported cffi type: {kind.cname}")


_CFFI_NUMBERS = {"float": "float32", "double": "float64", "_Bool": "boolean", "char": "int8",
                 "float _Complex": "complex64", "double _Complex": "complex128"}


def _cffi_number(cname):
    """The integer type of C's name for it, by its size and sign."""
    import _cffi_backend
    kind = _cffi_backend.new_primitive_type(cname)
    try:
        is_signed = int(_cffi_backend.cast(kind, -1)) < 0
    except TypeError:
        return None  # long double
    return f"{'' if is_signed else 'u'}int{8 * _cffi_backend.sizeof(kind)}"


def _cffi_signature(kind, with_structs=False):
    if kind.ellipsis:
        raise TypeError("vararg function is not supported")
    params = tuple(from_cffi(param, with_structs) for param in kind.args)
    return _Foreign(_extension.Signature(from_cffi(kind.result, with_structs), params))


def _cffi_type(function):
    import _cffi_backend
    kind = _cffi_backend.typeof(function)
    if kind.kind == "pointer" and kind.item.kind == "function":
        kind = kind.item
    if kind.kind != "function":
        raise TypeError(f"{function!r} is no function")
    return _cffi_signature(kind)


def _cffi_address(function):
    import _cffi_backend
    if isinstance(function, types.BuiltinFunctionType):  # of a module that cffi compiled
        ffi = _cffi_backend.FFI()
        function = ffi.addressof(function.__self__, function.__name__)
    return int(_cffi_backend.cast(_cffi_backend.new_primitive_type("uintptr_t"), function))


class ExternalFunction:
    """ExternalFunction(symbol, signature)

    A function of C that this process, or a library that it loaded, has under a name; compiled code calls it.

    symbol: the name. sig: a signature. Raises TypeError for another kind of signature.

    Example:
        labs = types.ExternalFunction("labs", types.int64(types.int64))
        assert njit(lambda x: labs(x))(-3) == 3
    """

    def __init__(self, symbol, sig):
        if not isinstance(symbol, str) or not isinstance(sig, _extension.Signature):
            raise TypeError(f"ExternalFunction() takes the name of a function and its signature, not {symbol!r} and {sig!r}")
        self.symbol, self.sig = symbol, sig

    @property
    def name(self):
        """What messages call it."""
        return f"ExternalFunction({self.symbol})"

    @property
    def key(self):
        """Equal for equal functions."""
        return self.symbol, self.sig

    def __eq__(self, other):
        return isinstance(other, ExternalFunction) and self.key == other.key

    def __hash__(self):
        return hash(self.symbol)

    def __repr__(self):
        return self.name


def told_address(name):
    """Where llvmlite.binding.add_symbol(name, address) said that something is which this process has not; or None."""
    binding = sys.modules.get("llvmlite.binding")
    return binding.address_of_symbol(name) if binding and _extension.llvm_symbol(name) is None else None


def _find(name):
    return _extension.llvm_symbol(name) or told_address(name)


def _address_named(name):
    address = _find(name)
    if address is None:
        from numba.core.errors import TypingError
        raise TypingError(f"no function of C is named {name!r} in this process: load its library with ctypes.CDLL(path, "
                          "ctypes.RTLD_GLOBAL), or say where it is with llvmlite.binding.add_symbol(name, address)")
    return address


def type_of(function):
    """The type of a function of ctypes or cffi; TypeError where it does not declare what it takes."""
    if isinstance(function, ExternalFunction):
        _address_named(function.symbol)
        return _Foreign(function.sig)
    if not isinstance(function, ctypes._CFuncPtr):
        return _cffi_type(function)
    if function.argtypes is None:
        raise TypeError(
            f"ctypes function {function.__name__!r} doesn't define its argument types; "
            "consider setting the `argtypes` attribute")
    if function._flags_ & _NEEDS_GIL:
        raise TypeError(
            f"ctypes function {getattr(function, '__name__', function)!r} works on Python "
            "objects; call it in a block `with objmode()`")
    params = tuple(from_ctypes(class_) for class_ in function.argtypes)
    # what comes back as c_void_p is a number in Python, too
    returns = _names["uint64"] if function.restype is ctypes.c_void_p else from_ctypes(function.restype)
    return _Foreign(_extension.Signature(returns, params))


def address_of(value):
    """The address that a function or pointer of ctypes or cffi, or an integer, stands for."""
    if isinstance(value, int):
        return value
    if isinstance(value, ExternalFunction):
        return _address_named(value.symbol)
    if type(value).__module__ == "_cffi_backend" or isinstance(value, types.BuiltinFunctionType):
        return _cffi_address(value)
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


class FunctionOfC:
    """A function of C that compiled code gave back: Python calls it, and compiled code again."""

    def __init__(self, address, kind):
        self.address, self._numba_type_ = address, kind

    @functools.cached_property
    def __gridcell_function__(self):
        return function_at(self.address, self._numba_type_.signature)

    def __call__(self, *args):
        return self.__gridcell_function__(*args)

    def __repr__(self):
        return f"<function of C at {self.address:#x}: {self._numba_type_}>"
