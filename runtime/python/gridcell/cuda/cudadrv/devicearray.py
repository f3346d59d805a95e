# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.devicearray: arrays in device memory."""
import numpy as np

from gridcell import _gridcell
from gridcell.cuda import arithmetic

DeviceNDArray = _gridcell.DeviceNDArray
DeviceNDArrayBase = DeviceNDArray
arithmetic.install(DeviceNDArray)

errmsg_contiguous_buffer = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. "
    "Please ensure contiguous buffer with numpy .ascontiguousarray()")


class MappedNDArray(np.ndarray):
    """Host memory that kernels can use."""

    def device_setup(self, gpu_data, stream=0):
        self.stream = stream


class ManagedNDArray(np.ndarray):
    """Memory that host and device both use."""


def is_cuda_ndarray(obj):
    return isinstance(obj, DeviceNDArray)


def verify_cuda_ndarray_interface(obj):
    if not is_cuda_ndarray(obj):
        raise TypeError("*obj* is not a device array")


def require_cuda_ndarray(obj):
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")


def from_array_like(ary, stream=0, gpu_data=None):
    """A device array of the shape, dtype and order of `ary`."""
    from ..api import device_array_like
    return device_array_like(ary, stream)


def auto_device(obj, stream=0, copy=True, user_explicit=False):
    """(device array, whether it is new) for a host or device array."""
    if hasattr(obj, "__cuda_array_interface__"):
        return _gridcell.cuda_as_array(obj), False
    return _gridcell.cuda_to_device(obj, stream), True


def check_array_compatibility(ary1, ary2):
    if ary1.dtype != ary2.dtype:
        raise TypeError("incompatible dtype: %s vs. %s" % (ary1.dtype, ary2.dtype))
    if ary1.shape != ary2.shape:
        raise ValueError("incompatible shape: %s vs. %s" % (ary1.shape, ary2.shape))
