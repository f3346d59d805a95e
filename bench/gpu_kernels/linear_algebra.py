"""Products, decompositions and small systems."""
import math

import numpy as np
from numba import cuda, float32, float64

from gpu_kernels import case, line, sized, square

TILE = 16


def factors(dtype):
    def make(rng, n):
        if np.issubdtype(dtype, np.integer):
            return rng.integers(-9, 9, (n, n), dtype), rng.integers(-9, 9, (n, n), dtype), np.zeros((n, n), dtype)
        return rng.random((n, n), dtype), rng.random((n, n), dtype), np.zeros((n, n), dtype)
    return make


def product(a, b, c):
    return (a @ b,)


@case(make=factors(np.float64), launch=square(TILE, TILE), expected=product, native=sized, large=1024, small=48)
def matmul_shared(a, b, c):
    left = cuda.shared.array((TILE, TILE), float64)
    right = cuda.shared.array((TILE, TILE), float64)
    j, i = cuda.grid(2)
    total, tx, ty = 0.0, cuda.threadIdx.x, cuda.threadIdx.y
    for start in range(0, a.shape[1], TILE):
        left[ty, tx] = right[ty, tx] = 0.0
        across, down = start + tx, start + ty
        if i < a.shape[0] and across < a.shape[1]:
            left[ty, tx] = a[i, across]
        if j < b.shape[1] and down < b.shape[0]:
            right[ty, tx] = b[down, j]
        cuda.syncthreads()
        for k in range(0, TILE, 2):
            total += left[ty, k] * right[k, tx] + left[ty, k + 1] * right[k + 1, tx]
        cuda.syncthreads()
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = total


@case(make=factors(np.int32), launch=square(16, 16), expected=product, native=sized, large=1024, small=40)
def matmul_of_ints(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = np.int32(0)
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


def sparse(rng, n):
    counts = rng.integers(0, 80, n)
    starts = np.zeros(n + 1, np.int32)
    np.cumsum(counts, out=starts[1:])
    return rng.integers(0, n, starts[-1], np.int32), starts, rng.random(starts[-1]), rng.random(n), np.zeros(n)


def sparse_product(columns, starts, values, x, out):
    found = np.zeros_like(out)
    np.add.at(found, np.repeat(np.arange(out.size), np.diff(starts)), values * x[columns])
    return (found,)


def with_rows(*arguments):
    return *arguments, np.int32(arguments[-1].shape[0])


@case(make=sparse, launch=lambda n: (-(-n // 8), 256), expected=sparse_product, native=with_rows, large=1 << 17,
      small=100)
def sparse_by_warps(columns, starts, values, x, out):
    row = cuda.grid(1) // 32
    lane = cuda.threadIdx.x % 32
    if row < out.size:
        total = 0.0
        for k in range(starts[row] + lane, starts[row + 1], 32):
            total += values[k] * x[columns[k]]
        reach = 16
        while reach > 0:
            total += cuda.shfl_down_sync(0xffffffff, total, reach)
            reach //= 2
        if lane == 0:
            out[row] = total


ORDER = 6


def small_matrices(rng, n):
    return (rng.random((n, ORDER, ORDER)) + ORDER * np.eye(ORDER),)


def decomposed(a):
    a = a.copy()
    for k in range(ORDER):
        a[:, k + 1:, k] /= a[:, k, k, None]
        a[:, k + 1:, k + 1:] -= a[:, k + 1:, k, None] * a[:, k, None, k + 1:]
    return (a,)


@case(make=small_matrices, launch=line(128), expected=decomposed, native=with_rows, large=1 << 16, small=100,
      is_in_place=True)
def batched_lu(a):
    m = cuda.grid(1)
    if m >= a.shape[0]:
        return
    own = cuda.local.array((ORDER, ORDER), float64)
    for i in range(ORDER):
        for j in range(ORDER):
            own[i, j] = a[m, i, j]
    for k in range(ORDER):
        for i in range(k + 1, ORDER):
            own[i, k] /= own[k, k]
            for j in range(k + 1, ORDER):
                own[i, j] -= own[i, k] * own[k, j]
    for i in range(ORDER):
        for j in range(ORDER):
            a[m, i, j] = own[i, j]


LENGTH = 64


def systems(rng, n):
    shape = (LENGTH, n)
    return rng.random(shape), 4 + rng.random(shape), rng.random(shape), rng.random(shape), np.zeros(shape)


def solved(lower, middle, upper, right, out):
    middle, right, x = middle.copy(), right.copy(), np.zeros_like(out)
    for i in range(1, LENGTH):
        weight = lower[i] / middle[i - 1]
        middle[i] -= weight * upper[i - 1]
        right[i] -= weight * right[i - 1]
    x[-1] = right[-1] / middle[-1]
    for i in range(LENGTH - 2, -1, -1):
        x[i] = (right[i] - upper[i] * x[i + 1]) / middle[i]
    return (x,)


@case(make=systems, launch=line(128), expected=solved, native=lambda *a: (*a, np.int32(a[0].shape[1])),
      large=1 << 15, small=100)
def tridiagonal(lower, middle, upper, right, out):
    s = cuda.grid(1)
    if s < out.shape[1]:
        n = out.shape[0]
        ratio = cuda.local.array(LENGTH, float64)
        ratio[0] = upper[0, s] / middle[0, s]
        out[0, s] = right[0, s] / middle[0, s]
        for i in range(1, n):
            below = middle[i, s] - lower[i, s] * ratio[i - 1]
            ratio[i] = upper[i, s] / below
            out[i, s] = (right[i, s] - lower[i, s] * out[i - 1, s]) / below
        for i in range(n - 2, -1, -1):
            out[i, s] -= ratio[i] * out[i + 1, s]


def rotations(rng, n):
    turns = rng.random((n, 4), np.float32) - np.float32(0.5)
    return turns, rng.random((n, 3), np.float32), np.zeros((n, 3), np.float32)


def turned(turns, points, out):
    turns = turns / np.sqrt((turns ** 2).sum(1, keepdims=True))
    w, axis = turns[:, :1], turns[:, 1:]
    across = 2 * np.cross(axis, points)
    return (points + w * across + np.cross(axis, across),)


def cross(ax, ay, az, bx, by, bz):
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


cross_on_device = cuda.jit(device=True)(cross)


@case(make=rotations, launch=line(256), expected=turned, native=sized, large=1 << 21, small=300)
def quaternion_rotate(turns, points, out):
    i = cuda.grid(1)
    if i < points.shape[0]:
        w, x, y, z = turns[i, 0], turns[i, 1], turns[i, 2], turns[i, 3]
        scale = float32(1) / math.sqrt(w * w + x * x + y * y + z * z)
        w, x, y, z = w * scale, x * scale, y * scale, z * scale
        px, py, pz = points[i, 0], points[i, 1], points[i, 2]
        ax, ay, az = cross_on_device(x, y, z, px, py, pz)
        ax, ay, az = ax + ax, ay + ay, az + az
        bx, by, bz = cross_on_device(x, y, z, ax, ay, az)
        out[i, 0] = px + w * ax + bx
        out[i, 1] = py + w * ay + by
        out[i, 2] = pz + w * az + bz
