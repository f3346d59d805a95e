"""Commands of the system as magics."""
from gridcell.ipython.extras import AliasManager  # noqa: F401
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)
