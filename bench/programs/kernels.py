"""Kernels in the manner of NAS, and other numerical ones."""
import cmath
import math

import numpy as np
from numba import prange

from programs import PARALLEL, SERIAL, program

BOTH = (SERIAL, PARALLEL)


def sparse(rng, n):
    """A symmetric matrix by compressed rows."""
    dense = np.where(rng.uniform(0, 1, (n, n)) < 8 / n, rng.uniform(0, 1, (n, n)), 0.0)
    dense = dense + dense.T + 20 * np.eye(n)
    starts = np.concatenate(([0], np.cumsum((dense != 0).sum(axis=1))))
    return dense[dense != 0], np.nonzero(dense)[1], starts, rng.uniform(0, 1, n), 8


def times(values, columns, starts, x, out):
    for i in range(len(starts) - 1):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        out[i] = total


@program(sparse, 12, 1000, "mixed", times, modes=BOTH)
def conjugate_gradient(values, columns, starts, b, rounds):
    x, r, p = np.zeros_like(b), b.copy(), b.copy()
    q = np.empty_like(b)
    rho = r @ r
    for _ in range(rounds):
        times(values, columns, starts, p, q)
        alpha = rho / (p @ q)
        x += alpha * p
        r -= alpha * q
        new = r @ r
        p = r + (new / rho) * p
        rho = new
    return x, math.sqrt(rho)


@program(lambda rng, n: (n, 271828183.0), 1000, 20_000, "loops", tolerance=1e-9)
def embarrassingly_parallel(n, seed):
    counts = np.zeros(10)
    sx = sy = 0.0
    r23, t23, r46, t46 = 0.5 ** 23, 2.0 ** 23, 0.5 ** 46, 2.0 ** 46
    x, a = seed, 1220703125.0
    a1 = int(r23 * a)
    a2 = a - t23 * a1
    for _ in range(n):
        pair = (0.0, 0.0)
        for _ in range(2):
            x1 = int(r23 * x)
            x2 = x - t23 * x1
            t1 = a1 * x2 + a2 * x1
            z = t1 - t23 * int(r23 * t1)
            t3 = t23 * z + a2 * x2
            x = t3 - t46 * int(r46 * t3)
            pair = (pair[1], 2.0 * r46 * x - 1.0)
        t = pair[0] ** 2 + pair[1] ** 2
        if t <= 1.0:
            t2 = math.sqrt(-2.0 * math.log(t) / t)
            gx, gy = abs(pair[0] * t2), abs(pair[1] * t2)
            counts[int(max(gx, gy))] += 1
            sx += gx
            sy += gy
    return counts, sx, sy


@program(lambda rng, n: (rng.integers(0, 1024, n),), 50, 100_000, "loops")
def integer_sort(keys):
    counts = np.zeros(1025, np.int64)
    for key in keys:
        counts[key + 1] += 1
    for k in range(1, 1025):
        counts[k] += counts[k - 1]
    out = np.empty_like(keys)
    for i in range(len(keys)):
        out[counts[keys[i]]] = keys[i]
        counts[keys[i]] += 1
    return out


