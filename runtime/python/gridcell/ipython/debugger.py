"""What the front end's debugger asks of Python: debugpy's start, and variables while nothing is
stopped. Called on the debugger's own thread."""
import os
import re
import reprlib
import sys
import threading

import _gridcell_kernel as kernel

_HIDDEN = re.compile(r"_+$|_i+$|_i?\d+$|_[io]h$|_dh$|__.*__$|(In|Out|exit|quit|get_ipython|debugpy)$")
_MOST = 500  # children of one object that are listed
_ROWS = 100  # of an array
_kept = {"data": {}, "metadata": {}}
_listens = False

_short = reprlib.Repr()
_short.maxlevel = 4
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = _short.maxfrozenset = 50
_short.maxarray = _short.maxdeque = 50
_short.maxstring = _short.maxother = _short.maxlong = 1000


def listen(_):
    """Has debugpy wait for a client; where."""
    global _listens
    # its warning about frozen modules is for debuggers that step through the standard library
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    try:
        import debugpy
    except ImportError as error:
        raise RuntimeError(f"there is no debugger: debugpy cannot be imported ({error}). "
                           "`%pip install debugpy`, then restart the kernel") from None
    _leave_alone(threading.current_thread())
    address, port = debugpy.listen(("127.0.0.1", 0))
    debugpy.trace_this_thread(False)
    _listens = True
    return {"address": address, "port": port}


def _leave_alone(thread):
    """A thread that goes on while others stand at a breakpoint."""
    thread.pydev_do_not_trace = True
    thread.is_pydev_daemon_thread = True


def finish_cell():
    """The thread that ran a cell steps no further. True if an interrupt broke off its stop."""
    info = getattr(threading.current_thread(), "additional_info", None)
    if info is None:
        return False
    was_stopped = info.pydev_state == 2
    info.pydev_step_cmd = info.pydev_original_step_cmd = -1
    info.pydev_step_stop, info.pydev_state = None, 1
    return was_stopped


def stop_in(frame):
    """This thread is to stop at the next line of a Python frame that calls; None: not any more."""
    if frame is None:
        finish_cell()
    elif _listens:
        import pydevd  # debugpy has put it on the path
        pydevd.settrace(suspend=True, trace_only_current_thread=True, patch_multiprocessing=False, stop_at_frame=frame)


def trace_again():
    """An interrupt at a breakpoint is an error in the trace function, which Python then drops."""
    if _listens and sys.gettrace() is None:
        import debugpy
        debugpy.trace_this_thread(True)


def source(arguments):
    """The text of a file, or of a cell that has none."""
    path = (arguments.get("source") or {}).get("path") or ""
    entry = kernel.state("cell_sources").get(path)
    if os.path.isfile(path):
        import tokenize
        with tokenize.open(path) as file:
            return {"content": file.read(), "mimeType": "text/x-python"}
    if entry is None:
        raise FileNotFoundError(f"there is no source of {path!r}")
    return {"content": "".join(entry[2]), "mimeType": "text/x-python"}


def modules(arguments):
    """Modules with a Python file, a page of them."""
    every = [(i, name, getattr(getattr(module, "__spec__", None), "origin", None))
             for i, (name, module) in enumerate(sys.modules.copy().items())]
    start = int(arguments.get("startModule") or 0)
    count = int(arguments.get("moduleCount") or len(every))
    found = [{"id": i, "name": name, "path": path} for i, name, path in every[start:start + count]
             if isinstance(path, str) and path.endswith(".py")]
    return {"modules": found, "totalModules": len(every)}


# ---- variables

