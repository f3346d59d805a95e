"""Ctrl-C stops compiled code with KeyboardInterrupt at once, and what follows works."""
import os
import signal
import threading
import time

import numpy as np
import pytest
from numba import njit


def interrupt_after(seconds):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def check_interrupt(f, *args):
    """A call that would take long ends soon after an interrupt."""
    timer = interrupt_after(0.3)
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        f(*args)
    assert time.perf_counter() - start < 5
    timer.join()


def is_left(f, a, stopped, seconds):
    """Whether an interrupt left f(a, stopped), which sets stopped[0] at its end."""
    stopped[0] = 0
    try:
        timer = interrupt_after(seconds)
        f(a, stopped)
        timer.join()
        time.sleep(0.05)
    except KeyboardInterrupt:
        pass
    return stopped[0] == 0


@pytest.mark.parametrize("body", [
    "    i = 0\n    while True:\n        i += n\n    return i\n",
    "    s = 0.0\n    for i in range(10**12):\n        for j in range(1000):\n            s += math.sqrt(i * j * n)\n"
    "    return s\n",
    "    i = j = 0\n    while n > 0:\n        i, j = i + n, i ^ j\n        if i < 0 and j == 3:\n            break\n"
    "    return i + j\n",
    "    s = 0\n    for i in range(10**13):\n        s += i & n\n        if s < 0:\n            return s\n    return s\n",
    "    s = 0\n    for i in range(10):\n        for j in range(10**13):\n            s += (i ^ j * n) % (s & 7 | 1) + (j ^ s) % 5\n"
    "            if s < 0 and (i + j) % 3 == s % 7:\n                break\n    return s\n",
    "    s = 0\n    for i in range(10**9):\n        for j in (1, 2, 3):\n            for k in range(5):\n"
    "                s += 7 * (i ^ k) % (j + n)\n    return s\n",
    "    s = 0\n    x = [n] * 10**6\n    while n > 0:\n        for y in x:\n            s = s * y + (s ^ y) % 7\n"
    "    return s\n",
    "    s = 0.0\n    for i in range(10**13):\n        s += math.sqrt(i * n)\n    return s\n",
])
def test_interrupt_of_a_loop(make, body):
    f = njit(nogil=True)(make("import random\ndef f(n):\n" + body))
    f.compile((__import__("numba").int64,))
    check_interrupt(f, 1)
    g = njit(lambda x: x + 1)
    assert g(1) == 2


@pytest.mark.parametrize("call", ["a.sum()", "np.sort(a)[0]", "np.dot(a, a)", "helper(a)", "(m @ m)[0, 0]"])
def test_interrupt_of_a_loop_of_long_calls(make, call):
    f = njit(nogil=True)(make(
        "from numba import njit\n@njit\ndef helper(a):\n    return np.cumsum(a)[-1]\n"
        f"def f(n, a, m):\n    s = 0.0\n    for i in range(n):\n        s += {call}\n    return s\n"))
    arguments = np.arange(300000.0), np.ones((300, 300))
    f(1, *arguments)
    check_interrupt(f, 10**6, *arguments)


def test_interrupt_of_a_recursion(make):
    f = make("from numba import njit\n@njit(nogil=True)\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\n")
    assert f(20) == 6765
    check_interrupt(f, 70)
    assert f(20) == 6765


@pytest.mark.parametrize("call", ["a.sort()", "np.argsort(a)", "np.median(a)", "np.unique(a)", "np.argsort(a + 1j * a)",
                                  "np.ones(10 * len(a))", "len('ab' * (30 * len(a)))", "len([1] * (30 * len(a)))"])
def test_interrupt_within_a_library_call(make, call):
    """One call of the library stops in the middle; an array that it was sorting keeps its items."""
    f = njit(nogil=True)(make(f"def f(a):\n    x = {call}\n    a[0] = -1.0\n    return x\n"))
    f(np.ones(1))
    for n in 10**5, 10**6, 4 * 10**6, 16 * 10**6:  # until a call takes longer than the interrupt
        a = np.random.default_rng(1).random(n)
        total = np.sum(np.sort(a))
        try:
            timer = interrupt_after(0.02)
            f(a)
            timer.join()
            time.sleep(0.05)
        except KeyboardInterrupt:
            pass
        if a[0] != -1.0:
            break
    assert a[0] != -1.0 and np.sum(np.sort(a)) == total


