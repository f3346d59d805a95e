"""Pixels and transforms: fractals, colours, interpolation, wavelets, cosines, Fourier."""
import math

import numpy as np
from numba import cuda, float32, int32

from gpu_kernels import case, square

STEPS = 200


def counted_twice(*arguments):
    return *arguments, np.int32(arguments[-1].shape[0]), np.int32(arguments[-1].shape[1])


def escapes(c, z, limit, power):
    counts = np.full(c.shape, limit)
    for k in range(limit):
        z = np.where(counts == limit, power(z) + c, 0)
        counts[(counts == limit) & (z.real ** 2 + z.imag ** 2 > 4)] = k
    return counts


def mandelbrot_counts(left, top, step, out):
    y, x = np.indices(out.shape)
    c = (left + x * step) + 1j * (top + y * step)
    return (escapes(c, np.zeros_like(c), STEPS, lambda z: z * z),)


def window(rng, n):
    return -2.0, -1.25, 2.5 / n, np.zeros((n, n), np.int32)


@case(make=window, launch=square(32, 8), expected=mandelbrot_counts,
      native=lambda left, top, step, out: (np.float64(left), np.float64(top), np.float64(step), out,
                                           np.int32(out.shape[0]), np.int32(out.shape[1])), large=2048, small=32)
def mandelbrot(left, top, step, out):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        c = complex(left + x * step, top + y * step)
        z = 0j
        count = STEPS
        for k in range(STEPS):
            z = z * z + c
            if z.real * z.real + z.imag * z.imag > 4.0:
                count = k
                break
        out[y, x] = count


def julia_window(rng, n):
    grid = np.linspace(-1.5, 1.5, n)
    return (grid + 1j * grid[:, None]).astype(np.complex64), np.zeros((n, n), np.uint8)


SEED = np.complex64(-0.8 + 0.156j)
SEED_REAL, SEED_IMAG = float32(SEED.real), float32(SEED.imag)


def julia_counts(z, out):
    counts = np.full(z.shape, 100, np.uint8)
    x, y = z.real.copy(), z.imag.copy()
    for k in range(100):
        inside = counts == 100
        x, y = np.where(inside, x * x - y * y + SEED.real, 0), np.where(inside, 2 * x * y + SEED.imag, 0)
        counts[inside & (x * x + y * y > 4)] = k
    return (counts,)


# Of 26 x 26 places none is counted otherwise where products and sums are fused, whichever are.
@case(make=julia_window, launch=square(16, 16), expected=julia_counts, native=counted_twice, large=2048, small=26)
def julia(start, out):
    x, y = cuda.grid(2)
    if x >= out.shape[1] or y >= out.shape[0]:
        return
    re, im = start[y, x].real, start[y, x].imag
    k = 0
    while k < 100:
        re, im = re * re - im * im + SEED_REAL, float32(2) * re * im + SEED_IMAG
        if re * re + im * im > float32(4):
            break
        k += 1
    out[y, x] = k


def coloured(rng, n):
    return rng.integers(0, 256, (n, n, 3), np.uint8), np.zeros((n, n), np.uint8)


@case(make=coloured, launch=square(32, 8), native=counted_twice, large=4096, small=50,
      expected=lambda rgb, grey: ((rgb @ np.array([77, 150, 29])) >> 8,))
def grey_levels(rgb, grey):
    x, y = cuda.grid(2)
    if y < rgb.shape[0] and x < rgb.shape[1]:
        grey[y, x] = (77 * rgb[y, x, 0] + 150 * rgb[y, x, 1] + 29 * rgb[y, x, 2]) >> 8


def plane(rng, n):
    y, x = np.indices((n, n), np.float32)
    return np.float32(math.cos(0.3)), np.float32(math.sin(0.3)), np.sin(x / 7) + np.cos(y / 5), \
        np.zeros((n, n), np.float32)


