# SPDX-License-Identifier: MIT
"""Addresses of device memory: as ctypes passes them, and as plain numbers to whom wants one."""
import ctypes


def _number(self):
    return self.value or 0


class Pointer(ctypes.c_void_p):
    """The address as a pointer."""
    __int__ = __index__ = _number


class Handle(ctypes.c_uint64):
    """The address as the driver's handle of the memory."""
    __int__ = __index__ = _number
