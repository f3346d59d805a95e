# SPDX-License-Identifier: MIT
"""numba.core.compiler_lock: a lock for programs that let one thread compile at a time.

gridcell's compiler needs none: it locks what it shares by itself.
"""
import functools
import threading


class _CompilerLock:
    """A lock that its thread may take again: a context manager, and a decorator."""

    def __init__(self):
        self._lock = threading.RLock()
        self._depth = 0

    def acquire(self):
        """Waits for the lock."""
        self._lock.acquire()
        self._depth += 1

    def release(self):
        """Gives the lock back."""
        self._depth -= 1
        self._lock.release()

    def is_locked(self):
        """Whether this thread holds it."""
        return self._lock._is_owned()

    def __enter__(self):
        self.acquire()

    def __exit__(self, *failure):
        self.release()

    def __call__(self, function):
        @functools.wraps(function)
        def locked(*args, **kwargs):
            with self:
                return function(*args, **kwargs)
        return locked


global_compiler_lock = _CompilerLock()


def require_global_compiler_lock():
    """AssertionError where this thread does not hold the lock."""
    assert global_compiler_lock.is_locked()
