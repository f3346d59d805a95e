"""Prices of options, and random numbers."""
import math

import numpy as np
from numba import cuda, float32, float64, int64, uint64
from numba.cuda.random import xoroshiro128p_dtype, xoroshiro128p_uniform_float32

from gpu_kernels import case, line


def counted(*arguments):
    return *arguments, np.int32(arguments[-1].size)


RATE, VOLATILITY = 0.02, 0.3


def options(rng, n):
    return 5 + 25 * rng.random(n), 1 + 99 * rng.random(n), 0.25 + 9.75 * rng.random(n), np.zeros(n), np.zeros(n)


def prices(spot, strike, years, call, put):
    below = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))
    root = np.sqrt(years)
    d1 = (np.log(spot / strike) + (RATE + 0.5 * VOLATILITY ** 2) * years) / (VOLATILITY * root)
    d2 = d1 - VOLATILITY * root
    now = strike * np.exp(-RATE * years)
    return spot * below(d1) - now * below(d2), now * below(-d2) - spot * below(-d1)


@cuda.jit(device=True)
def share_below(d):
    k = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    found = 0.39894228040143267 * math.exp(-0.5 * d * d) * (
        k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))))
    if d > 0:
        found = 1.0 - found
    return found


@case(make=options, launch=line(128), expected=prices, native=counted, large=1 << 21, small=300, tolerance=1e-4)
def black_scholes_doubles(spot, strike, years, call, put):
    i = cuda.grid(1)
    if i >= spot.size:
        return
    s, x, t = spot[i], strike[i], years[i]
    root = math.sqrt(t)
    d1 = (math.log(s / x) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * t) / (VOLATILITY * root)
    d2 = d1 - VOLATILITY * root
    below1, below2 = share_below(d1), share_below(d2)
    now = x * math.exp(-RATE * t)
    call[i] = s * below1 - now * below2
    put[i] = now * (1.0 - below2) - s * (1.0 - below1)


TREE = 64
LEAVES = TREE + 1


def trees(rng, n):
    return rng.random(n, np.float32) * 50 + 50, rng.random(n, np.float32) * 50 + 50, np.zeros(n, np.float32)


UP, UP_SHARE, DISCOUNT = np.float32(1.05), np.float32(0.51), np.float32(0.999)


def tree_prices(spot, strike, out):
    steps = np.arange(TREE + 1)
    values = np.maximum(strike[:, None] - spot[:, None] * np.float64(UP) ** (2 * steps - TREE), 0)
    for n in range(TREE, 0, -1):
        values = DISCOUNT * (UP_SHARE * values[:, 1:n + 1] + (np.float32(1) - UP_SHARE) * values[:, :n])
    return (values[:, 0],)


@case(make=trees, launch=line(128), expected=tree_prices, native=counted, large=1 << 17, small=200, tolerance=1e-3)
def binomial_trees(spot, strike, out):
    i = cuda.grid(1)
    if i < out.size:
        values = cuda.local.array(LEAVES, float32)
        price = spot[i]
        for k in range(TREE):
            price /= UP
        for k in range(TREE + 1):
            values[k] = max(strike[i] - price, float32(0))
            price *= UP * UP
        for n in range(TREE, 0, -1):
            for k in range(n):
                values[k] = DISCOUNT * (UP_SHARE * values[k + 1] + (float32(1) - UP_SHARE) * values[k])
        out[i] = values[0]


def states_of(rng, n):
    states = np.zeros(n, xoroshiro128p_dtype)
    states["s0"], states["s1"] = rng.integers(0, 2**64, (2, n), np.uint64)
    return states


def walkers(rng, n):
    return states_of(rng, n), np.zeros(n, np.int32)


def next_uniform(states):
    """Steps every state; the numbers that xoroshiro128p_uniform_float32 gives."""
    s0, s1 = states["s0"].copy(), states["s1"].copy()
    total = s0 + s1
    s1 ^= s0
    states["s0"] = (s0 << np.uint64(55) | s0 >> np.uint64(9)) ^ s1 ^ (s1 << np.uint64(14))
    states["s1"] = s1 << np.uint64(36) | s1 >> np.uint64(28)
    return ((total >> np.uint64(11)).astype(np.float64) * 2.0**-53).astype(np.float32)


DARTS = 64


def dart_counts(states, out):
    states, inside = states.copy(), np.zeros_like(out)
    for _ in range(DARTS):
        x, y = next_uniform(states), next_uniform(states)
        inside += x * x + y * y <= np.float32(1)
    return (inside,)


@case(make=walkers, launch=line(128), expected=dart_counts, native=counted, large=1 << 18, small=128,
      is_in_place=True)
def darts(states, out):
    i = cuda.grid(1)
    if i < out.size:
        inside = 0
        for _ in range(DARTS):
            x, y = xoroshiro128p_uniform_float32(states, i), xoroshiro128p_uniform_float32(states, i)
            inside += 1 if x * x + y * y <= float32(1) else 0
        out[i] = inside


def seeds(rng, n):
    return rng.integers(1, 2**62, n, np.uint64), np.zeros(n)


WALK = 100


def walked(seeds, out):
    x, price, total = seeds.copy(), np.full(out.size, 100.0), np.zeros_like(out)
    for _ in range(WALK):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
        price *= 1.0 + 0.02 * ((x >> np.uint64(11)).astype(np.int64) * 2.0**-53 - 0.5)
        total += price
    return (np.maximum(total / WALK - 100.0, 0),)


@case(make=seeds, launch=line(128), expected=walked, native=counted, large=1 << 18, small=128)
def asian_options(seeds, out):
    i = cuda.grid(1)
    if i < out.size:
        x = seeds[i]
        price, total = 100.0, 0.0
        for _ in range(WALK):
            x ^= x << uint64(13)
            x ^= x >> uint64(7)
            x ^= x << uint64(17)
            price *= 1.0 + 0.02 * (float64(int64(x >> uint64(11))) * 2.0**-53 - 0.5)
            total += price
        out[i] = max(total / WALK - 100.0, 0.0)
