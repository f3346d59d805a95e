"""Callbacks at the start and end of cells."""
from gridcell.ipython.events import Events as EventManager  # noqa: F401
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)

available_events = {name: None for name in EventManager.names}
