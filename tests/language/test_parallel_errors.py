"""An error of a turn of a parallel loop is the one that the same loop raises on one thread."""
import numpy as np
import pytest

from conftest import function_of, outcome, same

from numba import guvectorize, njit, prange, vectorize

# each fails in some or all turns: in compiled code, in the library, in C that compiled code calls
FAILING = ["int('x')", "float('x')", "'xyz'.index('q')", "'abc'.rindex('z')", "b'abc'.index(b'q')", "ord('ab')",
           "len(chr(-1 - i))", "len('a'.split(''))", "len('a'.center(3, 'ab'))", "len('a' * 3) + ord('ab'[5])",
           "[1, 2].index(7)", "[1][i + 3]", "(1, 2)[i + 2]", "{1: 2}[i + 5]", "a[i + 7]",
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


# a / b and its kin of zero: in turns, they are what NumPy makes of them
DIVISIONS = ["{} / {}", "{} // {}", "{} % {}", "divmod({}, {})[1]"]
PLACES = {
    "alone": ("out[i] = {}", True), "in a sum": ("out[i] = 5\n        total += {}", True),
    "in an inner loop": ("for j in range(2):\n            out[i] += {}", True),
    "in an inner prange": ("for j in prange(2):\n            out[i] += {}", True),
    "in a comprehension": ("out[i] = sum([{} for j in range(2)])", True),
    "beside a raise": ("if i == 7:\n            raise ValueError\n        out[i] = {}", False),
    "beside an assert": ("assert i < 7\n        out[i] = {}", False),
    "in a try": ("try:\n            out[i] = {}\n        except ValueError:\n            pass", False),
    "in a function": ("out[i] = helper({}, a, b)", True),
}
DIVIDING = """
@njit
def helper(x, a, b):
    return x

def f(a, b):
    out = np.zeros(3)
    total = 0.0
    for i in prange(3):
        {}
    return out, total
"""


@pytest.mark.parametrize("place", PLACES)
def test_division_by_zero_in_turns(place):
    text, is_as_numpy = PLACES[place]
    for form in DIVISIONS:
        f = function_of(DIVIDING.format(text.format(form.format("a", "b"))), njit=njit, prange=prange, np=np)
        parallel, plain = njit(parallel=True)(f), njit(error_model="numpy" if is_as_numpy else "python")(f)
        for operands in ((3, 0), (3.0, 0.0), (0.0, 0.0), (-3, 0), (7, 2)):
            got, want = outcome(parallel, *operands), outcome(plain, *operands)
            assert same(got, want), (form, operands, got, want)


def test_division_by_zero_in_a_try_around_turns():
    @njit(parallel=True)
    def f(n):
        out = np.zeros(3)
        try:
            for i in prange(3):
                out[i] = 1 // n
        except ZeroDivisionError:
            out[:] = -1
        return out

    assert f(0).tolist() == [-1, -1, -1]


def test_functions_that_turns_call_keep_their_model():
    @njit
    def quotient(a, b):
        return a // b

    @njit(parallel=True)
    def f(n):
        total = 0
        for i in prange(3):
            total += quotient(i, n)
        return total

    assert outcome(f, 0) == (ZeroDivisionError, "integer division by zero")
