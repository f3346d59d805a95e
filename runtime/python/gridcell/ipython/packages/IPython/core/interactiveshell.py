"""The shell's class."""
from gridcell.ipython.shell import (  # noqa: F401
    ExecutionInfo, ExecutionResult, InteractiveShell, InteractiveShellABC)
