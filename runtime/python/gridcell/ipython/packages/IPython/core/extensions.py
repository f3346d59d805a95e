"""Loaded extensions."""
from gridcell.ipython.paths import fall_through as _fall_through
from gridcell.ipython.shell import ExtensionManager  # noqa: F401

__getattr__ = _fall_through(__name__)
