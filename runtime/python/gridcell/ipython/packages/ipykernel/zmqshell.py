"""The shell's class."""
from gridcell.ipython.shell import DisplayPublisher as ZMQDisplayPublisher  # noqa: F401
from gridcell.ipython.shell import ZMQInteractiveShell  # noqa: F401
