# SPDX-License-Identifier: MIT
"""numba.extending: what a program may add to what compiled code understands."""
from gridcell import _gridcell as _extension
from numba.core import overloads as _overloads
from numba.core.decorators import njit


def is_jitted(function):
    """Whether the object was made by jit."""
    return isinstance(function, _extension.CPUDispatcher)


def overload(func, jit_options={}, strict=True, inline="never", prefer_literal=False, **kwargs):
    """overload(function)

    Implements a Python function for compiled code: the decorated function is called with the
    arguments' types, and gives the function to compile for them, or None.

    function: what compiled code calls. Raises TypingError when the parameters' names differ.

    Example:
        def double(x):
            return x + x

        @overload(double)
        def ol_double(x):
            return lambda x: x * 2

        assert njit(lambda x: double(x))(4) == 8
    """
    def register(function):
        _overloads.add_overload(
            func, _overloads.Candidate(function, jit_options, strict, prefer_literal))
        return function
    return register


def overload_method(typ, attr, jit_options={}, strict=True, inline="never",
                    prefer_literal=False, **kwargs):
    """Implements the method `attr` of a type, or of a class of types."""
    def register(function):
        _overloads.add_method(
            typ, attr, _overloads.Candidate(function, jit_options, strict, prefer_literal))
        return function
    return register


def overload_attribute(typ, attr, jit_options={}, strict=True, inline="never",
                       prefer_literal=False, **kwargs):
    """Implements the attribute `attr` of a type, or of a class of types."""
    def register(function):
        _overloads.add_attribute(
            typ, attr, _overloads.Candidate(function, jit_options, strict, prefer_literal))
        return function
    return register


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


_BUILDERS = ("intrinsic", "lower_builtin", "lower_cast", "lower_getattr", "lower_setattr", "box",
             "unbox", "NativeValue", "models", "register_model", "make_attribute_wrapper",
             "typeof_impl", "type_callable", "infer", "infer_global", "infer_getattr")


def __getattr__(name):
    if name in _BUILDERS:
        raise ImportError(
            f"numba.extending.{name} works on LLVM builders of llvmlite, which gridcell does not "
            "have: its compiler is its own. overload, overload_method and overload_attribute "
            "implement functions in Python; jitclass and records make types.")
    raise AttributeError(f"module 'numba.extending' has no attribute {name!r}")
