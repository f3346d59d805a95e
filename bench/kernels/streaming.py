"""One item in, one item out."""
import math

import numpy as np
from numba import cuda, njit, prange

from kernels import bytes_of, case, line


def floats(count):
    return lambda rng, n: (*(rng.random(n, np.float32) for _ in range(count)), np.zeros(n, np.float32))


@njit(parallel=True)
def add_loops(a, b, out):
    for i in prange(out.size):
        out[i] = a[i] + b[i]


@case(loops=add_loops, make=floats(2), launch=line(256), expected=lambda a, b, out: (a + b,),
      gpu=1 << 26, emulator=1 << 22, small=256, moved=bytes_of)
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


@njit(parallel=True)
def saxpy_loops(factor, x, y, out):
    for i in prange(out.size):
        out[i] = factor * x[i] + y[i]


@case(loops=saxpy_loops, make=lambda rng, n: (np.float32(2.5), *floats(2)(rng, n)), launch=line(256),
      expected=lambda factor, x, y, out: (factor * x + y,), gpu=1 << 26, emulator=1 << 22, small=256,
      moved=lambda factor, x, y, out: bytes_of(x, y, out))
def saxpy(factor, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = factor * x[i] + y[i]


@njit(parallel=True)
def copy_loops(source, out):
    for i in prange(out.size):
        out[i] = source[i]


# at most 128 blocks for each of the 132 multiprocessors of an H200
@case(loops=copy_loops, make=floats(1), launch=lambda size: (max(1, min(size // 256, 128 * 132)), 256),
      expected=lambda source, out: (source,), gpu=1 << 26, emulator=1 << 22, small=256, moved=bytes_of)
def copy(source, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = source[i]


@njit(parallel=True)
def gather_loops(values, indices, out):
    for i in prange(out.size):
        out[i] = values[indices[i]]


def gathered(rng, n):
    return rng.random(n, np.float32), rng.integers(0, n, n, np.int32), np.zeros(n, np.float32)


@case(loops=gather_loops, make=gathered, launch=line(256),
      expected=lambda values, indices, out: (values[indices],), gpu=1 << 26, emulator=1 << 20, small=256)
def gather(values, indices, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = values[indices[i]]


RATE, VOLATILITY = 0.02, 0.3


def options(rng, n):
    return (rng.uniform(5, 30, n), rng.uniform(1, 100, n), rng.uniform(0.25, 10, n),
            np.zeros(n), np.zeros(n))


def priced(price, strike, years, call, put):
    erf = np.vectorize(math.erf)
    root = np.sqrt(years)
    d1 = (np.log(price / strike) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years) / (VOLATILITY * root)
    below1 = 0.5 + 0.5 * erf(d1 / math.sqrt(2))
    below2 = 0.5 + 0.5 * erf((d1 - VOLATILITY * root) / math.sqrt(2))
    discounted = strike * np.exp(-RATE * years)
    value = price * below1 - discounted * below2
    return value, value - price + discounted


ROOT_HALF = math.sqrt(0.5)


@njit(parallel=True)
def black_scholes_loops(price, strike, years, call, put):
    for i in prange(price.size):
        root = math.sqrt(years[i])
        d1 = ((math.log(price[i] / strike[i]) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years[i])
              / (VOLATILITY * root))
        below1 = 0.5 + 0.5 * math.erf(d1 * ROOT_HALF)
        below2 = 0.5 + 0.5 * math.erf((d1 - VOLATILITY * root) * ROOT_HALF)
        discounted = strike[i] * math.exp(-RATE * years[i])
        value = price[i] * below1 - discounted * below2
        call[i] = value
        put[i] = value - price[i] + discounted


@case(loops=black_scholes_loops, make=options, launch=line(256), expected=priced,
      gpu=1 << 24, emulator=1 << 18, small=256)
def black_scholes(price, strike, years, call, put):
    i = cuda.grid(1)
    if i < price.size:
        root = math.sqrt(years[i])
        d1 = ((math.log(price[i] / strike[i]) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years[i])
              / (VOLATILITY * root))
        below1 = 0.5 + 0.5 * math.erf(d1 * ROOT_HALF)
        below2 = 0.5 + 0.5 * math.erf((d1 - VOLATILITY * root) * ROOT_HALF)
        discounted = strike[i] * math.exp(-RATE * years[i])
        value = price[i] * below1 - discounted * below2
        call[i] = value
        put[i] = value - price[i] + discounted
