"""Loops over short rows that store are there twice: without questions, and up to the turn that fails."""
import re

import numpy as np
import pytest
from numba import njit


def fails(function, *args):
    try:
        function(*args)
    except IndexError as error:
        return str(error)
    return None


def loop(text, count):
    names = {}
    exec(f"def f(a, b, c, n):\n" + text.replace("COUNT", str(count)), names)
    return names["f"]


LOOPS = {
    "update": "    for i in range(len(c)):\n        for k in range(n):\n            for j in range(COUNT):\n"
              "                c[i, j] += a[i, k] * b[k, j]\n",
    "rows": "    for k in range(n):\n        for j in range(COUNT):\n            c[k, j] = b[k, j] * 2 + j\n",
    "down": "    for i in range(2):\n        for k in range(n - 1, -1, -1):\n            for j in range(COUNT - 1, -1, -1):\n"
            "                c[k, j] += b[k, j] - a[j, k]\n",
    "steps": "    for i in range(2):\n        for k in range(0, n, 2):\n            for j in range(COUNT):\n"
             "                c[k + i, j] += b[k, j]\n",
    "moved": "    for i in range(1, n):\n        for k in range(i, n - 1):\n            for j in range(COUNT):\n"
             "                c[k - 1, j] = c[k, j] + b[k + 1, j] * i\n",
    "from the end": "    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT):\n"
                    "                c[k, j - 1] += b[-1 - k, -j]\n",
    "may be negative": "    for i in range(2):\n        for k in range(-1, n):\n            for j in range(COUNT):\n"
                       "                c[k, j] += b[k - 1, j]\n",
    "choice": "    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT):\n"
              "                if b[k, j] > 0:\n                    c[k, j] = b[k, j]\n                else:\n"
              "                    c[k, j] -= a[j, k]\n",
    "some": "    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT):\n"
            "                if b[k, j] > 0:\n                    c[2 * k, j] = 1.0\n",
    "gathered": "    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT):\n"
                "                c[int(a[0, k]) % 7, j] += b[k, j]\n",
    "two rows": "    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT):\n                c[k, j] += b[k, j]\n"
                "            for j in range(COUNT - 1):\n                c[k, j + 1] -= b[k, j]\n",
    "sums": "    for i in range(2):\n        for k in range(n):\n            s = 0.0\n            for j in range(COUNT):\n"
            "                s += b[k, j]\n            for j in range(COUNT):\n                c[k, j] += b[k, j] / (s * s + 1)\n",
    "carried": "    t = 0.0\n    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT):\n"
               "                t += b[k, j]\n                c[k, j] = t\n    return t\n",
    "empty rows": "    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT, 0):\n"
                  "                c[k, j] = b[k, j]\n            c[k, 0] += 1\n",
    "number stays": "    k = j = -1\n    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT):\n"
                    "                c[k, j] = i\n    return k + j\n",
    "divisions": "    for i in range(2):\n        for k in range(n):\n            for j in range(COUNT):\n"
                 "                c[k, j] = (j + k) // (n - k)\n",
}


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("text", LOOPS.values(), ids=LOOPS)
def test_results_and_failures(text, count, rng):
    f = loop(text, count)
    compiled = njit(f)
    for n in 0, 1, 2, 6:
        for rows in n + 1, n, max(n - 1, 0):
            for narrow in 0, 1:
                a = rng.integers(-3, 9, (8, 8)).astype(float)
                b, start = rng.normal(size=(rows, count)), rng.normal(size=(n + 1, max(count - narrow, 1)))
                want, got = start.copy(), start.copy()
                told, said = fails(f, a, b, want, n), fails(compiled, a, b, got, n)
                assert (told is None) == (said is None)
                if told:
                    index, axis, size = re.search(r"index (-?\d+) .* axis (\d) with size (\d+)", told).groups()
                    assert index in said and size in said
                else:
                    assert f(a, b, start.copy(), n) == compiled(a, b, start.copy(), n)
                assert np.allclose(want, got, rtol=1e-13)


def test_rows_do_not_ask():
    """No access in the loop is checked, and stores are vectors; the same memory may be read and written."""
    f = njit(loop(LOOPS["rows"], 4))
    b = np.ones((9, 4))
    c = np.zeros((9, 4))
    f(b, b, c, 9)
    assert np.array_equal(c, b * 2 + np.arange(4))
    g = njit(loop(LOOPS["moved"], 4))
    x = np.arange(36.0).reshape(9, 4)
    y = x.copy()
    g(x, x, x, 9)
    g.py_func(y, y, y, 9)
    assert np.array_equal(x, y)


@pytest.mark.parametrize("count", [6, 8])
def test_items_stay_in_registers(count):
    """As nothing asks between rows, what one has stored is not loaded by the next."""
    compiled = njit(loop(LOOPS["update"], count))
    compiled(np.ones((2, 9)), np.ones((9, count)), np.ones((2, count)), 9)
    code, = compiled.inspect_llvm().values()
    assert len(re.findall(r"phi (?:double|<\d+ x double>)", code)) >= count // 2
