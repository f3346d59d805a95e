# SPDX-License-Identifier: MIT
"""numba.core.compiler_lock: by which one thread compiles at a time.

It is the compiler's own: what compiles takes it by itself.
"""
import functools

from gridcell import _gridcell


class _CompilerLock:
    """A lock that its thread may take again: a context manager, and a decorator."""

    # Functions of C, so that no interrupt comes between the lock's being taken and the statement that gives it back.
    __enter__ = _gridcell.compile_enter
    __exit__ = _gridcell.compile_leave

    def acquire(self):
        """Waits for the lock."""
        _gridcell.compile_enter()

    def release(self):
        """Gives the lock back; RuntimeError where this thread does not hold it."""
        _gridcell.compile_leave()

    def is_locked(self):
        """Whether this thread holds it."""
        return _gridcell.is_compiling()

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
