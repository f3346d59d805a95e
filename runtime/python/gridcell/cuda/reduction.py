# SPDX-License-Identifier: MIT
"""cuda.reduce: folding a 1-D array by a function of two values."""
import numpy as np

from gridcell import _gridcell

from .cudadrv.devices import get_context
from .dispatcher import CUDADispatcher, generated_kernel
from .generated import define

THREADS = 128
MAX_BLOCKS = 64

_TEXT = """
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


class Reduce:
    """A reduction by a function, which must be associative and commutative."""

    def __init__(self, functor):
        functor = getattr(functor, "py_func", functor)
        self._functor = functor
        self._core = CUDADispatcher(functor, {"device": True})
        self._kernels = {}

    def _kernel(self, dtype):
        kernel = self._kernels.get(dtype)
        if kernel is None:
            from gridcell import cuda
            function = define("reduce_blocks", _TEXT.format(threads=THREADS).lstrip(),
                              {"cuda": cuda, "core": self._core, "dtype": dtype})
            kernel = self._kernels[dtype] = generated_kernel(function)
        return kernel

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        """Folds `arr`; into res[0] where a device array `res` is given, else the result is a number."""
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
        kernel = self._kernel(dtype)
        init = dtype.type(init)
        values = arr
        if isinstance(arr, np.ndarray) and not get_context().device.is_emulated:
            values = _gridcell.cuda_to_device(np.ascontiguousarray(arr), stream)
        blocks = min((arr.size + THREADS - 1) // THREADS, MAX_BLOCKS)
        out = res if res is not None else _gridcell.cuda_device_array(1, dtype, None, "C", stream)
        if blocks == 1:
            kernel[1, THREADS, stream](values, out, init, True)
        else:
            parts = _gridcell.cuda_device_array(blocks, dtype, None, "C", stream)
            kernel[blocks, THREADS, stream](values, parts, init, False)
            kernel[1, THREADS, stream](parts, out, init, True)
        if res is not None:
            return None
        return out.getitem(0, stream=stream)


reduce = Reduce
