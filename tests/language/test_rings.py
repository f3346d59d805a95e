# SPDX-License-Identifier: MIT
"""Neighbours in rows that are closed to rings: remainders that a choice takes the place of, and those that it cannot."""
import itertools
import random
import re

import numpy as np
import pytest
from numba import cuda, njit

from test_bounds import agree, outcome

NEIGHBOURS = ("(i + 1) % n", "(i - 1) % n", "(i + 2) % n", "(i - 2) % n", "(1 + i) % n", "(i + n - 1) % n", "(i - 1 + n) % n",
              "(n + i - 2) % n", "(n + i + 1) % n", "(i + 1 - 2) % n", "i % n", "(i + 3) % n", "(i - n) % n", "(i + n + n) % n",
              "(i + 1) % (n + 1)", "(i - 1) % (n - 1)", "(i + 1) % m", "(i + m) % n", "(2 * i + 1) % n", "(n - i) % n")
RANGES = ("n", "1, n", "n - 1, -1, -1", "0, n, 2", "n - 1", "n + 1", "-2, n", "m", "n, 0, -1")


@pytest.mark.parametrize("over", RANGES)
def test_neighbours(make, over):
    chosen = random.Random(over).sample(NEIGHBOURS, 12)
    lines = [f"def f{k}(a, out, m):\n    n = len(a)\n    for i in range({over}):\n        out[i] += 1 + a[{index}]\n"
             for k, index in enumerate(chosen)]
    source = "\n".join(lines) + "\nf = (" + ", ".join(f"f{k}" for k in range(len(lines))) + ")\n"
    for function in make(source):
        compiled, checked = njit(function), njit(boundscheck=True)(function)
        for n, m in ((0, 0), (1, 1), (1, 3), (2, 2), (3, 2), (7, 7), (8, 3)):
            args = np.arange(1.0, n + 1), np.zeros(n), m
            agree(checked, *args)
            if outcome(function, *args)[0] != "IndexError":  # of computed indices, asked about on demand only
                agree(compiled, *args)


WAYS = ("0 <= i and i < n", "0 <= i < n", "not (i < 0 or i >= n)", "n > i > -1", "i >= 0 and i <= n", "i < n", "i >= 0",
        "i > -2 and i < n", "i < n or i >= 0", "i >= n")


def test_numbers_that_were_compared(make):
    """By a branch on the way, or not at all; sums that leave int64 wrap around."""
    lines = [f"def f{k}(i, n, m):\n    if {way}:\n        return (i + 1) % n, (i - 1) % n, (i + 2) % n, (i - 2) % n, (i + 3) % n, "
             f"(i + 1) % m\n    return (i + 1) % n, (i - 1) % n, (2 * i + 1) % n, -1, -1, -1\n" for k, way in enumerate(WAYS)]
    functions = [njit(f) for f in make("\n".join(lines) + "\nf = (" + ", ".join(f"f{k}" for k in range(len(WAYS))) + ")\n")]
    numbers = [(i, n, m) for i in range(-4, 7) for n in (-3, -1, 1, 2, 4, 0) for m in (1, 5)]
    numbers += [(i, n, 5) for i in (2**63 - 1, 2**63 - 3, -2**63, 1 - 2**63) for n in (2**63 - 1, 2**63 - 2, 3, -2**63)]

    def remainder(number, n):
        return ((number + 2**63) % 2**64 - 2**63) % n

    def expected(i, n, m, is_so):
        if is_so:
            return (*(remainder(i + by, n) for by in (1, -1, 2, -2, 3)), remainder(i + 1, m))
        return remainder(i + 1, n), remainder(i - 1, n), remainder(2 * i + 1, n), -1, -1, -1

    for way, compiled in zip(WAYS, functions):
        for i, n, m in numbers:
            assert outcome(compiled, i, n, m) == outcome(expected, i, n, m, eval(way, {"i": i, "n": n})), (way, i, n, m)


def test_a_number_that_a_loop_changes(make):
    f = make("""
def f(i, n, m):
    seen = 0
    if i < n:
        for k in range(m):
            if i < 0:
                return seen
            seen = 10 * seen + (i + 1) % n * 3 + (i - 1) % n
            i += k - 2
    while i >= 0 and i < 2 * n:
        seen = 10 * seen + (i + 1) % n
        i += 1
        if i < n and i > 0:
            i += n
            seen = 10 * seen + (i - 1) % n
    return seen
""")
    compiled = njit(f)
    for i, n, m in itertools.product((-1, 0, 1, 4), (1, 2, 5), (0, 3, 7)):
        assert compiled(i, n, m) == f(i, n, m), (i, n, m)


