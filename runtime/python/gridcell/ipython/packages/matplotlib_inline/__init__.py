"""Figures in the notebook: gridcell's own, which fits every Matplotlib."""
from gridcell.versions import version_of as _version_of

__version__ = _version_of("matplotlib_inline", "0.2.2")
