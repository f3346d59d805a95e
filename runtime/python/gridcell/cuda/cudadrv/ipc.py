# SPDX-License-Identifier: MIT
"""Device memory between processes: handles that are pickled, and opened on the other side."""
from gridcell import _gridcell


class RawHandle(bytes):
    """What the driver gives, which travels by any way that bytes do."""

    @property
    def reserved(self):
        """The bytes, by their name in the driver's structure."""
        return bytes(self)


class IpcHandle:
    """Device memory as another process opens it.

    The memory stays where it is only as long as the process that owns it keeps it.
    """
    __module__ = "numba.cuda.cudadrv.driver"

    def __init__(self, base, handle, size, source_info=None, offset=0):
        self.base = base  # keeps the memory, in the process that owns it
        self.handle = RawHandle(memoryview(handle))
        self.size = size
        self.source_info = source_info
        self.offset = offset
        self._opened = []

    @classmethod
    def of(cls, memory):
        """The handle of a MemoryPointer or a device array."""
        handle, offset = _gridcell.cuda_ipc_export(memory)
        pointer = getattr(memory, "gpu_data", memory)
        device = pointer.context.device
        return cls(memory, handle, pointer.size, {"uuid": device.uuid, "id": device.id}, offset)

    def _device_id(self, context):
        from .devices import get_context, gpus
        if self.source_info is None:
            return (context or get_context()).device.id
        for device in gpus:
            if device.uuid == self.source_info["uuid"]:
                return device.id
        raise ValueError(f"this process does not see the device {self.source_info['uuid']} "
                         "that the memory is on")

    def _open(self, context):
        if self._opened:
            raise ValueError("IpcHandle is already opened")
        memory = _gridcell.cuda_ipc_open(self._device_id(context), self.handle, self.size)
        self._opened.append(memory)
        return memory

    def open(self, context=None):
        """The memory, as a MemoryPointer of this process."""
        memory = self._open(context)
        return memory.view(self.offset) if self.offset else memory

    open_direct = open

    def can_access_peer(self, context):
        """Whether the context's device reads the memory where it is."""
        source = self._device_id(context)
        return source == context.device.id or bool(context.can_access_peer(source))

    def open_staged(self, context):
        """A copy of the memory on the context's device, also where that one cannot reach the memory's."""
        from .devices import gpus
        from .driver import device_to_device
        with gpus[self._device_id(context)]:
            source = self.open()
        copy = context.memalloc(self.size)
        device_to_device(copy, source, self.size)
        self.close()
        self._opened.append(copy)
        return copy

    def open_array(self, context, shape, dtype, strides=None):
        """A device array over the memory."""
        import numpy as np
        memory = self._open(context)
        dtype = np.dtype(dtype)
        interface = {
            "shape": tuple(shape) if hasattr(shape, "__iter__") else (shape,), "version": 3,
            "strides": strides, "typestr": dtype.str,
            "data": (memory.device_pointer_value + self.offset, False)}
        array = _gridcell.cuda_from_interface(interface, memory)
        self._opened.append(array.gpu_data)
        return array if array.dtype == dtype else array.view(dtype)

    def close(self):
        """Ends the use of the memory here; arrays over it cannot be used any more."""
        if not self._opened:
            raise ValueError("IpcHandle not opened")
        for memory in self._opened:
            memory._end("its IPC handle was closed")
        self._opened.clear()

    def __reduce__(self):
        return IpcHandle, (None, self.handle, self.size, self.source_info, self.offset)


class IpcArrayHandle:
    """A device array as another process opens it; pickles. A context manager that opens it."""
    __module__ = "numba.cuda.cudadrv.devicearray"

    def __init__(self, ipc_handle, array_desc):
        self._array_desc = array_desc
        self._ipc_handle = ipc_handle

    @classmethod
    def of(cls, array):
        return cls(IpcHandle.of(array),
                   dict(shape=array.shape, strides=array.strides, dtype=array.dtype))

    def open(self):
        """The array in this process."""
        return self._ipc_handle.open_array(None, **self._array_desc)

    def close(self):
        """Ends the use of the array in this process."""
        self._ipc_handle.close()

    def __enter__(self):
        return self.open()

    def __exit__(self, *unused):
        self.close()

    def __reduce__(self):
        return IpcArrayHandle, (self._ipc_handle, self._array_desc)
