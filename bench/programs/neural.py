"""Layers of neural networks, forward, and learning by hand."""
import math

import numpy as np
from numba import prange

from programs import PARALLEL, SERIAL, program

BOTH = (SERIAL, PARALLEL)


def floats(rng, *shape):
    return rng.normal(0.0, 1.0, shape).astype(np.float32)


@program(lambda rng, n: (floats(rng, n, 64), floats(rng, 64, 128), floats(rng, 128), floats(rng, 128, 10), floats(rng, 10)),
         4, 500, "arrays", modes=BOTH, tolerance=1e-3)
def perceptron(x, w1, b1, w2, b2):
    hidden = np.maximum(x @ w1 + b1, np.float32(0))
    scores = hidden @ w2 + b2
    best = np.empty((len(x), 1), np.float32)
    for i in range(len(x)):
        best[i, 0] = scores[i].max()
    powers = np.exp(scores - best)
    return powers / powers.sum(axis=1).reshape(len(x), 1)


@program(lambda rng, n: (rng.normal(size=(3, n, n)), rng.normal(size=(8, 3, 3, 3)), rng.normal(size=8)), 7, 48, "loops",
         modes=BOTH)
def convolution_layer(x, weights, bias):
    filters, channels, k, _ = weights.shape
    rows, columns = x.shape[1] - k + 1, x.shape[2] - k + 1
    out = np.zeros((filters, rows, columns))
    for f in prange(filters):
        for i in range(rows):
            for j in range(columns):
                total = bias[f]
                for c in range(channels):
                    for di in range(k):
                        for dj in range(k):
                            total += weights[f, c, di, dj] * x[c, i + di, j + dj]
                out[f, i, j] = max(total, 0.0)
    return out


@program(lambda rng, n: (rng.normal(size=(3, n, n)), rng.normal(size=(8, 3, 3, 3)), rng.normal(size=8)), 7, 48, "mixed",
         modes=BOTH)
def convolution_by_patches(x, weights, bias):
    filters, channels, k, _ = weights.shape
    rows, columns = x.shape[1] - k + 1, x.shape[2] - k + 1
    patches = np.empty((rows * columns, channels * k * k))
    for i in range(rows):
        for j in range(columns):
            patches[i * columns + j] = x[:, i:i + k, j:j + k].copy().reshape(channels * k * k)
    out = patches @ weights.reshape(filters, channels * k * k).T + bias
    return np.maximum(out, 0.0).T.copy().reshape(filters, rows, columns)


@program(lambda rng, n: (rng.normal(size=(8, n, n)),), 8, 100, "loops", modes=BOTH)
def max_pool(x):
    channels, rows, columns = x.shape
    out = np.empty((channels, rows // 2, columns // 2))
    for c in prange(channels):
        for i in range(rows // 2):
            for j in range(columns // 2):
                best = -np.inf
                for di in range(2):
                    for dj in range(2):
                        if x[c, 2 * i + di, 2 * j + dj] > best:
                            best = x[c, 2 * i + di, 2 * j + dj]
                out[c, i, j] = best
    return out


def softmax_rows(scores):
    out = np.empty_like(scores)
    for i in range(scores.shape[0]):
        row = np.exp(scores[i] - scores[i].max())
        out[i] = row / row.sum()
    return out


@program(lambda rng, n: tuple(rng.normal(size=(n, 32)) for _ in range(3)), 6, 200, "mixed", softmax_rows, modes=BOTH)
def attention(q, k, v):
    scores = q @ k.T / math.sqrt(q.shape[1])
    for i in range(len(scores)):
        scores[i, i + 1:] = -1e9
    return softmax_rows(scores) @ v


@program(lambda rng, n: (rng.normal(size=(n, 64)), rng.normal(size=64), rng.normal(size=64)), 4, 1500, "arrays", modes=BOTH)
def layer_norm_and_gelu(x, scale, shift):
    middle = x.sum(axis=1).reshape(-1, 1) / x.shape[1]
    spread = ((x - middle) ** 2).sum(axis=1).reshape(-1, 1) / x.shape[1]
    y = (x - middle) / np.sqrt(spread + 1e-5) * scale + shift
    return 0.5 * y * (1.0 + np.tanh(0.7978845608 * (y + 0.044715 * y ** 3)))


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@program(lambda rng, n: (rng.normal(size=(n, 16)), rng.normal(size=(128, 48)) * 0.1, rng.normal(size=128)), 5, 300, "arrays",
         sigmoid)
def long_short_term_memory(xs, weights, bias):
    h, c = np.zeros(32), np.zeros(32)
    for t in range(len(xs)):
        gates = weights @ np.concatenate((xs[t], h)) + bias
        c = sigmoid(gates[:32]) * c + sigmoid(gates[32:64]) * np.tanh(gates[64:96])
        h = sigmoid(gates[96:]) * np.tanh(c)
    return h


@program(lambda rng, n: (rng.normal(size=(n, 10)), (rng.uniform(0, 1, n) < 0.5).astype(np.float64), 20), 20, 2000, "arrays",
         modes=BOTH)
def logistic_regression(x, y, rounds):
    w = np.zeros(x.shape[1])
    for _ in range(rounds):
        guess = 1.0 / (1.0 + np.exp(-np.dot(x, w)))
        w -= 0.01 * np.dot(guess - y, x)
    return w


@program(lambda rng, n: (rng.normal(size=(n, 8)), rng.normal(size=n), rng.integers(0, n, 400)), 20, 2000, "loops")
def stochastic_descent(x, y, order):
    w, m, v = np.zeros(8), np.zeros(8), np.zeros(8)
    for step in range(len(order)):
        i = order[step]
        miss = -y[i]
        for j in range(8):
            miss += x[i, j] * w[j]
        for j in range(8):
            g = 2.0 * miss * x[i, j]
            m[j] = 0.9 * m[j] + 0.1 * g
            v[j] = 0.999 * v[j] + 0.001 * g * g
            w[j] -= 0.01 * (m[j] / (1 - 0.9 ** (step + 1))) / (math.sqrt(v[j] / (1 - 0.999 ** (step + 1))) + 1e-8)
    return w
