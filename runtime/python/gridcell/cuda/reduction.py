# SPDX-License-Identifier: MIT
"""cuda.reduce: folding a 1-D array by a function of two values."""
import functools

import numpy as np

from gridcell import _gridcell

from .cudadrv.devices import get_context
from .dispatcher import CUDADispatcher, generated_kernel
from .generated import define
from .landings import landing

THREADS = 256
BLOCKS_EACH = 4  # of a multiprocessor
SHARE = 4  # values that are worth a thread
STRETCH = 4096  # values that are worth a block on the emulated device

# many threads, side by side in memory
_GPU_TEXT = """
def reduce_blocks(values, out, init, is_last):
    shared = cuda.shared.array({threads}, dtype)
    thread = cuda.threadIdx.x
    i = cuda.grid(1)
    step = cuda.gridsize(1)
    if i < values.size:
        total = values[i]
        i += step
        while i < values.size:
            total = core(total, values[i])
            i += step
        shared[thread] = total
    cuda.syncthreads()
    used = min({threads}, values.size - cuda.blockIdx.x * {threads})
    while used > 1:
        rest = (used + 1) // 2
        if thread < used - rest:
            shared[thread] = core(shared[thread], shared[thread + rest])
        cuda.syncthreads()
        used = rest
    if thread == 0:
        if is_last:
            out[cuda.blockIdx.x] = core(init, shared[0])
        else:
            out[cuda.blockIdx.x] = shared[0]
"""

# one thread for each block, with a stretch of its own, in four sums that do not wait for each other
_EMULATOR_TEXT = """
def reduce_blocks(values, out, init, is_last):
    part = (values.size + cuda.gridDim.x - 1) // cuda.gridDim.x
    begin = cuda.blockIdx.x * part
    end = min(begin + part, values.size)
    total = values[begin]
    i = begin + 1
    if end - begin >= 8:
        total1, total2, total3 = values[begin + 1], values[begin + 2], values[begin + 3]
        i = begin + 4
        while i + 3 < end:
            total = core(total, values[i])
            total1 = core(total1, values[i + 1])
            total2 = core(total2, values[i + 2])
            total3 = core(total3, values[i + 3])
            i += 4
        total = core(core(total, total1), core(total2, total3))
    while i < end:
        total = core(total, values[i])
        i += 1
    if is_last:
        total = core(init, total)
    out[cuda.blockIdx.x] = total
"""


class Reduce:
    """A reduction by a function, which must be associative and commutative."""

    def __init__(self, functor):
        functor = getattr(functor, "py_func", functor)
        self._functor = functor
        self._core = CUDADispatcher(functor, {"device": True})
        self._kernels = {}

    def _kernel(self, dtype, is_emulated):
        kernel = self._kernels.get((dtype, is_emulated))
        if kernel is None:
            from gridcell import cuda
            text = _EMULATOR_TEXT if is_emulated else _GPU_TEXT.format(threads=THREADS)
            function = define("reduce_blocks", text.lstrip(),
                              {"cuda": cuda, "core": self._core, "dtype": dtype})
            kernel = self._kernels[dtype, is_emulated] = generated_kernel(function)
        return kernel

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        """Folds `arr`; into res[0] where a device array `res` is given, else the result is a number."""
        if not isinstance(arr, np.ndarray) and _gridcell.cuda_has_interface(arr):
            arr = _gridcell.cuda_as_array(arr)
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        if size is not None:
            arr = arr[:size]
        if arr.size == 0:
            if res is not None:
                res[0] = init
                return None
            return init
        dtype = np.dtype(arr.dtype)
        context = get_context()
        device = context.device
        kernel = self._kernel(dtype, device.is_emulated)
        init = dtype.type(init)
        values = arr
        if isinstance(arr, np.ndarray) and not device.is_emulated:
            values = _gridcell.cuda_to_device(np.ascontiguousarray(arr), stream)
        blocks, threads = _shape(arr.size, device)
        fold = functools.partial(self._fold, kernel, values, init, (blocks, threads), stream)
        if res is not None:
            fold(res)
            return None
        with landing(context) as buffer:
            result = buffer[:dtype.itemsize].view(dtype)
            fold(result)
            (stream or context).synchronize()
            return result[0]

    @staticmethod
    def _fold(kernel, values, init, shape, stream, out):
        blocks, threads = shape
        if blocks == 1:
            kernel[1, threads, stream](values, out, init, True)
        else:
            parts = _gridcell.cuda_device_array(blocks, values.dtype, None, "C", stream)
            kernel[blocks, threads, stream](values, parts, init, False)
            kernel[1, threads, stream](parts, out, init, True)


def _shape(size, device):
    """(blocks, threads) for so many values; every block gets some."""
    if not device.is_emulated:
        most = device.MULTIPROCESSOR_COUNT * BLOCKS_EACH
        return max(1, min(size // (THREADS * SHARE), most)), THREADS
    blocks = max(1, min(size // STRETCH, device.MULTIPROCESSOR_COUNT * 4))
    part = (size + blocks - 1) // blocks
    return (size + part - 1) // part, 1


reduce = Reduce
