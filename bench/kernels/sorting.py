"""Sorting networks."""
import numpy as np
from numba import cuda, float32, njit, prange

from kernels import case

ITEMS = 256  # of a block


def unsorted(rng, n):
    return rng.random(n, np.float32), np.zeros(n, np.float32)


def sorted_parts(values, out):
    return (np.sort(values.reshape(-1, ITEMS), axis=1).ravel(),)


@njit(parallel=True)
def bitonic_sort_loops(values, out):
    for block in prange(values.size // ITEMS):
        first = block * ITEMS
        own = np.empty(ITEMS, np.float32)
        for t in range(ITEMS):
            own[t] = values[first + t]
        width = 2
        while width <= ITEMS:
            step = width // 2
            while step > 0:
                for t in range(ITEMS):
                    other = t ^ step
                    if other > t and (own[t] > own[other]) == ((t & width) == 0):
                        own[t], own[other] = own[other], own[t]
                step //= 2
            width *= 2
        for t in range(ITEMS):
            out[first + t] = own[t]


@case(loops=bitonic_sort_loops, make=unsorted, launch=lambda size: (size // ITEMS, ITEMS),
      expected=sorted_parts, gpu=1 << 24, emulator=1 << 16, small=256)
def bitonic_sort(values, out):
    own = cuda.shared.array(ITEMS, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    own[t] = values[i]
    cuda.syncthreads()
    width = 2
    while width <= ITEMS:
        step = width // 2
        while step > 0:
            other = t ^ step
            if other > t and (own[t] > own[other]) == ((t & width) == 0):
                own[t], own[other] = own[other], own[t]
            cuda.syncthreads()
            step //= 2
        width *= 2
    out[i] = own[t]
