"""%load_ext and its kin, and %config."""
import importlib
import sys

import _gridcell_kernel as kernel
from IPython.core.error import UsageError
from gridcell.ipython.settings import ALIASES, CLASSES, default, describe

_BUILT_IN = {"autoreload": "gridcell.ipython.autoreload"}


def _call(module, name):
    function = getattr(module, name, None)
    if function is None:
        return False
    function(kernel.get_ipython())
    return True


def _module_of(name):
    return importlib.import_module(_BUILT_IN.get(name, name))


def _loaded(name):
    """The names of the extensions that are loaded, for a magic that was given one."""
    if not name:
        raise UsageError("Missing module name.")
    return kernel.get_ipython().extension_manager.loaded


def load_ext(name):
    """Loads an extension; a text says why not, when it did not."""
    loaded = _loaded(name)
    if name in loaded:
        print(f"The {name} extension is already loaded. To reload it, use:\n  %reload_ext {name}")
        return "already loaded"
    found = _run(name, "load_ipython_extension", loaded.add, "The {} module is not an IPython extension.")
    return None if found else "no load function"


def unload_ext(name):
    loaded = _loaded(name)
    if name not in loaded:
        print(f"The {name} extension is not loaded.")
        return "not loaded"
    found = _run(name, "unload_ipython_extension", loaded.discard,
                 "The {} extension doesn't define how to unload it.")
    return None if found else "no unload function"


def _run(name, function, note, missing):
    """Calls an extension's function and notes the name, or prints that it has none; whether it has."""
    if _call(_module_of(name), function):
        note(name)
        return True
    print(missing.format(name))
    return False


def reload_ext(name):
    loaded = _loaded(name)
    real_name = _BUILT_IN.get(name, name)
    if name in loaded and real_name in sys.modules:
        _call(sys.modules[real_name], "unload_ipython_extension")
        loaded.discard(name)
        importlib.reload(sys.modules[real_name])
    return load_ext(name)


# ---- %config

_SWITCHES = {"autocall", "automagic", "autoawait", "pdb"}
_MISSING = object()


def _get(owner, trait):
    shell = kernel.get_ipython()
    if owner == "PlainTextFormatter":
        return getattr(shell.display_formatter.formatters["text/plain"], trait, _MISSING)
    if owner == "MagicsManager" and trait == "auto_magic":
        owner, trait = "InteractiveShell", "automagic"
    if owner == "InteractiveShell":
        if trait in _SWITCHES:
            value = kernel.switch(trait)
            return value if trait == "autocall" else bool(value)
        return getattr(shell, trait, default(owner, trait, _MISSING))
    return getattr(shell.settings_of(owner), trait, default(owner, trait, _MISSING))


def _warn_of_unknown(owner, trait):
    """A slip in the name of a setting would have no effect, and nobody would know why."""
    settings = kernel.get_ipython().settings_of(owner)
    if owner in CLASSES and trait not in CLASSES[owner] and not hasattr(settings, trait):
        import difflib
        close = difflib.get_close_matches(trait, CLASSES[owner], 1)
        hint = f" Did you mean `{close[0]}`?" if close else ""
        print(f"Config option `{trait}` not recognized by `{owner}`.{hint}", file=sys.stderr)


def _set(owner, trait, value):
    shell = kernel.get_ipython()
    if owner == "AliasManager" and trait == "user_aliases":
        from gridcell.ipython import aliases
        for name, command in value:
            aliases.define(name, command)
    elif owner == "MagicsManager" and trait == "auto_magic":
        kernel.switch("automagic", bool(value))
    elif owner == "PlainTextFormatter":
        setattr(shell.display_formatter.formatters["text/plain"], trait, value)
    elif owner != "InteractiveShell":
        _warn_of_unknown(owner, trait)
        setattr(shell.settings_of(owner), trait, value)
    elif trait in _SWITCHES:
        kernel.switch(trait, int(value))
    elif trait in ("xmode", "colors"):
        shell.run_line_magic(trait, value)
    else:
        setattr(shell, trait, value)


INTERACTIVITY = ("all", "last", "last_expr", "none", "last_expr_or_assign")


def apply(owner, trait, value):
    """Class.trait = value, as %config and configuration files have it."""
    owner = ALIASES.get(owner, owner)
    if trait == "ast_node_interactivity" and value not in INTERACTIVITY:
        raise ValueError(f"The 'ast_node_interactivity' trait of a ZMQInteractiveShell instance expected any "
                         f"of {list(INTERACTIVITY)}, not the {type(value).__name__} {value!r}.")
    _set(owner, trait, value)


def _owners():
    shell = kernel.get_ipython()
    return sorted({*CLASSES, *shell.settings, *(type(each).__name__ for each in shell.configurables)})


def _show_owner(owner):
    for each in kernel.get_ipython().configurables:
        if type(each).__name__ == owner and hasattr(each, "class_get_help"):  # traitlets', of an extension
            print(each.class_get_help(each).replace(f"--{owner}.", f"{owner}."))
            return
    stored = kernel.get_ipython().settings.get(owner)
    traits = {*CLASSES.get(owner, ()), *(vars(stored) if stored is not None else ())}
    print(describe(owner, {trait: _get(owner, trait) for trait in traits if not trait.startswith("_")}))


def config(line):
    """%config Class.trait = value, Class.trait, Class, or all classes."""
    line = line.strip()
    target, equals, text = line.partition("=")
    owner, _, trait = target.strip().partition(".")
    owner = ALIASES.get(owner, owner)
    if not line:
        print("Available objects for config:")
        for name in _owners():
            print("   ", name)
        return None
    if not equals and not trait and owner in _owners() and (
            owner != "InlineBackend" or "matplotlib" in sys.modules):
        _show_owner(owner)
        return None
    if not trait or not trait.isidentifier():
        raise UsageError(f"Invalid config statement: {line!r}, should be `Class.trait = value`.")
    if not equals:
        value = _get(owner, trait)
        if value is _MISSING:
            raise AttributeError(f"{owner!r} object has no attribute {trait!r}")
        return value
    try:
        value = eval(text.strip(), kernel.state("user_ns"))
    except Exception:
        value = text.strip()  # a bare word stands for itself
    try:
        apply(owner, trait, value)
    except ValueError as error:
        print(error, file=sys.stderr)
    return None