@pytest.mark.parametrize("moves", ("range(-1, 2)", "range(2, -3, -1)", "(-1, 0, 1)", "(-2, 2)", "range(3)", "(0, 3)"))
def test_steps_of_a_loop(make, moves):
    source = f"""
def f(a, n):
    out = [0 * a[0]]
    for i in range(n):
        for d in {moves}:
            for e in range(-1, 1):
                out.append(a[(i + d) % n] + 3 * a[(i - d) % n] + 5 * a[(d + i + 1) % n] + 7 * a[(i + n - d) % n])
                out.append(a[(i + d + e) % n] * 11 + a[(i + d - e + n) % n] * 13)
    return out
"""
    f = make(source)
    compiled = njit(f)
    for n in (1, 2, 3, 8):
        a = np.arange(8) ** 2
        assert compiled(a, n) == f(a, n)


def test_moves_in_pairs():
    def f(a):
        n, m = a.shape
        out = np.zeros_like(a)
        for i in range(n):
            for j in range(m):
                for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1), (-2, 2)):
                    out[i, j] += a[(i + di) % n, (j + dj) % m] * (3 + di + 2 * dj)
        return out

    compiled = njit(f)
    for shape in ((1, 1), (1, 5), (2, 3), (7, 4)):
        a = np.random.default_rng(1).integers(0, 9, shape)
        assert np.array_equal(compiled(a), f(a))


def test_kernels():
    @cuda.jit
    def life(a, out):
        x, y = cuda.grid(2)
        n, m = a.shape
        if x < n and y < m:
            for dx in range(-1, 2):
                for dy in range(-1, 2):
                    out[x, y] += a[(x + dx) % n, (y + dy) % m] * (dx + 3 * dy + 5)

    @cuda.jit
    def cross(a, out):
        y, x = cuda.grid(2)
        if x >= a.shape[1] or y >= a.shape[0]:
            return
        h, w = a.shape
        out[y, x] = a[(y - 1) % h, x] - a[(y + 1) % h, x] + 3 * a[y, (x + w - 1) % w] + 5 * a[y, (x + 2) % w]

    for shape in ((1, 1), (2, 1), (5, 9), (16, 16)):
        a = np.random.default_rng(0).integers(0, 99, shape)
        up, down, left, right = (np.roll(a, *by) for by in ((1, 0), (-1, 0), (1, 1), (-2, 1)))
        out = np.zeros_like(a)
        life[(3, 3), (8, 8)](a, out)
        assert np.array_equal(out, sum(np.roll(a, (-dx, -dy), (0, 1)) * (dx + 3 * dy + 5)
                                       for dx in (-1, 0, 1) for dy in (-1, 0, 1)))
        cross[(3, 3), (8, 8)](a, out)
        assert np.array_equal(out, up - down + 3 * left + 5 * right)
    for kernel in (life, cross):
        assert not re.search(r"[us]rem i64", "".join(kernel.inspect_llvm().values()))


@pytest.mark.parametrize("options", ({}, {"error_model": "numpy"}, {"parallel": True}))
def test_a_torus(options):
    def f(a):
        n, m = a.shape
        out = np.zeros_like(a)
        for i in range(n):
            for j in range(m):
                out[i, j] = (a[(i + 1) % n, j] + 2 * a[(i - 1) % n, j] + 3 * a[i, (j + 1) % m] + 5 * a[i, (j + m - 1) % m]
                             + 7 * a[(i + 2) % n, (j - 2) % m])
        return out

    compiled = njit(**options)(f)
    for shape in ((0, 3), (1, 1), (2, 1), (1, 4), (3, 3), (5, 40)):
        a = np.arange(float(shape[0] * shape[1])).reshape(shape)
        assert np.array_equal(compiled(a), f(a))


def test_numbers_near_the_largest():
    def f(n, first):
        out = [(0, 0, 0, 0)]
        for i in range(first, n):
            out.append(((i + 1) % n, (i - 1) % n, (i + 2) % n if i < n - 2 else -1, (i + n - 1) % n if n < 9 else -1))
        return out

    compiled = njit(f)
    largest = 2**63 - 1
    for n, first in ((largest, largest - 4), (largest - 1, largest - 5), (3, 0), (1, 0)):
        assert compiled(n, first) == f(n, first)


def test_there_is_no_division_and_there_are_vectors():
    @njit
    def f(a, out):
        n = len(a)
        for i in range(n):
            out[i] = a[(i + 1) % n] - a[(i - 1) % n]

    f(np.ones(9), np.ones(9))
    code, = f.inspect_llvm().values()
    assert not re.search(r"[us]rem i64", code) and re.search(r"store <\d+ x double>", code)
