# SPDX-License-Identifier: MIT
"""Neighbours in rows that are closed to rings: remainders that a choice takes the place of, and those that it cannot."""
import random
import re

import numpy as np
import pytest
from numba import njit

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
