# SPDX-License-Identifier: MIT
"""Functions made of text, whose lines tracebacks and the compiler find."""
import itertools
import linecache
import types as python_types
import weakref

_numbers = itertools.count(1)


def make_function(text, name, namespace, purpose):
    """The function `name` that the text defines in the namespace."""
    file = f"<{purpose} {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), namespace)
    function = namespace[name]
    weakref.finalize(function, linecache.cache.pop, file, None)
    return function


def make_closure(code, namespace, cells, defaults):
    """A jitted function of the code of an inner function; an empty cell is for itself."""
    from numba.core.decorators import always_jit as njit
    function = python_types.FunctionType(code, namespace, code.co_name, None, cells)
    names = code.co_varnames[:code.co_argcount]
    only = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
    function.__defaults__ = tuple(defaults[name] for name in names if name in defaults) or None
    function.__kwdefaults__ = {name: defaults[name] for name in only if name in defaults} or None
    jitted = njit(function)
    for name, cell in zip(code.co_freevars, cells):
        try:
            cell.cell_contents
        except ValueError:
            if name == code.co_name:
                cell.cell_contents = jitted
    return jitted
