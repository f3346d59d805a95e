# SPDX-License-Identifier: MIT
"""DLPack for device arrays: which device, which stream, who may write."""
import os

import numpy as np

from gridcell import _gridcell

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
READ_ONLY, IS_COPIED = 1, 2                       # flags of a versioned tensor
LEGACY_STREAM, PER_THREAD_STREAM = 1, 2
NEWEST = (1, 0)

_KINDS = {0: "i", 1: "u", 2: "f", 5: "c"}  # DLDataTypeCode


def _default_stream():
    """The number of the stream of launches and copies that name none."""
    per_thread = os.environ.get("NUMBA_CUDA_PER_THREAD_DEFAULT_STREAM", "0") not in ("", "0")
    return PER_THREAD_STREAM if per_thread else LEGACY_STREAM


def _wait(array, consumer):
    """Has the consumer's stream wait for the work that the array may be in."""
    if consumer == -1:
        return
    from .. import api
    is_per_thread = _default_stream() == PER_THREAD_STREAM
    default = api.per_thread_default_stream if is_per_thread else api.default_stream
    producer = array.stream or default()
    number = int(producer) if array.stream else _default_stream()
    if number == consumer:
        return
    done = api.event(timing=False)
    done.record(producer)
    waiting = {LEGACY_STREAM: api.legacy_default_stream,
               PER_THREAD_STREAM: api.per_thread_default_stream}.get(consumer)
    done.wait(waiting() if waiting else api.external_stream(consumer))


def _consumer(stream):
    """A consumer's `stream` as a number: -1 for one that waits by itself."""
    if stream is None:
        return LEGACY_STREAM
    if not isinstance(stream, int) or isinstance(stream, bool):
        raise TypeError(f"stream has to be an int or None, got {stream!r}")
    if stream == 0:
        raise ValueError("the stream 0 is ambiguous: 1 is the legacy default stream, 2 that of the thread")
    if stream < -1:
        raise ValueError(f"no stream has the number {stream}")
    return stream


def _flags(max_version, is_readonly, is_copied):
    """Those of the capsule; None for a capsule without a version."""
    if max_version is not None and max_version[0] >= 1:
        return READ_ONLY * is_readonly | IS_COPIED * is_copied
    if is_readonly:
        raise BufferError("the array is read-only, which capsules without a version cannot say: "
                          "ask with max_version=(1, 0)")
    return None


def _on_host(self, max_version, copy):
    if copy is False:
        raise BufferError("a device array cannot come to the host without a copy")
    host = self.copy_to_host()
    try:
        return host.__dlpack__(max_version=max_version)
    except TypeError:  # before NumPy 2.1
        return host.__dlpack__()


def __dlpack_device__(self):
    """(2, number): the array is in the memory of that CUDA device."""
    memory = self.gpu_data
    return CUDA, memory.context.device.id if memory is not None else _gridcell.cuda_current_device()


def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """The array as a DLPack capsule, for use in the order of the consumer's stream.

    stream: that stream's address; None or 1 for the legacy default stream, 2 for the thread's, -1
    for a consumer that waits by itself. max_version: the newest version that the consumer knows.
    dl_device: where it wants the array: (1, 0) makes a copy on the host. copy: True for a copy, False
    for none. Raises BufferError where that cannot be."""
    own = self.__dlpack_device__()
    consumer = _consumer(stream)
    if dl_device is not None and tuple(dl_device) == (CPU, 0):
        return _on_host(self, max_version, copy)
    if dl_device is not None and tuple(dl_device) != own:
        raise BufferError(f"the array is on the DLPack device {own}, and cannot be had on {tuple(dl_device)}")
    array = self.copy() if copy else self
    flags = _flags(max_version, array.is_readonly, bool(copy))
    _wait(array, consumer)
    return _gridcell.cuda_dlpack_export(array, array.device_pointer_value, array.dtype, array.shape,
                                        array.strides, *own, flags)


