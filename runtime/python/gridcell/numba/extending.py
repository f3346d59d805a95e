# SPDX-License-Identifier: MIT
"""numba.extending: what a program may add to what compiled code understands."""
import functools
import inspect

from gridcell import _gridcell as _extension
from numba.core import overloads as _overloads
from numba.core.decorators import always_jit as njit
from numba.core.made import make_function


def is_jitted(function):
    """Whether the object was made by jit."""
    return isinstance(function, _extension.CPUDispatcher)


def _candidates(add, jit_options, strict, prefer_literal, inline, options):
    """The decorator that adds what implements something, and leaves it as it is."""
    def register(function):
        add(_overloads.Candidate(
            function, jit_options, strict, prefer_literal, options.get("target", "generic"), inline))
        return function
    return register


def overload(func, jit_options={}, strict=True, inline="never", prefer_literal=False, **kwargs):
    """overload(function)

    Implements a Python function for compiled code: the decorated function is called with the
    arguments' types, and gives the function to compile for them, or None.

    function: what compiled code calls. target: "cpu" or "cuda", where it is not for both; such an
    overload goes before one for all. Raises TypingError when the parameters' names differ.

    Example:
        def double(x):
            return x + x

        @overload(double)
        def ol_double(x):
            return lambda x: x * 2

        assert njit(lambda x: double(x))(4) == 8
    """
    return _candidates(functools.partial(_overloads.add_overload, func), jit_options, strict, prefer_literal, inline, kwargs)


def overload_method(typ, attr, jit_options={}, strict=True, inline="never",
                    prefer_literal=False, **kwargs):
    """Implements the method `attr` of a type, or of a class of types."""
    return _candidates(functools.partial(_overloads.add_method, typ, attr), jit_options, strict, prefer_literal, inline, kwargs)


def overload_attribute(typ, attr, jit_options={}, strict=True, inline="never",
                       prefer_literal=False, **kwargs):
    """Implements the attribute `attr` of a type, or of a class of types."""
    return _candidates(functools.partial(_overloads.add_attribute, typ, attr), jit_options, strict, prefer_literal, inline,
                       kwargs)


def overload_classmethod(typ, attr, jit_options={}, strict=True, inline="never",
                         prefer_literal=False, **kwargs):
    """overload_classmethod(type, name)

    Implements the class method `name` of a type, or of a class of types: what `T.name(...)` does
    in compiled code, T being a type, or the class whose values have the type (List, Dict).

    typ: such as types.ListType. attr: the name. The decorated function is given the class as its
    first argument, then the arguments' types, and gives the function to compile.

    Example:
        @overload_classmethod(types.ListType, "pair")
        def ol_pair(cls, x):
            return lambda cls, x: [x, x]

        assert njit(lambda x: typed.List.pair(x))(3) == [3, 3]
    """
    return _candidates(functools.partial(_overloads.add_classmethod, typ, attr), jit_options, strict, prefer_literal, inline,
                       kwargs)


def register_jitable(*args, **kwargs):
    """Mark a function as callable from compiled code; it stays as it is."""
    def mark(function):
        _extension.overload_register(function, _Kept(function, njit(**kwargs)(function)).jitted)
        return function
    return mark(args[0]) if args else mark


_kept = []


class _Kept:
    """A function that is known by its identity, and so must live."""

    def __init__(self, function, jitted):
        self.function = function
        self.jitted = jitted
        _kept.append(self)


def intrinsic(*args, prefer_literal=False, **kwargs):
    """intrinsic(function)

    A function for compiled code alone, chosen by the arguments' types: the decorated function is
    called with a typing context and the types, and gives a signature with what implements it, or None.

    function: called with (typingctx, *types). What implements it is a function to compile, whose
    parameters have the same names, or one of (context, builder, signature, args) that writes LLVM's
    code with llvmlite's builder, for numbers, addresses, arrays, tuples of these and types of the program's own. Raises TypingError for
    code that LLVM does not take.

    Example:
        @intrinsic
        def following(typingctx, x):
            return x(x), lambda x: x + 1

        assert njit(lambda x: following(x))(4) == 5
    """
    def make(function):
        return _Intrinsic(function, prefer_literal)
    return make(args[0]) if args else make


