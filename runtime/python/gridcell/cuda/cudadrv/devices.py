# SPDX-License-Identifier: MIT
"""The devices of the process, and which of them a thread uses."""
import functools

from gridcell import _gridcell

from .driver import Context, Device, all_devices, context_of


class _ManagedDevice:
    """A device in the list `gpus`; as a context manager it becomes the current one."""

    def __init__(self, device):
        self._device = device
        self._previous = []

    def __getattr__(self, name):
        return getattr(self._device, name)

    def __enter__(self):
        self._previous.append(_gridcell.cuda_current_device())
        _gridcell.cuda_select_device(self._device.id)
        return self

    def __exit__(self, *unused):
        _gridcell.cuda_select_device(self._previous.pop())

    def __str__(self):
        return "<Managed Device {self.id}>".format(self=self)

    __repr__ = __str__


class _DeviceList:
    """All devices; found when first used."""

    @functools.cached_property
    def lst(self):
        return [_ManagedDevice(device) for device in all_devices()]

    def __getitem__(self, devnum):
        try:
            return self.lst[devnum]
        except IndexError:
            raise IndexError(f"there is no device {devnum}: there are {len(self.lst)}") from None

    def __str__(self):
        return ", ".join(str(device) for device in self.lst)

    __repr__ = __str__

    def __iter__(self):
        return iter(self.lst)

    def __len__(self):
        return len(self.lst)

    @property
    def current(self):
        return self.lst[_gridcell.cuda_current_device()]


gpus = _DeviceList()


def get_context(devnum=None):
    """The context of a device, the current one's by default."""
    number = _gridcell.cuda_current_device() if devnum is None else devnum
    if not isinstance(number, int) or not 0 <= number < len(gpus):
        raise IndexError(f"there is no device {number!r}: there are {len(gpus)}")
    return context_of(number)


def require_context(function):
    """Decorator of functions that need a device: finds the devices first."""
    @functools.wraps(function)
    def call(*args, **kwargs):
        get_context()
        return function(*args, **kwargs)
    return call


def reset():
    """Ends all contexts; on other threads than the main one, only their choice of a device."""
    import threading
    if threading.current_thread() is threading.main_thread():
        for device in gpus:
            context_of(device.id)._end(True)
    _gridcell.cuda_select_device(0)
