"""Capturing output."""
from gridcell.ipython.capture import CapturedIO, RichOutput, capture_output  # noqa: F401
