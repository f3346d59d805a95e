"""An error of a turn of a parallel loop is the one that the same loop raises on one thread."""
import numpy as np
import pytest

from conftest import function_of, outcome

from numba import guvectorize, njit, prange, vectorize

# each fails in some or all turns: in compiled code, in the library, in C that compiled code calls
FAILING = ["int('x')", "float('x')", "'xyz'.index('q')", "'abc'.rindex('z')", "b'abc'.index(b'q')", "ord('ab')",
           "len(chr(-1 - i))", "len('a'.split(''))", "len('a'.center(3, 'ab'))", "len('a' * 3) + ord('ab'[5])",
           "[1, 2].index(7)", "[1][i + 3]", "(1, 2)[i + 2]", "{1: 2}[i + 5]", "a[i + 7]", "1 // (i - i)", "1 % (i - i)",
           "np.argmax(a[:0])", "np.max(a[:0])", "np.empty(i - 9).size", "np.linalg.inv(np.zeros((2, 2))).size",
           "a[:2].reshape(3).size", "helper(i)", "int('9' * 30)", "'{'.format(i).count('a')", "[3].pop() + [0][:0].pop()"]
LOOP = """
@njit
def helper(i):
    if i > 1:
        raise KeyError('from a helper')
    return i

def f(a):
    total = 0
    for i in prange(8):
        {}
    return total
"""


@pytest.mark.parametrize("failing", FAILING)
def test_errors_of_turns(failing):
    a = np.arange(4)
    for statement in (f"total += {failing}", f"a[i % 4] = {failing}"):
        f = function_of(LOOP.format(statement), njit=njit, prange=prange)
        want = outcome(njit(f), a.copy())
        assert want[0] is not SystemError and issubclass(want[0], Exception), want
        assert outcome(njit(parallel=True)(f), a.copy()) == want


def test_errors_of_parallel_ufuncs():
    for target in ("cpu", "parallel"):
        v = vectorize(["int64(int64)"], target=target)(lambda x: "abc".rindex("z") + x)
        assert outcome(v, np.arange(100000)) == (ValueError, "substring not found")

        @guvectorize(["void(int64[:], int64[:])"], "(n)->(n)", target=target)
        def g(x, out):
            out[0] = int("x")

        assert outcome(g, np.zeros((1000, 10), np.int64))[0] is ValueError
