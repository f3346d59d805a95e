"""Arrays that take each other's names in a loop, compared with plain Python: what is read through one name was written
through another in the turn before, or is at this moment."""
import random

import numpy as np
import pytest
from numba import njit

SHAPES = dict(
    new_each_turn="""
    for k in range(n):
        b = np.empty_like(a)
        for i in range(len(a)):
            b[i] = a[i] * 3 + a[len(a) - 1 - i]
        a = b
    return a""",
    exchanged_and_new="""
    b = a.copy()
    for k in range(n):
        b = np.empty(len(a), a.dtype)
        for i in range(len(a)):
            b[i] = a[i] + k
        b[0] = a[-1]
        a, b = b, a
        a[-1] += b[0]
    return a""",
    turned_around="""
    b = a * 2
    c = np.zeros_like(a)
    for k in range(n):
        for i in range(1, len(a) - 1):
            c[i] = a[i - 1] + b[i + 1]
        a, b, c = b, c, a
    return a + b * 7 + c * 11""",
    two_names_of_one="""
    b = a
    c = a.copy()
    for k in range(n):
        for i in range(1, len(a)):
            b[i] = a[i - 1] + 1
        if k % 3 == 1:
            b = c
        elif k % 3 == 2:
            a = c
        else:
            a, c = c, b
    return a + b * 7 + c * 11""",
    views="""
    b = np.zeros_like(a)
    for k in range(n):
        b, a = a[::-1], b[::-1]
        for i in range(1, len(a)):
            a[i] = b[i - 1] + b[i]
    return a + b * 7""",
    of_a_tuple="""
    state = (a, a + 1)
    for k in range(n):
        new = np.empty_like(a)
        for i in range(len(a)):
            new[i] = state[0][i] + state[1][len(a) - 1 - i]
        state = (state[1], new)
    return state[0] * 3 + state[1]""",
    of_a_list="""
    rows = [a, a + 1]
    for k in range(n):
        new = np.zeros_like(a)
        old = rows[-1]
        for i in range(1, len(a)):
            new[i] = old[i - 1] + rows[-2][i]
            old[i] += 1
        rows.append(new)
    return rows[-1] + rows[-2] * 5""",
    grid="""
    g = np.zeros((len(a), 5), a.dtype)
    g[:, 2] = a
    for k in range(n):
        h = np.zeros((len(a), 5), a.dtype)
        for i in range(1, len(a) - 1):
            for j in range(1, 4):
                h[i, j] = g[i - 1, j] + g[i + 1, j] + g[i, j - 1] - g[i, j + 1]
        h[0] = g[-1]
        g = h
    return g.sum(axis=1)""",
    while_shorter="""
    while len(a) > 1:
        b = np.empty(len(a) // 2, a.dtype)
        for i in range(len(b)):
            b[i] = a[2 * i] + a[2 * i + 1] * 3
        a = b
    return a""",
    kept_and_failing="""
    best = a
    for k in range(n):
        b = np.empty_like(best)
        for i in range(len(best)):
            b[i] = best[i] * 2 - a[i]
            if b[i] > 1000:
                return b + 1
        if b[0] % 2 == 0:
            best = b
        else:
            a = b
    return best + a""",
)


@pytest.mark.parametrize("name", SHAPES)
def test_names_exchanged(make, name):
    f = njit(make("import numpy as np\ndef f(a, n):" + SHAPES[name] + "\n"))
    rng = np.random.default_rng(5)
    for dtype in ("int64", "float32"):
        for size in (1, 2, 3, 17, 100):
            for n in (0, 1, 2, 7):
                a = rng.integers(0, 9, size).astype(dtype)
                expected = a.copy()
                got = f(a, n)
                expected = f.py_func(expected, n)
                assert got.dtype == expected.dtype and got.tolist() == expected.tolist(), (dtype, size, n)


def random_program(rng):
    """Some arrays, and a loop whose turns compute with them, make new ones, and exchange their names."""
    names = "abcd"
    lines = ["import numpy as np", "def f(x, n):"]
    lines += [f"    {name} = x + {i}" for i, name in enumerate(names)]
    lines += ["    m = len(x)", "    for k in range(n):"]
    for _ in range(rng.randint(3, 7)):
        to, one, other = rng.choice(names), rng.choice(names), rng.choice(names)
        kind = rng.randint(0, 4)
        if kind == 0:
            lines.append(f"        {to} = np.{rng.choice(('zeros', 'ones'))}(m, np.int64)")
        elif kind == 1:
            lines.append(f"        {to}, {one} = {one}, {to}")
        elif kind == 2:
            lines.append(f"        if k % {rng.randint(2, 3)} == 1:\n            {to} = {one}")
        else:
            at = rng.choice(("i", "i - 1", "m - 1 - i", "i % 5"))
            lines.append(f"        for i in range(1, m):\n            {to}[i] = {one}[{at}] + {other}[i] % 1000")
    return "\n".join([*lines, "    return a + 3 * b + 5 * c + 7 * d"]) + "\n"


def test_random_programs(make):
    rng = random.Random(3)
    for _ in range(8):
        source = random_program(rng)
        f = njit(make(source))
        for size, n in ((40, 5), (7, 9)):
            x = np.arange(size) * 3
            assert f(x, n).tolist() == f.py_func(x, n).tolist(), source
