"""Callbacks at the start and end of cells."""
from gridcell.ipython.events import Events as EventManager  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)

available_events = {name: None for name in EventManager.names}


def _define_event(callback_function):
    """Names an event by a function that takes what its callbacks are told."""
    available_events[callback_function.__name__] = callback_function
    return callback_function
