"""Ctrl-C during kernels of the emulated device, whatever their loops are; what follows works."""
import math
import os
import signal
import threading
import time

import numpy as np
import pytest
from common import is_emulated
from numba import cuda, float64

pytestmark = pytest.mark.skipif(not is_emulated(), reason="a GPU's kernels are stopped otherwise")


@cuda.jit
def counted(a, n):
    s = 0.0
    for i in range(n):
        s += i * 0.5
    a[cuda.grid(1)] = s


@cuda.jit
def nested(a, n):
    s = 0
    for i in range(n):
        for j in range(n):
            s += i ^ (j & 7)
    a[cuda.grid(1)] = s


@cuda.jit
def grid_stride(a, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        a[i % 64] += 1


@cuda.jit
def indexed(a, n):
    s = 0.0
    for i in range(n):
        s += a[i % a.size] * a[(i * 7) % a.size]
    a[cuda.grid(1)] = s


@cuda.jit
def before_a_barrier(a, n):
    shared = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    s = 0.0
    for i in range(n):
        s += i * a[t]
    shared[t] = s
    cuda.syncthreads()
    a[t] = shared[63 - t]


@cuda.jit
def barriers(a, n):
    t = cuda.threadIdx.x
    for i in range(n):
        a[t] += a[63 - t]
        cuda.syncthreads()


@cuda.jit
def cooperative(a, n):
    s = 0.0
    for i in range(n):
        s += i * a[0]
    cuda.cg.this_grid().sync()
    a[cuda.grid(1)] = s


@cuda.jit(debug=True, opt=False)
def debugged(a, n):
    s = 0.0
    for i in range(n):
        s += i * 0.5
    a[cuda.grid(1)] = s


@cuda.jit(device=True)
def helper(n):
    s = 0
    for i in range(n):
        s ^= i * s + 1
    return s


@cuda.jit
def calling(a, n):
    a[cuda.grid(1)] = helper(n)


@cuda.jit
def atomics(a, n):
    for i in range(n):
        cuda.atomic.add(a, i % 64, 1)


@cuda.jit
def in_the_c_library(a, n):
    total = 0.0
    for i in range(n):
        total += math.sin(i)
    a[0] = total


@cuda.jit
def endless(a, n):
    while n > 5:
        a[0] += 1


KERNELS = [(counted, 1, 1), (counted, 4, 16), (nested, 1, 64), (grid_stride, 2, 32), (indexed, 2, 32), (before_a_barrier, 1, 64),
           (barriers, 1, 64), (cooperative, 2, 32), (debugged, 1, 2), (calling, 2, 32), (atomics, 2, 32), (in_the_c_library, 64, 256),
           (endless, 2, 32)]


@pytest.mark.parametrize("kernel, blocks, threads", KERNELS, ids=lambda x: getattr(x, "__name__", None))
def test_interrupt_of_a_kernel(kernel, blocks, threads):
    a = cuda.to_device(np.ones(64))
    kernel[blocks, threads](a, 2)  # compiled
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        kernel[blocks, threads](a, 10**12)
        cuda.synchronize()
    assert time.perf_counter() - begin < 2
    timer.join()
    b = cuda.to_device(np.zeros(64))
    for _ in range(3):  # neither this nor a later launch is struck again
        counted[4, 16](b, 10)
    assert (b.copy_to_host() == 22.5).all()


def test_interrupt_in_a_child():
    """A fork has no watcher; it starts its own."""
    a = cuda.to_device(np.ones(64))
    counted[4, 16](a, 10)
    child = os.fork()
    if not child:
        try:
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            counted[4, 16](a, 10**12)
        except KeyboardInterrupt:
            os._exit(3)
        os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
