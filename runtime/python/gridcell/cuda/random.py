# SPDX-License-Identifier: MIT
"""numba.cuda.random: xoroshiro128+ generators, one state for each thread.

A state is 128 bits and the step from one to the next is linear over GF(2). So 2**64 steps, the
distance between the sequences of neighbouring states, are a 128 x 128 matrix of bits, and the
state of any thread is a product of few such matrices with the first: all are made at once.
"""
import functools
import math

import numpy as np

from numba import float32, float64, uint32, uint64

from . import stubs
from .api import device_array, to_device
from .decorators import jit

__all__ = ["xoroshiro128p_dtype", "init_xoroshiro128p_state", "xoroshiro128p_next",
           "xoroshiro128p_jump", "uint64_to_unit_float64", "uint64_to_unit_float32",
           "xoroshiro128p_uniform_float32", "xoroshiro128p_uniform_float64",
           "xoroshiro128p_normal_float32", "xoroshiro128p_normal_float64",
           "init_xoroshiro128p_states_cpu", "init_xoroshiro128p_states",
           "create_xoroshiro128p_states"]

xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)

_JUMP0 = np.uint64(0xBEAC0467EBA5FACB)  # the polynomial of 2**64 steps
_JUMP1 = np.uint64(0xD86B048B86AA9922)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_TWO_PI_32 = np.float32(2 * math.pi)
_TWO_PI_64 = np.float64(2 * math.pi)
_UNIT = 2.0 ** -53


@jit(device=True)
def rotl(x, k):
    """The 64 bits of x, turned left by k."""
    x = uint64(x)
    k = uint32(k)
    return (x << uint64(k)) | (x >> uint64(uint32(64) - k))


@jit(device=True)
def init_xoroshiro128p_state(states, index, seed):
    """Sets states[index] from a 64-bit seed, by SplitMix64."""
    z = uint64(seed) + _GAMMA
    z = (z ^ (z >> uint64(30))) * _MIX1
    z = (z ^ (z >> uint64(27))) * _MIX2
    z = z ^ (z >> uint64(31))
    states[index]["s0"] = z
    states[index]["s1"] = z


@jit(device=True)
def xoroshiro128p_next(states, index):
    """The next 64 random bits of states[index]."""
    s0 = states[index]["s0"]
    s1 = states[index]["s1"]
    result = s0 + s1
    s1 ^= s0
    states[index]["s0"] = rotl(s0, 55) ^ s1 ^ (s1 << uint64(14))
    states[index]["s1"] = rotl(s1, 36)
    return result


@jit(device=True)
def xoroshiro128p_jump(states, index):
    """Moves states[index] 2**64 steps ahead."""
    s0 = _ZERO
    s1 = _ZERO
    for word in range(2):
        jump = _JUMP0 if word == 0 else _JUMP1
        for bit in range(64):
            if jump & (_ONE << uint64(bit)):
                s0 ^= states[index]["s0"]
                s1 ^= states[index]["s1"]
            xoroshiro128p_next(states, index)
    states[index]["s0"] = s0
    states[index]["s1"] = s1


@jit(device=True)
def uint64_to_unit_float64(x):
    """A float64 in [0, 1) of 64 random bits."""
    return float64(uint64(x) >> uint64(11)) * _UNIT


@jit(device=True)
def uint64_to_unit_float32(x):
    """A float32 in [0, 1] of 64 random bits."""
    return float32(uint64_to_unit_float64(x))


@jit(device=True)
def xoroshiro128p_uniform_float32(states, index):
    """A float32 in [0, 1]."""
    return uint64_to_unit_float32(xoroshiro128p_next(states, index))


@jit(device=True)
def xoroshiro128p_uniform_float64(states, index):
    """A float64 in [0, 1)."""
    return uint64_to_unit_float64(xoroshiro128p_next(states, index))


@jit(device=True)
def xoroshiro128p_normal_float32(states, index):
    """A float32 of the normal distribution, by Box and Muller's method."""
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return math.sqrt(float32(-2.0) * math.log(u1)) * math.cos(_TWO_PI_32 * u2)


@jit(device=True)
def xoroshiro128p_normal_float64(states, index):
    """A float64 of the normal distribution, from two float32 numbers as numba has it."""
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    return math.sqrt(float64(-2.0) * math.log(u1)) * math.cos(_TWO_PI_64 * u2)


# --- Initialisation

_MASK = (1 << 64) - 1


