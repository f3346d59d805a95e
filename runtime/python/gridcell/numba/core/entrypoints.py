# SPDX-License-Identifier: MIT
"""numba.core.entrypoints: packages of the environment that register types and functions of theirs."""
import importlib
import sys
import warnings

# what extends compiled code for a module of NumPy's, once a program has loaded that
_OWN = {"numpy.polynomial.polynomial": "numba.np.polynomial.polynomial_core"}
_already_initialized = False


def _load_own():
    new = [module for theirs, module in _OWN.items() if theirs in sys.modules and module not in sys.modules]
    for module in new:
        importlib.import_module(module)
    return bool(new)


def init_all():
    """Calls what installed packages name under the entry point 'init' of 'numba_extensions', once; gives whether
    there was something to call now.

    The compiler does that when it meets an object that nobody has registered. A package that fails to load is
    warned about.
    """
    global _already_initialized
    is_new = _load_own()
    if _already_initialized:
        return is_new
    _already_initialized = True  # they may use the compiler
    from importlib import metadata
    found = metadata.entry_points()
    if hasattr(found, "select"):
        found = found.select(group="numba_extensions", name="init")
    else:  # a dict of groups, as Python before 3.10 has it, and programs that stand in for packages
        found = [entry_point for entry_point in found.get("numba_extensions", ()) if entry_point.name == "init"]
    for entry_point in found:
        try:
            entry_point.load()()
        except Exception as error:  # whatever is wrong with a package
            warnings.warn(f"Numba extension module '{entry_point.module}' failed to load due to "
                          f"'{type(error).__name__}({error})'.", stacklevel=3)
    return len(found) > 0 or is_new
