"""Capturing output, under an older name."""
from gridcell.ipython.capture import CapturedIO, capture_output  # noqa: F401
