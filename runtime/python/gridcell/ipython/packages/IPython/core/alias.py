"""Commands of the system as magics."""
from gridcell.ipython.extras import AliasManager  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
