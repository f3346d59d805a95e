# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.devicearray: arrays in device memory."""
import numpy as np

from gridcell import _gridcell
from gridcell.cuda import arithmetic

from . import copies, dlpack, records
from .records import DeviceRecord, from_record_like

DeviceNDArray = _gridcell.DeviceNDArray
DeviceNDArrayBase = DeviceNDArray
arithmetic.install(DeviceNDArray)
records.install(DeviceNDArray)
copies.install(DeviceNDArray)
dlpack.install(DeviceNDArray)

errmsg_contiguous_buffer = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. "
    "Please ensure contiguous buffer with numpy .ascontiguousarray()")


class _KnownNDArray(dlpack.HostProtocol, np.ndarray):
    """A host array that the device knows. Kernels use it where it lies, and views of it too."""
    __cuda_ndarray__ = True
    stream = 0

    def device_setup(self, gpu_data, stream=0):
        self.stream = stream

    @property
    def gpu_data(self):
        """The memory below the array; None for a copy of one, which the device does not know."""
        base = self
        while isinstance(base, np.ndarray):
            base = base.base
        return base if isinstance(base, _gridcell.HostMemory) else None

    @property
    def device_pointer_value(self):
        address = _gridcell.cuda_mapped_address(self)
        if address is None:
            raise AttributeError("the device does not know the memory of this array")
        return address

    @property
    def device_ctypes_pointer(self):
        import ctypes
        return ctypes.c_void_p(self.device_pointer_value)

    @property
    def alloc_size(self):
        memory = self.gpu_data
        return self.nbytes if memory is None else memory.size

    @property
    def __cuda_array_interface__(self):
        is_compact = self.flags.c_contiguous
        return {"shape": self.shape, "strides": None if is_compact else self.strides,
                "typestr": self.dtype.str, "data": (self.device_pointer_value, False),
                "stream": int(self.stream) or None, "version": 3}

    def copy_to_host(self, ary=None, stream=0):
        """The elements, once the stream's work is done, in another array."""
        _wait_for(stream or self.stream)
        if ary is None:
            return np.array(self, subok=False)
        check_array_compatibility(self, ary)
        ary[...] = self
        return ary

    def copy_to_device(self, ary, stream=0):
        """Sets the elements to another array's, once the stream's work is done."""
        other = ary.copy_to_host() if isinstance(ary, DeviceNDArray) else np.asarray(ary)
        check_array_compatibility(self, other)
        _wait_for(stream or self.stream)
        self[...] = other

    def is_c_contiguous(self):
        return self.flags.c_contiguous

    def is_f_contiguous(self):
        return self.flags.f_contiguous

    def bind(self, stream=0):
        bound = self.view()
        bound.stream = stream
        return bound


def _wait_for(stream):
    from . import devices
    (stream or devices.get_context()).synchronize()


class MappedNDArray(_KnownNDArray):
    """Pinned host memory that kernels use where it lies."""


class ManagedNDArray(_KnownNDArray):
    """Memory that moves between host and device by itself."""
    _dlpack_type = dlpack.CUDA_MANAGED


for _class in (MappedNDArray, ManagedNDArray):
    _class.__module__ = "numba.cuda.cudadrv.devicearray"


def is_cuda_ndarray(obj):
    return isinstance(obj, DeviceNDArray) or getattr(obj, "__cuda_ndarray__", False)


def verify_cuda_ndarray_interface(obj):
    if not is_cuda_ndarray(obj):
        raise TypeError("*obj* is not a device array")


def require_cuda_ndarray(obj):
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")


from .ipc import IpcArrayHandle


def from_array_like(ary, stream=0, gpu_data=None):
    """A device array of the shape, dtype and order of `ary`."""
    from ..api import device_array_like
    return device_array_like(ary, stream)


def auto_device(obj, stream=0, copy=True, user_explicit=False):
    """(device array, whether it is new) for a host or device array."""
    if _gridcell.cuda_has_interface(obj):
        return (obj if isinstance(obj, DeviceRecord) else _gridcell.cuda_as_array(obj)), False
    array = _gridcell.cuda_to_device(obj, stream)
    return (DeviceRecord(array) if isinstance(obj, np.void) else array), True


def is_contiguous(ary):
    """Whether the elements lie side by side in some order of the axes."""
    step = ary.dtype.itemsize
    for length, stride in sorted(zip(ary.shape, ary.strides), key=lambda axis: axis[1]):
        if length != 1 and stride != step:
            return False
        step *= length
    return True


def check_array_compatibility(ary1, ary2):
    if ary1.dtype != ary2.dtype:
        raise TypeError("incompatible dtype: %s vs. %s" % (ary1.dtype, ary2.dtype))
    if ary1.shape != ary2.shape:
        raise ValueError("incompatible shape: %s vs. %s" % (ary1.shape, ary2.shape))
