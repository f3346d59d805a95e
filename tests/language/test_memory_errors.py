"""Where there is no memory, the error names the size, and for arrays their shape and type."""
import re

import numpy as np
import pytest
from numba import njit, prange

TOO_MUCH = 1 << 47  # items: more bytes than a process has addresses, and no product of them overflows

ARRAYS = {
    "zeros": (lambda n: np.zeros(n), "float64", "(140737488355328,)"),
    "empty": (lambda n: np.empty((n, 2), np.int8), "int8", "(140737488355328, 2)"),
    "full": (lambda n: np.full((2, n), 1.5, np.float32), "float32", "(2, 140737488355328)"),
    "ones": (lambda n: np.ones((1, 2, n), np.complex64), "complex64", "(1, 2, 140737488355328)"),
    "arange": (lambda n: np.arange(n), "int64", "(140737488355328,)"),
    "four axes": (lambda n: np.empty((1, 1, 1, n), np.bool_), "bool", "(1, 1, 1, 140737488355328)"),
    "linspace": (lambda n: np.linspace(0, 1, n), "float64", "(140737488355328,)"),
    "random": (lambda n: np.random.rand(n), "float64", "(140737488355328,)"),
    "repeat": (lambda n: np.repeat(np.ones(1), n), "float64", "(140737488355328,)"),
    "times": (lambda n: np.zeros(n, "M8[s]"), "datetime64[s]", "(140737488355328,)"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name):
    function, dtype, shape = ARRAYS[name]
    with pytest.raises(MemoryError) as raised:
        njit(function)(TOO_MUCH)
    text = str(raised.value)
    assert re.match(r"Unable to allocate [\d.]+ [TPE]iB for an array with shape ", text), text
    assert shape in text and dtype in text


def test_more_axes_than_are_noted():
    with pytest.raises(MemoryError, match="for an array with 5 axes and data type float64"):
        njit(lambda n: np.zeros((1, 1, 1, 1, n)))(TOO_MUCH)


def test_lists_and_texts():
    @njit
    def items(n):
        return len([1.5] * n)

    @njit
    def text(n):
        return len("ab" * n)

    for function in items, text:
        with pytest.raises(MemoryError, match=r"Unable to allocate [\d.]+ [TPE]iB$"):
            function(TOO_MUCH)


def test_parallel_loops_pass_it_on():
    @njit(parallel=True)
    def spread(n):
        lengths = np.zeros(4)
        for i in prange(lengths.size):
            lengths[i] = np.ones(n + i).sum()
        return lengths

    with pytest.raises(MemoryError, match=r"1.00 PiB for an array with shape \(14073748835532\d,\)"):
        spread(TOO_MUCH)


def test_one_that_was_caught_is_not_told_again():
    @njit
    def twice(n, m):
        size = 0
        try:
            size = np.zeros(n).size
        except Exception:
            size = -1
        return size + len(np.zeros((m, 2), np.int8))

    with pytest.raises(MemoryError, match=r"\(281474976710656, 2\) and data type int8"):
        twice(TOO_MUCH, 2 * TOO_MUCH)
