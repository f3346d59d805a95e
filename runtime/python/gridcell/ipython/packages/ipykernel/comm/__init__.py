"""Comms under ipykernel's names."""
from gridcell.ipython.comms import comm_class as _comm_class
from gridcell.ipython.comms import manager as _manager

__all__ = ["Comm", "CommManager"]


def __getattr__(name):
    if name == "Comm":
        return _comm_class()
    if name == "CommManager":
        return type(_manager())
    raise AttributeError(name)
