# SPDX-License-Identifier: MIT
"""Who keeps device memory: asked when the device has none left."""
import gc
import sys
import traceback

from .cudadrv.driver import MemoryPointer

LINES = 8      # holders that are named, the largest first
DEPTH = 3      # how far into containers and objects
ITEMS = 1000   # how many members of each


def _chain(error):
    """An exception and those it came from."""
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or error.__context__
    return seen


def release():
    """Lets go of the variables of frames that only the last uncaught exception keeps; whether there
    were any."""
    last = getattr(sys, "last_value", None)
    if last is None or sys.exc_info()[1] in _chain(last):
        return False
    found = False
    for error in _chain(last):
        found = found or error.__traceback__ is not None
        traceback.clear_frames(error.__traceback__)
        for frame, _ in traceback.walk_tb(error.__traceback__):
            frame.f_locals  # what was read of them before follows only when it is read again
    return found


def _size(count):
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"):
        if count < 1024:
            break
        count /= 1024
    return f"{count} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"


class _Search:
    """The first name found of each piece of device memory."""

    def __init__(self):
        self.names, self.visited = {}, set()

    def look(self, name, value, depth=DEPTH):
        if id(value) in self.visited or isinstance(value, (type, type(sys), str, bytes)):
            return
        self.visited.add(id(value))
        memory = value if isinstance(value, MemoryPointer) else getattr(type(value), "gpu_data", None) and value.gpu_data
        if isinstance(memory, MemoryPointer):
            self.names.setdefault(id(memory), (name, value))
        elif depth:
            for label, member in _members(value):
                self.look(name + label, member, depth - 1)

    def look_at_frames(self):
        """Variables of the functions that run, and of those that exceptions in hand went through."""
        frame = sys._getframe(1)
        while frame is not None:
            self._look_at(frame)
            frame = frame.f_back
        for error in _chain(sys.exc_info()[1]):
            for frame, _ in traceback.walk_tb(error.__traceback__):
                self._look_at(frame)

    def _look_at(self, frame):
        if frame.f_locals is frame.f_globals or frame.f_globals.get("__name__", "").startswith("gridcell."):
            return
        for name, value in frame.f_locals.items():
            self.look(f"{name} in {frame.f_code.co_name}()", value)


def _members(value):
    """What a container or object holds, as (label, member)."""
    if isinstance(value, dict):
        items = ((f"[{key!r}]", member) for key, member in list(value.items())[:ITEMS])
    elif isinstance(value, (list, tuple)):
        items = ((f"[{index}]", member) for index, member in enumerate(value[:ITEMS]))
    elif isinstance(value, (set, frozenset)):
        items = (("{...}", member) for member in list(value)[:ITEMS])
    else:
        attributes = getattr(value, "__dict__", None)
        items = ((f".{key}", member) for key, member in list(attributes.items())[:ITEMS]) \
            if isinstance(attributes, dict) else ()
    return items


def _find_names():
    search, space = _Search(), vars(sys.modules["__main__"])
    outputs = space.get("Out")
    for name, value in list(space.items()):
        if not name.startswith("_") and name not in ("In", "Out"):
            search.look(name, value)
    if isinstance(outputs, dict):
        for number, value in list(outputs.items()):
            search.look(f"Out[{number}]", value)
    search.look_at_frames()
    return search.names


def _kind(value):
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    return f"{dtype} {shape}" if dtype is not None else ""


def holders():
    """The device memory of this process as (bytes, name, what it is), the largest first; the name is
    empty where none was found."""
    names, found = _find_names(), []
    for memory in gc.get_objects():
        if isinstance(memory, MemoryPointer) and memory.size:
            name, value = names.get(id(memory), ("", None))
            found.append((memory.size, name, _kind(value)))
    return sorted(found, key=lambda row: -row[0])


def explain(wanted, free, total):
    """What to say beside an error for want of memory."""
    named = [row for row in holders() if row[1]]
    unnamed = [row for row in holders() if not row[1]]
    text = f"{_size(wanted)} were asked for; {_size(free)} of {_size(total)} are free."
    rows = [(name, _size(size), kind) for size, name, kind in named[:LINES]]
    if len(named) > LINES:
        rest = sum(row[0] for row in named[LINES:])
        rows.append((f"{len(named) - LINES} more with names", _size(rest), ""))
    if unnamed:
        rows.append(("others", _size(sum(row[0] for row in unnamed)), f"{len(unnamed)} without a name"))
    if not rows:
        return text + " Nothing of this process is on the device."
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = [f"  {name:<{widths[0]}}  {size:>{widths[1]}}  {kind}".rstrip() for name, size, kind in rows]
    advice = "\n`%reset -f out` lets go of results." if any(row[1].startswith("Out[") for row in named) else ""
    return "\n".join([text + " On the device:", *lines]) + advice


def _add_words(error, words):
    error.msg = f"{error.msg}{words}"
    error.args = (*error.args[:-1], error.msg)


def annotate(error, wanted):
    """Adds that to the error; whatever goes wrong here must not hide it."""
    try:
        from .api import current_context
        free, total = current_context().get_memory_info()
        _add_words(error, f": {_size(wanted)} asked for, {_size(free)} of {_size(total)} free")
        error.add_note(explain(wanted, free, total))
    except Exception:
        pass


def annotate_host(error, wanted):
    """The same of memory of the host that a device may use."""
    _add_words(error, f": {_size(wanted)} of host memory asked for")


def annotate_array(error, shape, dtype):
    """Says which array the memory was for."""
    _add_words(error, f", for an array with shape {shape} and data type {dtype}")
