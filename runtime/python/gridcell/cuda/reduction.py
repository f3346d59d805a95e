# SPDX-License-Identifier: MIT
"""cuda.reduce: folding a 1-D array by a function of two values."""
import threading

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
MOST_SCRATCHES = 16

# the values at `first` and every `step` after it, and those of the other threads of the block: shared[0]
_BLOCK_TEXT = """
def reduce_block(values, first, step, shared):
    thread = cuda.threadIdx.x
    if first < values.size:
        total = values[first]
        for i in range(first + step, values.size, step):
            total = core(total, values[i])
        shared[thread] = total
    cuda.syncthreads()
    used = min(threads, values.size - (first - thread))
    while used > 1:
        rest = (used + 1) // 2
        if thread < used - rest:
            shared[thread] = core(shared[thread], shared[thread + rest])
        cuda.syncthreads()
        used = rest
"""

# many threads, side by side in memory; the block that arrives last folds what all have found
_GPU_TEXT = """
def reduce_blocks(values, parts, arrived, out, init):
    shared = cuda.shared.array(threads, dtype)
    is_last = cuda.shared.array(1, boolean)
    thread = cuda.threadIdx.x
    reduce_block(values, cuda.grid(1), cuda.gridsize(1), shared)
    if thread == 0:
        parts[cuda.blockIdx.x] = shared[0]
        cuda.threadfence()
        others = cuda.gridDim.x - 1
        is_last[0] = cuda.atomic.inc(arrived, 0, others) == others
    cuda.syncthreads()
    if is_last[0]:
        reduce_block(parts, thread, threads, shared)
        if thread == 0:
            out[0] = core(init, shared[0])
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


class ThreadsFold:
    """One launch of many threads, as GPUs like it."""

    def __init__(self, core, dtype):
        from numba import boolean, cuda
        names = {"cuda": cuda, "core": core, "dtype": dtype, "threads": THREADS, "boolean": boolean}
        block = define("reduce_block", _BLOCK_TEXT.lstrip(), dict(names))
        names["reduce_block"] = CUDADispatcher(
            block, {"device": True, "boundscheck": False, "forceinline": True})
        self._kernel = generated_kernel(define("reduce_blocks", _GPU_TEXT.lstrip(), names))
        self._scratches = {}  # (context's generation, stream, blocks) -> parts, arrived

    def __call__(self, device, values, out, init, stream):
        if isinstance(values, np.ndarray):
            values = _gridcell.cuda_to_device(np.ascontiguousarray(values), stream)
        most = device.MULTIPROCESSOR_COUNT * BLOCKS_EACH
        blocks = max(1, min(values.size // (THREADS * SHARE), most))
        parts, arrived = self._scratch(device, values.dtype, blocks, stream)
        self._kernel[blocks, THREADS, stream](values, parts, arrived, out, init)

    def _scratch(self, device, dtype, blocks, stream):
        """What no two launches use at a time: those of a stream come one after the other."""
        key = device.id, device._raw.generation, int(stream) or threading.get_ident(), blocks
        scratch = self._scratches.get(key)
        if scratch is None:
            if len(self._scratches) >= MOST_SCRATCHES:
                self._scratches.clear()
            parts = _gridcell.cuda_device_array(blocks, dtype, None, "C", stream)
            arrived = _gridcell.cuda_to_device(np.zeros(1, np.uint32), stream)
            scratch = self._scratches[key] = parts, arrived
        return scratch


class StretchesFold:
    """A stretch of values for each block of one thread, as processors like it, then their results."""

    def __init__(self, core, dtype):
        from gridcell import cuda
        function = define("reduce_blocks", _EMULATOR_TEXT.lstrip(), {"cuda": cuda, "core": core})
        self._kernel = generated_kernel(function)

    def __call__(self, device, values, out, init, stream):
        blocks = max(1, min(values.size // STRETCH, device.MULTIPROCESSOR_COUNT * 4))
        part = (values.size + blocks - 1) // blocks
        blocks = (values.size + part - 1) // part
        if blocks > 1:
            parts = _gridcell.cuda_device_array(blocks, values.dtype, None, "C", stream)
            self._kernel[blocks, 1, stream](values, parts, init, False)
            values = parts
        self._kernel[1, 1, stream](values, out, init, True)


class Reduce:
    """A reduction by a function, which must be associative and commutative."""

    def __init__(self, functor):
        functor = getattr(functor, "py_func", functor)
        self._functor = functor
        self._core = CUDADispatcher(functor, {"device": True})
        self._folds = {}

    def _fold(self, device, dtype):
        way = StretchesFold if device.is_emulated else ThreadsFold
        fold = self._folds.get((way, dtype))
        if fold is None:
            fold = self._folds[way, dtype] = way(self._core, dtype)
        return fold

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
        fold = self._fold(device, dtype)
        init = dtype.type(init)
        if res is not None:
            fold(device, arr, res, init, stream)
            return None
        with landing(context) as buffer:
            result = buffer[:dtype.itemsize].view(dtype)
            fold(device, arr, result, init, stream)
            (stream or context).synchronize()
            return result[0]


reduce = Reduce
