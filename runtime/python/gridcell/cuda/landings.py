# SPDX-License-Identifier: MIT
"""Host memory that kernels read and write where it lies, for arguments and results so small that copies to
and from the device would take most of the time."""
import contextlib
import math

import numpy as np

BYTES = 1 << 16
_ALIGNMENT = 256

_free = {}  # (number of the device, generation of its context) -> buffers of BYTES


@contextlib.contextmanager
def landing(context):
    """A buffer for the block; when that fails, the device may still use it, and it is not used again."""
    from gridcell import cuda
    device = context.device
    free = _free.setdefault((device.id, device._raw.generation), [])
    try:
        buffer = free.pop()
    except IndexError:
        buffer = cuda.mapped_array(BYTES, np.uint8)
    yield buffer
    free.append(buffer)


def fits(arrays):
    """Whether arrays like these all have room in one buffer."""
    return sum(array.nbytes + _ALIGNMENT for array in arrays) <= BYTES


def places(buffer, arrays):
    """For each array one of its shape and dtype in the buffer, C-contiguous, with anything in it."""
    start, found = 0, []
    for array in arrays:
        end = start + math.prod(array.shape) * array.itemsize
        found.append(buffer[start:end].view(array.dtype).reshape(array.shape))
        start = (end + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
    return found
