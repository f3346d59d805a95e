# SPDX-License-Identifier: MIT
"""Host arrays that the device knows: pinned, mapped and managed ones."""
import contextlib

import numpy as np

from gridcell import _gridcell

from .cudadrv import devicearray, devices
from .cudadrv.driver import CudaAPIError

__all__ = ["managed_array", "mapped", "mapped_array", "mapped_array_like", "pinned", "pinned_array",
           "pinned_array_like"]

_ALREADY_REGISTERED = 712


def _extent(shape, strides, itemsize):
    """Bytes below and above the first element that an array reaches."""
    if 0 in shape:
        return 0, 0
    reaches = [(length - 1) * stride for length, stride in zip(shape, strides)]
    return (sum(reach for reach in reaches if reach < 0),
            sum(reach for reach in reaches if reach > 0) + itemsize)


def like_strides(ary):
    """Strides without gaps, axes in the order in which they lie in memory."""
    strides, step = [0] * ary.ndim, ary.dtype.itemsize
    for axis in sorted(range(ary.ndim), key=lambda axis: (abs(ary.strides[axis]), -axis)):
        strides[axis] = step
        step *= ary.shape[axis]
    return tuple(strides)


def _over(allocate, cls, shape, dtype, strides, order):
    """An array over new memory; allocate(size) gives that."""
    dtype = _gridcell.cuda_dtype(dtype)
    shape = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
    if any(length < 0 for length in shape):
        raise ValueError("negative dimensions are not allowed")
    if dtype.hasobject:
        raise TypeError(f"dtype {dtype} holds Python objects, which a device cannot use")
    if strides is None:
        size, low = int(np.prod([int(length) for length in shape], dtype=object)) * dtype.itemsize, 0
    else:
        strides = tuple(strides) if hasattr(strides, "__iter__") else (strides,)
        if len(strides) != len(shape):
            raise ValueError("strides do not match the shape")
        low, high = _extent(shape, strides, dtype.itemsize)
        size = high - low
    return np.ndarray(shape, dtype, allocate(size), -low, strides, order).view(cls)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    """A host array in memory that stays in place: copies are fast, and need not be waited for."""
    return _over(lambda size: devices.get_context().memhostalloc(size), np.ndarray, shape, dtype,
                 strides, order)


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False,
                 wc=False):
    """A host array that kernels use where it lies."""
    array = _over(lambda size: devices.get_context().memhostalloc(size, True, portable, wc),
                  devicearray.MappedNDArray, shape, dtype, strides, order)
    array.device_setup(array.gpu_data, stream)
    return array


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True):
    """An array in memory that moves between host and device by itself."""
    array = _over(lambda size: devices.get_context().memallocmanaged(size, attach_global),
                  devicearray.ManagedNDArray, shape, dtype, strides, order)
    array.device_setup(array.gpu_data, stream)
    return array


def _layout_like(ary):
    """Strides and order for an array of the same layout."""
    if not hasattr(ary, "flags"):
        raise TypeError(f"an array is needed, not {type(ary).__name__}")
    flags = ary.flags
    if flags["C_CONTIGUOUS"] or flags["F_CONTIGUOUS"]:
        return None, "C" if flags["C_CONTIGUOUS"] else "F"
    return like_strides(ary), "C"


def pinned_array_like(ary):
    strides, order = _layout_like(ary)
    return pinned_array(ary.shape, ary.dtype, strides, order)


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    strides, order = _layout_like(ary)
    return mapped_array(ary.shape, ary.dtype, strides, order, stream, portable, wc)


def _pin(ary, is_mapped):
    """Pins the memory of an array; what is returned ends that by close()."""
    if not isinstance(ary, np.ndarray):
        raise TypeError(f"a NumPy array is needed, not {type(ary).__name__}")
    if ary.dtype.hasobject:
        raise TypeError(f"dtype {ary.dtype} holds Python objects, which a device cannot use")
    low, high = _extent(ary.shape, ary.strides, ary.dtype.itemsize)
    return devices.get_context().mempin(ary, ary.ctypes.data + low, high - low, is_mapped)


def _try_pin(ary, is_mapped):
    """(memory, None) as _pin() gives it, or (None, error) where the memory is pinned already."""
    try:
        return _pin(ary, is_mapped), None
    except CudaAPIError as error:
        if error.code != _ALREADY_REGISTERED:
            raise
        return None, error


@contextlib.contextmanager
def pinned(*arylist):
    """The memory of host arrays stays in place for the block."""
    with contextlib.ExitStack() as stack:
        for ary in arylist:
            memory, _ = _try_pin(ary, False)
            if memory is not None:
                stack.callback(memory.close)
        yield


def _unmap(memory, array):
    try:
        memory.close()
    finally:
        array.gpu_data._end("the mapping of its host memory has ended")


@contextlib.contextmanager
def mapped(*arylist, stream=0):
    """Device arrays over the memory of host arrays, for the block: one, or a list."""
    for ary in arylist:
        if isinstance(ary, np.ndarray) and not (ary.flags.c_contiguous or ary.flags.f_contiguous):
            raise ValueError(devicearray.errmsg_contiguous_buffer)
    with contextlib.ExitStack() as stack:
        arrays = []
        for ary in arylist:
            memory, error = _try_pin(ary, True)
            if error is not None:
                raise CudaAPIError(
                    error.code, f"{error.msg}: this memory, or other memory in its first or last page, is "
                    "pinned already; cuda.mapped_array gives memory of its own")
            interface = {"shape": ary.shape, "strides": ary.strides, "typestr": ary.dtype.str,
                         "data": (memory.device_pointer_value, False), "version": 3}
            array = _gridcell.cuda_from_interface(interface, memory)
            stack.callback(_unmap, memory, array)
            array = array if array.dtype == ary.dtype else array.view(ary.dtype)
            arrays.append(array.bind(stream) if stream else array)
        yield arrays[0] if len(arrays) == 1 else arrays
