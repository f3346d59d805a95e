"""Linear algebra and transforms."""
import math

import numpy as np

from functions import case


def matrices(rng, n):
    return rng.uniform(-1, 1, (n, n)), rng.uniform(-1, 1, (n, n))


@case(matrices, 8, 128)
def multiply_by_loops(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            out[i, j] = total
    return out


@case(matrices, 8, 128)
def multiply_by_blas(a, b):
    return a @ b + b.T


@case(lambda rng, n: (rng.uniform(-1, 1, (n, n)) + n * np.eye(n),), 6, 100)
def lu_decompose(matrix):
    a = matrix.copy()
    n = len(a)
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


@case(lambda rng, n: (rng.uniform(-1, 1, (n, n)) + n * np.eye(n), rng.uniform(-1, 1, n)), 6, 100)
def solve_and_residual(a, b):
    x = np.linalg.solve(a, b)
    return np.abs(np.dot(a, x) - b).max() < 1e-9


@case(lambda rng, n: (rng.uniform(-1, 1, (n, n)), 20), 6, 200)
def power_iteration(matrix, steps):
    symmetric = matrix + matrix.T
    v = np.ones(len(symmetric))
    for _ in range(steps):
        v = np.dot(symmetric, v)
        v /= math.sqrt(np.dot(v, v))
    return np.dot(v, np.dot(symmetric, v))


@case(lambda rng, n: (rng.uniform(-1, 1, n) + 1j * rng.uniform(-1, 1, n),), 16, 1 << 15)
def fft_radix_2(signal):
    n = len(signal)
    a = signal.copy()
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            a[i], a[j] = a[j], a[i]
    length = 2
    while length <= n:
        step = complex(math.cos(2 * math.pi / length), -math.sin(2 * math.pi / length))
        for begin in range(0, n, length):
            w = 1 + 0j
            for k in range(length // 2):
                even = a[begin + k]
                odd = w * a[begin + k + length // 2]
                a[begin + k] = even + odd
                a[begin + k + length // 2] = even - odd
                w *= step
        length *= 2
    return a


@case(lambda rng, n: (np.arange(n) * 0.1, rng.normal(size=n)), 20, 300_000)
def straight_line_fit(x, y):
    n = len(x)
    slope = (n * np.sum(x * y) - np.sum(x) * np.sum(y)) / (n * np.sum(x * x) - np.sum(x) ** 2)
    return slope, (np.sum(y) - slope * np.sum(x)) / n
