"""Loops of few turns, known to the compiler, are a sequence of these turns; indices out of range are found in each."""
import re

import numpy as np
import pytest
from numba import njit


def of_turns(count):
    names = {"np": np}
    exec(f"""
def total(x):
    out = 0.0
    for i in range(len(x)):
        product = 1.0
        for k in range({count}):
            product *= x[i, k]
        out += product
    return out

def put(x, out):
    for i in range(len(x)):
        for k in range({count}):
            out[i, k] = 2 * x[i, k]
    return out

def back(x, out):
    for i in range(len(x)):
        for k in range({count} - 1, -1, -1):
            out[i, k - 1] += x[i, -k] * x[i, k]
    return out
""", names)
    return names["total"], names["put"], names["back"]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_turns_are_a_sequence(count):
    total = njit(of_turns(count)[0])
    total(np.ones((2, count)))
    code, = total.inspect_llvm().values()
    body = code[code.index("define"):]
    assert len(re.findall(r"fmul .*double", body)) <= count


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 16, 32])
def test_results(count, rng):
    total, put, back = of_turns(count)
    for n in (0, 1, 9):
        x = rng.normal(size=(n, count))
        assert np.isclose(njit(total)(x), total(x), rtol=1e-13)
        assert np.array_equal(njit(put)(x, np.zeros((n, count))), put(x, np.zeros((n, count))))
        assert np.array_equal(njit(back)(x, np.zeros((n, count))), back(x, np.zeros((n, count))))


def fails(function, *args):
    try:
        function(*args)
    except IndexError:
        return True
    return False


@pytest.mark.parametrize("count", [2, 3, 8, 32])
@pytest.mark.parametrize("missing", [1, 2])
def test_an_index_out_of_range(count, missing, rng):
    """The turns before it have happened, and nothing after it."""
    total, put, back = of_turns(count)
    x, narrow = rng.normal(size=(4, count)), rng.normal(size=(4, count - missing))
    with pytest.raises(IndexError) as error:
        njit(total)(narrow)
    assert str(count - missing) in str(error.value)
    for function, a in ((put, x), (put, narrow), (back, x), (back, narrow)):
        compiled = njit(function)
        for shape in ((4, count - missing), (2, count), (4, count)):
            want, got = np.zeros(shape), np.zeros(shape)
            assert fails(function, a, want) == fails(compiled, a, got)
            assert np.array_equal(want, got)
