"""Lets a stand-in package or module fall through to the installed one for what it does not provide."""
import importlib
import os
import sys

_STAND_INS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packages")
_installed = {}  # modules by name, None where there is none


def extend_path(path, name):
    """`path`, then the folders of that name along sys.path."""
    found = list(path)
    parts = name.split(".")
    for folder in sys.path:
        candidate = os.path.join(folder, *parts)
        if candidate not in found and os.path.isfile(os.path.join(candidate, "__init__.py")):
            found.append(candidate)
    return found


def _find_installed(name):
    parts = name.split(".")
    for folder in sys.path:
        stem = os.path.join(folder, *parts)
        for path in (stem + ".py", os.path.join(stem, "__init__.py")):
            if os.path.isfile(path) and not path.startswith(_STAND_INS):
                return path
    return None


def installed_module(name):
    """The installed module that a stand-in hides; None where there is none. It is kept out of
    sys.modules, and what it imports in turn are the stand-ins first."""
    if name in _installed:
        return _installed[name]
    from importlib.util import module_from_spec, spec_from_file_location
    path = _find_installed(name)
    if path is None:
        return _installed.setdefault(name, None)
    folders = [os.path.dirname(path)] if path.endswith("__init__.py") else None
    spec = spec_from_file_location(name, path, submodule_search_locations=folders)
    _installed[name] = module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del _installed[name]
        raise
    return module


def fall_through(module_name, is_package=False):
    """The __getattr__ of a stand-in: a submodule, then a name of the installed module."""
    def __getattr__(name):
        missing = AttributeError(f"module {module_name!r} has no attribute {name!r}")
        # what tools ask of every module must not load anything
        if name.startswith("__") or name.startswith("_ipython_"):
            raise missing
        if is_package:
            try:
                return importlib.import_module(f"{module_name}.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"{module_name}.{name}":
                    raise
        value = getattr(installed_module(module_name), name, _installed)
        if value is _installed:
            raise missing
        return value
    return __getattr__
