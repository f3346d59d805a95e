"""Many items to few: sums, maxima, histograms, prefix sums. A reduction adds to what its output holds."""
import numpy as np
from numba import cuda, float32, int32, njit, prange

from kernels import bytes_of, case

THREADS = 256
BINS = 256


def by_blocks(most):
    """At most so many blocks, whose threads stride through the items."""
    return lambda size: (max(1, min(size // THREADS, most)), THREADS)


def items_and_total(rng, n):
    return rng.random(n, np.float32), np.zeros(1, np.float32)


@njit(parallel=True)
def sum_shared_loops(values, out):
    total = float32(0)
    for i in prange(values.size):
        total += values[i]
    out[0] += total


@case(loops=sum_shared_loops, make=items_and_total, launch=by_blocks(1024),
      expected=lambda values, out: (values.sum(keepdims=True),), gpu=1 << 26, emulator=1 << 22, small=256,
      moved=lambda values, out: bytes_of(values), tolerance=1e-3)
def sum_shared(values, out):
    partial = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    total = float32(0)
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        total += values[i]
    partial[t] = total
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if t < step:
            partial[t] += partial[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        cuda.atomic.add(out, 0, partial[0])


@njit(parallel=True)
def max_shuffled_loops(values, out):
    largest = float32(0)
    for i in prange(values.size):
        largest = max(largest, values[i])
    out[0] = max(out[0], largest)


@case(loops=max_shuffled_loops, make=items_and_total, launch=by_blocks(1024),
      expected=lambda values, out: (values.max(keepdims=True),), gpu=1 << 26, emulator=1 << 22, small=256,
      moved=lambda values, out: bytes_of(values), is_by_warps=True)
def max_shuffled(values, out):
    largest = float32(0)
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        largest = max(largest, values[i])
    step = 16
    while step > 0:
        largest = max(largest, cuda.shfl_down_sync(0xffffffff, largest, step))
        step //= 2
    if cuda.threadIdx.x % 32 == 0:
        cuda.atomic.max(out, 0, largest)


def items_and_counts(rng, n):
    return rng.integers(0, BINS, n, np.int32), np.zeros(BINS, np.int32)


def counted(values, counts):
    return (np.bincount(values, minlength=BINS),)


@njit(parallel=True)
def histogram_loops(values, counts):
    parts = 16
    own = np.zeros((parts, BINS), np.int32)
    for part in prange(parts):
        for i in range(values.size * part // parts, values.size * (part + 1) // parts):
            own[part, values[i]] += 1
    for k in prange(BINS):
        for part in range(parts):
            counts[k] += own[part, k]


@case(loops=histogram_loops, make=items_and_counts, launch=by_blocks(1024), expected=counted,
      gpu=1 << 26, emulator=1 << 20, small=256)
def histogram_global(values, counts):
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, values[i], 1)


@case(loops=histogram_loops, make=items_and_counts, launch=by_blocks(1024), expected=counted,
      gpu=1 << 26, emulator=1 << 20, small=256)
def histogram_shared(values, counts):
    own = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(own, values[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(counts, t, own[t])


def items_and_sums(rng, n):
    return rng.random(n), np.zeros(n), np.zeros(n // THREADS)


def scanned(values, sums, totals):
    sums = values.reshape(-1, THREADS).cumsum(axis=1)
    return sums.ravel(), sums[:, -1]


@njit(parallel=True)
def scan_loops(values, sums, totals):
    for block in prange(totals.size):
        first = block * THREADS
        own = np.empty(THREADS)
        other = np.empty(THREADS)
        for t in range(THREADS):
            own[t] = values[first + t]
        step = 1
        while step < THREADS:
            for t in range(THREADS):
                other[t] = own[t] + own[t - step] if t >= step else own[t]
            for t in range(THREADS):
                own[t] = other[t]
            step *= 2
        for t in range(THREADS):
            sums[first + t] = own[t]
        totals[block] = own[THREADS - 1]


@case(loops=scan_loops, make=items_and_sums, launch=lambda size: (size // THREADS, THREADS), expected=scanned,
      gpu=1 << 25, emulator=1 << 18, small=256)
def scan(values, sums, totals):
    own = cuda.shared.array(THREADS, np.float64)
    i, t = cuda.grid(1), cuda.threadIdx.x
    own[t] = values[i]
    cuda.syncthreads()
    step = 1
    while step < THREADS:
        before = own[t - step] if t >= step else 0.0
        cuda.syncthreads()
        own[t] += before
        cuda.syncthreads()
        step *= 2
    sums[i] = own[t]
    if t == THREADS - 1:
        totals[cuda.blockIdx.x] = own[t]
