"""A block, a warp or an element of a ufunc for each row: normalisations, ufuncs, generalised ufuncs, fast arithmetic."""
import math

import numpy as np
from numba import cuda, float32, guvectorize, vectorize

from gpu_kernels import case, line, sized

THREADS = 128


def table(rng, n):
    return rng.random((n, 1000), np.float32), np.zeros((n, 1000), np.float32)


def softmax(a, out):
    powers = np.exp(a - a.max(1, keepdims=True))
    return (powers / powers.sum(1, keepdims=True),)


@case(make=table, launch=lambda n: (n, THREADS), expected=softmax, native=sized, large=16384, small=20)
def softmax_rows(a, out):
    partial = cuda.shared.array(THREADS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    width = a.shape[1]
    best = float32(-math.inf)
    for j in range(t, width, THREADS):
        best = max(best, a[row, j])
    partial[t] = best
    cuda.syncthreads()
    for k in range(1, 8):
        half = THREADS >> k
        if t < half:
            partial[t] = max(partial[t], partial[t + half])
        cuda.syncthreads()
    best = partial[0]
    cuda.syncthreads()
    total = float32(0)
    for j in range(t, width, THREADS):
        power = math.exp(a[row, j] - best)
        out[row, j] = power
        total += power
    partial[t] = total
    cuda.syncthreads()
    for k in range(1, 8):
        half = THREADS >> k
        if t < half:
            partial[t] += partial[t + half]
        cuda.syncthreads()
    total = partial[0]
    for j in range(t, width, THREADS):
        out[row, j] /= total


EPSILON = np.float32(1e-5)


def normalised(a, out):
    a = a.astype(np.float64)
    return ((a - a.mean(1, keepdims=True)) / np.sqrt(a.var(1, keepdims=True) + EPSILON),)


@cuda.jit(device=True)
def sum_of_warp(value):
    for reach in (16, 8, 4, 2, 1):
        value += cuda.shfl_xor_sync(0xffffffff, value, reach)
    return value


@case(make=table, launch=lambda n: (-(-n // 4), THREADS), expected=normalised, native=sized, large=16384, small=21,
      tolerance=1e-4)
def layer_norm(a, out):
    row, lane = cuda.grid(1) // 32, cuda.laneid
    if row >= a.shape[0]:
        return
    width = a.shape[1]
    total, squares = float32(0), float32(0)
    for j in range(lane, width, 32):
        value = a[row, j]
        total += value
        squares += value * value
    mean = sum_of_warp(total) / float32(width)
    variance = sum_of_warp(squares) / float32(width) - mean * mean
    scale = float32(1) / math.sqrt(variance + EPSILON)
    for j in range(lane, width, 32):
        out[row, j] = (a[row, j] - mean) * scale


def gelu(x, y, out):
    inner = np.float32(0.7978846) * (x + np.float32(0.044715) * x * x * x)
    return (np.float32(0.5) * x * (np.float32(1) + np.tanh(inner)) + y,)


def gelu_plus_body(x, y):
    inner = float32(0.7978846) * (x + float32(0.044715) * x * x * x)
    return float32(0.5) * x * (float32(1) + math.tanh(inner)) + y


def with_out(function):
    return lambda *arguments: function(*arguments[:-1], out=arguments[-1])


def build_gelu():
    return with_out(vectorize(["float32(float32, float32)"], target="cuda")(gelu_plus_body))


def pairs(rng, n):
    return rng.random(n, np.float32), rng.random(n, np.float32), np.zeros(n, np.float32)


@case(make=pairs, launch=line(256), expected=gelu, native=sized, large=1 << 22, small=500, build=build_gelu)
def gelu_ufunc():
    """Elements of a ufunc."""


def moving_average_body(row, width, out):
    total = 0.0
    for i in range(row.shape[0]):
        total += row[i]
        if i >= width:
            total -= row[i - width]
        out[i] = total / min(i + 1, width)


def build_moving_average():
    return with_out(guvectorize(["void(float64[:], int64, float64[:])"], "(n),()->(n)",
                                target="cuda")(moving_average_body))


def series(rng, n):
    return rng.random((n, 200)), np.full(n, 7), np.zeros((n, 200))


def averages(rows, widths, out):
    sums = np.pad(np.cumsum(rows, 1), ((0, 0), (7, 0)))
    return ((sums[:, 7:] - sums[:, :-7]) / np.minimum(np.arange(1, 201), 7),)


@case(make=series, launch=line(128), expected=averages, native=sized, large=1 << 14, small=50,
      build=build_moving_average)
def moving_average_gufunc():
    """Rows of a generalised ufunc."""


def distance_body(a, b, out):
    total = float32(0)
    for i in range(a.shape[0]):
        total += (a[i] - b[i]) * (a[i] - b[i])
    out[0] = total


def build_distance():
    return with_out(guvectorize(["void(float32[:], float32[:], float32[:])"], "(n),(n)->()",
                                target="cuda")(distance_body))


def row_pairs(rng, n):
    return rng.random((n, 64), np.float32), rng.random((n, 64), np.float32), np.zeros(n, np.float32)


@case(make=row_pairs, launch=line(128), expected=lambda a, b, out: (((a - b) ** 2).sum(1),), native=sized,
      large=1 << 16, small=50, build=build_distance)
def distance_gufunc():
    """Rows to numbers."""


def length_of(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


length = cuda.jit(device=True)(length_of)


def vectors(rng, n):
    return rng.random((3, n), np.float32), np.zeros((3, n), np.float32)


@case(make=vectors, launch=line(256), expected=lambda a, out: (a / np.sqrt((a * a).sum(0)),),
      native=lambda a, out: (a, out, np.int32(a.shape[1])), large=1 << 22, small=500, tolerance=1e-4,
      options={"fastmath": True})
def fast_unit_vectors(a, out):
    i = cuda.grid(1)
    if i < a.shape[1]:
        size = length(a[0, i], a[1, i], a[2, i])
        for axis in range(3):
            out[axis, i] = a[axis, i] / size


@case(make=pairs, launch=line(256), native=sized, large=1 << 22, small=500, tolerance=1e-4,
      expected=lambda x, y, out: (np.exp(-x * x) * np.sin(y) / (1 + np.sqrt(x)) + np.log(1 + y) * np.cos(x),),
      options={"fastmath": True})
def fast_functions(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        u, v = x[i], y[i]
        out[i] = (math.exp(-u * u) * math.sin(v) / (float32(1) + math.sqrt(u))
                  + math.log(float32(1) + v) * math.cos(u))
