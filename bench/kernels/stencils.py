"""Each item from its neighbours."""
import numpy as np
from numba import cuda, float32, njit, prange

from kernels import bytes_of, case, line, square, squared

THREADS, REACH = 256, 4
REACHED = THREADS + 2 * REACH


def field(rng, n):
    return rng.random((n, n), np.float32), np.zeros((n, n), np.float32)


FIFTH = np.float32(0.2)


def averaged(a, out):
    out = out.copy()
    out[1:-1, 1:-1] = FIFTH * (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    return (out,)


@njit(parallel=True)
def stencil_loops(a, out):
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            out[i, j] = FIFTH * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


@case(loops=stencil_loops, make=field, launch=square(32, 8), expected=averaged, gpu=8192, emulator=2048,
      small=32, work=squared, moved=bytes_of)
def stencil(a, out):
    j, i = cuda.grid(2)
    if 0 < i < a.shape[0] - 1 and 0 < j < a.shape[1] - 1:
        out[i, j] = FIFTH * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def signal(rng, n):
    return rng.random(n, np.float32), rng.random(2 * REACH + 1, np.float32), np.zeros(n, np.float32)


def convolved(values, weights, out):
    padded = np.pad(values, REACH)
    return (sum(weights[k] * padded[k:k + values.size] for k in range(weights.size)),)


@njit(parallel=True)
def convolution_loops(values, weights, out):
    for i in prange(values.size):
        total = float32(0)
        for k in range(2 * REACH + 1):
            at = i + k - REACH
            if 0 <= at < values.size:
                total += weights[k] * values[at]
        out[i] = total


@case(loops=convolution_loops, make=signal, launch=line(THREADS), expected=convolved,
      gpu=1 << 26, emulator=1 << 20, small=256, moved=lambda values, weights, out: bytes_of(values, out))
def convolution(values, weights, out):
    tile = cuda.shared.array(REACHED, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    tile[t + REACH] = values[i] if i < values.size else float32(0)
    if t < REACH:
        before, after = i - REACH, i + THREADS
        tile[t] = values[before] if before >= 0 else float32(0)
        tile[t + REACH + THREADS] = values[after] if after < values.size else float32(0)
    cuda.syncthreads()
    if i < out.size:
        total = float32(0)
        for k in range(2 * REACH + 1):
            total += weights[k] * tile[t + k]
        out[i] = total


def cells(rng, n):
    return rng.integers(0, 2, (n, n), np.uint8), np.zeros((n, n), np.uint8)


def next_generation(now, out):
    count = sum(np.roll(now, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    return (((count == 3) | ((now == 1) & (count == 2))).astype(np.uint8),)


@njit(parallel=True)
def life_loops(now, out):
    height, width = now.shape
    for i in prange(height):
        for j in range(width):
            count = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    count += now[(i + di) % height, (j + dj) % width]
            count -= now[i, j]
            out[i, j] = 1 if count == 3 or (count == 2 and now[i, j] == 1) else 0


@case(loops=life_loops, make=cells, launch=square(32, 8), expected=next_generation, gpu=8192, emulator=512,
      small=32, work=squared)
def life(now, out):
    j, i = cuda.grid(2)
    height, width = now.shape
    if i < height and j < width:
        count = 0
        for di in range(-1, 2):
            for dj in range(-1, 2):
                count += now[(i + di) % height, (j + dj) % width]
        count -= now[i, j]
        out[i, j] = 1 if count == 3 or (count == 2 and now[i, j] == 1) else 0
