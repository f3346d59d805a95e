"""Loaded extensions."""
from gridcell.ipython.paths import fall_through
from gridcell.ipython.shell import ExtensionManager  # noqa: F401

__getattr__ = fall_through(__name__)
