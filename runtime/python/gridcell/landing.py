# SPDX-License-Identifier: MIT
"""Where pickled functions land in a process that may not know yet that `numba` is gridcell: pickles name this
module, and importing it puts the hook in place before anything of numba's namespace is looked for."""
from gridcell import hook

hook.install()

# where the functions are that pickles name; none of their names is in two of them
_MODULES = ("numba.core.pickling", "numba.experimental.jitclass.boxing", "numba.np.ufunc.dufunc",
            "numba.np.ufunc.gufunc", "numba.typed.common")


def __getattr__(name):
    import importlib
    import sys
    if not name.startswith("__"):
        for module in sorted(_MODULES, key=lambda module: module not in sys.modules):
            found = vars(importlib.import_module(module)).get(name)
            if getattr(found, "__module__", None) == __name__:
                return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
