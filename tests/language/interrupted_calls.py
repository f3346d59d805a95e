"""Works that are interrupted at each call of a Python function within them: by the compiler, or by what it calls.

An interrupt that comes there must end the work, or what follows it. Run in the suite's process, and in a kernel. Python
ignores what is raised while it closes a generator that nobody goes on with, so next() of one is not asked here."""
import gc
import signal
import sys

import numba
import numpy as np
from numba import cfunc, cuda, guvectorize, njit, objmode, stencil, types, vectorize
from numba.core.errors import TypingError
from numba.experimental import jitclass
from numba.extending import overload
from numba.typed import List


class Counted:
    """Counts calls of Python functions, and interrupts one of them."""

    def __init__(self, at=-1):
        self.at, self.count = at, 0

    def __call__(self, frame, event, argument):
        if event != "call" or frame.f_code.co_name in WORKS:
            return
        self.count += 1
        if self.count == self.at:
            signal.raise_signal(signal.SIGINT)

    def run(self, work):
        sys.setprofile(self)
        try:
            return work()
        finally:
            sys.setprofile(None)


def helper(x):
    raise NotImplementedError


@overload(helper)
def overload_helper(x):
    return lambda x: x + 1


class Meta(type):
    def __getattr__(cls, name):
        raise AttributeError(name)


class Strange(metaclass=Meta):
    def __getattr__(self, name):
        raise AttributeError(name)


class Lent:
    """A device array of another library."""

    def __init__(self):
        self.array = cuda.to_device(np.arange(4.0))

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


WORKS = {}


def work(function):
    WORKS[function.__name__] = function
    return function


@work
def function():
    return njit(lambda x: x * 2 + 1)(3) == 7


@work
def text_made_code():
    space = {}
    exec("def made(x):\n    return x * 2 + 1\n", space)
    try:
        return njit(space["made"])(3) == 7
    except OSError:  # no source is kept of it in an ordinary process
        return True


@work
def array_function():
    return njit(lambda a: np.cumsum(a)[-1] + a.sum())(np.arange(4.0)) == 12


@work
def overloaded():
    return njit(lambda x: helper(x))(2) == 3


@work
def keyword_call():
    def f(a, b=2, *rest):
        return a + b + len(rest)
    return njit(f)(1, 2, 3) == 4


@work
def refused():
    try:
        njit(lambda x: x + 1)(Strange())
    except TypingError:
        return True
    return False


@work
def refused_of_its_code():
    try:
        njit(lambda x: x.nothing)(3)
    except TypingError:
        return True
    return False


@work
def object_mode():
    @njit
    def f(x):
        with objmode(y="int64"):
            y = int(str(x))
        return y + 1
    return f(2) == 3


@work
def typed_list():
    items = List([1, 2, 3])
    return njit(lambda items: items[0] + len(items))(items) == 4


@work
def ufunc():
    return vectorize(lambda x: x + 1)(np.arange(3.0))[2] == 3


@work
def gufunc():
    @guvectorize(["float64[:], float64[:]"], "(n)->()")
    def f(a, out):
        out[0] = a.sum()
    return f(np.arange(3.0)) == 3


@work
def stencilled():
    return njit(lambda a: stencil(lambda a: a[-1] + a[1])(a))(np.arange(4.0))[1] == 2


@work
def callback():
    return cfunc("float64(float64)")(lambda x: x + 1).ctypes(1.0) == 2


@work
def class_of_values():
    class Point:
        def __init__(self, x):
            self.x = x

        def twice(self):
            return self.x * 2
    return jitclass([("x", types.int64)])(Point)(3).twice() == 6


@work
def kernel():
    @cuda.jit
    def f(a):
        a[cuda.grid(1)] += 1
    a = np.zeros(4)
    f[1, 4](a)
    return a[3] == 1


@work
def kernel_on_a_lent_array():
    @cuda.jit
    def f(a):
        a[cuda.grid(1)] += 1
    lent = Lent()
    f[1, 4](lent)
    return lent.array.copy_to_host()[3] == 4


@work
def device_arrays():
    a = cuda.to_device(np.arange(8.0).reshape(2, 4))
    return a[1].copy_to_host()[0] == 4 and a.T.shape == (4, 2)


@work
def looked_into():
    f = njit(lambda x: x + 1)
    f(1)
    return bool(f.inspect_llvm()) and f.signatures == [(types.int64,)]


@work
def typed_by_value():
    return all(str(numba.typeof(value)) for value in (1, (1, "a"), np.zeros(2), List([1]), njit(lambda x: x)))


@work
def refused_by_typeof():
    try:
        numba.typeof(Strange())
    except (TypingError, ValueError):
        return True
    return False


def lost(name):
    """The calls at which an interrupt was lost, of how many."""
    gc.collect()
    gc.disable()  # Python ignores what is raised in finalizers that the collector calls
    try:
        return lost_of(name)
    finally:
        gc.enable()


def lost_of(name):
    WORKS[name]()  # what is made once for a process
    counted, calls = Counted(), []
    assert counted.run(WORKS[name])
    for at in range(1, counted.count + 1):
        interrupted = Counted(at)
        try:
            interrupted.run(WORKS[name])
            len([i for i in range(10)])  # where an interrupt that waits comes at last
        except KeyboardInterrupt:
            continue
        if interrupted.count >= at:
            calls.append(at)
    assert WORKS[name]()
    return calls
