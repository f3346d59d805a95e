"""Code objects of cells."""
from gridcell.ipython.extras import Compiler as CachingCompiler  # noqa: F401
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)
