# SPDX-License-Identifier: MIT
"""Arrays, streams, events and devices from the host's side."""
import contextlib
import os

import numpy as np

from gridcell import _gridcell
from numba.core import config

from .cudadrv import devices
from .cudadrv.devicearray import DeviceRecord, is_cuda_ndarray
from .cudadrv.dlpack import from_dlpack
from .cudadrv.driver import Event, Stream, event_elapsed_time, profile_start, profile_stop, profiling
from .host_arrays import *
from .host_arrays import like_strides

__all__ = [
    "as_cuda_array", "close", "current_context", "default_stream", "defer_cleanup", "detect",
    "device_array", "device_array_like", "event", "event_elapsed_time", "external_stream",
    "from_cuda_array_interface", "from_dlpack", "get_current_device", "gpus", "is_cuda_array", "is_float16_supported",
    "is_bfloat16_supported", "is_fp8_supported", "legacy_default_stream", "open_ipc_array", "list_devices", "managed_array", "mapped",
    "mapped_array", "mapped_array_like", "per_thread_default_stream", "pinned", "pinned_array",
    "pinned_array_like", "profile_start", "profile_stop", "profiling", "require_context", "select_device", "stream",
    "synchronize", "to_device",
]

gpus = devices.gpus
current_context = devices.get_context
require_context = devices.require_context


def to_device(obj, stream=0, copy=True, to=None):
    """Allocates a device array and copies a host array, list or number into it."""
    if to is not None:
        if not is_cuda_ndarray(to):
            raise TypeError(f"to= has to be a device array, not {type(to).__name__}")
        to.copy_to_device(obj, stream=stream)
        return to
    if not copy:
        return device_array_like(np.asarray(obj), stream)
    if isinstance(obj, np.void):
        return DeviceRecord(_gridcell.cuda_to_device(obj, stream))
    if isinstance(obj, np.ndarray) and 0 in obj.strides:
        obj = np.ascontiguousarray(obj)  # what np.broadcast_to made
    return _gridcell.cuda_to_device(obj, stream)


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    """A device array whose elements are not set."""
    if isinstance(shape, (list, np.ndarray)):
        shape = tuple(shape)
    return _gridcell.cuda_device_array(shape, _gridcell.cuda_dtype(dtype), strides, order, stream)


def device_array_like(ary, stream=0):
    """A device array of the shape, dtype and order of another array; elements are not set."""
    if not hasattr(ary, "flags"):
        raise TypeError(f"an array is needed, not {type(ary).__name__}")
    flags = ary.flags
    order = "F" if flags["F_CONTIGUOUS"] and not flags["C_CONTIGUOUS"] else "C"
    strides = None
    if not flags["F_CONTIGUOUS"] and not flags["C_CONTIGUOUS"]:
        strides = like_strides(ary)
    return device_array(ary.shape, ary.dtype, strides, order, stream)


# --- arrays of others ------------------------------------------------------------------------

def is_cuda_array(obj):
    """Whether the object has the CUDA array interface."""
    return hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj, sync=True):
    """A device array over the memory of an object with the CUDA array interface or DLPack."""
    if isinstance(obj, _gridcell.DeviceNDArray):
        return obj
    if not is_cuda_array(obj):
        if _gridcell.cuda_has_interface(obj):
            return from_dlpack(obj)
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return from_cuda_array_interface(obj.__cuda_array_interface__, owner=obj, sync=sync)


def from_cuda_array_interface(desc, owner=None, sync=True):
    """A device array from the dict of the CUDA array interface."""
    array = _gridcell.cuda_from_interface(desc, owner if owner is not None else desc)
    pointer = desc.get("stream")
    if not pointer:
        return array
    producer = external_stream(pointer)
    wants_sync = config.CUDA_ARRAY_INTERFACE_SYNC and os.environ.get("NUMBA_CUDA_ARRAY_INTERFACE_SYNC") != "0"
    if sync and wants_sync:
        producer.synchronize()
    return array.bind(producer)


# --- memory of other processes -----------------------------------------------------------------

@contextlib.contextmanager
def open_ipc_array(handle, shape, dtype, strides=None, offset=0):
    """Opens device memory of another process by its handle, as an array, for a block."""
    from .cudadrv.ipc import IpcHandle
    dtype = np.dtype(dtype)
    dims = shape if hasattr(shape, "__iter__") else (shape,)
    size = offset + int(np.prod(dims, dtype=np.int64)) * dtype.itemsize
    opened = IpcHandle(None, handle, size, offset=offset)
    array = opened.open_array(current_context(), shape, dtype, strides)
    try:
        yield array
    finally:
        opened.close()


# --- streams and events ----------------------------------------------------------------------

def stream():
    """A new stream."""
    return Stream()


def default_stream():
    return current_context().get_default_stream()


def legacy_default_stream():
    return current_context().get_legacy_default_stream()


def per_thread_default_stream():
    return current_context().get_per_thread_default_stream()


def external_stream(ptr):
    """A stream that another library made, by its address."""
    return current_context().create_external_stream(ptr)


def event(timing=True):
    """A new event."""
    return Event(timing=timing)


def synchronize():
    """Waits for all work of the current device."""
    return current_context().synchronize()


# --- devices ---------------------------------------------------------------------------------

def list_devices():
    return gpus


def get_current_device():
    return current_context().device


def select_device(device_id):
    """Makes a device the current one of this thread."""
    _gridcell.cuda_select_device(device_id)
    return get_current_device()


def close():
    """Ends the contexts of all devices, with all that they hold."""
    devices.reset()


def is_float16_supported():
    return True


def is_bfloat16_supported():
    return get_current_device().supports_bfloat16


def is_fp8_supported():
    return get_current_device().compute_capability >= (8, 9)


@contextlib.contextmanager
def defer_cleanup():
    """Within it no device memory is freed; at its end, what has been given up is."""
    with current_context().defer_cleanup():
        yield


def detect():
    """Prints what CUDA devices there are; True if one can be used."""
    found = list(gpus)
    print(f"Found {len(found)} CUDA devices")
    supported = 0
    for device in found:
        is_supported = device.compute_capability >= (3, 5)
        supported += is_supported
        support = "[SUPPORTED]" if is_supported else "[NOT SUPPORTED: CC < 3.5]"
        print("id %d    %20s %40s" % (device.id, repr(device.name.encode()), support))
        for name, value in _details(device):
            print("%40s: %s" % (name, value))
    print("Summary:")
    print("\t%d/%d devices are supported" % (supported, len(found)))
    return supported > 0


def _details(device):
    major, minor = device.compute_capability
    # in lower case, as the releases that tutorials show have it
    yield "compute capability", f"{major}.{minor}"
    yield "pci device id", device.PCI_DEVICE_ID
    yield "pci bus id", device.PCI_BUS_ID
    yield "UUID", device.uuid
    yield "Watchdog", "Enabled" if device.KERNEL_EXEC_TIMEOUT else "Disabled"
    yield "FP32/FP64 Performance Ratio", device.SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
    for name, capability in ("FP16", (5, 3)), ("BF16", (8, 0)), ("FP8", (8, 9)):
        yield f"{name} Support", "Yes" if (major, minor) >= capability else "No"
