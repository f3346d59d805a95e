"""Exceptions of the shell."""
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class IPythonCoreError(Exception):
    """Base of the shell's exceptions."""


class TryNext(IPythonCoreError):
    """A hook declines."""


class UsageError(IPythonCoreError):
    """A magic was called wrongly: a message, and no traceback."""


class StdinNotImplementedError(IPythonCoreError, NotImplementedError):
    """The front end cannot be asked for input."""


class InputRejected(Exception):
    """An input transformer refuses the cell."""
