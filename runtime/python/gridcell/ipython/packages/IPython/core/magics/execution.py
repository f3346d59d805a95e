"""Timing of statements."""
from gridcell.ipython.timing import TimeitResult  # noqa: F401
from gridcell.ipython.timing import format_time as _format_time  # noqa: F401
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)
