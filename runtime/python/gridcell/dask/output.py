# SPDX-License-Identifier: MIT
"""What tasks print, and their exceptions, come to the client with the worker's name."""
import pickle
import sys
import threading

_MOST_LINES = 1000  # at once; more would stop the scheduler


class _Forwarding:
    """A stream of a worker's process that sends what tasks write to the clients.

    It is written below as well, but where the client has started the process, and would show it twice.
    """

    def __init__(self, below, number, is_seen_anyway):
        self._below, self._number, self._is_seen_anyway = below, number, is_seen_anyway
        self._unfinished = threading.local()

    def write(self, text):
        """As that of any stream of text."""
        worker = _worker_of_task()
        if worker is None or not self._is_seen_anyway:
            self._below.write(text)
        caller = sys._getframe(1).f_globals.get("__name__")
        if worker is not None and caller != "distributed.worker":  # whose print() has sent it already
            self._send(worker, text)
        return len(text)

    def writelines(self, lines):
        """As that of any stream of text."""
        for line in lines:
            self.write(line)

    def _send(self, worker, text):
        *lines, rest = (getattr(self._unfinished, "text", "") + text).split("\n")
        self._unfinished.text = rest
        if len(lines) > _MOST_LINES:
            lines[_MOST_LINES:] = [f"... and {len(lines) - _MOST_LINES} lines more"]
        if lines:
            told = "\n".join(f"[worker {worker.name}] {line}" for line in lines)
            worker.log_event("print", {"args": (told,), "sep": " ", "end": "\n", "flush": False,
                                       "file": self._number})

    def __getattr__(self, name):
        return getattr(self._below, name)


def _worker_of_task():
    from distributed import get_worker
    try:
        return get_worker()
    except ValueError:
        return None


def forward(is_seen_anyway):
    """From now on, what tasks print here goes to the clients."""
    if not isinstance(sys.stdout, _Forwarding):
        sys.stdout = _Forwarding(sys.stdout, 1, is_seen_anyway)
        sys.stderr = _Forwarding(sys.stderr, 2, is_seen_anyway)


def stop_forwarding():
    """The streams are what they were."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, _Forwarding):
            setattr(sys, name, stream._below)


def name_worker(worker, task):
    """Adds to the exception of a task, which is pickled already, on which worker it was raised."""
    pickled = getattr(getattr(task, "exception", None), "data", None)
    if not isinstance(pickled, bytes):
        return
    try:
        exception = pickle.loads(pickled)
        exception.add_note(f"on the Dask worker {worker.name} ({worker.address})")
        task.exception.data = pickle.dumps(exception)
    except Exception:
        pass  # of a kind that cannot be changed: it goes as it is