@pytest.mark.parametrize("dtype", [np.float64, np.complex64])
def test_interrupt_within_a_product(make, dtype):
    """A product of large matrices stops between panels: what follows it does not run."""
    f = njit(nogil=True)(make("def f(a, x):\n    y = a @ a\n    x[0] = 1\n    return y\n"))
    stopped = np.zeros(1)
    f(np.ones((2, 2), dtype), stopped)
    for n in 1500, 2200, 3000, 4500, 6500:  # until a product takes longer than the interrupt
        a = np.ones((n, n), dtype)
        if is_left(f, a, stopped, 0.02):
            break
    assert stopped[0] == 0
    assert f(a[:30, :30].copy(), stopped)[29, 29] == 30


def test_interrupt_without_releasing_the_gil(prints):
    code = ("import numba, os, signal, subprocess, sys\n"
            "@numba.njit\ndef f(n):\n    i = 0\n    while n > 0:\n        i += n\n    return i\n"
            "f(0)\n"
            "subprocess.Popen(['sh', '-c', f'sleep 0.5; kill -INT {os.getpid()}'])\n"
            "try:\n    f(1)\nexcept KeyboardInterrupt:\n    print('stopped', f(0))\n")
    prints("stopped 0\n", "-m", "gridcell", code=code, timeout=60)


def test_earlier_interrupt_is_not_seen_twice(make):
    f = njit(make("def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    return s\n"))
    f(3)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
    assert f(100000) == sum(range(100000))


ENTRIES = {
    "function": "@njit\ndef f(x):\n    s = 0.0\n    while s < 5:\n        s += x\n    return s\n\ndef call():\n    return f(1.0)\n",
    "ufunc": "@vectorize(['f8(f8)'])\ndef f(x):\n    s = 0.0\n    while s < 5:\n        s += x\n    return s\n\n"
             "def call():\n    return f(np.ones(3))[0]\n",
    "parallel ufunc": "@vectorize(['f8(f8)'], target='parallel')\ndef f(x):\n    s = 0.0\n    while s < 5:\n        s += x\n"
                      "    return s\n\ndef call():\n    return f(np.ones(100000))[99999]\n",
    "dufunc": "@vectorize\ndef f(x):\n    s = 0.0\n    while s < 5:\n        s += x\n    return s\n\ndef call():\n    return f(1.0)\n",
    "gufunc": "@guvectorize(['f8[:], f8[:]'], '(n)->()')\ndef f(a, out):\n    s = 0.0\n    while s < 5:\n        s += a[0]\n"
              "    out[0] = s\n\ndef call():\n    return f(np.ones((3, 3)))[2]\n",
    "parallel gufunc": "@guvectorize(['f8[:], f8[:]'], '(n)->()', target='parallel')\ndef f(a, out):\n    s = 0.0\n"
                       "    while s < 5:\n        s += a[0]\n    out[0] = s\n\ndef call():\n    return f(np.ones((300, 3)))[2]\n",
    "cfunc": "@cfunc('f8(f8)')\ndef f(x):\n    s = 0.0\n    while s < 5:\n        s += x\n    return s\n\n"
             "def call():\n    return f.ctypes(1.0)\n",
    "generator": "@njit\ndef f(n):\n    i = 0.0\n    while i < n:\n        i += 1\n        yield i\n\ndef call():\n    return list(f(5))[-1]\n",
    "prange": "@njit(parallel=True)\ndef f(n):\n    s = 0.0\n    for i in prange(n):\n        s += 1\n    return s\n\n"
              "def call():\n    return f(5)\n",
    "objmode": "@njit\ndef f(x):\n    with objmode(y='f8'):\n        y = g(x)\n    return y\n\n@njit\ndef g(x):\n"
               "    while x < 5:\n        x += 1\n    return x\n\ndef call():\n    return f(1.0)\n",
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_interrupt_strikes_once(make, entry):
    """Python raised it while no compiled code ran: whatever is called next, in whatever way, runs to its end."""
    import numba
    call = make(ENTRIES[entry], name="call", **{name: getattr(numba, name) for name in
                                                ("njit", "vectorize", "guvectorize", "cfunc", "prange", "objmode")})
    assert call() == 5
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        assert call() == 5
