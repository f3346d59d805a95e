"""Ctrl-C during a factorisation by LAPACK: the function ends at once, the library's call goes on by itself."""
import numpy as np
import pytest
from numba import njit
from test_interrupt import is_left

CALLS = ["np.linalg.solve(a, a)", "np.linalg.inv(a)", "np.linalg.slogdet(a)", "np.linalg.cholesky(a)", "np.linalg.qr(a)",
         "np.linalg.eig(a)", "np.linalg.eigvalsh(a)", "np.linalg.svd(a)", "np.linalg.lstsq(a, a)"]


def definite(n):
    return np.ones((n, n)) + np.diag(np.arange(1.0, n + 1))


@pytest.mark.parametrize("call", CALLS)
def test_interrupt_within_a_factorisation(make, call):
    """What follows the call does not run, what it was given stays as it was, and the next call works."""
    f = njit(nogil=True)(make(f"def f(a, x):\n    y = {call}\n    x[0] = 1\n    return y\n"))
    stopped = np.zeros(1)
    want = f(definite(3), stopped)
    for n in 250, 400, 600, 900, 1400, 2000, 3000:  # until the call takes longer than the interrupt
        a = definite(n)
        if is_left(f, a, stopped, 0.01):
            break
    assert stopped[0] == 0 and (a == definite(n)).all()
    got = f(definite(3), stopped)
    for x, y in zip(got, want) if isinstance(want, tuple) else [(got, want)]:
        np.testing.assert_array_equal(x, y)


LEAVE = """
import os, signal, sys, threading, time
import numba, numpy as np
from numba import njit
from numba.core.runtime import rtsys

@njit(nogil=True)
def f(a):
    return np.linalg.svd(a)[1]

f(np.eye(3))
def leave(sizes):
    for n in sizes:
        a = np.random.default_rng(1).random((n, n))
        timer = threading.Timer(0.01, lambda: os.kill(os.getpid(), signal.SIGINT))
        try:
            timer.start()
            f(a)
            timer.join()
            time.sleep(0.05)
        except KeyboardInterrupt:
            return "left"
"""


def test_the_process_ends_with_a_call_on_its_own(run_python):
    done = run_python("-m", "gridcell", code=LEAVE + "print(leave([1500, 3000, 5000]))\nsys.exit(3)\n", timeout=300)
    assert (done.returncode, done.stdout) == (3, "left\n"), done.stderr


def test_a_fork_waits_and_memory_is_freed(run_python):
    """The child has a library that works; the memory of the call that was left is given back at its end."""
    done = run_python("-m", "gridcell", code=LEAVE + """
from numba.core.runtime import _nrt_python as _nrt
_nrt.memsys_enable_stats()
print(leave([250, 350, 500, 700, 1000, 1500]))
child = os.fork()
if child == 0:
    os._exit(int(f(np.eye(300)).sum()) % 200)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stats = rtsys.get_allocation_stats()
print(stats.alloc == stats.free, stats.alloc > 0, f(2 * np.eye(2))[1])
""", timeout=300)
    assert done.stdout == "left\n100\nTrue True 2.0\n", done.stderr
