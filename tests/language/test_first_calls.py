# SPDX-License-Identifier: MIT
"""Several threads call at once what nothing has compiled yet: one compiles, and all have the result."""
import itertools
import threading

import numpy as np
import pytest

from numba import cfunc, float64, guvectorize, njit, objmode, prange, stencil, vectorize
from numba.core import compiler_lock
from numba.core.errors import TypingError
from numba.experimental import jitclass
from numba.extending import overload

TURNS = 4


def jitted():
    @njit
    def f(x):
        return x + 1
    return lambda: f(3), 4


def one_after_another():
    """Of another type in each thread."""
    @njit
    def f(x):
        return x + 1
    values = itertools.cycle([3, 3.0, np.float32(3), np.int8(3)])
    return lambda: f(next(values)), 4


def callee():
    @njit
    def inner(x):
        return x * 2

    def caller(number):
        @njit
        def f(x):
            return inner(x) + number
        return f

    callers = itertools.cycle([caller(1), caller(2)])
    return lambda: next(callers)(1.5) // 2, 2


def compiled_again():
    @njit
    def f(x):
        return x + 1

    def call():
        f(1)
        f.recompile()
        return f(1.0)
    return call, 2


def declared():
    @njit(["int64(int64)", "float64(float64)"])
    def f(x):
        return x + 1

    def call():
        f.recompile()
        return f(1)
    return call, 2


def loops():
    @vectorize
    def f(x):
        return x + 1
    dtypes = itertools.cycle([np.int64, np.float64, np.int8, np.complex64])
    return lambda: f(np.ones(2, next(dtypes))).sum(), 4


def reductions():
    @vectorize
    def f(a, b):
        return a + b
    return lambda: f.reduce(np.arange(4)) + f.accumulate(np.arange(3.0))[2] + f.outer(np.ones(2), np.ones(2))[0, 0], 11


def growing_gufunc():
    @guvectorize("(n)->(n)")
    def f(x, out):
        for i in range(x.size):
            out[i] = x[i] * 2
    dtypes = itertools.cycle([np.int64, np.float64])

    def call():
        dtype = next(dtypes)
        out = np.zeros(3, dtype)
        f(np.ones(3, dtype), out)
        return out.sum()
    return call, 6


def strided_gufunc():
    @guvectorize(["float64[:],float64[:]"], "(n)->(n)")
    def f(x, out):
        for i in range(x.size):
            out[i] = x[i] * 2
    return lambda: f(np.ones((3, 6))[:, ::2]).sum(), 18


def neighbours():
    @stencil
    def f(a):
        return a[-1] + a[1]
    return lambda: f(np.ones(5)).sum(), 6


def parallel():
    @njit(parallel=True)
    def f(n):
        total = 0
        for i in prange(n):
            total += i
        return total
    return lambda: f(10), 45


def objects():
    @jitclass([("x", float64)])
    class Box:
        def __init__(self, x):
            self.x = x

        def get(self):
            return self.x
    return lambda: Box(2.0).get(), 2


def callback():
    return lambda: cfunc("float64(float64)")(lambda x: x + 1).ctypes(2.0), 3


def overloaded():
    def plain(x):
        return x

    @overload(plain)
    def of_plain(x):
        return lambda x: x * 3

    @njit
    def f(x):
        return plain(x)
    return lambda: f(2), 6


def interpreted():
    @njit
    def f(x):
        with objmode(y="float64"):
            y = float(x) * 2
        return y
    return lambda: f(3), 6


def library():
    @njit
    def f(a):
        return np.median(a) + np.sort(a)[0]
    return lambda: f(np.array([3.0, 1.0, 2.0])), 3


MAKERS = [jitted, one_after_another, callee, compiled_again, declared, loops, reductions, growing_gufunc, strided_gufunc, neighbours,
          parallel, objects, callback, overloaded, interpreted, library]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_results(at_once, make):
    for _ in range(TURNS):
        call, want = make()
        assert at_once(call) == [want] * 4


def test_what_cannot_be_compiled(at_once):
    @njit
    def f(x):
        return x.nothing
    for error in at_once(lambda: f(1)):
        assert isinstance(error, TypingError) and "Unknown attribute 'nothing' of type int64" in str(error)


def test_a_thread_may_keep_the_others_from_compiling():
    @njit
    def f(x):
        return x + 1
    with compiler_lock.global_compiler_lock:
        thread = threading.Thread(target=f, args=(1,))
        thread.start()
        thread.join(0.2)
        assert thread.is_alive() and not f.overloads
        f(1.5)
    thread.join()
    assert len(f.overloads) == 2
    with pytest.raises(RuntimeError, match="this thread does not hold the compiler's lock"):
        compiler_lock.global_compiler_lock.release()


def test_a_gufunc_grows_by_one_thread_at_a_time(monkeypatch):
    """The loop that another thread adds meanwhile is not lost: it waits, and finds those that there are then."""
    @guvectorize("(n)->(n)")
    def f(x, out):
        out[:] = x

    make, begun, is_done = f._builder.ufunc, threading.Event(), threading.Event()

    def call(dtype):
        f(np.ones(3, dtype), np.ones(3, dtype))
        is_done.set()

    def slowly(loops, types):
        if not begun.is_set():
            begun.set()
            is_done.wait(0.3)
        return make(loops, types)

    monkeypatch.setattr(f._builder, "ufunc", slowly)
    threads = [threading.Thread(target=call, args=(dtype,), daemon=True) for dtype in (np.int64, np.float64)]
    threads[0].start()
    assert begun.wait(10)
    threads[1].start()
    for thread in threads:
        thread.join(10)
    assert len(f._types) == 2
