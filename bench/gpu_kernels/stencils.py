"""Each item from its neighbours, on grids of two and three axes."""
import math

import numpy as np
from numba import cuda, float32

from gpu_kernels import case, sized, square


def field(dtype):
    return lambda rng, n: (rng.random((n, n), dtype), np.zeros((n, n), dtype))


def inner_average(a, out):
    out = out.copy()
    out[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    return (out,)


@case(make=field(np.float64), launch=square(32, 8), expected=inner_average, native=sized, large=4096, small=50)
def jacobi_2d(a, out):
    j, i = cuda.grid(2)
    if i > 0 and i < a.shape[0] - 1 and j > 0 and j < a.shape[1] - 1:
        out[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def volume(rng, n):
    return rng.random((n, n, n), np.float32), np.zeros((n, n, n), np.float32)


SIXTH = np.float32(1 / 6)


def inner_average_3d(a, out):
    out = out.copy()
    inner = slice(1, -1)
    out[1:-1, 1:-1, 1:-1] = SIXTH * (a[:-2, inner, inner] + a[2:, inner, inner] + a[inner, :-2, inner]
                                     + a[inner, 2:, inner] + a[inner, inner, :-2] + a[inner, inner, 2:])
    return (out,)


@case(make=volume, launch=lambda n: ((-(-n // 32), -(-n // 4), -(-n // 2)), (32, 4, 2)), expected=inner_average_3d,
      native=sized, large=320, small=20)
def jacobi_3d(a, out):
    k, j, i = cuda.grid(3)
    if 1 <= i < a.shape[0] - 1 and 1 <= j < a.shape[1] - 1 and 1 <= k < a.shape[2] - 1:
        out[i, j, k] = SIXTH * (a[i - 1, j, k] + a[i + 1, j, k] + a[i, j - 1, k] + a[i, j + 1, k]
                                + a[i, j, k - 1] + a[i, j, k + 1])


def picture(rng, n):
    return rng.integers(0, 256, (n, n), np.uint8), np.zeros((n, n), np.uint8)


def edges(a, out):
    a, out = a.astype(np.int64), out.copy()
    across = (a[:-2, 2:] + 2 * a[1:-1, 2:] + a[2:, 2:]) - (a[:-2, :-2] + 2 * a[1:-1, :-2] + a[2:, :-2])
    down = (a[2:, :-2] + 2 * a[2:, 1:-1] + a[2:, 2:]) - (a[:-2, :-2] + 2 * a[:-2, 1:-1] + a[:-2, 2:])
    out[1:-1, 1:-1] = np.minimum(np.abs(across) + np.abs(down), 255)
    return (out,)


@case(make=picture, launch=square(32, 8), expected=edges, native=sized, large=4096, small=60)
def sobel(a, out):
    x, y = cuda.grid(2)
    if x < 1 or y < 1 or x >= a.shape[1] - 1 or y >= a.shape[0] - 1:
        return
    across = (a[y - 1, x + 1] + 2 * a[y, x + 1] + a[y + 1, x + 1]
              - a[y - 1, x - 1] - 2 * a[y, x - 1] - a[y + 1, x - 1])
    down = (a[y + 1, x - 1] + 2 * a[y + 1, x] + a[y + 1, x + 1]
            - a[y - 1, x - 1] - 2 * a[y - 1, x] - a[y - 1, x + 1])
    out[y, x] = min(abs(across) + abs(down), 255)


RADIUS, IN_SPACE, IN_RANGE = 3, np.float32(1 / 18), np.float32(1 / 0.08)


def smoothed(a, out):
    wide = np.pad(a, RADIUS, "edge").astype(np.float64)
    total, weights = np.zeros(a.shape), np.zeros(a.shape)
    for dy in range(2 * RADIUS + 1):
        for dx in range(2 * RADIUS + 1):
            other = wide[dy:dy + a.shape[0], dx:dx + a.shape[1]]
            distance = (dy - RADIUS) ** 2 + (dx - RADIUS) ** 2
            weight = np.exp(-distance * IN_SPACE - (other - a) ** 2 * IN_RANGE)
            total += weight * other
            weights += weight
    return (total / weights,)


@case(make=field(np.float32), launch=square(16, 16), expected=smoothed, native=sized, large=2048, small=40)
def bilateral(a, out):
    x, y = cuda.grid(2)
    height, width = a.shape
    if x < width and y < height:
        middle = a[y, x]
        total, weights = float32(0), float32(0)
        for dy in range(-RADIUS, RADIUS + 1):
            for dx in range(-RADIUS, RADIUS + 1):
                other = a[min(max(y + dy, 0), height - 1), min(max(x + dx, 0), width - 1)]
                change = other - middle
                weight = math.exp(-float32(dx * dx + dy * dy) * IN_SPACE - change * change * IN_RANGE)
                total += weight * other
                weights += weight
        out[y, x] = total / weights


TILE, REACH = 16, 2
WIDE = TILE + 2 * REACH


def filtered(rng, n):
    return rng.random((n, n), np.float32), rng.random((2 * REACH + 1, 2 * REACH + 1), np.float32), \
        np.zeros((n, n), np.float32)


def convolved(a, weights, out):
    wide = np.pad(a, REACH)
    return (sum(weights[i, j] * wide[i:i + a.shape[0], j:j + a.shape[1]]
                for i in range(2 * REACH + 1) for j in range(2 * REACH + 1)),)


@case(make=filtered, launch=square(TILE, TILE), expected=convolved, native=sized, large=4096, small=50)
def convolve_shared(a, weights, out):
    tile = cuda.shared.array((WIDE, WIDE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    left, top = cuda.blockIdx.x * TILE - REACH, cuda.blockIdx.y * TILE - REACH
    for i in range(ty, WIDE, TILE):
        for j in range(tx, WIDE, TILE):
            y, x = top + i, left + j
            if y >= 0 and y < a.shape[0] and x >= 0 and x < a.shape[1]:
                tile[i, j] = a[y, x]
            else:
                tile[i, j] = 0
    cuda.syncthreads()
    y, x = top + REACH + ty, left + REACH + tx
    if y < a.shape[0] and x < a.shape[1]:
        total = float32(0)
        for i in range(2 * REACH + 1):
            for j in range(2 * REACH + 1):
                total += weights[i, j] * tile[ty + i, tx + j]
        out[y, x] = total


def waves(rng, n):
    return rng.random((n, n)), rng.random((n, n)), np.zeros((n, n))


COEFFICIENTS = (-2.5, 4 / 3, -1 / 12)


def next_wave(before, now, after):
    after = after.copy()
    n = now.shape[0]
    curve = 2 * COEFFICIENTS[0] * now[2:-2, 2:-2]
    for k in (1, 2):
        curve = curve + COEFFICIENTS[k] * (now[2 - k:n - 2 - k, 2:-2] + now[2 + k:n - 2 + k, 2:-2]
                                           + now[2:-2, 2 - k:n - 2 - k] + now[2:-2, 2 + k:n - 2 + k])
    after[2:-2, 2:-2] = 2 * now[2:-2, 2:-2] - before[2:-2, 2:-2] + 0.1 * curve
    return (after,)


@case(make=waves, launch=square(32, 8), expected=next_wave, native=sized, large=3072, small=50)
def wave_step(before, now, after):
    j, i = cuda.grid(2)
    if 2 <= i < now.shape[0] - 2 and 2 <= j < now.shape[1] - 2:
        curve = 2 * COEFFICIENTS[0] * now[i, j]
        for k in range(1, 3):
            curve += COEFFICIENTS[k] * (now[i - k, j] + now[i + k, j] + now[i, j - k] + now[i, j + k])
        after[i, j] = 2 * now[i, j] - before[i, j] + 0.1 * curve


SPEEDS_X, SPEEDS_Y = (0, 1, 0, -1, 0, 1, -1, -1, 1), (0, 0, 1, 0, -1, 1, 1, -1, -1)
WEIGHTS = (4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36)
RELAXATION = 1.2


def populations(rng, n):
    return 0.1 + rng.random((9, n, n)) * 0.01, np.zeros((9, n, n))


def collided(old, new):
    f = np.stack([np.roll(old[k], (SPEEDS_Y[k], SPEEDS_X[k]), (0, 1)) for k in range(9)])
    density = f.sum(0)
    ux = sum(SPEEDS_X[k] * f[k] for k in range(9)) / density
    uy = sum(SPEEDS_Y[k] * f[k] for k in range(9)) / density
    squared = 1.5 * (ux * ux + uy * uy)
    result = []
    for k in range(9):
        along = 3 * (SPEEDS_X[k] * ux + SPEEDS_Y[k] * uy)
        equilibrium = WEIGHTS[k] * density * (1 + along + 0.5 * along * along - squared)
        result.append(f[k] + RELAXATION * (equilibrium - f[k]))
    return (np.stack(result),)


@case(make=populations, launch=square(32, 8), expected=collided,
      native=lambda old, new: (old, new, np.int32(old.shape[1]), np.int32(old.shape[2])), large=1024, small=40)
def lattice_boltzmann(old, new):
    x, y = cuda.grid(2)
    height, width = old.shape[1], old.shape[2]
    if x >= width or y >= height:
        return
    f = cuda.local.array(9, np.float64)
    density, ux, uy = 0.0, 0.0, 0.0
    for k in range(9):
        f[k] = old[k, (y - SPEEDS_Y[k] + height) % height, (x - SPEEDS_X[k] + width) % width]
        density += f[k]
        ux += SPEEDS_X[k] * f[k]
        uy += SPEEDS_Y[k] * f[k]
    ux /= density
    uy /= density
    squared = 1.5 * (ux * ux + uy * uy)
    for k in range(9):
        along = 3.0 * (SPEEDS_X[k] * ux + SPEEDS_Y[k] * uy)
        equilibrium = WEIGHTS[k] * density * (1.0 + along + 0.5 * along * along - squared)
        new[k, y, x] = f[k] + RELAXATION * (equilibrium - f[k])


def spins(rng, n):
    return rng.random((n, n), np.float32), (2 * rng.integers(0, 2, (n, n)) - 1).astype(np.int8)


COLDNESS = np.float32(0.44)


def flipped(chance, spin):
    spin = spin.copy()
    around = sum(np.roll(spin.astype(np.int64), *shift) for shift in ((1, 0), (-1, 0), (1, 1), (-1, 1)))
    even = (np.add.outer(np.arange(spin.shape[0]), np.arange(spin.shape[1])) & 1) == 0
    gain = (2 * spin * around).astype(np.float32)
    spin[even & ((gain <= 0) | (chance < np.exp(-COLDNESS * gain)))] *= -1
    return (spin,)


@case(make=spins, launch=square(32, 8), expected=flipped, native=sized, large=4096, small=48, is_in_place=True)
def ising_half_step(chance, spin):
    j, i = cuda.grid(2)
    n, m = spin.shape
    if i < n and j < m and (i + j) % 2 == 0:
        around = spin[(i + 1) % n, j] + spin[(i - 1) % n, j] + spin[i, (j + 1) % m] + spin[i, (j - 1) % m]
        gain = 2 * spin[i, j] * around
        if gain <= 0 or chance[i, j] < math.exp(-COLDNESS * float32(gain)):
            spin[i, j] = -spin[i, j]
