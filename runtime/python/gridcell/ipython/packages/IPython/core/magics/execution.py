"""Running, timing and looking into code."""
from gridcell.ipython.timing import TimeitResult  # noqa: F401
from gridcell.ipython.timing import format_time as _format_time  # noqa: F401
from gridcell.ipython.magic_classes import module_getattr as _module_getattr

__getattr__ = _module_getattr(__name__)
