"""Matrices, dense and sparse. Sizes are of a side."""
import numpy as np
from numba import cuda, float32, njit, prange

from kernels import bytes_of, case, cubed, line, square, squared

TILE, ROWS = 32, 8  # a block of TILE x ROWS threads transposes TILE x TILE items
PADDED = TILE + 1  # numba-cuda takes names and literals only as extents of shared arrays
SIDE = 16  # of the blocks of a tiled product


def matrix(rng, n):
    return rng.random((n, n), np.float32), np.zeros((n, n), np.float32)


def two_matrices(rng, n):
    return rng.random((n, n), np.float32), *matrix(rng, n)


@njit(parallel=True)
def transpose_loops(source, out):
    for i in prange(source.shape[0]):
        for j in range(source.shape[1]):
            out[j, i] = source[i, j]


@case(loops=transpose_loops, make=matrix, launch=square(16, 16), expected=lambda source, out: (source.T,),
      gpu=8192, emulator=1024, small=32, work=squared)
def transpose(source, out):
    j, i = cuda.grid(2)
    if i < source.shape[0] and j < source.shape[1]:
        out[j, i] = source[i, j]


@njit(parallel=True)
def transpose_tiled_loops(source, out):
    for tile in prange(source.shape[0] // TILE):
        for first in range(0, source.shape[1], TILE):
            for k in range(TILE):
                i = tile * TILE + k
                for j in range(first, first + TILE):
                    out[j, i] = source[i, j]


@case(loops=transpose_tiled_loops, make=matrix, launch=lambda size: ((size // TILE, size // TILE), (TILE, ROWS)),
      expected=lambda source, out: (source.T,), gpu=8192, emulator=1024, small=32, work=squared, moved=bytes_of)
def transpose_tiled(source, out):
    tile = cuda.shared.array((TILE, PADDED), float32)
    column = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = source[row + j, column]
    cuda.syncthreads()
    column = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        out[row + j, column] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]


@njit(parallel=True)
def matmul_loops(a, b, out):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            total = float32(0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            out[i, j] = total


@case(loops=matmul_loops, make=two_matrices, launch=square(16, 16), expected=lambda a, b, out: (a @ b,),
      gpu=2048, emulator=256, small=32, work=cubed, tolerance=1e-3)
def matmul(a, b, out):
    j, i = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        out[i, j] = total


@njit(parallel=True)
def matmul_tiled_loops(a, b, out):
    tiles = out.shape[1] // SIDE
    for number in prange(out.shape[0] // SIDE * tiles):
        row, column = number // tiles * SIDE, number % tiles * SIDE
        totals = np.zeros((SIDE, SIDE), np.float32)
        for step in range(0, a.shape[1], SIDE):
            for i in range(SIDE):
                for j in range(SIDE):
                    total = totals[i, j]
                    for k in range(SIDE):
                        total += a[row + i, step + k] * b[step + k, column + j]
                    totals[i, j] = total
        for i in range(SIDE):
            for j in range(SIDE):
                out[row + i, column + j] = totals[i, j]


@case(loops=matmul_tiled_loops, make=two_matrices, launch=square(SIDE, SIDE),
      expected=lambda a, b, out: (a @ b,), gpu=2048, emulator=256, small=32, work=cubed, tolerance=1e-3)
def matmul_tiled(a, b, out):
    left = cuda.shared.array((SIDE, SIDE), float32)
    right = cuda.shared.array((SIDE, SIDE), float32)
    j, i = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for step in range(a.shape[1] // SIDE):
        left[y, x] = a[i, step * SIDE + x]
        right[y, x] = b[step * SIDE + y, j]
        cuda.syncthreads()
        for k in range(SIDE):
            total += left[y, k] * right[k, x]
        cuda.syncthreads()
    out[i, j] = total


PER_ROW = 16


def sparse(rng, n):
    starts = np.arange(n + 1, dtype=np.int32) * PER_ROW
    return (starts, rng.integers(0, n, n * PER_ROW, np.int32), rng.random(n * PER_ROW), rng.random(n),
            np.zeros(n))


def sparse_product(starts, columns, values, x, out):
    return (np.add.reduceat(values * x[columns], starts[:-1]),)


@njit(parallel=True)
def sparse_matrix_vector_loops(starts, columns, values, x, out):
    for row in prange(out.size):
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        out[row] = total


@case(loops=sparse_matrix_vector_loops, make=sparse, launch=line(128), expected=sparse_product,
      gpu=1 << 22, emulator=1 << 16, small=128)
def sparse_matrix_vector(starts, columns, values, x, out):
    row = cuda.grid(1)
    if row < out.size:
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        out[row] = total
