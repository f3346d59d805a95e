"""%load_ext and its kin, and %config."""
import importlib
import sys

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

_BUILT_IN = {"autoreload": "gridcell.ipython.autoreload"}


def _call(module, name):
    function = getattr(module, name, None)
    if function is None:
        return False
    function(kernel.get_ipython())
    return True


def _module_of(name):
    return importlib.import_module(_BUILT_IN.get(name, name))


def load_ext(name):
    """Loads an extension; a text says why not, when it did not."""
    loaded = kernel.get_ipython().extension_manager.loaded
    if not name:
        raise UsageError("Missing module name.")
    if name in loaded:
        print(f"The {name} extension is already loaded. To reload it, use:\n  %reload_ext {name}")
    elif _call(_module_of(name), "load_ipython_extension"):
        loaded.add(name)
    else:
        print(f"The {name} module is not an IPython extension.")


def unload_ext(name):
    loaded = kernel.get_ipython().extension_manager.loaded
    if name not in loaded:
        print(f"The {name} extension is not loaded.")
    elif _call(_module_of(name), "unload_ipython_extension"):
        loaded.discard(name)
    else:
        print(f"The {name} extension doesn't define how to unload it.")


def reload_ext(name):
    loaded = kernel.get_ipython().extension_manager.loaded
    real_name = _BUILT_IN.get(name, name)
    if name in loaded and real_name in sys.modules:
        _call(sys.modules[real_name], "unload_ipython_extension")
        loaded.discard(name)
        importlib.reload(sys.modules[real_name])
    load_ext(name)


def config(line):
    """%config Class.trait = value, or Class.trait to see it."""
    shell = kernel.get_ipython()
    target, equals, text = line.partition("=")
    owner, _, trait = target.strip().partition(".")
    if not line.strip():
        print("Available objects for config:")
        for name in sorted(shell.settings):
            print("   ", name)
        return None
    if not equals and not trait:
        raise UsageError(f"Invalid config statement: {line.strip()!r}, "
                         "should be `Class.trait = value`.")
    if not equals:
        return getattr(shell.settings_of(owner), trait)
    value = eval(text.strip(), kernel.state("user_ns"))
    setattr(shell.settings_of(owner), trait, value)
    return None
