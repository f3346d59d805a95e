"""Several threads launch at once what nothing has compiled yet: one compiles, and all have the result."""
import itertools

import pytest
from common import cuda, np
from numba import float64, njit, vectorize

TURNS = 4


def launched(kernel, dtype=np.float64):
    values = np.ones(4, dtype)
    kernel[1, 4](values)
    return values.sum()


def plain():
    @cuda.jit
    def f(a):
        a[cuda.grid(1)] += 1
    return lambda: launched(f), 8


def one_after_another():
    """Of another type in each thread."""
    @cuda.jit
    def f(a):
        a[cuda.grid(1)] += 1
    dtypes = itertools.cycle([np.float64, np.float32, np.int32, np.int8])
    return lambda: launched(f, next(dtypes)), 8


def with_a_device_function():
    @cuda.jit(device=True)
    def twice(x):
        return x * 2

    @cuda.jit
    def f(a):
        a[cuda.grid(1)] = twice(a[0])
    return lambda: launched(f) // 8, 1


def with_a_function_of_both():
    @njit
    def twice(x):
        return x * 2

    @cuda.jit
    def f(a):
        a[cuda.grid(1)] = twice(a[cuda.grid(1)])
    return lambda: launched(f) + twice(1), 10


def by_keyword():
    @cuda.jit
    def f(a, by=2):
        a[cuda.grid(1)] += by
    return lambda: launched(f), 12


def declared():
    @cuda.jit("void(float64[:])")
    def f(a):
        a[cuda.grid(1)] += 1
    return lambda: launched(f), 8


def folded():
    fold = cuda.reduce(lambda a, b: a + b)
    return lambda: fold(np.ones(100)), 100


def elementwise():
    @vectorize(["float64(float64)"], target="cuda")
    def f(x):
        return x + 1
    return lambda: f(np.ones(4)).sum(), 8


def only_ptx():
    def f(a):
        a[cuda.grid(1)] += 1
    return lambda: ".entry" in cuda.compile_ptx(f, (float64[:],))[0], True


MAKERS = [plain, one_after_another, with_a_device_function, with_a_function_of_both, by_keyword, declared, folded, elementwise, only_ptx]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_results(at_once, make):
    for _ in range(TURNS):
        call, want = make()
        assert at_once(call) == [want] * 4
