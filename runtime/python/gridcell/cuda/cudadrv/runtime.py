# SPDX-License-Identifier: MIT
"""Versions of the CUDA runtime and driver."""
import ctypes


def driver_version():
    """(major, minor) that libcuda speaks; (0, 0) where there is none."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return (0, 0)
    number = ctypes.c_int(0)
    library.cuDriverGetVersion(ctypes.byref(number))
    return number.value // 1000, number.value % 1000 // 10


class Runtime:
    """What numba reads from libcudart; gridcell needs the driver alone."""

    def get_version(self):
        return driver_version()

    def is_supported_version(self):
        return True

    @property
    def supported_versions(self):
        return ((11, 0), (12, 0), (13, 0))


runtime = Runtime()


def get_version():
    return runtime.get_version()
