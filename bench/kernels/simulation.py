"""Much arithmetic on little data."""
import math
import random

import numpy as np
from numba import cuda, float32, njit, prange
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

from kernels import case, line, square, squared

BODIES = 128  # of a tile
SOFTENING = np.float32(1e-3)


def bodies(rng, n):
    return rng.random((n, 4), np.float32), np.zeros((n, 3), np.float32)


def attracted(bodies, out):
    apart = bodies[None, :, :3].astype(np.float64) - bodies[:, None, :3]
    distance = (apart * apart).sum(axis=2) + SOFTENING
    return ((apart * (bodies[None, :, 3] / distance ** 1.5)[:, :, None]).sum(axis=1),)


@njit(parallel=True)
def n_body_loops(bodies, out):
    for i in prange(out.shape[0]):
        x, y, z = bodies[i, 0], bodies[i, 1], bodies[i, 2]
        ax = ay = az = float32(0)
        for j in range(bodies.shape[0]):
            dx, dy, dz = bodies[j, 0] - x, bodies[j, 1] - y, bodies[j, 2] - z
            square = dx * dx + dy * dy + dz * dz + SOFTENING
            pull = bodies[j, 3] / (square * math.sqrt(square))
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        out[i, 0], out[i, 1], out[i, 2] = ax, ay, az


@case(loops=n_body_loops, make=bodies, launch=line(BODIES), expected=attracted, gpu=1 << 15, emulator=1 << 11,
      small=128, work=squared, tolerance=1e-2)
def n_body(bodies, out):
    tile = cuda.shared.array((BODIES, 4), float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    x, y, z = bodies[i, 0], bodies[i, 1], bodies[i, 2]
    ax = ay = az = float32(0)
    for first in range(0, bodies.shape[0], BODIES):
        for k in range(4):
            tile[t, k] = bodies[first + t, k]
        cuda.syncthreads()
        for j in range(BODIES):
            dx, dy, dz = tile[j, 0] - x, tile[j, 1] - y, tile[j, 2] - z
            square = dx * dx + dy * dy + dz * dz + SOFTENING
            pull = tile[j, 3] / (square * math.sqrt(square))
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        cuda.syncthreads()
    out[i, 0], out[i, 1], out[i, 2] = ax, ay, az


LIMIT = 100


def escapes(out):
    n = len(out)
    x, y = -2 + 3 * np.arange(n) / n, -1.5 + 3 * np.arange(n) / n
    c = x[None, :] + 1j * y[:, None]
    z, turns = np.zeros_like(c), np.full(c.shape, LIMIT, np.int32)
    for turn in range(LIMIT):
        z = np.where(turns == LIMIT, z * z + c, z)
        turns[(turns == LIMIT) & (z.real * z.real + z.imag * z.imag > 4)] = turn
    return (turns,)


@njit(parallel=True)
def mandelbrot_loops(out):
    height, width = out.shape
    for i in prange(height):
        for j in range(width):
            cx, cy = -2 + 3 * j / width, -1.5 + 3 * i / height
            x = y = 0.0
            turns = LIMIT
            for turn in range(LIMIT):
                x, y = x * x - y * y + cx, 2 * x * y + cy
                if x * x + y * y > 4:
                    turns = turn
                    break
            out[i, j] = turns


@case(loops=mandelbrot_loops, make=lambda rng, n: (np.zeros((n, n), np.int32),), launch=square(32, 8),
      expected=escapes, gpu=4096, emulator=256, small=32, work=squared)
def mandelbrot(out):
    j, i = cuda.grid(2)
    height, width = out.shape
    if i < height and j < width:
        cx, cy = -2 + 3 * j / width, -1.5 + 3 * i / height
        x = y = 0.0
        turns = LIMIT
        for turn in range(LIMIT):
            x, y = x * x - y * y + cx, 2 * x * y + cy
            if x * x + y * y > 4:
                turns = turn
                break
        out[i, j] = turns


DRAWS = 64


def walkers(rng, n):
    return create_xoroshiro128p_states(n, seed=1), np.zeros(n, np.float32)


@njit(parallel=True)
def monte_carlo_pi_loops(states, out):
    for i in prange(out.size):
        inside = 0
        for _ in range(DRAWS):
            x = float32(random.random())
            y = float32(random.random())
            if x * x + y * y <= 1:
                inside += 1
        out[i] = 4 * inside / DRAWS


# each estimate is near pi, by six of its standard deviations
@case(loops=monte_carlo_pi_loops, make=walkers, launch=line(256),
      expected=lambda states, out: (np.full(out.shape, math.pi),), gpu=1 << 20, emulator=1 << 14, small=256,
      tolerance=6 * 1.642 / math.sqrt(DRAWS) / math.pi)
def monte_carlo_pi(states, out):
    i = cuda.grid(1)
    if i < out.size:
        inside = 0
        for _ in range(DRAWS):
            x = xoroshiro128p_uniform_float32(states, i)
            y = xoroshiro128p_uniform_float32(states, i)
            if x * x + y * y <= 1:
                inside += 1
        out[i] = 4 * inside / DRAWS


def clustered(rng, n):
    return rng.random((n, 2), np.float32), rng.random((8, 2), np.float32), np.zeros(n, np.int32)


def nearest(points, centers, out):
    apart = points[:, None, :] - centers[None, :, :]
    return ((apart * apart).sum(axis=2).argmin(axis=1),)


@njit(parallel=True)
def k_means_loops(points, centers, out):
    for i in prange(out.size):
        best, best_square = 0, float32(1e30)
        for k in range(centers.shape[0]):
            dx, dy = points[i, 0] - centers[k, 0], points[i, 1] - centers[k, 1]
            square = dx * dx + dy * dy
            if square < best_square:
                best, best_square = k, square
        out[i] = best


@case(loops=k_means_loops, make=clustered, launch=line(256), expected=nearest, gpu=1 << 24, emulator=1 << 18,
      small=256)
def k_means(points, centers, out):
    i = cuda.grid(1)
    if i < out.size:
        best, best_square = 0, float32(1e30)
        for k in range(centers.shape[0]):
            dx, dy = points[i, 0] - centers[k, 0], points[i, 1] - centers[k, 1]
            square = dx * dx + dy * dy
            if square < best_square:
                best, best_square = k, square
        out[i] = best