class _Intrinsic:
    """What stands for an intrinsic in programs; compiled code knows it by its identity."""

    def __init__(self, function, prefer_literal):
        from numba.core.typing.context import Context
        functools.update_wrapper(self, function)
        self.function, self.prefer_literal = function, prefer_literal
        names = ", ".join(list(inspect.signature(function).parameters)[1:])

        def choose(*kinds):
            return _body_of(function, function(Context(), *kinds))
        candidate = make_function(f"def candidate({names}):\n    return _choose({names})\n", "candidate",
                                  {"_choose": choose}, f"intrinsic {function.__name__}")
        overload(self, prefer_literal=prefer_literal)(candidate)

    def __call__(self, *values):
        raise NotImplementedError(f"{self.__name__}() is for compiled code")

    def __repr__(self):
        return f"<intrinsic {self.__name__}>"

    _travels_whole = True

    def __reduce__(self):
        from numba.core import pickling
        return pickling.reduce_intrinsic(self)

    def __dask_tokenize__(self):
        from numba.core import tokens
        return tokens.token(self, self.function, self.prefer_literal)


_GENERATOR = 4  # parameters of what writes code: context, builder, signature, args


def _body_of(function, chosen):
    """The implementation of what an intrinsic gave: None, or (signature, function)."""
    from numba.core.errors import TypingError
    if chosen is None:
        return None
    signature, body = chosen if isinstance(chosen, tuple) and len(chosen) == 2 else (None, None)
    body = getattr(body, "py_func", body)
    if not inspect.isfunction(body):
        raise TypingError(f"the intrinsic {function.__name__} gives no signature with a function")
    wanted = list(inspect.signature(function).parameters)[1:]
    have = list(inspect.signature(body).parameters)
    if have == wanted:
        return body
    if len(have) != _GENERATOR:
        raise TypingError(
            f"the intrinsic {function.__name__} gives '{body.__name__}' of ({', '.join(have)}): it has to be a "
            f"function of ({', '.join(wanted)}), or of (context, builder, signature, args)")
    return _call_of_written(function.__name__, wanted, signature, body, is_passed=True)


def _call_of_written(name, params, signature, generator, what=None, code=None, is_passed=False):
    """A function of the parameters that calls what a generator of code writes; what: whose it is; code: where
    that is written, if not where the generator is."""
    from numba.core.errors import TypingError
    from numba.core import types
    from numba.core.written import text
    what = what or f"the intrinsic {name}"
    written = text.write(what, generator, signature, code, is_passed)
    if not isinstance(written, text.WrittenFunction):
        return _of_params(name, params, written.function)
    if len(signature.args) > len(params):
        raise TypingError(f"{what} of ({', '.join(params)}) gives the signature {signature}: "
                          f"its calls have no such arguments")
    kinds = [_overloads.shown(types.unliteral(kind)) for kind in signature.args]
    bridged = [number for number, kind in enumerate(kinds) if text.is_bridged(kind, is_passed)]
    namespace = {"_llvm_text": _llvm_text, "_text": written.text}  # names that parameters have not
    namespace.update((f"_type_{number}", text.passed(kinds[number])) for number in bridged)
    pairs = "".join(f", _type_{number}, {params[number]}" for number in bridged)
    for number, call in enumerate(written.exits.calls):
        namespace[f"_kind_{number}"], namespace[f"_callee_{number}"] = call.kind, call.function
        pairs += f", _kind_{number}, _callee_{number}"
    namespace["_result"], lines = _ending(signature.return_type, written.exits, namespace)
    return make_function(
        f"def {name}({', '.join(params)}):\n"
        f"    whole = _llvm_text({written.name!r}, _text, {int(written.is_pure)}, _result{pairs})\n{lines}",
        name, namespace, f"intrinsic {name}")


def _of_params(name, params, function):
    """A function of the parameters that gives what another does for them."""
    if list(inspect.signature(function).parameters) == params:
        return function
    given = ", ".join(params)
    return make_function(f"def {name}({given}):\n    return _function({given})\n", name, {"_function": njit(function)},
                         f"intrinsic {name}")


def _ending(kind, exits, namespace):
    """What the code that was written gives, and the lines that make the function's value or exception of it."""
    from numba.core import types
    kind = types.unliteral(kind)
    if not exits.can_fail:
        return kind, "    return whole\n"
    is_none = isinstance(kind, types.NoneType)
    lines = "" if is_none else "    status = whole[0]\n"
    status = "whole" if is_none else "status"
    for number, (exc, args) in enumerate(exits.raised, 1):
        namespace[f"_error_{number}"] = exc
        namespace.update((f"_arg_{number}_{place}", arg) for place, arg in enumerate(args or ()))
        given = ", ".join(f"_arg_{number}_{place}" for place in range(len(args or ())))
        lines += f"    if {status} == {number}:\n        raise _error_{number}({given})\n"
    if exits.passes_on:
        namespace["_external"] = _external
        lines += f"    if {status} != 0:\n        _external('gridcell_status_pass', 'status', {status})\n"
    return (types.int32, f"{lines}    return None\n") if is_none else (
        types.Tuple((types.int32, kind)), f"{lines}    return whole[1]\n")


