"""Linear algebra in the manner of PolyBench."""
import numpy as np
from numba import prange

from programs import PARALLEL, SERIAL, program

BOTH = (SERIAL, PARALLEL)


def matrix(rng, *shape):
    return rng.uniform(-1.0, 1.0, shape)


@program(lambda rng, n: (matrix(rng, n, n), matrix(rng, n, n), matrix(rng, n, n), 1.5, 1.2), 6, 140, "loops", modes=BOTH)
def gemm(a, b, c, alpha, beta):
    for i in prange(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] *= beta
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += alpha * a[i, k] * b[k, j]
    return c


@program(lambda rng, n: (matrix(rng, n, n), matrix(rng, n, n), 1.5, 1.2), 6, 150, "mixed")
def syrk_by_slices(a, c, alpha, beta):
    for i in range(len(c)):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]
    return c


@program(lambda rng, n: (matrix(rng, n, n), *(matrix(rng, n) for _ in range(6))), 8, 400, "loops")
def gemver(a, u, v, y, z, p, q):
    n = len(u)
    x, w, b = np.zeros(n), np.zeros(n), a.copy()
    for i in range(n):
        for j in range(n):
            b[i, j] += u[i] * v[j] + p[i] * q[j]
    for i in range(n):
        for j in range(n):
            x[i] += 1.2 * b[j, i] * y[j]
    for i in range(n):
        x[i] += z[i]
    for i in range(n):
        for j in range(n):
            w[i] += 1.5 * b[i, j] * x[j]
    return w


@program(lambda rng, n: (matrix(rng, n, n), *(matrix(rng, n) for _ in range(6))), 8, 400, "arrays", modes=BOTH)
def gemver_of_arrays(a, u, v, y, z, p, q):
    b = a + np.outer(u, v) + np.outer(p, q)
    x = 1.2 * np.dot(b.T, y) + z
    return 1.5 * np.dot(b, x)


@program(lambda rng, n: (matrix(rng, n, n) + n * np.eye(n),), 6, 160, "loops")
def lu(start):
    a = start.copy()
    n = len(a)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]
    return a


@program(lambda rng, n: (matrix(rng, n, n) + n * np.eye(n), matrix(rng, n)), 6, 200, "arrays")
def gauss_by_rows(start, right):
    a, b = start.copy(), right.copy()
    n = len(b)
    for k in range(n):
        pivot = k + np.argmax(np.abs(a[k:, k]))
        row = a[k].copy()
        a[k] = a[pivot]
        a[pivot] = row
        b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(a[i, i + 1:], x[i + 1:])) / a[i, i]
    return x


@program(lambda rng, n: ((lambda m: m @ m.T + n * np.eye(n))(matrix(rng, n, n)),), 6, 160, "loops")
def cholesky(start):
    a = np.zeros_like(start)
    for j in range(len(a)):
        total = start[j, j]
        for k in range(j):
            total -= a[j, k] ** 2
        a[j, j] = np.sqrt(total)
        for i in range(j + 1, len(a)):
            total = start[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = total / a[j, j]
    return a


@program(lambda rng, n: (matrix(rng, n, n // 2),), 8, 400, "arrays", modes=BOTH)
def correlation(data):
    n = data.shape[0]
    middle = data.sum(axis=0) / n
    spread = np.sqrt(((data - middle) ** 2).sum(axis=0) / n)
    spread = np.where(spread <= 0.1, 1.0, spread)
    scaled = (data - middle) / (np.sqrt(float(n)) * spread)
    return scaled.T @ scaled


@program(lambda rng, n: (matrix(rng, n, n // 2), matrix(rng, n // 2)), 8, 800, "mixed", modes=BOTH)
def power_of_normal_matrix(a, start):
    x = start / np.sqrt((start ** 2).sum())
    size = 0.0
    for _ in range(10):
        y = a.T @ (a @ x)
        size = np.sqrt((y * y).sum())
        x = y / size
    return size, np.abs(x)


@program(lambda rng, n: (rng.integers(1, 100, (n, n)),), 8, 120, "loops", modes=BOTH)
def floyd_warshall(start):
    paths = start.copy()
    for k in range(len(start)):
        for i in prange(len(start)):
            for j in range(len(start)):
                paths[i, j] = min(paths[i, j], paths[i, k] + paths[k, j])
    return paths


@program(lambda rng, n: (matrix(rng, n, n), matrix(rng, n, n), matrix(rng, n, n)), 5, 200, "arrays")
def chained_products(a, b, c):
    d = a @ b + b.T @ c - 0.5 * (c @ a)
    return np.trace(d), d[::7, ::5], np.linalg.norm(d)
