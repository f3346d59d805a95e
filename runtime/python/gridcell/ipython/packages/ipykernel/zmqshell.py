"""The shell's class."""
import _gridcell_kernel as _kernel
from gridcell.ipython.paths import fall_through as _fall_through

ZMQInteractiveShell = type(_kernel.get_ipython())
ZMQDisplayPublisher = type(_kernel.get_ipython().display_pub)
__getattr__ = _fall_through(__name__)
