"""Loops that end when a number has no bits left ask for no interrupt: LLVM knows what they count. Others still ask."""
import os
import re
import signal
import threading

import numpy as np
import pytest
from numba import njit, typeof

TESTS = {"truth": "while x:", "unequal": "while x != 0:", "mirrored": "while 0 != x:", "above": "while x > 0:",
         "below": "while 0 < x:"}
STEPS = {"lowest": "x &= x - 1", "mirrored": "x = (x - 1) & x", "less": "x -= x & -x", "flipped": "x ^= -x & x", "shift": "x >>= 1",
         "shifts": "x >>= 5", "halves": "x //= 2", "digits": "x //= 10"}
VALUES = [0, 1, 2, 3, 10, 255, 256, 12345, 2**31 - 1, 2**40 + 5, 2**63 - 1]


def counting(test, step):
    names = {}
    exec(f"def count(x):\n    n = 0\n    {test}\n        {step}\n        n += 1\n    return n\n", names)
    return names["count"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("test", TESTS)
def test_bits_are_counted_without_questions(test, step):
    f = counting(TESTS[test], STEPS[step])
    shifts = step in ("shift", "shifts", "halves", "digits")
    names = {"f": njit(f)}
    exec("def of_byte(x):\n    return f(x & 255)\n", names)  # never negative, as is known there
    of_byte = njit(names["of_byte"])
    compiled = njit(f)
    for x in VALUES:
        assert compiled(x) == f(x) and of_byte(x) == f(x & 255)
    if not shifts:
        assert [compiled(-x) for x in VALUES] == [f(-x & 2**64 - 1) if test not in ("above", "below") else 0 for x in VALUES]
    # an int64 that may be negative keeps -1 for ever
    asks = shifts and test not in ("above", "below")
    assert ("compiler_poll_flag" in list(compiled.inspect_llvm().values())[0]) == asks


@pytest.mark.parametrize("test", TESTS)
def test_unsigned_bits(test):
    f = counting(TESTS[test], "x = x >> one")
    names = {"one": np.uint64(1)}
    f = type(f)(f.__code__, names)
    compiled = njit(f)
    for x in VALUES + [2**64 - 1]:
        assert compiled(np.uint64(x)) == x.bit_length()
    code, = compiled.inspect_llvm().values()
    assert "llvm.ctlz" in code and "compiler_poll_flag" not in code


@njit
def ones(x):
    n = 0
    while x:
        x &= x - 1
        n += 1
    return n


def test_counts_become_vectors(rng):
    """Of numbers, and in a function of its own: the loop around has turns side by side."""
    def inline(a):
        total = 0
        for x in a:
            while x:
                x &= x - 1
                total += 1
        return total

    def called(a):
        total = 0
        for i in range(len(a)):
            total += ones(a[i])
        return total

    a = rng.integers(-2**63, 2**63 - 1, 3000)
    expected = sum((int(x) & 2**64 - 1).bit_count() for x in a)
    for f in inline, called:
        compiled = njit(f)
        assert compiled(a) == expected
        code, = compiled.inspect_llvm().values()
        assert re.search(r"<\d+ x i64> @llvm.ctpop", code)


@pytest.mark.parametrize("body", ["while x:\n        x >>= 1", "while x != 0:\n        x //= 2", "while x:\n        x &= x - y",
                                  "while x:\n        x ^= x & -y", "while x:\n        x //= y + 2",
                                  "while x != 0:\n        x, y = x >> 1, x"])
def test_endless_loops_are_left(body):
    names = {}
    exec(f"def f(x, y):\n    {body}\n    return x\n", names)
    f = njit(nogil=True)(names["f"])
    f.compile((typeof(1), typeof(1)))
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        f(-1, 0)
    timer.join()


def test_turns_around_bits_are_left():
    """The loop around asks between strips."""
    def f(n):
        total = 0
        for i in range(n):
            x = i ^ total
            while x:
                x &= x - 1
                total += 1
        return total

    compiled = njit(nogil=True)(f)
    assert compiled(5000) == f(5000)
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        compiled(10**12)
    timer.join()
