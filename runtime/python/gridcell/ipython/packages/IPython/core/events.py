"""Callbacks at the start and end of cells."""
from gridcell.ipython.shell import Events as EventManager  # noqa: F401

available_events = {name: None for name in EventManager.names}
