"""Cells in other programs."""
from gridcell.ipython.magic_classes import module_getattr as _module_getattr

__getattr__ = _module_getattr(__name__)
