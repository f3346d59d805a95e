"""Display objects, under their older name."""
from gridcell.ipython.display import *  # noqa: F401,F403
from gridcell.ipython.display import display  # noqa: F401
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)
