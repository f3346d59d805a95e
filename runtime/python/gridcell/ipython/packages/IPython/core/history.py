"""The history of inputs."""
from gridcell.ipython.history import HistoryManager  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

HistoryAccessor = HistoryAccessorBase = HistoryManager
__getattr__ = _fall_through(__name__)
