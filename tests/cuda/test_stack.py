"""Kernels that recurse, on the stack that each thread has: on a GPU its size is a limit of the context."""
import child
import pytest
from common import cuda, is_emulated, np
from numba import njit


@njit
def depth(n):
    return 0 if n == 0 else depth(n - 1) + 1


@njit
def tick(n):
    return 0 if n == 0 else tock(n - 1) + 1


@njit
def tock(n):
    return 0 if n == 0 else tick(n - 1) - 1


@njit
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@cuda.jit(device=True)
def through_arrays(n):
    a = cuda.local.array(4, np.int64)
    for i in range(4):
        a[i] = n + i
    return a[n % 4] if n == 0 else through_arrays(n - 1) + a[n % 4]


def in_a_kernel(function, n, **options):
    @cuda.jit(**options)
    def kernel(n, out):
        i = cuda.grid(1)
        out[i] = function(n + i % 2)

    out = cuda.device_array(512, np.int64)
    kernel[8, 64](n, out)
    return out.copy_to_host()


@pytest.mark.parametrize("options", [{}, {"opt": False}, {"debug": True, "opt": False}], ids=str)
def test_as_deep_as_on_the_host(options):
    for function, n in (depth, 40), (tick, 39), (tock, 40), (fibonacci, 12):
        assert (in_a_kernel(function, n, **options) == [function(n), function(n + 1)] * 256).all(), function
    expected = [sum(k + k % 4 for k in range(n + 1)) for n in (25, 26)]
    assert (in_a_kernel(through_arrays, 25, **options) == expected * 256).all()


@pytest.mark.parametrize("options", [{}, {"opt": False}], ids=str)
def test_sums_by_halves(options):
    @cuda.jit(**options)
    def kernel(a, out):
        out[0], out[1] = a.sum(), np.var(a)

    a = np.random.default_rng(5).random(20_000)
    out = np.zeros(2)
    kernel[1, 1](a, out)
    assert out[0] == a.sum() and abs(out[1] - a.var()) < 1e-12


@pytest.mark.skipif(is_emulated(), reason="raises RecursionError: test_recursion.py")
def test_the_end_of_the_stack():
    told = child.run("""
from numba import njit

@njit
def endless(n):
    return n if n < 0 else endless(n + 1) + 1

@cuda.jit(opt=False)
def kernel(out):
    out[0] = endless(1)

try:
    kernel[1, 1](np.zeros(1))
    cuda.synchronize()
except Exception as error:
    print(type(error).__name__, error)
""")
    assert "CudaAPIError" in told and "'kernel'" in told and "recurses on a stack of " in told, told
