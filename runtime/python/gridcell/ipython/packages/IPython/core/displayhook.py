"""How results are shown."""
from gridcell.ipython.extras import DisplayHook  # noqa: F401
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)
