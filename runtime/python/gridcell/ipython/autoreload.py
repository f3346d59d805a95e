"""%autoreload and %aimport: modules whose files changed are loaded again before a cell runs, and what
users hold of them behaves as the new version does."""
import gc
import importlib
import os
import sys
import types
import weakref

import _gridcell_kernel as kernel

MODES = {"0": "off", "1": "explicit", "2": "all", "3": "complete"}
KEPT = ("__name__", "__loader__", "__spec__", "__file__", "__path__", "__package__", "__builtins__")
FUNCTION_PARTS = ("__code__", "__defaults__", "__kwdefaults__", "__doc__", "__dict__", "__annotations__")

_mode, _tells = "off", None
_wanted, _skipped = set(), set()
_stamps = {}  # times of files by module
_held = {}  # weak references to the objects of all versions, by module and name


# ---- new objects in old places

def _update_function(old, new):
    for name in FUNCTION_PARTS:
        try:
            setattr(old, name, getattr(new, name))
        except (AttributeError, TypeError, ValueError):  # other closures have other code
            pass


def _move_instances(old, new):
    for each in gc.get_referrers(old):
        if type(each) is old:
            try:
                object.__setattr__(each, "__class__", new)
            except TypeError:  # another layout: it stays what it was
                pass


def _update_class(old, new):
    for key, value in list(vars(old).items()):
        if key in ("__dict__", "__weakref__", "__doc__", "__module__"):
            continue
        try:
            if key not in vars(new):
                delattr(old, key)
            elif not _update(value, vars(new)[key]):
                setattr(old, key, vars(new)[key])
        except (AttributeError, TypeError):
            pass
    for key in vars(new).keys() - vars(old).keys():
        try:
            setattr(old, key, vars(new)[key])
        except (AttributeError, TypeError):
            pass
    _move_instances(old, new)


def _update(old, new):
    """Makes an old object behave as the new one; whether there was a way."""
    if old is new or isinstance(old, (types.MemberDescriptorType, types.GetSetDescriptorType)):
        return True
    if isinstance(old, type) and isinstance(new, type):
        _update_class(old, new)
    elif isinstance(old, types.FunctionType) and isinstance(new, types.FunctionType):
        _update_function(old, new)
    else:
        return False
    return True


def _hold(module):
    """Notes the module's own functions and classes, which users may have imported by name."""
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) == module.__name__:
            try:
                _held.setdefault((module.__name__, name), []).append(weakref.ref(value))
            except TypeError:
                pass


def _is_own(module, value):
    return getattr(value, "__module__", None) == module.__name__


def _reload(module):
    _hold(module)
    before = dict(vars(module))
    for name in before.keys() - set(KEPT):
        del vars(module)[name]
    try:
        module = importlib.reload(module)
    except BaseException:
        vars(module).update(before)
        raise
    for name, value in vars(module).items():
        alive = [held for held in _held.pop((module.__name__, name), ()) if held() is not None]
        for held in alive:
            _update(held(), value)
        if alive:
            _held[module.__name__, name] = alive
    if _mode == "complete":
        kernel.state("user_ns").update((name, value) for name, value in vars(module).items()
                                       if name not in before and _is_own(module, value))


# ---- which modules changed

def _stamp(module):
    """The time of the module's file; None where it has none that changes."""
    path = getattr(module, "__file__", None)
    if not path or not path.endswith(".py") or module.__name__ in ("__main__", "__mp_main__"):
        return None
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def _note_new(*_):
    """After a cell: from now on, changes of what it imported count."""
    if _mode == "off":
        return
    for name, module in list(sys.modules.items()):
        if name not in _stamps and isinstance(module, types.ModuleType):
            _stamps[name] = _stamp(module)


def reload_changed(all_modules=False):
    """Loads again what changed since it was last looked at."""
    names = _wanted if _mode == "explicit" and not all_modules else list(sys.modules)
    for name in names:
        module = sys.modules.get(name)
        if not isinstance(module, types.ModuleType) or name in _skipped or name.startswith("gridcell."):
            continue
        stamp = _stamp(module)
        before = _stamps.setdefault(name, stamp)
        if stamp is None or stamp == before:
            continue
        _stamps[name] = stamp
        if _tells:
            _tells(f"Reloading '{name}'.")
        try:
            _reload(module)
        except Exception:
            import traceback
            print(f"[autoreload of {name} failed: {traceback.format_exc(10)}]", file=sys.stderr)


# ---- the magics

def _autoreload(line):
    """Loads modules again whose files have changed, before each cell or now.

    Forms::

      %autoreload [-p | -l] [now | off | explicit | all | complete]

    Options::

      (none)       now, once: all modules but those that %aimport leaves alone
      0, off       never
      1, explicit  before each cell, what %aimport names
      2, all       before each cell, all modules but those that %aimport leaves alone
      3, complete  as all; names that are new in a module come to the notebook
      -p, --print  prints what is loaded again
      -l, --log    tells it to the log

    Functions, classes and their objects that were taken from a module get its new code.

    Examples::

      %load_ext autoreload
      %autoreload 2
    """
    global _mode, _tells
    words = line.split()
    options = [word for word in words if word.startswith("-")]
    mode = next((word.lower() for word in words if not word.startswith("-")), "now")
    mode = MODES.get(mode, mode)
    if mode != "now" and mode not in MODES.values():
        raise ValueError(f'Unrecognized autoreload mode "{mode}".')
    if {"-p", "--print"} & set(options):
        _tells = print
    elif {"-l", "--log"} & set(options):
        import logging
        _tells = logging.getLogger("autoreload").info
    elif mode != "now":
        _tells = None
    if mode == "now":
        reload_changed(True)
        return
    _mode = mode
    _note_new()


def _aimport(line):
    """Names the modules that %autoreload watches.

    Forms::

      %aimport  |  %aimport MODULE, -MODULE, ...

    Options::

      (none)   lists them
      MODULE   is imported, and watched in the mode explicit
      -MODULE  is left alone

    Examples::

      %aimport json, -re
    """
    names = [name.strip() for name in line.split(",") if name.strip()]
    if not names:
        watched = "all-except-skipped" if _mode in ("all", "complete") else " ".join(sorted(_wanted))
        print(f"Modules to reload:\n{watched}\n\nModules to skip:\n{' '.join(sorted(_skipped))}")
    for name in names:
        if name.startswith("-"):
            _skipped.add(name[1:].strip())
            _wanted.discard(name[1:].strip())
            continue
        _skipped.discard(name)
        importlib.import_module(name)
        _wanted.add(name)
        _stamps.setdefault(name, _stamp(sys.modules[name]))
        top = name.partition(".")[0]
        kernel.state("user_ns")[top] = sys.modules[top]


def _before_cell(*_):
    if _mode != "off":
        reload_changed()


def load_ipython_extension(shell):
    shell.register_magic_function(_autoreload, "line", "autoreload")
    shell.register_magic_function(_aimport, "line", "aimport")
    shell.events.register("pre_run_cell", _before_cell)
    shell.events.register("post_execute", _note_new)


def unload_ipython_extension(shell):
    shell.events.unregister("pre_run_cell", _before_cell)
    shell.events.unregister("post_execute", _note_new)
