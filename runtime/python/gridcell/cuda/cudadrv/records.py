# SPDX-License-Identifier: MIT
"""Single records of device arrays."""
import numpy as np

from gridcell import _gridcell


class DeviceRecord:
    """A record in device memory: its fields are read and set by name, on the device.

    Kernels take it as an array without dimensions, and change it where it lies.
    """
    __module__ = "numba.cuda.cudadrv.devicearray"
    __cuda_memory__ = True
    __cuda_ndarray__ = True
    shape, strides, ndim, size = (), (), 0, 1

    def __init__(self, array, stream=0):
        if isinstance(array, np.dtype):
            array = _gridcell.cuda_device_array((), array, None, "C", stream)
        self._array = array
        self.dtype = array.dtype
        self.nbytes = self.alloc_size = array.dtype.itemsize
        self.gpu_data, self.stream = array.gpu_data, array.stream

    def __getitem__(self, name):
        field, offset = self.dtype.fields[name][:2] if isinstance(name, str) else (None, 0)
        return self._array[name] if field is None or field.names is None else self._within(field, offset)

    def _within(self, dtype, offset):
        """A record that is a field, where it lies."""
        interface = {"shape": (), "typestr": "|V%d" % dtype.itemsize, "descr": dtype.descr,
                     "data": (self.device_ctypes_pointer.value + offset, False), "version": 3}
        return DeviceRecord(_gridcell.cuda_from_interface(interface, self._array))

    def __setitem__(self, name, value):
        self._array[name] = value

    def getitem(self, name, stream=0):
        """The value of a field."""
        return self._array.getitem(name, stream=stream)

    def setitem(self, name, value, stream=0):
        """Sets a field."""
        self._array.setitem(name, value, stream=stream)

    def copy_to_host(self, ary=None, stream=0):
        """The record as a NumPy array without dimensions, or in the record that is given."""
        if isinstance(ary, np.void):
            host = self._array.copy_to_host(stream=stream)
            for name in self.dtype.names:
                ary[name] = host[name]
            return ary
        return self._array.copy_to_host(ary, stream=stream)

    def copy_to_device(self, ary, stream=0):
        """Sets all fields."""
        self._array.copy_to_device(ary, stream=stream)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._array, dtype)

    @property
    def __cuda_array_interface__(self):
        return {**self._array.__cuda_array_interface__, "descr": self.dtype.descr}

    @property
    def _numba_type_(self):
        from numba.np.numpy_support import from_dtype
        return from_dtype(self.dtype)

    @property
    def device_ctypes_pointer(self):
        return self._array.device_ctypes_pointer

    def __eq__(self, other):
        return self.copy_to_host()[()] == (other.copy_to_host()[()] if isinstance(other, DeviceRecord)
                                           else other)

    __hash__ = None


def _is_integer(index):
    return hasattr(index, "__index__") and not isinstance(index, (bool, np.bool_))


def _record_at(array, indices):
    """The record at so many integers, as a view of its memory."""
    part = tuple(slice(int(i), int(i) + 1 or None) for i in indices)
    return DeviceRecord(array[part].reshape(()))


def install(array):
    """Has indexing of the class give a DeviceRecord where there is a record."""
    element = array.__getitem__

    def __getitem__(self, index):
        value = element(self, index)
        if type(value) is not np.void or not self.ndim:
            return value
        indices = index if isinstance(index, tuple) else (index,)
        return _record_at(self, indices) if all(map(_is_integer, indices)) else value

    array.__getitem__ = __getitem__


def from_record_like(rec, stream=0, gpu_data=None):
    """A device record of the type of a NumPy record; its fields are not set."""
    if gpu_data is None:
        return DeviceRecord(_gridcell.cuda_device_array((), rec.dtype, None, "C", stream))
    interface = {"shape": (), "typestr": "|V%d" % rec.dtype.itemsize, "descr": rec.dtype.descr,
                 "data": (gpu_data.device_pointer_value, False), "version": 3}
    return DeviceRecord(_gridcell.cuda_from_interface(interface, gpu_data))
