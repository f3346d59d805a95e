# SPDX-License-Identifier: MIT
"""Arguments of the libraries' functions: host or device arrays, which are read and set alike."""
import numpy as np

from gridcell import cuda


def on_host(array, stream=0):
    """The elements as a host array: a copy of a device array, a host array itself."""
    if cuda.is_cuda_array(array):
        return cuda.as_cuda_array(array).copy_to_host(stream=stream)
    return np.asarray(array)


def put(array, values, stream=0):
    """Sets the elements of a host or device array."""
    values = np.asarray(values).astype(array.dtype, copy=False).reshape(array.shape)
    if cuda.is_cuda_array(array):
        target = cuda.as_cuda_array(array)
        order = "F" if target.is_f_contiguous() and not target.is_c_contiguous() else "C"
        target.copy_to_device(np.array(values, order=order), stream=stream)
    else:
        array[...] = values


def stream_handle(stream):
    """The driver's number of a stream, 0 for the default one."""
    handle = getattr(stream, "handle", 0) or 0
    return int(getattr(handle, "value", handle) or 0)
