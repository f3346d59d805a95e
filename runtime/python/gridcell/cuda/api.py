# SPDX-License-Identifier: MIT
"""Arrays, streams, events and devices from the host's side."""
import contextlib

import numpy as np

from gridcell import _gridcell

from .cudadrv import devicearray, devices
from .cudadrv.driver import Event, Stream, event_elapsed_time

__all__ = [
    "as_cuda_array", "close", "current_context", "default_stream", "defer_cleanup", "detect",
    "device_array", "device_array_like", "event", "event_elapsed_time", "external_stream",
    "from_cuda_array_interface", "get_current_device", "gpus", "is_cuda_array", "is_float16_supported",
    "is_bfloat16_supported", "legacy_default_stream", "list_devices", "managed_array", "mapped",
    "mapped_array", "mapped_array_like", "per_thread_default_stream", "pinned", "pinned_array",
    "pinned_array_like", "profile_start", "profile_stop", "profiling", "select_device", "stream",
    "synchronize", "to_device",
]

gpus = devices.gpus
current_context = devices.get_context
require_context = devices.require_context


def to_device(obj, stream=0, copy=True, to=None):
    """Allocates a device array and copies a host array, list or number into it."""
    if to is not None:
        to.copy_to_device(obj, stream=stream)
        return to
    if not copy:
        return device_array_like(np.asarray(obj), stream)
    return _gridcell.cuda_to_device(obj, stream)


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    """A device array whose elements are not set."""
    return _gridcell.cuda_device_array(shape, _gridcell.cuda_dtype(dtype), strides, order, stream)


def device_array_like(ary, stream=0):
    """A device array of the shape, dtype and order of another array; elements are not set."""
    flags = ary.flags
    order = "F" if flags["F_CONTIGUOUS"] and not flags["C_CONTIGUOUS"] else "C"
    strides = None
    if not flags["F_CONTIGUOUS"] and not flags["C_CONTIGUOUS"]:
        strides = _like_strides(ary)
    return device_array(ary.shape, ary.dtype, strides, order, stream)


def _like_strides(ary):
    """Strides without gaps, axes in the order in which they lie in memory."""
    strides, step = [0] * ary.ndim, ary.dtype.itemsize
    for axis in sorted(range(ary.ndim), key=lambda axis: (abs(ary.strides[axis]), -axis)):
        strides[axis] = step
        step *= ary.shape[axis]
    return tuple(strides)


# --- host memory -----------------------------------------------------------------------------

def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    """A host array in memory that transfers well."""
    return _host_array(np.ndarray, shape, dtype, strides, order)


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False,
                 wc=False):
    """A host array that kernels can use."""
    return _host_array(devicearray.MappedNDArray, shape, dtype, strides, order)


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True):
    """An array that host and device both use."""
    return _host_array(devicearray.ManagedNDArray, shape, dtype, strides, order)


def _host_array(cls, shape, dtype, strides, order):
    if strides is None:
        return np.empty(shape, _gridcell.cuda_dtype(dtype), order=order).view(cls)
    return np.ndarray(shape, _gridcell.cuda_dtype(dtype), strides=strides, order=order).view(cls)


def pinned_array_like(ary):
    return pinned_array(ary.shape, ary.dtype, order=_order_of(ary))


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    return mapped_array(ary.shape, ary.dtype, order=_order_of(ary), stream=stream)


def _order_of(ary):
    return "F" if ary.flags["F_CONTIGUOUS"] and not ary.flags["C_CONTIGUOUS"] else "C"


@contextlib.contextmanager
def pinned(*arylist):
    """Host arrays whose memory stays in place for the block."""
    yield


@contextlib.contextmanager
def mapped(*arylist, stream=0):
    """Device arrays for host arrays: one, or a list. Written back when the block ends."""
    device_arrays = [to_device(ary, stream=stream) for ary in arylist]
    yield device_arrays[0] if len(device_arrays) == 1 else device_arrays
    for device, host in zip(device_arrays, arylist):
        device.copy_to_host(host, stream=stream)


# --- arrays of others ------------------------------------------------------------------------

def is_cuda_array(obj):
    """Whether the object has the CUDA array interface."""
    return hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj, sync=True):
    """A device array over the memory of an object with the CUDA array interface."""
    if not is_cuda_array(obj):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return _gridcell.cuda_as_array(obj)


def from_cuda_array_interface(desc, owner=None, sync=True):
    """A device array from the dict of the CUDA array interface."""
    return _gridcell.cuda_from_interface(desc, owner if owner is not None else desc)


# --- streams and events ----------------------------------------------------------------------

def stream():
    """A new stream."""
    return Stream()


def default_stream():
    return Stream(is_default=True)


def legacy_default_stream():
    return Stream(is_default=True)


def per_thread_default_stream():
    return Stream(is_default=True)


def external_stream(ptr):
    """A stream that another library made. Only the default stream can be taken over."""
    if not isinstance(ptr, int):
        raise TypeError("ptr for external stream must be an int")
    if ptr:
        raise NotImplementedError("streams of other libraries cannot be used yet")
    return Stream(is_default=True)


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
    """Waits for the device and forgets that it was selected."""
    synchronize()
    _gridcell.cuda_select_device(0)


def is_float16_supported():
    return True


def is_bfloat16_supported():
    return get_current_device().supports_bfloat16


@contextlib.contextmanager
def defer_cleanup():
    """Memory is freed at once in any case."""
    yield


def profile_start():
    pass


def profile_stop():
    pass


@contextlib.contextmanager
def profiling():
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
    yield "compute capability", f"{major}.{minor}"
    yield "pci device id", device.PCI_DEVICE_ID
    yield "pci bus id", device.PCI_BUS_ID
    yield "UUID", device.uuid
    yield "Watchdog", "Enabled" if device.KERNEL_EXEC_TIMEOUT else "Disabled"
    yield "FP32/FP64 Performance Ratio", device.SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