class HostProtocol:
    """DLPack of host arrays that the device knows, with what kind of memory theirs is."""
    _dlpack_type = CUDA_HOST

    def __dlpack_device__(self):
        if self.gpu_data is None:  # a copy, which the device does not know
            return CPU, 0
        return self._dlpack_type, 0 if self._dlpack_type == CUDA_HOST else _gridcell.cuda_current_device()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        kind, number = self.__dlpack_device__()
        consumer = None if stream is None else _consumer(stream)
        wanted = (kind, number) if dl_device is None else tuple(dl_device)
        if wanted not in ((kind, number), (CPU, 0)):
            raise BufferError(f"the array is on the DLPack device {kind, number}, and cannot be had on {wanted}")
        array = np.array(self, subok=False) if copy else self
        if self.stream and consumer != -1:
            self.stream.synchronize()
        flags = _flags(max_version, not array.flags.writeable, bool(copy))
        return _gridcell.cuda_dlpack_export(array, array.ctypes.data, array.dtype, array.shape, array.strides,
                                            *((CPU, 0) if copy else wanted), flags)


def install(array):
    """Gives the class the protocol."""
    array.__dlpack__, array.__dlpack_device__ = __dlpack__, __dlpack_device__


def _dtype(code, bits, lanes):
    if lanes == 1 and code in _KINDS and bits % 8 == 0:
        return np.dtype(f"{_KINDS[code]}{bits // 8}")
    if lanes == 1 and (code, bits) == (6, 8):
        return np.dtype(bool)
    if lanes == 1 and (code, bits) == (4, 16):
        try:
            from ml_dtypes import bfloat16
        except ImportError:
            raise BufferError("NumPy has no bfloat16: install ml_dtypes") from None
        return np.dtype(bfloat16)
    raise BufferError(f"no dtype is DLPack's type {code} of {bits} bits and {lanes} lanes")


def _capsule(obj, stream):
    try:
        return obj.__dlpack__(stream=stream, max_version=NEWEST)
    except TypeError:  # a producer from before versions
        return obj.__dlpack__(stream=stream)


def _array_of(capsule):
    from .. import api
    address, kind, shape, strides, (device, number), flags, holder = _gridcell.cuda_dlpack_take(capsule)
    if device not in (CUDA, CUDA_HOST, CUDA_MANAGED):
        raise BufferError(f"the tensor is on a device of DLPack's type {device}, not on a CUDA device; "
                          "cuda.to_device(numpy.from_dlpack(...)) copies one of the host")
    dtype = _dtype(*kind)
    if strides is not None:
        strides = tuple(stride * dtype.itemsize for stride in strides)
    interface = {"shape": shape, "strides": strides, "typestr": dtype,
                 "data": (address, bool(flags & READ_ONLY)), "version": 3}
    if device != CUDA or number == _gridcell.cuda_current_device():
        return _gridcell.cuda_from_interface(interface, holder)
    with api.gpus[number]:
        return _gridcell.cuda_from_interface(interface, holder)


def from_dlpack(obj, *, copy=None):
    if isinstance(obj, _gridcell.DeviceNDArray):
        return obj.copy() if copy else obj
    if type(obj).__name__ == "PyCapsule":
        array = _array_of(obj)
    else:
        if not hasattr(obj, "__dlpack__") or not hasattr(obj, "__dlpack_device__"):
            raise TypeError(f"{type(obj).__name__} has neither __dlpack__ nor __dlpack_device__")
        device, number = obj.__dlpack_device__()
        if device not in (CUDA, CUDA_HOST, CUDA_MANAGED):
            raise BufferError(f"the object is on a device of DLPack's type {int(device)}, not on a CUDA "
                              "device; cuda.to_device(obj) copies one of the host")
        array = _array_of(_capsule(obj, None if device == CUDA_HOST else _default_stream()))
    return array.copy() if copy else array
