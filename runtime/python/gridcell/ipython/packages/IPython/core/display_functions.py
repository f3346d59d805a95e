"""Functions around display()."""
from gridcell.ipython.display import *  # noqa: F401,F403
from gridcell.ipython.display import display  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__all__ = ["DisplayHandle", "clear_output", "display", "publish_display_data", "update_display"]
__getattr__ = _fall_through(__name__)