@program(lambda rng, n: (rng.normal(size=n) + 1j * rng.normal(size=n),), 16, 8192, "mixed")
def fourier_by_halves(start):
    n = len(start)
    a = np.empty_like(start)
    for i in range(n):
        turned, rest, bits = 0, i, n >> 1
        while bits:
            turned = turned << 1 | rest & 1
            rest >>= 1
            bits >>= 1
        a[turned] = start[i]
    size = 2
    while size <= n:
        step = cmath.exp(-2j * math.pi / size)
        for start_of in range(0, n, size):
            w = 1.0 + 0.0j
            for k in range(size // 2):
                even, odd = a[start_of + k], w * a[start_of + k + size // 2]
                a[start_of + k] = even + odd
                a[start_of + k + size // 2] = even - odd
                w *= step
        size *= 2
    return a


@program(lambda rng, n: (rng.uniform(0, 1, (n, n, n)),), 8, 48, "arrays", modes=BOTH)
def multigrid_residual(u):
    r = np.zeros_like(u)
    r[1:-1, 1:-1, 1:-1] = 6.0 * u[1:-1, 1:-1, 1:-1] - (u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1]
                                                       + u[1:-1, :-2, 1:-1] + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2])
    coarse = 0.125 * (r[::2, ::2, ::2] + r[1::2, ::2, ::2] + r[::2, 1::2, ::2] + r[::2, ::2, 1::2]
                      + r[1::2, 1::2, ::2] + r[1::2, ::2, 1::2] + r[::2, 1::2, 1::2] + r[1::2, 1::2, 1::2])
    return coarse, np.sqrt((r ** 2).mean()), np.max(np.abs(r))


@program(lambda rng, n: (*(rng.uniform(1, 2, (40, n)) for _ in range(2)), rng.uniform(4, 5, (40, n)),
                         rng.uniform(0, 1, (40, n))), 6, 300, "loops", modes=BOTH)
def tridiagonal_systems(low, up, middle, right):
    rows, n = low.shape
    x = np.empty((rows, n))
    for r in prange(rows):
        c, d = np.empty(n), np.empty(n)
        c[0], d[0] = up[r, 0] / middle[r, 0], right[r, 0] / middle[r, 0]
        for i in range(1, n):
            m = middle[r, i] - low[r, i] * c[i - 1]
            c[i] = up[r, i] / m
            d[i] = (right[r, i] - low[r, i] * d[i - 1]) / m
        x[r, n - 1] = d[n - 1]
        for i in range(n - 2, -1, -1):
            x[r, i] = d[i] - c[i] * x[r, i + 1]
    return x


def lorenz(state, out):
    out[0] = 10.0 * (state[1] - state[0])
    out[1] = state[0] * (28.0 - state[2]) - state[1]
    out[2] = state[0] * state[1] - 8.0 / 3.0 * state[2]


@program(lambda rng, n: (np.array([1.0, 1.0, 1.0]), 0.005, n), 20, 10_000, "arrays", lorenz)
def runge_kutta_of_small_arrays(start, dt, steps):
    y = start.copy()
    k1, k2, k3, k4 = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    furthest = 0.0
    for _ in range(steps):
        lorenz(y, k1)
        lorenz(y + 0.5 * dt * k1, k2)
        lorenz(y + 0.5 * dt * k2, k3)
        lorenz(y + dt * k3, k4)
        y += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        furthest = max(furthest, np.sqrt(np.sum(y ** 2)))
    return furthest > 10.0


@program(lambda rng, n: (rng.uniform(0, 1, (n, 3)), 4, 5), 30, 4000, "arrays", modes=BOTH)
def k_means_of_arrays(points, count, rounds):
    centres = points[:count].copy()
    labels = np.zeros(len(points), np.int64)
    for _ in range(rounds):
        distances = np.empty((count, len(points)))
        for c in range(count):
            distances[c] = ((points - centres[c]) ** 2).sum(axis=1)
        labels = np.argmin(distances, axis=0)
        for c in range(count):
            mine = labels == c
            if mine.any():
                centres[c] = points[mine].sum(axis=0) / mine.sum()
    return centres, np.bincount(labels)


@program(lambda rng, n: (rng.uniform(-2, 0.5, n), rng.uniform(-1, 1, n), 60), 20, 3000, "arrays", modes=BOTH)
def mandelbrot_of_arrays(re, im, limit):
    c = re + 1j * im
    z = np.zeros_like(c)
    counts = np.zeros(len(c), np.int64)
    for _ in range(limit):
        inside = z.real ** 2 + z.imag ** 2 <= 4.0
        z = np.where(inside, z * z + c, z)
        counts += inside
    return counts
