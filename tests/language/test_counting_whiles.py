"""While loops that count are loops over ranges: they have vectors, and their number has its value behind them."""
import re

import numpy as np
import pytest
from numba import njit

I64 = np.iinfo(np.int64)
FORMS = {
    "up": ("i = start", "i < stop", "i += 1"),
    "up to": ("i = start", "i <= stop", "i += 1"),
    "mirrored": ("i = start", "stop > i", "i = 1 + i"),
    "mirrored to": ("i = start", "stop >= i", "i += 1"),
    "down": ("i = stop", "i > start", "i -= 1"),
    "down to": ("i = stop", "i >= start", "i += -1"),
    "steps": ("i = start", "i < stop", "i += 3"),
    "steps to": ("i = start", "i <= stop", "i += 7"),
    "steps down": ("i = stop", "i > start", "i -= 4"),
    "steps down to": ("i = stop", "start <= i", "i = i - 5"),
    "less": ("i = start", "i < stop - 1", "i += 1"),
    "to less": ("i = start", "i <= stop - 1", "i += 1"),
    "down to more": ("i = stop", "i >= start + 1", "i -= 1"),
    "half": ("i = start", "i < stop // 2", "i += 2"),
    "away": ("i = start", "i < stop", "i -= 1\n        if seen > 50: break"),
    "still": ("i = start", "i < stop", "i += 0\n        if seen > 50: break"),
}


def loop_of(form, body="seen += 1\n        check = (check * 31 + i) % 1000003"):
    start, test, step = FORMS[form]
    names = {}
    exec(f"def f(start, stop):\n    seen = 0\n    check = 0\n    {start}\n    while {test}:\n        {body}\n        {step}\n"
         "    else:\n        check += 1\n    return i, seen, check\n", names)
    return names["f"]


@pytest.mark.parametrize("form", FORMS)
def test_each_number_and_the_last(form):
    f = loop_of(form)
    compiled = njit(f)
    for start, stop in [(0, 0), (0, 1), (1, 0), (-7, 5), (5, -7), (0, 1023), (0, 1024), (3, 1030), (-2, 4000), (2, 3)]:
        assert compiled(start, stop) == f(start, stop)


@pytest.mark.parametrize("form", ["up", "up to", "steps", "steps to", "down", "down to", "steps down", "steps down to"])
def test_at_the_ends_of_int64(form):
    f = loop_of(form, "seen += 1\n        if seen == 40:\n            break")
    compiled = njit(f)
    for start, stop in [(I64.max - 3, I64.max - 1), (I64.min + 1, I64.min + 4), (0, I64.max), (I64.min, 0)]:
        if (form == "up to" and start > 0 and stop == I64.max) or (form == "down to" and start == I64.min and stop < 0):
            continue
        want = f(start, stop)
        if I64.min <= want[0] <= I64.max:
            assert compiled(start, stop) == want


BODIES = {
    "middle": "t += a[i]\n        i += 1\n        t -= a[i - 1] // 2",
    "first": "i += 1\n        t += a[i - 1] * i",
    "both": "if a[i] > 3:\n            t += a[i]\n            i += 1\n        else:\n            t -= i\n            i += 1",
    "continues": "i += 1\n        if a[i - 1] % 3 == 0:\n            continue\n        t += a[i - 1]",
    "twice": "i += 1\n        t += i\n        i += 1",
    "some": "t += i\n        if a[i] % 2:\n            i += 1\n        i += 1",
    "differs": "t += a[i]\n        if a[i] % 2:\n            i += 1\n            continue\n        i += 2",
    "leaves": "if t > 1000:\n            break\n        t += a[i] + 1\n        i += 1",
    "earlier": "t += a[i] - last\n        last = i\n        i += 1",
    "within": "j = i\n        while j < min(n, i + 3):\n            t += a[j]\n            j += 1\n        i += 1",
    "holds": "for i2 in range(i):\n            t += a[i2]\n        i += 1",
    "grows": "t += a[i]\n        i += 1\n        n -= 1",
    "its own": "t += a[i]\n        i += i + 1",
    "returns": "if a[i] == 9:\n            return t, i, -1\n        i += 1\n        t += i",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("bound", ["n", "len(a)", "a.shape[0] - 1", "a.size // 2", "min(n, 30)"])
def test_bodies(body, bound, rng):
    names = {}
    exec(f"def f(a, n):\n    t = 0\n    last = 0\n    i = 0\n    while i < {bound}:\n        {BODIES[body]}\n    return t, i, last\n", names)
    f = names["f"]
    compiled = njit(f)
    for n in 0, 1, 2, 7, 40, 300:
        a = rng.integers(0, 10, n + (n % 2))
        assert compiled(a, n) == f(a, n)


ENDLESS = {
    "away": ("i < n", "i -= 1"),
    "away up": ("i > -n", "i += 1"),
    "still": ("i < n", "i += 0"),
    "still down": ("i > -n", "i -= 0"),
    "to the last": ("i <= 0x7fff_ffff_ffff_ffff", "i += 1"),
    "to the first": ("i >= first", "i -= 1"),
}


@pytest.mark.parametrize("form", ENDLESS)
def test_loops_without_an_end_run_until_they_raise(form):
    test, step = ENDLESS[form]
    names = {"first": int(I64.min)}
    exec("def f(turns, n):\n    seen = 0\n    i = 0\n"
         f"    while {test}:\n        turns[0] += 6 // (9 - seen)\n        seen += 1\n        {step}\n", names)
    turns, want = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for function, out in (njit(names["f"]), turns), (names["f"], want):
        with pytest.raises(ZeroDivisionError):
            function(out, 5)
    assert turns[0] == want[0]


def test_indices_out_of_range_are_found_in_their_turn():
    def f(a, out, n):
        i = 0
        while i < n:
            out[i] = a[i] * 2
            i += 1
        return i

    compiled = njit(f)
    for n, size, wide in (5, 5, 5), (7, 5, 9), (7, 9, 5), (6, 6, 5):
        got, want = np.zeros(wide), np.zeros(wide)
        a = np.arange(1.0, size + 1)
        if n <= min(size, wide):
            assert compiled(a, got, n) == f(a, want, n)
        else:
            for function, out in (compiled, got), (f, want):
                with pytest.raises(IndexError):
                    function(a, out, n)
        assert np.array_equal(got, want)


def test_lists_may_grow_meanwhile():
    def f(n):
        found = [1]
        i = 0
        while i < len(found):
            if found[i] < n:
                found.append(found[i] * 2)
            i += 1
        return i, found

    assert njit(f)(100) == f(100)


@pytest.mark.parametrize("kind", ["float64", "int64"])
def test_turns_are_vectors(kind):
    def f(a, b):
        i = 0
        while i < len(a):
            b[i] = a[i] + a[i]
            i += 1
        return i

    a = np.arange(2050).astype(kind)
    b = np.zeros_like(a)
    compiled = njit(f)
    assert compiled(a, b) == 2050 and np.array_equal(b, a + a)
    code, = compiled.inspect_llvm().values()
    assert re.search(r"store <\d+ x (double|i64)>", code)


def test_sums_are_formulas():
    """What only counts takes no time, with the loop around it in vectors or without."""
    def f(n):
        k = t = 0
        while k < n:
            t += k
            k += 1
        return t, k

    compiled = njit(f)
    assert compiled(10**15)[1] == 10**15 and compiled(1000) == f(1000) and compiled(-3) == (0, 0)
