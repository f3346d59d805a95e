"""Kernels whose time is that of the memory: layouts, strides, records."""
import numpy as np
from numba import cuda

from gpu_kernels import case, line, sized, square


def matrix(rng, n):
    return rng.random((n, n), np.float32), np.zeros(n, np.float32)


@case(make=matrix, launch=line(128), expected=lambda a, out: (a.sum(0, np.float64),), native=sized,
      large=4096, small=150)
def column_sums(a, out):
    j = cuda.grid(1)
    if j < a.shape[1]:
        total = np.float32(0)
        for i in range(a.shape[0]):
            total += a[i, j]
        out[j] = total


@case(make=matrix, launch=line(128), expected=lambda a, out: (a.sum(1, np.float64),), native=sized,
      large=4096, small=150)
def row_sums(a, out):
    i = cuda.grid(1)
    if i >= a.shape[0]:
        return
    row, total = a[i], np.float32(0)
    for value in row:
        total += value
    out[i] = total


def gathered(rng, n):
    return rng.random(n), rng.integers(0, n, n), np.zeros(n)


@case(make=gathered, launch=line(256), expected=lambda a, index, out: (a[index],), native=sized,
      large=1 << 22, small=700)
def gather(a, index, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[index[i]]


def every_other(rng, n):
    return rng.random(2 * n, np.float32)[::2], np.zeros(n, np.float32)


def with_stride(a, out):
    return a, out, np.int32(a.strides[0] // a.itemsize), np.int32(out.size)


@case(make=every_other, launch=line(256), expected=lambda a, out: (a * np.float32(2),), native=with_stride,
      large=1 << 23, small=700)
def strided_view(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] * np.float32(2)


def cube(rng, n):
    return rng.random((n, n, n)), np.zeros((n, n, n))


@case(make=cube, launch=lambda n: ((-(-n // 32), -(-n // 4), -(-n // 2)), (32, 4, 2)),
      expected=lambda a, out: (a.transpose(2, 1, 0),), native=sized, large=256, small=20)
def transpose_3d(a, out):
    k, j, i = cuda.grid(3)
    if i < a.shape[0] and j < a.shape[1] and k < a.shape[2]:
        out[k, j, i] = a[i, j, k]


def complex_vectors(rng, n):
    x, y, z = ((rng.random(n, np.float32) + 1j * rng.random(n, np.float32)).astype(np.complex64) for _ in range(3))
    return x, y, z


@case(make=complex_vectors, launch=line(256), expected=lambda x, y, z: (x * y + z,), native=sized,
      large=1 << 22, small=700, is_in_place=True)
def complex_multiply_add(x, y, z):
    i = cuda.grid(1)
    if i < z.size:
        z[i] += x[i] * y[i]


BODY = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("vx", "f4"), ("vy", "f4"), ("vz", "f4"), ("mass", "f8")])
STEP = np.float32(0.125)


def records(rng, n):
    bodies = np.zeros(n, BODY)
    for name in BODY.names:
        bodies[name] = rng.random(n)
    return STEP, bodies


def advanced(step, bodies):
    bodies = bodies.copy()
    for axis in "xyz":
        bodies[axis] += step * bodies["v" + axis]
    bodies["mass"] *= 0.5
    return (bodies,)


@case(make=records, launch=line(256), expected=advanced,
      native=lambda step, bodies: (step, bodies, np.int32(bodies.size)), large=1 << 21, small=500, is_in_place=True)
def records_advance(step, bodies):
    i = cuda.grid(1)
    if i < bodies.size:
        body = bodies[i]
        body.x += step * body.vx
        body.y += step * body.vy
        body.z += step * body.vz
        body.mass *= 0.5


def columns(rng, n):
    return rng.random((3, n), np.float32), rng.random((3, n), np.float32)


@case(make=columns, launch=line(256), expected=lambda speeds, places: (places + STEP * speeds,),
      native=lambda speeds, places: (speeds, places, np.int32(places.shape[1])), large=1 << 21, small=500,
      is_in_place=True)
def columns_advance(speeds, places):
    i = cuda.grid(1)
    if i < places.shape[1]:
        for axis in range(3):
            places[axis, i] += STEP * speeds[axis, i]


def lookup(rng, n):
    return rng.integers(0, 256, (n, n), np.uint8), rng.random(256, np.float32), np.zeros((n, n), np.float32)


@case(make=lookup, launch=square(32, 8), expected=lambda a, table, out: (table[a],), native=sized,
      large=4096, small=70)
def byte_lookup(a, table, out):
    x, y = cuda.grid(2)
    if y < a.shape[0] and x < a.shape[1]:
        out[y, x] = table[a[y, x]]