def _first_state(seed):
    z = (int(seed) + int(_GAMMA)) & _MASK
    z = (z ^ (z >> 30)) * int(_MIX1) & _MASK
    z = (z ^ (z >> 27)) * int(_MIX2) & _MASK
    return z ^ (z >> 31)


def _step_matrix():
    """The matrix of one step: column c holds what bit c of (s0, s1) becomes."""
    bits = np.zeros((128, 128), np.float32)

    def turn(x, k):
        return ((x << k) | (x >> (64 - k))) & _MASK

    for column in range(128):
        s0, s1 = (1 << column, 0) if column < 64 else (0, 1 << (column - 64))
        s1 ^= s0
        after = turn(s0, 55) ^ s1 ^ (s1 << 14 & _MASK) | turn(s1, 36) << 64
        for row in range(128):
            bits[row, column] = after >> row & 1
    return bits


def _square(bits):
    return (bits @ bits) % 2


@functools.lru_cache(maxsize=None)
def _power(exponent):
    """The matrix of 2**exponent steps."""
    return _step_matrix() if exponent == 0 else _square(_power(exponent - 1))


@functools.lru_cache(maxsize=None)
def _jumps(count):
    """Jumps by 1, 2, 4, ... sequences: the columns of each matrix as (s0, s1)."""
    for exponent in range(64 + count):  # so that the recursion stays flat
        _power(exponent)
    table = np.empty((count, 128, 2), np.uint64)
    for i in range(count):
        columns = np.packbits(_power(64 + i).T.astype(np.uint8), axis=1, bitorder="little")
        table[i] = np.ascontiguousarray(columns).view("<u8")
    return table


_CHUNK = 16  # states that a thread makes, each from the one before


@jit(device=True)
def _apply(table, power, s0, s1):
    t0 = _ZERO
    t1 = _ZERO
    for bit in range(64):
        if (s0 >> uint64(bit)) & _ONE:
            t0 ^= table[power, bit, 0]
            t1 ^= table[power, bit, 1]
        if (s1 >> uint64(bit)) & _ONE:
            t0 ^= table[power, 64 + bit, 0]
            t1 ^= table[power, 64 + bit, 1]
    return t0, t1


@jit
def _fill_states(states, table, first, start):
    begin = stubs.grid(1) * _CHUNK
    if begin >= states.size:
        return
    s0 = uint64(first)
    s1 = uint64(first)
    jumps = uint64(begin) + uint64(start)
    for power in range(table.shape[0]):
        if (jumps >> uint64(power)) & _ONE:
            s0, s1 = _apply(table, power, s0, s1)
    end = min(begin + _CHUNK, states.size)
    for i in range(begin, end):
        states[i]["s0"] = s0
        states[i]["s1"] = s1
        if i + 1 < end:
            s0, s1 = _apply(table, 0, s0, s1)


def _table(count, subsequence_start):
    if subsequence_start < 0:
        raise ValueError("subsequence_start cannot be negative")
    return _jumps(max(1, (count + int(subsequence_start)).bit_length()))


def init_xoroshiro128p_states_cpu(states, seed, subsequence_start):
    """Sets a host array of states: the first from the seed, each next one 2**64 steps on."""
    table = _table(len(states), subsequence_start)
    if not len(states):
        return
    pair = np.full((1, 2), _first_state(seed), np.uint64)

    def apply(power, pairs):
        out = np.zeros_like(pairs)
        for bit in range(128):
            chosen = -((pairs[:, bit // 64] >> np.uint64(bit % 64)) & _ONE).astype(np.int64)
            out ^= chosen.view(np.uint64)[:, None] & table[power, bit]
        return out

    for power in range(len(table)):
        if int(subsequence_start) >> power & 1:
            pair = apply(power, pair)
    power = 0
    while len(pair) < len(states):
        pair = np.concatenate([pair, apply(power, pair[:len(states) - len(pair)])])
        power += 1
    states["s0"] = pair[:, 0]
    states["s1"] = pair[:, 1]


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    """Sets a device array of states, by a kernel on the device."""
    count = states.size
    table = _table(count, subsequence_start)
    if not count:
        return
    chunks = -(-count // _CHUNK)
    _fill_states[-(-chunks // 128), 128, stream](
        states, to_device(table, stream=stream), np.uint64(_first_state(seed)),
        np.uint64(subsequence_start))


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    """A device array of n states whose sequences do not overlap for 2**64 numbers each."""
    states = device_array(n, dtype=xoroshiro128p_dtype, stream=stream)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states
