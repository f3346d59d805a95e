# SPDX-License-Identifier: MIT
"""numba.core.event: what happens while functions are compiled, for listeners.

"numba:compile" is of each compilation of a jitted function or a kernel for new types of arguments; its data is a dict of
dispatcher, args and return_type. A function that it calls is compiled with it. "numba:compiler_lock" and "numba:run_pass" are
of the same time, as the compiler, which is in C, is one step; "numba:llvm_lock" is known, and nothing is told of it. Programs
may have kinds of their own, which start with no "numba:".
"""
import abc
import collections
import contextlib
import enum
import time

_BUILTIN_KINDS = frozenset(["numba:compile", "numba:compiler_lock", "numba:llvm_lock", "numba:run_pass"])
_TOLD = "numba:compiler_lock", "numba:compile", "numba:run_pass"  # of each compilation, in this order

_registered = collections.defaultdict(list)  # kind -> listeners


class EventStatus(enum.Enum):
    """Whether something begins or ends."""

    START, END = 1, 2


def _known(kind):
    if kind.startswith("numba:") and kind not in _BUILTIN_KINDS:
        raise ValueError(f"{kind} is not a valid event kind, it starts with the reserved prefix 'numba:'; the kinds with it are "
                         f"{', '.join(sorted(_BUILTIN_KINDS))}")
    return kind


class Event:
    """Something that begins or ends: `kind`, a text; `status`, an EventStatus; `data`, anything; and exc_details, what
    sys.exc_info() gave where it failed."""

    def __init__(self, kind, status, data=None, exc_details=None):
        self._kind, self._status, self._data = _known(kind), EventStatus(status), data
        self._exc_details = exc_details if exc_details is not None and exc_details[0] is not None else None

    kind = property(lambda self: self._kind)
    status = property(lambda self: self._status)
    data = property(lambda self: self._data)
    is_start = property(lambda self: self._status is EventStatus.START)
    is_end = property(lambda self: self._status is EventStatus.END)
    is_failed = property(lambda self: self._exc_details is not None, doc="Whether it ends by an exception.")

    def __str__(self):
        return f"Event({self._kind}, {self._status}, data: {type(self._data).__qualname__})"

    __repr__ = __str__


def _tell_of_compilations():
    """Has the runtime tell of compilations where somebody listens, and of none where nobody does."""
    from gridcell import _gridcell as _extension
    _extension.compile_observer(_observe if any(_registered.get(kind) for kind in _TOLD) else None)


def _observe(dispatcher, args, return_type, is_start, *exc_details):
    """Called by the runtime before and after each compilation."""
    status = EventStatus.START if is_start else EventStatus.END
    for kind in _TOLD if is_start else reversed(_TOLD):
        if _registered.get(kind):
            broadcast(Event(kind, status, _data_of(kind, dispatcher, args, return_type), exc_details or None))


def _data_of(kind, dispatcher, args, return_type):
    if kind == "numba:compile":
        return {"dispatcher": dispatcher, "args": args, "return_type": return_type}
    if kind == "numba:run_pass":
        from numba.core.utils import _lazy_pformat
        function = dispatcher.py_func
        return {"name": "compile", "qualname": function.__qualname__, "module": function.__module__,
                "flags": _lazy_pformat(getattr(dispatcher, "targetoptions", {})), "args": str(args),
                "return_type": str(return_type)}
    return None


def register(kind, listener):
    """Has a listener be told of what happens of a kind."""
    if not isinstance(listener, Listener):
        raise TypeError(f"a listener derives from numba.core.event.Listener, and {listener!r} does not")
    _registered[_known(kind)].append(listener)
    _tell_of_compilations()


def unregister(kind, listener):
    """Has it be told no longer; ValueError where it was not."""
    if not isinstance(listener, Listener):
        raise TypeError(f"a listener derives from numba.core.event.Listener, and {listener!r} does not")
    _registered[_known(kind)].remove(listener)
    if not _registered[kind]:
        del _registered[kind]
    _tell_of_compilations()


def broadcast(event):
    """Tells an event to the listeners of its kind."""
    for listener in list(_registered.get(event.kind, ())):
        listener.notify(event)


class Listener(abc.ABC):
    """Base of listeners: on_start(event) and on_end(event)."""

    @abc.abstractmethod
    def on_start(self, event):
        """Something begins."""

    @abc.abstractmethod
    def on_end(self, event):
        """Something ended."""

    def notify(self, event):
        """Calls one of them."""
        if event.is_start:
            self.on_start(event)
        elif event.is_end:
            self.on_end(event)


class TimingListener(Listener):
    """Measures how long things take, from the first that begins to the last that ends within it: `duration`, in seconds,
    once `done`."""

    def __init__(self):
        self._depth = 0
        self._begin = self._duration = None

    def on_start(self, event):
        if self._depth == 0:
            self._begin = time.perf_counter()
        self._depth += 1

    def on_end(self, event):
        self._depth -= 1
        if self._depth == 0:
            self._duration = (self._duration or 0) + time.perf_counter() - self._begin

    @property
    def done(self):
        """Whether something was measured."""
        return self._duration is not None

    @property
    def duration(self):
        """The time, in seconds."""
        return self._duration


class RecordingListener(Listener):
    """Keeps all events in `buffer`: pairs of a time, in seconds, and an Event."""

    def __init__(self):
        self.buffer = []

    def on_start(self, event):
        self.buffer.append((time.time(), event))

    on_end = on_start


@contextlib.contextmanager
def install_listener(kind, listener):
    """Has the listener be told of a kind within `with`, which gives the listener."""
    register(kind, listener)
    try:
        yield listener
    finally:
        unregister(kind, listener)


@contextlib.contextmanager
def install_timer(kind, callback):
    """Measures a kind within `with`, which gives the TimingListener; calls back with the seconds at its end, if it took
    place."""
    with install_listener(kind, TimingListener()) as listener:
        yield listener
    if listener.done:
        callback(listener.duration)


@contextlib.contextmanager
def install_recorder(kind):
    """Keeps all events of a kind within `with`, which gives the RecordingListener."""
    with install_listener(kind, RecordingListener()) as listener:
        yield listener


def start_event(kind, data=None):
    """Tells that something begins."""
    broadcast(Event(kind, EventStatus.START, data))


def end_event(kind, data=None, exc_details=None):
    """Tells that something ended; exc_details: by which exception, as sys.exc_info() gives it."""
    broadcast(Event(kind, EventStatus.END, data, exc_details))


@contextlib.contextmanager
def trigger_event(kind, data=None):
    """Tells that something begins, and, at the end of `with`, that it ended."""
    start_event(kind, data)
    failure = None, None, None
    try:
        yield
    except BaseException as error:
        failure = type(error), error, error.__traceback__
        raise
    finally:
        end_event(kind, data, failure)
