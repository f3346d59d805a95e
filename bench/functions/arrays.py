"""NumPy arrays, in loops and as whole expressions."""
import math

import numpy as np

from functions import case


def vectors(count):
    return lambda rng, n: tuple(rng.uniform(-1, 1, n) for _ in range(count))


def image(rng, n):
    return (rng.uniform(0, 1, (n, n)),)


@case(vectors(2), 100, 1_000_000)
def dot(a, b):
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@case(vectors(1), 100, 1_000_000)
def two_passes_of_variance(a):
    mean = 0.0
    for x in a:
        mean += x
    mean /= a.size
    total = 0.0
    for x in a:
        total += (x - mean) ** 2
    return total / a.size


@case(vectors(2), 100, 1_000_000)
def array_expression(a, b):
    return 2 * a * b + np.sin(a) - b / 3


@case(vectors(1), 100, 1_000_000)
def clipped_relu(a):
    return np.minimum(np.maximum(a, 0), 0.5)


@case(vectors(1), 100, 1_000_000)
def normalize(a):
    return (a - a.mean()) / a.std()


@case(vectors(1), 100, 1_000_000)
def prefix_sums(a):
    out = np.empty_like(a)
    total = 0.0
    for i in range(a.size):
        total += a[i]
        out[i] = total
    return out


@case(lambda rng, n: (rng.integers(0, 256, n),), 100, 1_000_000)
def histogram_of_bytes(values):
    counts = np.zeros(256, np.int64)
    for value in values:
        counts[value] += 1
    return counts


@case(lambda rng, n: (rng.normal(size=n),), 100, 200_000)
def histogram_of_floats(values):
    return np.histogram(values, 50, (-4.0, 4.0))[0]


@case(image, 16, 512)
def five_point_stencil(a):
    out = np.zeros_like(a)
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            out[i, j] = 0.2 * (a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return out


@case(lambda rng, n: (rng.uniform(0, 1, (n, n)), rng.uniform(0, 1, (5, 5))), 12, 256)
def convolve(picture, weights):
    height, width = weights.shape
    out = np.zeros((picture.shape[0] - height + 1, picture.shape[1] - width + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for k in range(height):
                for m in range(width):
                    total += picture[i + k, j + m] * weights[k, m]
            out[i, j] = total
    return out


@case(lambda rng, n: (n, n, 50), 8, 200)
def mandelbrot(height, width, limit):
    out = np.zeros((height, width), np.int32)
    for i in range(height):
        for j in range(width):
            c = complex(-2 + 3 * j / width, -1.5 + 3 * i / height)
            z = 0j
            for k in range(limit):
                if z.real * z.real + z.imag * z.imag > 4:
                    break
                z = z * z + c
                out[i, j] = k
    return out


@case(vectors(1), 64, 20_000)
def moving_average(a):
    width = 32
    out = np.empty(a.size - width + 1)
    for i in range(out.size):
        out[i] = a[i:i + width].mean()
    return out


@case(lambda rng, n: (rng.uniform(0, 1, (n, 3)),), 10, 400)
def pairwise_distances(points):
    count = len(points)
    out = np.empty((count, count))
    for i in range(count):
        for j in range(count):
            total = 0.0
            for k in range(points.shape[1]):
                difference = points[i, k] - points[j, k]
                total += difference * difference
            out[i, j] = math.sqrt(total)
    return out


@case(lambda rng, n: (rng.uniform(-1, 1, (n, n)),), 10, 1000)
def sums_along_axes(a):
    return a.sum(axis=0) + a.sum(axis=1)


@case(lambda rng, n: (rng.uniform(0, 1, (n, n, 3)),), 8, 300)
def grey_levels(picture):
    out = np.empty(picture.shape[:2])
    for i in range(picture.shape[0]):
        for j in range(picture.shape[1]):
            red, green, blue = picture[i, j, 0], picture[i, j, 1], picture[i, j, 2]
            out[i, j] = 0.299 * red + 0.587 * green + 0.114 * blue
    return out


@case(lambda rng, n: (rng.uniform(-1, 1, n), rng.integers(0, n, n)), 100, 500_000)
def gather_where_positive(values, indices):
    chosen = values[indices]
    return chosen[chosen > 0].sum()
