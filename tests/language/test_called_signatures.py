"""What a function tells of itself that was called by compiled code alone, as if each call had been Python's."""
import numba
import numpy as np
import pytest
from numba import float64, int64, njit, prange, types, vectorize

CALLS = {  # name: (the callee, a function of it that gives a caller, the caller's arguments, the callee's types)
    "numbers": (lambda x: x + 1, lambda g: lambda x: g(x) + g(2.5), (3,), {(int64,), (float64,)}),
    "keywords": (lambda x, y: x - y, lambda g: lambda x: g(y=x, x=1.5), (3,), {(float64, int64)}),
    "any number": (lambda *args: len(args), lambda g: lambda x: g(x, 1.5), (3,), {(types.Tuple((int64, float64)),)}),
    "a tuple": (lambda t: t[1], lambda g: lambda x: g((x, 1.5)), (3,), {(types.Tuple((int64, float64)),)}),
    "an array": (lambda a: a.sum(), lambda g: lambda a: g(a[0]), (np.ones((2, 3)),), {(types.Array(float64, 1, "C"),)}),
    "an optional": (lambda x: x + 1, lambda g: lambda x: g(x) if x is not None else 0, (3,), {(int64,)}),
}


@pytest.mark.parametrize("name", CALLS)
def test_signatures(name):
    function, caller, args, wanted = CALLS[name]
    called = njit(function)
    njit(caller(called))(*args)
    assert set(called.signatures) == wanted == set(called.overloads) == set(called.inspect_llvm())
    assert {signature.args for signature in called.nopython_signatures} == wanted
    assert sum(called.stats.cache_misses.values()) == len(wanted)


def test_defaults():
    called = njit(lambda x, y=2: x + y)
    njit(lambda x: called(x) + called(x, 1.5))(3)
    assert sorted(map(str, called.signatures)) == ["(int64, float64)", "(int64, omitted(default=2))"]


def test_texts():
    called = njit(lambda x: x + 1)
    njit(lambda x: called(x))(3)
    assert "define" in called.inspect_llvm((int64,)) and called.inspect_asm((int64,))
    assert called(4) == 5 and called.signatures == [(int64,)]


def test_recompiled():
    called = njit(lambda x: x + 1)
    njit(lambda x: called(x))(3)
    called.recompile()
    assert called.signatures == [(int64,)] and called(4) == 5


def test_recursion_and_loops():
    @njit
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    @njit
    def turn(a):
        return a.sum()

    @njit(parallel=True)
    def rows(a):
        total = 0.0
        for i in prange(len(a)):
            total += turn(a[i])
        return total

    assert njit(lambda n: fib(n))(9) == 34 and fib.signatures == [(int64,)]
    assert rows(np.ones((2, 3))) == 6 and turn.signatures == [(types.Array(float64, 1, "C"),)]


def test_ufuncs_call_too():
    called = njit(lambda x: 2 * x)
    assert vectorize([float64(float64)])(lambda x: called(x))(1.5) == 3 and called.signatures == [(float64,)]


def test_nothing_is_compiled_for():
    """Calls that cannot be typed, functions that become part of their callers, and closed lists."""
    failing, inlined = njit(lambda x: x.nothing), njit(lambda x: x + 1, inline="always")
    with pytest.raises(numba.TypingError):
        njit(lambda x: failing(x))(3)
    assert failing.signatures == [] and njit(lambda x: inlined(x))(3) == 4 and inlined.signatures == []
    declared = njit(int64(int64))(lambda x: x + 1)
    assert njit(lambda x: declared(x))(2.5) == 3 and declared.signatures == [(int64,)]