def rotated(cosine, sine, a, out):
    n = a.shape[0]
    y, x = np.indices(a.shape).astype(np.float32) - np.float32(n // 2)
    from_x, from_y = cosine * x + sine * y + np.float32(n // 2), cosine * y - sine * x + np.float32(n // 2)
    j, i = np.floor(from_x).astype(int), np.floor(from_y).astype(int)
    is_inside = (j >= 0) & (j < n - 1) & (i >= 0) & (i < n - 1)
    j, i, u, v = j[is_inside], i[is_inside], (from_x - j)[is_inside], (from_y - i)[is_inside]
    out = np.zeros_like(out)
    out[is_inside] = ((1 - v) * ((1 - u) * a[i, j] + u * a[i, j + 1])
                      + v * ((1 - u) * a[i + 1, j] + u * a[i + 1, j + 1]))
    return (out,)


@case(make=plane, launch=square(16, 16), expected=rotated, native=counted_twice, large=4096, small=41,
      tolerance=1e-3)
def rotate_bilinear(cosine, sine, a, out):
    column, row = cuda.grid(2)
    height, width = a.shape
    if row < height and column < width:
        x, y = float32(column - width // 2), float32(row - height // 2)
        from_x = cosine * x + sine * y + float32(width // 2)
        from_y = cosine * y - sine * x + float32(height // 2)
        j, i = int32(math.floor(from_x)), int32(math.floor(from_y))
        if j >= 0 and j < width - 1 and i >= 0 and i < height - 1:
            u, v = from_x - float32(j), from_y - float32(i)
            one = float32(1)
            out[row, column] = ((one - v) * ((one - u) * a[i, j] + u * a[i, j + 1])
                                + v * ((one - u) * a[i + 1, j] + u * a[i + 1, j + 1]))
        else:
            out[row, column] = 0


def signal(rng, n):
    return np.int32(1 << 6), rng.random(n) + 1j * rng.random(n)


def one_stage(half, values):
    blocks = values.reshape(-1, 2, half)
    turned = blocks[:, 1] * np.exp(-1j * math.pi * np.arange(half) / half)
    return (np.stack([blocks[:, 0] + turned, blocks[:, 0] - turned], 1).ravel(),)


@case(make=signal, launch=lambda n: (-(-n // 512), 256), expected=one_stage, large=1 << 21, small=1024,
      native=lambda half, values: (half, values, np.int32(values.size // 2)), is_in_place=True)
def fft_stage(half, values):
    i = cuda.grid(1)
    if i < values.size // 2:
        k = i % half
        first = (i // half) * 2 * half + k
        angle = -math.pi * k / half
        turned = complex(math.cos(angle), math.sin(angle)) * values[first + half]
        kept = values[first]
        values[first] = kept + turned
        values[first + half] = kept - turned


COSINES = np.array([[math.sqrt((1 if k == 0 else 2) / 8) * math.cos(math.pi * (2 * i + 1) * k / 16)
                     for i in range(8)] for k in range(8)], np.float32)


@case(make=lambda rng, n: (rng.random((n, n), np.float32), COSINES.copy(), np.zeros((n, n), np.float32)),
      launch=square(8, 8), large=4096, small=32, native=counted_twice, tolerance=1e-4,
      expected=lambda a, cosines, out: (np.einsum("ki,aibj,lj->akbl", cosines, a.reshape(
          a.shape[0] // 8, 8, -1, 8), cosines).reshape(a.shape),))
def cosine_blocks(a, cosines, out):
    own = cuda.shared.array((8, 8), float32)
    half = cuda.shared.array((8, 8), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.grid(2)
    own[ty, tx] = a[y, x]
    cuda.syncthreads()
    total = float32(0)
    for i in range(8):
        total += cosines[ty, i] * own[i, tx]
    half[ty, tx] = total
    cuda.syncthreads()
    total = float32(0)
    for j in range(8):
        total += half[ty, j] * cosines[tx, j]
    out[y, x] = total


ROOT_HALF = np.float32(math.sqrt(0.5))


@case(make=lambda rng, n: (rng.random((n, n), np.float32), np.zeros((n, n), np.float32)), launch=square(32, 8),
      large=4096, small=50, native=counted_twice, expected=lambda a, out: (np.concatenate(
          [(a[:, ::2] + a[:, 1::2]) * ROOT_HALF, (a[:, ::2] - a[:, 1::2]) * ROOT_HALF], 1),))
def haar_rows(a, out):
    x, y = cuda.grid(2)
    half = a.shape[1] // 2
    if y < a.shape[0] and x < half:
        left, right = a[y, 2 * x], a[y, 2 * x + 1]
        out[y, x] = (left + right) * ROOT_HALF
        out[y, half + x] = (left - right) * ROOT_HALF
