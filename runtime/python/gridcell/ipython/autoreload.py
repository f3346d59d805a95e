"""%autoreload: modules whose files changed are loaded again before a cell runs."""
import importlib
import os
import sys

_state = {"mode": "0", "stamps": {}}


def _source_of(module):
    path = getattr(module, "__file__", None)
    if not path or not path.endswith(".py") or not os.path.isfile(path):
        return None
    return path


def _update_class(old, new):
    for key, value in list(vars(new).items()):
        if key in ("__dict__", "__weakref__", "__doc__"):
            continue
        try:
            setattr(old, key, value)
        except (AttributeError, TypeError):
            pass


def _update(old, new):
    """Makes objects that the user already holds behave as the new ones."""
    if isinstance(old, type) and isinstance(new, type):
        _update_class(old, new)
    elif hasattr(old, "__code__") and hasattr(new, "__code__"):
        for name in ("__code__", "__defaults__", "__doc__", "__kwdefaults__", "__dict__"):
            try:
                setattr(old, name, getattr(new, name))
            except (AttributeError, TypeError, ValueError):
                pass


def reload_changed():
    """Loads again what changed since it was last looked at."""
    for name, module in list(sys.modules.items()):
        path = _source_of(module)
        if not path or name == "__main__" or name.startswith("gridcell."):
            continue
        stamp = os.stat(path).st_mtime
        before = _state["stamps"].setdefault(name, stamp)
        if stamp == before:
            continue
        _state["stamps"][name] = stamp
        old = dict(vars(module))
        try:
            new = importlib.reload(module)
        except Exception as error:
            print(f"[autoreload of {name} failed: {error!r}]", file=sys.stderr)
            continue
        for key, value in old.items():
            if getattr(value, "__module__", None) == name and key in vars(new):
                _update(value, vars(new)[key])


def _autoreload(line):
    mode = line.strip().lower() or "now"
    names = {"off": "0", "explicit": "1", "all": "2", "complete": "3"}
    if mode == "now":
        reload_changed()
        return
    _state["mode"] = names.get(mode, mode)
    if _state["mode"] not in "0123":
        raise ValueError(f"Unrecognized autoreload mode {line!r}")
    reload_changed()


def _before_cell(*_):
    if _state["mode"] in ("2", "3"):
        reload_changed()


def load_ipython_extension(shell):
    shell.register_magic_function(_autoreload, "line", "autoreload")
    shell.register_magic_function(lambda line: None, "line", "aimport")
    shell.events.register("pre_run_cell", _before_cell)


def unload_ipython_extension(shell):
    shell.events.unregister("pre_run_cell", _before_cell)
