"""Figures in the notebook: gridcell's own, which fits every Matplotlib."""
__version__ = "0.2.1"
