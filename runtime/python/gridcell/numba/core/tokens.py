# SPDX-License-Identifier: MIT
"""What Dask knows our functions again by: the same for the same code, variables and options, in any process.

Dask asks an object for __dask_tokenize__(). NumPy's ufuncs take no such method: of those that are ours, Dask is told.
"""
import threading
import types

from gridcell import _gridcell as _extension
from numba.core import pickling

_is_checked = False       # whether a variable that cannot be taken to another process is an error by now
_walk = threading.local()  # .seen: id -> the digest of a function, or its place, of the functions that one token is made of


def _constant(value):
    """A constant of code: nested code is told by what it does, a set in some order."""
    if isinstance(value, types.CodeType):
        return _code(value)
    if isinstance(value, frozenset):
        return "frozenset", sorted(map(repr, value))
    return tuple(map(_constant, value)) if isinstance(value, tuple) else value


def _code(code):
    """What code does: neither its file nor its lines, which a cell that runs again has anew."""
    return (code.co_name, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, code.co_code,
            code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, getattr(code, "co_exceptiontable", b""),
            tuple(map(_constant, code.co_consts)))


def _variable(value):
    """Modules by their names, which Dask would pickle; functions of ours at once, as Dask goes a long way to them."""
    if isinstance(value, types.ModuleType):
        return "module", value.__name__
    return of_dispatcher(value) if isinstance(value, _extension.CPUDispatcher) else value


def _variables(values):
    return {name: _variable(value) for name, value in values.items()}


def _describe(function):
    named = {name: function.__globals__[name] for name in pickling.names_of(function) if name in function.__globals__}
    captured = pickling.captured_by(function)
    if _is_checked:
        pickling.carried(function, named)
        pickling.carried(function, captured)
    return (function.__module__, function.__qualname__, _code(function.__code__), _variables(named), _variables(captured),
            function.__defaults__, function.__kwdefaults__)


def check_variables():
    """Functions are for workers: what cannot travel is named at once, which Dask would not do."""
    global _is_checked
    _is_checked = True


def token(owner, function, *others):
    """(the owner's kind, (its name, a digest of the function, if any, and of the others))

    A function that is met again has its digest, or within itself its place: functions may call each other."""
    import hashlib
    from dask.tokenize import normalize_token
    seen = getattr(_walk, "seen", None)
    is_outermost = seen is None
    if is_outermost:
        seen = _walk.seen = {}
    kind, name = type(owner).__name__, getattr(owner, "__name__", "")
    try:
        if id(owner) not in seen:
            seen[id(owner)] = len(seen)
            parts = normalize_token((_describe(function) if function else None, others))
            seen[id(owner)] = hashlib.blake2b(repr(parts).encode(), digest_size=20).hexdigest()
        return kind, (name, seen[id(owner)])
    finally:
        if is_outermost:
            _walk.seen = None


def of_dispatcher(dispatcher):
    """The token of a function of jit."""
    declared = None if dispatcher._can_compile else list(dispatcher.nopython_signatures)
    return token(dispatcher, dispatcher.py_func, dict(dispatcher.targetoptions), declared)


def _of_ufunc(ufunc, of_others):
    recipe = _extension.gufunc_recipe(ufunc) or pickling.recipe_of(ufunc)
    if recipe is not None:
        return token(ufunc, None, *recipe)
    growing = pickling.growing_of(ufunc)
    return of_others(ufunc) if growing is None else growing.__dask_tokenize__()


def tell_dask():
    """Has Dask tell NumPy's ufuncs that are ours apart by what they do."""
    import functools
    import numpy
    from dask.tokenize import normalize_token
    told = normalize_token.dispatch(numpy.ufunc)
    if getattr(told, "func", None) is not _of_ufunc:
        normalize_token.register(numpy.ufunc, functools.partial(_of_ufunc, of_others=told))
