# SPDX-License-Identifier: MIT
"""Products of vectors and matrices, as plain loops."""
import numpy as np

from gridcell.library import compiled


@compiled
def dot(a, b):
    if a.ndim == 1 and b.ndim == 1:
        return dot_vectors(a, b)
    elif a.ndim == 2 and b.ndim == 1:
        return dot_matrix_vector(a, b)
    elif a.ndim == 1 and b.ndim == 2:
        return dot_matrix_vector(b.T, a)
    else:
        return dot_matrices(a, b)


@compiled
def check(m, n):
    if m != n:
        raise ValueError("incompatible array sizes for np.dot(a, b)")


@compiled
def dot_vectors(a, b):
    check(len(a), len(b))
    total = a.dtype(0) * b.dtype(0)
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled
def dot_matrix_vector(a, b):
    check(a.shape[1], len(b))
    out = np.full(len(a), a.dtype(0) * b.dtype(0))
    for i in range(len(a)):
        out[i] = dot_vectors(a[i], b)
    return out


@compiled
def dot_matrices(a, b):
    check(a.shape[1], b.shape[0])
    out = np.full((a.shape[0], b.shape[1]), a.dtype(0) * b.dtype(0))
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            x = a[i, k]
            for j in range(b.shape[1]):
                out[i, j] += x * b[k, j]
    return out
