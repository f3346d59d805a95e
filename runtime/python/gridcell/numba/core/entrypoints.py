# SPDX-License-Identifier: MIT
"""numba.core.entrypoints: packages of the environment that register types and functions of theirs."""
import warnings

_already_initialized = False


def init_all():
    """Calls what installed packages name under the entry point 'init' of 'numba_extensions', once; gives whether
    there was something to call now.

    The compiler does that when it meets an object that nobody has registered. A package that fails to load is
    warned about.
    """
    global _already_initialized
    if _already_initialized:
        return False
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
    return len(found) > 0
