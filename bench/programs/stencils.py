"""Stencils: weather, heat, waves, images."""
import math

import numpy as np
from numba import prange

from programs import PARALLEL, SERIAL, program

BOTH = (SERIAL, PARALLEL)


def grid(rng, n):
    return rng.uniform(0.0, 1.0, (n, n))


@program(lambda rng, n: (grid(rng, n), 4), 8, 300, "loops", modes=BOTH)
def jacobi_2d(start, steps):
    n = len(start)
    a, b = start.copy(), start.copy()
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i - 1, j] + a[i + 1, j])
        a, b = b, a
    return a


@program(lambda rng, n: (grid(rng, n), 3), 8, 250, "loops")
def seidel_2d(start, steps):
    a = start.copy()
    n = len(a)
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j - 1] + a[i, j] + a[i, j + 1]
                           + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]) / 9.0
    return a


@program(lambda rng, n: (rng.uniform(0, 1, (n, n, n)), 3), 6, 40, "loops", modes=BOTH)
def heat_3d(start, steps):
    a, b = start.copy(), start.copy()
    n = a.shape[0]
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                for k in range(1, n - 1):
                    b[i, j, k] = (0.125 * (a[i + 1, j, k] - 2.0 * a[i, j, k] + a[i - 1, j, k])
                                  + 0.125 * (a[i, j + 1, k] - 2.0 * a[i, j, k] + a[i, j - 1, k])
                                  + 0.125 * (a[i, j, k + 1] - 2.0 * a[i, j, k] + a[i, j, k - 1]) + a[i, j, k])
        a, b = b, a
    return a


@program(lambda rng, n: (grid(rng, n), 5, 0.2), 8, 300, "arrays", modes=BOTH)
def diffusion_of_slices(start, steps, rate):
    u = start.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] = u[1:-1, 1:-1] + rate * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
                                                - 4.0 * u[1:-1, 1:-1])
    return u


@program(lambda rng, n: (grid(rng, n), 4), 8, 256, "arrays", modes=BOTH)
def wave_by_roll(start, steps):
    u, before = start.copy(), start.copy()
    for _ in range(steps):
        around = np.zeros_like(u)
        around[1:] += u[:-1]
        around[:-1] += u[1:]
        around[:, 1:] += u[:, :-1]
        around[:, :-1] += u[:, 1:]
        after = 2.0 * u - before + 0.1 * (around - 4.0 * u)
        before = u
        u = after
    return u


def limited(a, b):
    if a * b <= 0.0:
        return 0.0
    return a if abs(a) < abs(b) else b


@program(lambda rng, n: (rng.uniform(0, 1, (n, n)), rng.uniform(-1, 1, (n, n)), rng.uniform(-1, 1, (n, n))), 8, 300,
         "mixed", limited, modes=BOTH)
def advection_of_weather(q, u, v):
    rows, columns = q.shape
    after = q.copy()
    for i in prange(2, rows - 2):
        for j in range(2, columns - 2):
            slope = limited(q[i, j] - q[i, j - 1], q[i, j + 1] - q[i, j])
            rise = limited(q[i, j] - q[i - 1, j], q[i + 1, j] - q[i, j])
            east = u[i, j] * (q[i, j] + 0.5 * slope if u[i, j] > 0 else q[i, j + 1] - 0.5 * slope)
            west = u[i, j - 1] * (q[i, j - 1] + 0.5 * slope if u[i, j - 1] > 0 else q[i, j] - 0.5 * slope)
            north = v[i, j] * (q[i, j] + 0.5 * rise if v[i, j] > 0 else q[i + 1, j] - 0.5 * rise)
            south = v[i - 1, j] * (q[i - 1, j] + 0.5 * rise if v[i - 1, j] > 0 else q[i, j] - 0.5 * rise)
            after[i, j] = q[i, j] - 0.1 * (east - west) - 0.1 * (north - south)
    return after, after.sum()


@program(lambda rng, n: (rng.integers(0, 256, (n, n)).astype(np.uint8), 1.6), 12, 200, "mixed", modes=BOTH)
def gaussian_blur(image, sigma):
    reach = int(3 * sigma)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    rows, columns = image.shape
    across = np.zeros((rows, columns))
    for i in prange(rows):
        for j in range(columns):
            total = 0.0
            for k in range(-reach, reach + 1):
                total += weights[k + reach] * image[i, min(max(j + k, 0), columns - 1)]
            across[i, j] = total
    blurred = np.zeros((rows, columns), np.uint8)
    for i in prange(rows):
        for j in range(columns):
            total = 0.0
            for k in range(-reach, reach + 1):
                total += weights[k + reach] * across[min(max(i + k, 0), rows - 1), j]
            blurred[i, j] = np.uint8(total)
    return blurred


@program(lambda rng, n: (rng.uniform(0, 1, (n, n)).astype(np.float32),), 12, 300, "loops", modes=BOTH,
         tolerance=1e-4)
def sobel_edges(image):
    rows, columns = image.shape
    edges = np.zeros((rows, columns), np.float32)
    for i in prange(1, rows - 1):
        for j in range(1, columns - 1):
            across = (image[i - 1, j + 1] + 2 * image[i, j + 1] + image[i + 1, j + 1]
                      - image[i - 1, j - 1] - 2 * image[i, j - 1] - image[i + 1, j - 1])
            down = (image[i + 1, j - 1] + 2 * image[i + 1, j] + image[i + 1, j + 1]
                    - image[i - 1, j - 1] - 2 * image[i - 1, j] - image[i - 1, j + 1])
            edges[i, j] = math.sqrt(across * across + down * down)
    return edges
