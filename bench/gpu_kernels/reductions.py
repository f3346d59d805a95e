"""Many values to few: shuffles, shared memory, atomics, barriers of the whole grid."""
import numpy as np
from numba import cuda, float32, int32

from gpu_kernels import case, line

THREADS = 256


def counted(*arguments):
    return *arguments, np.int32(arguments[0].size)


def vectors(rng, n):
    return rng.random(n), rng.random(n), np.zeros(1)


@case(make=vectors, launch=lambda n: (max(1, min(1056, n // THREADS)), THREADS), native=counted,
      expected=lambda x, y, out: (np.array([x @ y]),), large=1 << 23, small=2000, is_in_place=True)
def dot_by_warps(x, y, out):
    total = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i] * y[i]
    for reach in (16, 8, 4, 2, 1):
        total += cuda.shfl_down_sync(0xffffffff, total, reach)
    if cuda.threadIdx.x % 32 == 0:
        cuda.atomic.add(out, 0, total)


def some_bytes(rng, n):
    return np.minimum(rng.integers(0, 256, n), rng.integers(0, 256, n)).astype(np.uint8), np.zeros(256, np.int32)


@case(make=some_bytes, launch=lambda n: (max(1, min(1056, n // THREADS)), THREADS), native=counted,
      expected=lambda a, out: (np.bincount(a, minlength=256),), large=1 << 25, small=3000, is_in_place=True)
def histogram_of_bytes(a, out):
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    while i < a.size:
        cuda.atomic.add(own, a[i], 1)
        i += cuda.gridsize(1)
    cuda.syncthreads()
    cuda.atomic.add(out, t, own[t])


def whole_blocks(rng, n):
    return rng.integers(-5, 9, n, np.int64), np.zeros(n, np.int64)


@case(make=whole_blocks, launch=line(THREADS), native=counted, large=1 << 22, small=4 * THREADS,
      expected=lambda a, out: (np.cumsum(a.reshape(-1, THREADS), 1).ravel(),))
def prefix_sums(a, out):
    own = cuda.shared.array((2, THREADS), np.int64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    now = 0
    own[now, t] = a[i] if i < a.size else 0
    cuda.syncthreads()
    step = 1
    while step < THREADS:
        if t >= step:
            own[1 - now, t] = own[now, t] + own[now, t - step]
        else:
            own[1 - now, t] = own[now, t]
        now = 1 - now
        step *= 2
        cuda.syncthreads()
    if i < a.size:
        out[i] = own[now, t]


def places_of_largest(a, best, where):
    blocks = a.reshape(-1, 4 * THREADS)
    return blocks.max(1), blocks.argmax(1) + np.arange(0, a.size, 4 * THREADS)


def to_compare(rng, n):
    blocks = n // (4 * THREADS)
    return rng.random(n, np.float32), np.zeros(blocks, np.float32), np.zeros(blocks, np.int32)


@case(make=to_compare, launch=lambda n: (n // (4 * THREADS), THREADS), native=counted, expected=places_of_largest,
      large=1 << 23, small=8 * THREADS)
def argmax_of_blocks(a, best, where):
    values = cuda.shared.array(THREADS, float32)
    places = cuda.shared.array(THREADS, int32)
    t, first = cuda.threadIdx.x, cuda.blockIdx.x * 4 * THREADS
    place = first + t
    value = a[place]
    for i in range(first + t + THREADS, min(first + 4 * THREADS, a.size), THREADS):
        if a[i] > value:
            value, place = a[i], i
    values[t], places[t] = value, place
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            other = values[t + half]
            if other > values[t] or (other == values[t] and places[t + half] < places[t]):
                values[t], places[t] = other, places[t + half]
        cuda.syncthreads()
        half >>= 1
    if t == 0:
        best[cuda.blockIdx.x], where[cuda.blockIdx.x] = values[0], places[0]


def many_groups(rng, n):
    return rng.random((n, 96), np.float32), rng.integers(1, 97, n, np.int32), np.zeros(n, np.float32)


def sums_of_starts(a, lengths, out):
    return (np.where(np.arange(96) < lengths[:, None], a, 0).sum(1),)


@case(make=many_groups, launch=lambda n: (n, 64, 64 * 4), expected=sums_of_starts,
      native=lambda a, lengths, out: (a, lengths, out, np.int32(a.shape[1])), large=1 << 16, small=30)
def dynamic_shared_sums(a, lengths, out):
    own = cuda.shared.array(0, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    total = float32(0)
    for j in range(t, lengths[row], cuda.blockDim.x):
        total += a[row, j]
    own[t] = total
    cuda.syncthreads()
    reach = cuda.blockDim.x >> 1
    while reach:
        if t < reach:
            own[t] += own[t + reach]
        reach >>= 1
        cuda.syncthreads()
    if t == 0:
        out[row] = own[0]


ROUNDS = 10


def ring(rng, n):
    return rng.random(n), np.zeros(n)


def after_rounds(a, b):
    for _ in range(ROUNDS):
        a = 0.5 * a + 0.25 * (np.roll(a, 1) + np.roll(a, -1))
    return (a,)


@case(make=ring, launch=lambda n: (n // 256, 256), native=lambda a, b: (a, b, np.int32(a.size)),
      expected=lambda a, b: after_rounds(a, b), large=1 << 16, small=1024, is_in_place=True, is_cooperative=True)
def grid_of_rounds(a, b):
    grid = cuda.cg.this_grid()
    i, n = cuda.grid(1), a.size
    left, right = (i - 1) % n, (i + 1) % n
    for _ in range(ROUNDS // 2):
        b[i] = 0.5 * a[i] + 0.25 * (a[left] + a[right])
        grid.sync()
        a[i] = 0.5 * b[i] + 0.25 * (b[left] + b[right])
        grid.sync()
    b[i] = a[i]


def values_and_limits(rng, n):
    return rng.integers(-10**6, 10**6, n, np.int32), np.array([2**31 - 1, -2**31], np.int32)


@case(make=values_and_limits, launch=lambda n: (max(1, min(1056, n // THREADS)), THREADS), native=counted,
      expected=lambda a, out: (np.array([a.min(), a.max()]),), large=1 << 24, small=3000, is_in_place=True)
def extremes(a, out):
    least, most = 2147483647, -2147483648
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        least = min(least, a[i])
        most = max(most, a[i])
    cuda.atomic.min(out, 0, least)
    cuda.atomic.max(out, 1, most)
