"""Display objects, under their older name."""
from gridcell.ipython.display import *  # noqa: F401,F403
from gridcell.ipython.display import PUBLIC as __all__, display  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
