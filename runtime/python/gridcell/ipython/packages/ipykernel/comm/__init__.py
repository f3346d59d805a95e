"""Comms under ipykernel's names."""
from gridcell.ipython.comms import comm_class as _comm_class
from gridcell.ipython.comms import manager as _manager
from gridcell.ipython.paths import extend_path as _extend_path

__all__ = ["Comm", "CommManager"]
__path__[:] = _extend_path(__path__, __name__)


def __getattr__(name):
    if name == "Comm":
        return _comm_class()
    if name == "CommManager":
        return type(_manager())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
