"""The shell's class."""
from gridcell.ipython.events import ExecutionInfo, ExecutionResult  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through
from gridcell.ipython.shell import InteractiveShell, InteractiveShellABC  # noqa: F401

__getattr__ = _fall_through(__name__)
