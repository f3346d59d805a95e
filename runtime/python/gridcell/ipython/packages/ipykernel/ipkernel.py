"""The kernel's class."""
from gridcell.ipython.shell import IPythonKernel  # noqa: F401