class References:
    """Numbers for what is inside of variables, from `first` on."""

    def __init__(self, first):
        self.first, self.inspected = first, []

    def describe(self, name, value, path):
        found = {"name": name, "value": _text(value), "type": type(value).__name__,
                 "variablesReference": 0}
        if path:
            found["evaluateName"] = path
        if _is_expandable(value):
            self.inspected.append((value, path))
            found["variablesReference"] = self.first + len(self.inspected) - 1
        return found

    def children(self, arguments):
        at = arguments["variablesReference"] - self.first
        if not 0 <= at < len(self.inspected):
            raise LookupError("this variable is of an earlier inspection")
        value, path = self.inspected[at]
        start, count = int(arguments.get("start") or 0), int(arguments.get("count") or _MOST)
        found = []
        for i, (name, item, access) in enumerate(_items(value)):
            if i >= start + count:
                found.append({"name": "...", "value": "more are not shown", "type": "",
                              "variablesReference": 0})
                break
            if i >= start:
                found.append(self.describe(name, item, path + access if path and access else None))
        return {"variables": found}


_references = References(0)


def variables(arguments):
    """The notebook's variables. References to what is inside them hold until the next call."""
    global _references
    _references = References(arguments["first"])
    space, initial = kernel.state("user_ns").copy(), kernel.state("initial_names")
    return {"variables": [_references.describe(name, value, name) for name, value in space.items()
                          if not _HIDDEN.match(name) and name not in initial]}


def children(arguments):
    """What is inside a variable."""
    return _references.children(arguments)


def _text(value):
    try:
        return _short.repr(value)
    except Exception as error:  # a __repr__ may raise anything
        return f"<{type(value).__name__}: its repr raised {type(error).__name__}>"


_LEAVES = (str, bytes, bytearray, int, float, complex, type, type(sys), type(len), type(_text),
           type(None))


def _is_expandable(value):
    if isinstance(value, _LEAVES):
        return False
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return bool(value)
    return any(True for _ in _items(value))


def _items(value):
    """Name, value, and the expression that leads there, of each part."""
    if isinstance(value, dict):
        for key, item in list(value.items()):
            simple = isinstance(key, (str, int, float, bool, type(None)))
            yield _text(key), item, f"[{key!r}]" if simple else None
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield str(i), item, f"[{i}]"
    elif isinstance(value, (set, frozenset)):
        for i, item in enumerate(list(value)):
            yield str(i), item, None
    elif type(value).__name__ == "ndarray" and value.ndim:
        for i, item in enumerate(value[:_ROWS]):
            yield f"[{i}]", item.item() if hasattr(item, "item") and item.ndim == 0 else item, f"[{i}]"
    for name in ("dtype", "shape", "size", "nbytes"):
        if not isinstance(value, dict) and isinstance(getattr(type(value), name, None), _DESCRIPTORS):
            try:
                yield name, getattr(value, name), "." + name
            except Exception:  # a property may raise anything
                pass
    for name, item in list(getattr(value, "__dict__", {}).items()):
        yield str(name), item, f".{name}"


_DESCRIPTORS = (type(type.__dict__["__mro__"]), type(type.__dict__["__module__"]), property)


# ---- rich views

def rich(arguments):
    """Every representation of a variable."""
    keep(kernel.state("user_ns")[arguments["variableName"]])
    return take_kept(None)


def keep(value):
    """Called in a frame that stands at a breakpoint, by an expression that the debugger evaluates."""
    global _kept
    data, metadata = kernel.format(value)
    _kept = {"data": data, "metadata": metadata}


def take_kept(_):
    global _kept
    kept, _kept = _kept, {"data": {}, "metadata": {}}
    return kept


def set_global(name, value):
    """Called in a frame, as keep() is: a local variable becomes one of the notebook."""
    kernel.state("user_ns")[name] = value


# ---- compiled code

def _answers():
    from gridcell.debugging import answers
    return answers


def compiled_begin(_):
    """Functions with debug=True stop for this debugger, too."""
    _answers().begin()


def compiled_end(_):
    _answers().end()


def compiled_breakpoints(arguments):
    _answers().set_breakpoints(arguments)


def compiled(request):
    """What a request means where compiled code stands; None: it is for debugpy."""
    return _answers().serve(request["command"], request.get("arguments") or {})
