"""Macros, which %store keeps by this name."""
from gridcell.ipython.sources import Macro

__all__ = ["Macro"]
