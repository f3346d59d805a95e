"""Functions of a kernel that call themselves without end: an emulated kernel ends by itself, with an error."""
import linecache

import numpy as np
import pytest
from common import is_emulated
from numba import cuda, guvectorize, njit, vectorize

pytestmark = pytest.mark.skipif(not is_emulated(), reason="a GPU ends the kernel, and its context with it")

FUNCTIONS = {
    "kernel": "@cuda.jit\ndef kernel(a):\n    kernel(a)\n",
    "two kernels": "@cuda.jit\ndef kernel(a):\n    other(a)\n@cuda.jit\ndef other(a):\n    kernel(a)\n",
    "no result": "@cuda.jit(device=True)\ndef d(a):\n    a[0] += 1\n    d(a)\n"
                 "@cuda.jit\ndef kernel(a):\n    d(a)\n",
    "no result, twice": "@cuda.jit(device=True)\ndef d(a, n):\n    if n < 0:\n        return\n    d(a, n + 1)\n    d(a, n + 2)\n"
                        "@cuda.jit\ndef kernel(a):\n    d(a, 1)\n",
    "last call": "@cuda.jit(device=True)\ndef d(n):\n    if n < 0:\n        return n\n    return d(n + 1)\n"
                 "@cuda.jit\ndef kernel(a):\n    a[0] = d(1)\n",
    "call of two": "@njit\ndef d(n):\n    if n < 0:\n        return n\n    return e(n + 1) + 1\n"
                   "@njit\ndef e(n):\n    if n < 0:\n        return n\n    return d(n + 1) * 2\n"
                   "@cuda.jit\ndef kernel(a):\n    a[0] = d(1)\n",
    "tuple": "@njit\ndef d(n):\n    if n < 0:\n        return n, 1.0\n    x, y = d(n + 1)\n    return x + 1, y\n"
             "@cuda.jit\ndef kernel(a):\n    a[0] = d(1)[1]\n",
    "local array": "@cuda.jit(device=True)\ndef d(n):\n    b = cuda.local.array(100, np.float64)\n    b[n % 100] = n\n"
                   "    if n < 0:\n        return b[0]\n    return d(n + 1) + b[n % 7]\n"
                   "@cuda.jit\ndef kernel(a):\n    a[0] = d(1)\n",
    "after a barrier": "@cuda.jit(device=True)\ndef d(n):\n    if n < 0:\n        return n\n    return d(n + 1) + 1\n"
                       "@cuda.jit\ndef kernel(a):\n    cuda.syncthreads()\n    a[0] = d(1)\n    cuda.syncthreads()\n",
    "some threads": "@cuda.jit(device=True)\ndef d(n):\n    if n == 31:\n        return n\n    return d(n + 64) + 1\n"
                    "@cuda.jit\ndef kernel(a):\n    a[cuda.threadIdx.x % 32] = d(cuda.threadIdx.x)\n",
}


def kernel_of(source):
    linecache.cache["endless"] = len(source), None, source.splitlines(True), "endless"
    scope = {"cuda": cuda, "njit": njit, "np": np}
    exec(compile(source, "endless", "exec"), scope)
    return scope["kernel"]


@cuda.jit
def count(a):
    cuda.atomic.add(a, 0, 1)


@pytest.mark.parametrize("grid", [(1, 1), (4, 8)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_endless(name, grid):
    kernel, a = kernel_of(FUNCTIONS[name]), np.zeros(32)
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded in the compiled function"):
        kernel[grid](a)
        cuda.synchronize()
    a[:] = 0
    count[10, 32](a)
    assert a[0] == 320


def test_endless_under_debug():
    source = FUNCTIONS["kernel"].replace("cuda.jit", "cuda.jit(debug=True, opt=False)")
    with pytest.raises(RecursionError):
        kernel_of(source)[2, 32](np.zeros(32))
        cuda.synchronize()


@njit
def deep(x):
    return x if x < 0 else deep(x + 1) + 1


def test_endless_in_ufuncs():
    @vectorize(["float64(float64)"], target="cuda")
    def one(x):
        return deep(x)

    @guvectorize(["float64[:],float64[:]"], "(n)->(n)", target="cuda")
    def several(x, out):
        out[0] = deep(x[0])

    for function in one, several:
        with pytest.raises(RecursionError):
            function(np.ones(64))
        assert function(np.full(1, -3.0))[0] == -3


def test_a_last_call_may_be_deep():
    @cuda.jit(device=True)
    def total(n, s):
        return s if n == 0 else total(n - 1, s + n)

    @cuda.jit
    def kernel(a):
        a[cuda.threadIdx.x] = total(10_000, 0)

    a = np.zeros(64, np.int64)
    kernel[1, 64](a)
    assert (a == 10_000 * 10_001 // 2).all()
