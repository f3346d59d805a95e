"""Indices of any sign from every kind of arithmetic: those that count from the end too."""
import random

import numpy as np
import pytest
from numba import njit

LOOPS = {
    "up": "for i in range(2, n):",
    "down": "for i in range(n - 1, -1, -1):",
    "by three": "for i in range(0, n, 3):",
    "down by two": "for i in range(n - 1, 0, -2):",
    "from a negative": "for i in range(-n, n):",
    "from an argument": "for i in range(start, n):",
    "enumerate": "for i, _ in enumerate(a):",
    "enumerate from": "for i, _ in enumerate(a, -3):",
    "of an array": "for i in order:",
}
EXPRESSIONS = ["i", "i - 2", "-i", "~i", "i % n", "(i * 31) % n - 1", "i // 2 - 1", "i >> 1", "(i & 3) - 2", "i % 4",
               "i // 4", "(i - 3) // 2", "(i - 5) % 8", "min(i, 2) - 1", "max(i, 1) - 1", "n - 1 - i", "i - n",
               "abs(i) % n", "(i ^ 1) % n", "(i if i < 2 else i - 2)", "np.uint8(i & 255) % 5", "np.int32(i)", "(i + start) % n"]


def source(name, loop, expressions):
    lines = [f"def {name}(a, order, start):", "    n = len(a)", "    total = 0.0", f"    {loop}"]
    lines += [f"        if -n <= ({e}) < n:\n            total = total * 1.5 % 97.0 + a[{e}]" for e in expressions]
    return "\n".join(lines) + "\n    return total\n"


@pytest.mark.parametrize("loop", LOOPS)
def test_indices_of_loops(make, loop):
    f = make(source("f", LOOPS[loop], EXPRESSIONS), np=np)
    generator = np.random.default_rng(5)
    a, order = generator.uniform(0, 9, 12), generator.integers(-12, 12, 20)
    for start in (-12, -1, 0, 5):
        assert njit(f)(a, order, start) == pytest.approx(f(a, order, start), rel=1e-12)


def test_counters_of_while_loops(make):
    f = njit(make("def f(a):\n    total, i, j = 0.0, 0, len(a) - 1\n    while i < len(a):\n"
                  "        total = total * 0.5 + a[i] - a[j] + a[i - 1] + a[i - j - 1]\n        i += 1\n        j -= 1\n"
                  "    while j >= -len(a):\n        total += a[j]\n        j -= 1\n    return total\n"))
    a = np.random.default_rng(1).uniform(0, 1, 9)
    assert f(a) == pytest.approx(f.py_func(a), rel=1e-12)


def test_a_hash_that_wraps_around(make):
    # what Python's whole numbers do not do: the sum turns negative, and so does its high part
    f = njit(make("def f(a, n):\n    h = 7\n    total = 0.0\n    for i in range(n):\n"
                  "        h = h * 6364136223846793005 + 1442695040888963407\n"
                  "        total = total * 0.5 + a[h >> 61]\n    return total\n"))
    a = np.arange(8.0)
    h, total = 7, 0.0
    for _ in range(50):
        h = (h * 6364136223846793005 + 1442695040888963407 + 2 ** 63) % 2 ** 64 - 2 ** 63
        total = total * 0.5 + a[h >> 61]
    assert f(a, 50) == total


def test_divisions_of_all_signs(make):
    names = [f"({x} {op} {d})" for x in ("x", "abs(x)") for op in ("//", "%")
             for d in (1, 2, 8, 1 << 40, 3, -2, -7, "y", "(y * y + 1)")]
    f = njit(make("def f(x, y):\n    return (" + ", ".join(names) + ")\n"))
    generator = random.Random(2)
    pairs = [(generator.randint(-2 ** 62, 2 ** 62), generator.choice([-5, -1, 1, 2, 9, 10 ** 9])) for _ in range(40)]
    for x, y in pairs + [(0, 1), (-1, 2), (1, -1), (-8, 8), (7, 8), (-2 ** 63 + 1, -1)]:
        assert f(x, y) == f.py_func(x, y)
    counts = njit(make("def f(n):\n    total = 0\n    for i in range(n):\n        for j in range(1, 9):\n"
                       "            total = total * 3 + i // j + i % j + (i + 1) // (j * 4)\n    return total\n"))
    assert counts(4) == counts.py_func(4)
