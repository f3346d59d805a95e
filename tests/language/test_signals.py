"""Signals that Python handles while compiled code runs: it looks for them where it polls, and goes on."""
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from numba import njit, prange, vectorize


class Over(Exception):
    pass


@njit
def by_while(n):
    total = i = 0
    while i < n:
        i += 1
        total += i % 7
    return total


@njit
def by_range(n):
    odd = 0.0
    for i in range(n):
        odd += i & 1
    return odd


@njit(fastmath=True)
def many_values(a, turns):
    """What a loop keeps in registers: vectors, numbers of both kinds."""
    b, c, d, e, f, g = 0.0, 1.0, 2.0, 3, 5, 7
    for turn in range(turns):
        for i in range(a.size):
            b += a[i] * c
            d += a[i] - c
            e ^= i * f
        c *= 0.999
        f += turn
        g = (g * 31 + e) % 1000003
    return b, c, d, e, f, g


@njit(nogil=True)
def by_steps(n):
    total = 0
    for i in range(0, n, 3):
        for j in range(3):
            total += i ^ j
    return total


@njit
def recursive(n):
    return 1 if n < 2 else recursive(n - 1) + recursive(n - 2)


@njit(parallel=True)
def in_parallel(n):
    ones = 0
    for i in prange(n):
        if i & 1:
            ones += 1
    return ones


@njit(parallel=True)
def long_turns(n):
    """Two threads end, or wait, while others are in theirs."""
    total = 0
    for i in prange(64):
        for j in range(n if i == 63 or i == 0 else 1):
            total += j & 7
    return total


@njit
def items(n):
    for i in range(n):
        yield i


@vectorize(["int64(int64)"])
def of_items(n):
    total = 0
    while n > 0:
        total += n % 7
        n -= 1
    return total


ENDLESS = 10 ** 15
WORK = {
    "while": (by_while, ENDLESS), "range": (by_range, ENDLESS), "steps": (by_steps, ENDLESS),
    "recursion": (recursive, 90), "ufunc": (of_items, np.array([ENDLESS])),
    "parallel": (in_parallel, ENDLESS), "long turns": (long_turns, ENDLESS),
}


@pytest.fixture
def handle():
    """handle(number, handler) for the time of the test."""
    before = {}

    def set_handler(number, handler):
        before.setdefault(number, signal.signal(number, handler))
    yield set_handler
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in before.items():
        signal.signal(number, handler)


def raise_over(number, frame):
    raise Over("the time is over")


@pytest.mark.parametrize("name", WORK)
def test_a_handler_that_raises_ends_the_code(handle, name):
    function, argument = WORK[name]
    function(np.array([3]) if name == "ufunc" else 3)
    handle(signal.SIGALRM, raise_over)
    begin = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    with pytest.raises(Over, match="the time is over"):
        function(argument)
    assert time.monotonic() - begin < 5
    assert by_while(10) == sum(i % 7 for i in range(11))


@njit
def guarded(n):
    total = 0
    try:
        for i in range(n):
            total += 7 // (i + 1)
    except Exception:
        return -1
    return total


def test_compiled_code_does_not_catch_it(handle):
    assert guarded(3) == 12
    handle(signal.SIGALRM, raise_over)
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    with pytest.raises(Over):
        guarded(ENDLESS)


def test_other_handlers_are_called_and_the_code_goes_on(handle):
    a = np.arange(5000) * 0.25
    calls = [lambda: many_values(a, 3000), lambda: by_while(2 * 10 ** 7), lambda: by_steps(10 ** 7),
             lambda: recursive(27), lambda: in_parallel(2 * 10 ** 7), lambda: sum(items(10 ** 5)),
             lambda: of_items(np.full(3, 10 ** 6))]
    wanted = [call() for call in calls]
    seen = []
    handle(signal.SIGALRM, lambda number, frame: seen.append(len(str(1.5 * len(seen)))))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    got = [call() for call in calls]
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert str(got) == str(wanted)
    assert len(seen) > 20


def test_a_handler_may_run_compiled_code(handle):
    seen = []
    handle(signal.SIGALRM, lambda number, frame: seen.append(by_range(5000)))
    wanted = by_range(10 ** 7)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    assert by_range(10 ** 7) == wanted
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert set(seen) == {by_range(5000)}


def kill_soon(number, seconds=0.1):
    return subprocess.Popen(["sh", "-c", f"sleep {seconds}; kill -{number} {os.getpid()}"])


def test_a_later_handler_of_interrupts(handle):
    by_while(3)
    handle(signal.SIGINT, raise_over)
    with kill_soon(signal.SIGINT), pytest.raises(Over):
        by_while(ENDLESS)
    handle(signal.SIGINT, signal.default_int_handler)


def test_an_interrupt_beside_other_signals(handle):
    """Only a second interrupt ends the code unasked; what else waits for its handler does not count."""
    by_while(3)
    seen, others = [], [signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM]
    for number in (*others, signal.SIGINT):
        handle(number, lambda number, frame: seen.append(number))
    kills = "; ".join(f"kill -{number} {os.getpid()}" for number in (*others, signal.SIGINT, *others))
    for code in (by_while, by_range, by_steps, in_parallel):
        with subprocess.Popen(["sh", "-c", f"sleep 0.02; {kills}"]):
            while signal.SIGINT not in seen:
                code(3 * 10 ** 6)
        seen.clear()


PATIENT = """
import os, signal, subprocess
from numba import njit
import test_signals
test_signals.by_while(3)
signal.signal(signal.SIGINT, lambda number, frame: print("asked to end", flush=True))
with test_signals.kill_soon(signal.SIGINT):
    print(test_signals.by_while(2 * 10 ** 8) > 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with test_signals.kill_soon(signal.SIGINT):
        test_signals.by_while(10 ** 15)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_handler_of_interrupts_that_only_notes_them():
    done = subprocess.run([sys.executable, "-c", "import gridcell; gridcell.activate()\n" + PATIENT],
                          cwd=os.path.dirname(__file__), capture_output=True, text=True, timeout=60)
    assert done.stdout.split("\n") == ["asked to end", "True", "interrupted", ""], done.stderr
