"""How large arrays of a thread may be, and what a stack does that is too small for them."""
import threading

import numpy as np
import pytest
from common import is_emulated
from numba import cuda, float32, float64, int8, njit
from numba.core.errors import NumbaError

MOST = 512 * 1024


def kernel_with(shape, dtype):
    @cuda.jit
    def kernel(out):
        a = cuda.local.array(shape, dtype)
        n = a.shape[0]
        for i in range(n):
            a.reshape(-1)[i] = i
        out[cuda.threadIdx.x] = a.reshape(-1)[n - 1 - cuda.threadIdx.x]
    return kernel


@pytest.mark.parametrize("shape, dtype", [
    (MOST + 1, int8), (1 << 20, float64), ((1024, 1024), float32), (1 << 40, int8), ((1 << 31, 1 << 31, 16), float64)])
def test_too_large(shape, dtype):
    with pytest.raises(NumbaError) as caught:
        kernel_with(shape, dtype)[1, 32](np.zeros(32))
    assert "524288 bytes of local memory" in str(caught.value) or "larger than any memory" in str(caught.value)
    assert "test_local_memory.py" in str(caught.value)


def test_too_large_by_numpy():
    @cuda.jit
    def kernel(out):
        a = np.zeros(1 << 20)
        out[0] = a[int(out[0])]
    with pytest.raises(NumbaError, match="524288 bytes of local memory"):
        kernel[1, 1](np.zeros(1))


@pytest.mark.parametrize("shape", [1 << 62, (1 << 31, 1 << 31, 16)])
def test_shared_arrays_larger_than_any_memory(shape):
    @cuda.jit
    def kernel(out):
        a = cuda.shared.array(shape, float64)
        out[0] = a.size
    with pytest.raises(NumbaError, match="larger than any memory"):
        kernel[1, 1](np.zeros(1))


@pytest.mark.parametrize("shape, dtype", [(MOST // 2, int8), ((128, 256), float32)])
def test_large_enough(shape, dtype):
    out = np.zeros(32)
    kernel_with(shape, dtype)[2, 32](out)
    n = np.empty(shape, np.int8).shape[0]
    assert (out == (np.arange(n)[::-1][:32].astype(np.dtype(str(dtype))))).all()


def test_threads_of_small_stacks():
    """The frame is larger than what is left: the error is the kernel's, and the thread goes on."""
    if not is_emulated():
        pytest.skip("the stack of the CPU")

    @cuda.jit
    def kernel(out):
        a = cuda.local.array(60000, float64)
        b = cuda.local.array(60000, float64)
        for i in range(60000):
            a[i] = b[59999 - i] = i
        out[0] = a[int(out[0])] + b[7]

    told = []

    def run(value):
        out = np.full(1, value)
        try:
            kernel[1, 1](out)
            told.append(out[0])
        except cuda.CudaAPIError as error:
            told.append(str(error))
        told.append(njit(lambda x: x + 1)(1))

    run(5.0)
    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=run, args=(5.0,))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    run(6.0)
    assert told[0] == 5 + 59992 and told[4] == 6 + 59992 and told[1::2] == [2, 2, 2]
    assert "filled the stack" in told[2]