def _external(*args):
    raise TypeError("what a program writes as LLVM's code is for compiled code")


_external.__gridcell_builtin__ = "library.external"


def _llvm_text(*args):
    raise TypeError("what a program writes as LLVM's code is for compiled code")


_llvm_text.__gridcell_builtin__ = "library.llvm_text"


_python_types = {}   # class of Python -> its type, as programs say
_python_choosers = []  # functions of a class that give its type, or None


def _register_python_type(py_type, numba_type=None):
    """as_numba_type.register(class, type): the type that a class means; also with one function of a
    class that gives its type, or None."""
    if numba_type is None:
        _python_choosers.append(py_type)
        return py_type
    if not isinstance(numba_type, _extension.Type):
        raise TypeError(f"expected a numba type, got {numba_type!r}")
    _python_types[py_type] = numba_type


def as_numba_type(py_type):
    """as_numba_type(int)

    The type that a class or an annotation of Python means: int, float, list[int],
    Optional[str], tuple[int, float], a jitclass.

    py_type: a class or an annotation. Gives a type. Raises TypingError for what has none.

    Example:
        assert as_numba_type(int) == types.int64
    """
    from numba.core.errors import TypingError
    from numba.experimental.jitclass.decorators import annotated_type
    if isinstance(py_type, type) and py_type in _python_types:
        return _python_types[py_type]
    for choose in _python_choosers:
        if (chosen := choose(py_type)) is not None:
            return chosen
    try:
        return annotated_type(py_type)
    except TypeError as error:
        raise TypingError(str(error)) from None


as_numba_type.register = _register_python_type


def get_cython_function_address(module_name, function_name):
    """get_cython_function_address(module, function)

    The address of a function that a Cython module exports, for ctypes to call; compiled code
    calls the functions that ctypes makes of it.

    module_name: such as "scipy.special.cython_special". function_name: its name in C. Gives an
    integer. Raises ValueError for a name that is not there.

    Example:
        import ctypes

        address = get_cython_function_address("scipy.special.cython_special", "j0")
        j0 = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(address)
        assert njit(lambda x: j0(x))(0.0) == 1.0
    """
    import ctypes
    import importlib
    exported = importlib.import_module(module_name).__pyx_capi__
    if function_name not in exported:
        raise ValueError(f"No function '{function_name}' found in __pyx_capi__ of '{module_name}'")
    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.argtypes, name.restype = [ctypes.py_object], ctypes.c_char_p
    pointer.argtypes, pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    capsule = exported[function_name]
    return pointer(capsule, name(capsule))


def include_path():
    """The folder for a C compiler to search: <numba/core/runtime/nrt_external.h> is in it."""
    import os
    import numba
    return os.path.dirname(os.path.dirname(os.path.abspath(numba.__file__)))


# name -> the module that it is of: types of a program's own, which most programs have none of
_OF_TYPES = {"typeof_impl": "registry", "type_callable": "calls", "lower_builtin": "calls",
             "make_attribute_wrapper": "calls", "box": "boxing", "unbox": "boxing", "NativeValue": "boxing",
             "BoxContext": "boxing", "UnboxContext": "boxing",
             "lower_getattr": "calls", "lower_getattr_generic": "calls", "infer": "templates", "infer_global": "templates",
             "lower_setattr": "calls", "lower_setattr_generic": "calls", "lower_cast": "conversions",
             "lower_constant": "constants", "reflect": "boxing", "ReflectContext": "boxing",
             "SentryLiteralArgs": "literals", "sentry_literal_args": "literals", "BoundLiteralArgs": "literals",
             "infer_getattr": "templates"}
_OF_MODELS = {"models": None, "register_model": "register_default", "register_default": "register_default"}


def _public_names():
    """What `from numba.extending import *` gives; what writes code with llvmlite only where that is installed."""
    import importlib.util
    names = {name for name in globals() if not name.startswith("_")} - {"functools", "inspect", "njit", "make_function"}
    has_builder = importlib.util.find_spec("llvmlite") is not None
    return sorted(names | {*_OF_MODELS} | {name for name, module in _OF_TYPES.items() if has_builder or module != "boxing"})


def __getattr__(name):
    import importlib
    if name == "__all__":
        return _public_names()
    if name in _OF_TYPES:
        return getattr(importlib.import_module(f"numba.core.extension.{_OF_TYPES[name]}"), name)
    if name in _OF_MODELS:
        from numba.core import datamodel
        return getattr(datamodel, _OF_MODELS[name] or name)
    raise AttributeError(f"module 'numba.extending' has no attribute {name!r}")
