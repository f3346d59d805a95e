"""Code objects of cells."""
from gridcell.ipython.extras import Compiler as CachingCompiler  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
