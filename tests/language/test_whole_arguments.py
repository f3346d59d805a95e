# SPDX-License-Identifier: MIT
"""Arguments that count or name places: integers of every type, and nothing that is no integer."""
import numpy as np
import pytest
from conftest import function_of

from numba import TypingError, njit

# Of a row a, a matrix b, a square c and a place k
CALLS = """
np.partition(a, k)
np.argpartition(a, k)[k]
np.roll(a, k)
np.roll(b, 1, k)
np.repeat(a, k)
np.delete(a, k)
np.insert(a, k, 9)
np.take(a, k)
a.take(k)
np.eye(3, 3, k)
np.eye(k)
np.identity(k)
np.diag(a, k)
np.diagflat(a, k)
np.diff(a, k)
np.expand_dims(a, k)
np.swapaxes(b, k, 0)
np.moveaxis(b, 0, k)
np.rollaxis(b, k)
np.rot90(b, k)
np.flip(b, k)
np.sum(b, k)
np.argmax(b, k)
np.cumsum(b, k)
np.trace(b, k)
np.around(a * 1.25, k)
np.linspace(0, 1, k)
np.vander(a, k)
np.tile(a, k)
np.resize(a, k)
np.stack((a, a), k)
np.unpackbits(a.astype(np.uint8), 0, k)
np.linalg.matrix_power(c, k)
np.array_split(a, k)[0]
np.ravel_multi_index((k, 0), (2, 3))
np.random.permutation(k) * 0
np.random.choice(k) * 0
""".split("\n")[1:-1]
A, B, C = np.array([5, 3, 1, 4, 2, 0]), np.array([[3, 1, 2], [9, 7, 8]]), np.array([[1.0, 2], [3, 4]])
NO_PLACES = (1.5, np.float32(1), 1j, "1", np.timedelta64(1, "s"))


def of_call(call):
    return function_of(f"def f(a, b, c, k):\n    return {call}", np=np)


def test_places_of_any_width():
    """That of uint64 and an array's size is no float: np.eye() wrote past its end, np.partition() sorted nothing."""
    for call in CALLS[::9] + ["np.eye(3, 3, k)", "np.diff(a, k)"]:
        f = njit(of_call(call))
        np.testing.assert_array_equal(f(A, B, C, np.uint64(1)), f.py_func(A, B, C, 1), call)


def test_places_beyond_all_numbers():
    f = njit(lambda a, k: np.take(a, k))
    with pytest.raises(IndexError):
        f(A, np.uint64(2**64 - 1))


@pytest.mark.parametrize("call", CALLS)
def test_no_integers(call):
    """These gave what the memory held, or a wrong order; most end before there is code."""
    f = njit(of_call(call))
    for k in NO_PLACES:
        with pytest.raises((TypingError, TypeError, ValueError), match="(?i)integer|No implementation|Cannot|operands"):
            f(A, B, C, k)


@pytest.mark.parametrize("call", ["np.delete(a, None)", "np.take(a, None)", "np.partition(a, True)", "np.roll(a, None)",
                                  "np.partition(a, np.array([1.0]))", "np.partition(a, (1.0, 2))",
                                  "np.insert(a, np.array([1.0]), 9)", "np.rot90(b, [1])", "np.linalg.matrix_power(c, [1])",
                                  "np.arange(None)", "a.item(np.array([1]))",
                                  "np.random.choice('1')", "np.take_along_axis(b, np.zeros((1, 3), np.int64), None)",
                                  "np.cov(a, ddof=2.5)", "np.cov(a, ddof='1')"])
def test_forms_that_name_no_place(call):
    f = function_of(f"def f(a, b, c):\n    return {call}", np=np)
    for function in (f, njit(f)):
        with pytest.raises((TypingError, TypeError, ValueError, IndexError)) as error:
            function(A, B, C)
        assert str(error.value) and "internal" not in str(error.value)


def test_bounds_are_numbers():
    """NumPy draws one number for each item; here all but the first were lost."""
    with pytest.raises(TypeError, match="bounds of randint"):
        njit(lambda a: np.random.randint(a))(np.array([5]))


def test_deleting_what_a_tuple_names():
    for places in ((), (1, -1)):
        f = njit(function_of(f"def f(a):\n    return np.delete(a, {places}), np.insert(a, (1, 2), 9)", np=np))
        for got, want in zip(f(A), f.py_func(A)):
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("call", ["np.swapaxes(a, 0, {})", "a.swapaxes({}, 1)", "np.diagonal(a, {})", "np.eye(3, 3, {})",
                                  "np.round(a, {})", "np.trace(a, {})"])
@pytest.mark.parametrize("place", ["np.array(1)", "np.array(1, np.uint8)", "np.array(True)"])
def test_arrays_of_one_item_are_no_places(call, place):
    a = np.arange(6.0).reshape(2, 3)
    with pytest.raises(TypingError):
        njit(eval("lambda a: " + call.format(place), {"np": np}))(a)
