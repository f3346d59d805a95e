"""The kernel's class."""
from gridcell.ipython.kernel_object import IPythonKernel  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
