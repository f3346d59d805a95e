"""Capturing output, under an older name."""
from gridcell.ipython.capture import CapturedIO, capture_output  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
