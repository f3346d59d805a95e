"""Variables that are None before a loop, and that its turns set: uses of them are for what the turns give."""
import numpy as np
import pytest

from conftest import function_of
from numba import njit, prange

LOOP = "def f(x, n):\n    p = None\n    for k in range(n):\n        if k == 0:\n            d = {first}\n" \
       "        else:\n            d = {later}\n        p = d\n    return d\n"
NUMBERS, NUMBER = "x * 2", "x.sum()"


@njit
def scaled(a, by):
    return a.shape[0] + a * by


# (what the first turn gives, what the later ones make of it)
USES = {
    "operator": (NUMBERS, "p * 2"),
    "operator on the right": (NUMBER, "2 + p"),
    "unary operator": (NUMBER, "-p"),
    "comparison": (NUMBER, "1.0 if p > 2 else 3.0"),
    "ufunc": (NUMBER, "np.sqrt(p) + 1"),
    "function of arrays": (NUMBERS, "np.roll(p, 1) + x"),
    "method": (NUMBERS, "p.copy()"),
    "attribute": (NUMBERS, "x * p.size"),
    "item": (NUMBERS, "x + p[1]"),
    "slice": (NUMBERS, "p[::-1] * 1.0"),
    "len": (NUMBERS, "x + len(p)"),
    "argument of a jitted function": (NUMBERS, "scaled(p, 1)"),
    "argument of an inner function": (NUMBERS, "(lambda a: a + 1)(p)"),
    "item of a tuple": ("(x, 1.0)", "(p[0] + 1, p[1] * 2)"),
    "text": ("'a'", "p + 'b'"),
    "list": ("[1.0]", "[p[0], 2.0]"),
}


@pytest.mark.parametrize("use", USES)
def test_a_later_turn_uses_what_an_earlier_one_set(use):
    first, later = USES[use]
    plain = function_of(LOOP.format(first=first, later=later), scaled=scaled.py_func)
    compiled = njit(function_of(LOOP.format(first=first, later=later), scaled=scaled))
    for turns in 1, 4:
        want, got = plain(np.arange(4.0) + 1, turns), compiled(np.arange(4.0) + 1, turns)
        for one, other in zip(*((want, got) if isinstance(want, tuple) else ([want], [got]))):
            assert np.array_equal(one, other)


def test_what_a_turn_sets_may_stay_none():
    @njit
    def last_above(x, limit):
        found = None
        for value in x:
            if value > limit:
                found = value
        return found
    assert last_above(np.arange(4.0), 1) == 3.0 and last_above(np.arange(4.0), 9) is None


def test_none_is_asked_for():
    @njit
    def totals(x):
        before, result = None, 0.0
        for value in x:
            if before is not None:
                result += value * before
            before = value + 0.5
        return result, before
    assert totals(np.arange(3.0)) == (0.5 + 3.0, 2.5)


def test_a_loop_that_needs_none():
    """What a turn gives is known only once the variable is None."""
    @njit
    def choose(before):
        return np.ones(2) if before is None else before + 1

    @njit
    def run(n):
        p = None
        for _ in range(n):
            p = choose(p)
        return p

    @njit
    def run_while(n):
        p, turns = None, 0
        while p is None or p < n:
            if p is None:
                p = 1
            else:
                p = p * 2
            turns += 1
        return p, turns
    assert np.array_equal(run(3), [3, 3]) and run(0) is None
    assert run_while(10) == (16, 5)


def test_one_variable_needs_none_and_another_does_not():
    @njit
    def run(x, n):
        p = q = None
        for k in range(n):
            if q is None:
                q = x.sum()
            p = x * 2 if k == 0 else np.roll(p, 1)
            q = q + p[0]
        return p, q
    p, q = run(np.arange(3.0), 2)
    assert np.array_equal(p, [4, 0, 2]) and q == 7.0


def test_nested_loops():
    @njit
    def run(x):
        outer = None
        for i in range(3):
            inner = None
            for k in range(2):
                inner = x + i if k == 0 else inner * 2
            outer = inner if i == 0 else outer + inner
        return outer
    assert np.array_equal(run(np.arange(2.0)), [6, 12])


def test_a_parallel_loop():
    @njit(parallel=True)
    def run(x, out):
        for i in prange(out.size):
            before = None
            for k in range(3):
                now = x * (i + 1) if k == 0 else np.roll(before, 1) + x
                before = now
                out[i] = now[0]
        return out
    assert np.array_equal(run(np.arange(3.0), np.zeros(4)), [3, 4, 5, 6])


def test_a_loop_that_sets_none_again():
    @njit
    def run(x, n):
        p = None
        for k in range(n):
            if k % 3 == 0:
                p = None
            elif k % 3 == 1:
                p = x.sum()
            else:
                p = p + 1
        return p
    assert [run(np.ones(2), n) for n in range(4)] == [None, None, 2.0, 3.0]


def test_what_no_turn_can_be_given():
    from numba.core.errors import TypingError

    @njit
    def run(n):
        p = None
        for _ in range(n):
            p = p + 1
        return p
    with pytest.raises(TypingError, match=r"add\(none"):
        run(2)
