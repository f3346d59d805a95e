"""Magics about the notebook itself."""
from gridcell.ipython.magic_classes import module_getattr

__getattr__ = module_getattr(__name__)
