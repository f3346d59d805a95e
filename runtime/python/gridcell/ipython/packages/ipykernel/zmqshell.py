"""The shell's class."""
from gridcell.ipython.paths import fall_through
from gridcell.ipython.shell import DisplayPublisher as ZMQDisplayPublisher  # noqa: F401
from gridcell.ipython.shell import ZMQInteractiveShell  # noqa: F401

__getattr__ = fall_through(__name__)
