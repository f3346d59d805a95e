"""Integers of Python's width that are known to be small: what a GPU may compute in one register is what Python has."""
import itertools

import numpy as np
import pytest

from common import cuda

EDGES = {np.int8: (-128, -127, -3, -1, 0, 1, 2, 7, 126, 127), np.uint8: (0, 1, 2, 7, 128, 254, 255),
         np.int16: (-32768, -32767, -255, -1, 0, 1, 2, 181, 32766, 32767), np.uint16: (0, 1, 2, 255, 46341, 65535),
         np.int32: (-2 ** 31, -2 ** 31 + 1, -46341, -1, 0, 1, 46341, 2 ** 31 - 1)}

OPERATIONS = [
    "a + b", "a - b", "a * b", "a & b", "a | b", "a ^ b", "a // b if b != 0 else 0",
    "a % b if b != 0 else 0", "a // 8", "a % 8", "a // -7", "a % -7", "(a & 255) // 10", "a << (b & 7)",
    "a << (b & 31)", "a >> (b & 63)", "-a", "abs(a)", "abs(a - b)", "min(a, b)", "max(a, b)", "~a",
    "min(abs(a) + abs(b), 255)", "a * b * 2", "a * b * b", "a * a - b * b", "a * 65536 + b", "a * 65536 * 4 + b",
    "(a + b) * (a - b)",
    "int(a < b) + 2 * int(a <= b) + 4 * int(a == b) + 8 * int(a != b) + 16 * int(a > b) + 32 * int(a >= b)",
    "int(a + 1 > b) + 2 * int(a - 1 < b)", "(a if a > b else b) * 3", "a ** 2 + b ** 3"]
FLOATS = ["a / 3", "(a + b) * 0.5", "float(a * b)", "a * 1.5 - b"]


def pairs(one, other):
    found = np.array(list(itertools.product(EDGES[one], EDGES[other])))
    return found[:, 0].astype(one), found[:, 1].astype(other)


def kernel_of(operations):
    """All of them in one kernel, on items that were made int64 before."""
    names = {"cuda": cuda}
    lines = [f"    out[{i}, i] = {operation}" for i, operation in enumerate(operations)]
    exec("\n".join(["def kernel(one, other, out):", "    i = cuda.grid(1)", "    if i >= one.size: return",
                    "    a, b = one[i] + 0, other[i] + 0", *lines]), names)
    return cuda.jit(names["kernel"])


@pytest.fixture(scope="module", params=[(OPERATIONS, np.int64), (FLOATS, np.float64)], ids=["integers", "floats"])
def compared(request):
    operations, dtype = request.param
    return operations, kernel_of(operations), dtype


def wrapped(number):
    return (number + 2 ** 63) % 2 ** 64 - 2 ** 63 if isinstance(number, int) else number


@pytest.mark.parametrize("one, other", itertools.product(EDGES, EDGES), ids=lambda kind: kind.__name__)
def test_small_integers_are_those_of_python(one, other, compared):
    operations, kernel, dtype = compared
    a, b = pairs(one, other)
    out = np.empty((len(operations), a.size), dtype)
    kernel[-(-a.size // 32), 32](a, b, out)
    for i, operation in enumerate(operations):
        expected = [wrapped(eval(operation, {}, {"a": int(x), "b": int(y)})) for x, y in zip(a, b)]
        wrong = np.flatnonzero(out[i] != np.array(expected, dtype))
        assert not wrong.size, (operation, a[wrong[0]], b[wrong[0]], out[i, wrong[0]], expected[wrong[0]])


@cuda.jit
def places(out):
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    number = x + y * cuda.blockDim.x
    out[number, 0] = number // 7 * 7 + number % 7 - 3 * x
    out[number, 1] = (x - y) * (x + y) // 5
    out[number, 2] = cuda.blockDim.x * cuda.blockDim.y - number if x * 3 > y << 2 else -(x | y << 4)


def test_threads_numbers():
    out = np.empty((17 * 30, 3), np.int64)
    places[1, (17, 30)](out)
    y, x = np.divmod(np.arange(17 * 30), 17)
    assert (out[:, 0] == np.arange(17 * 30) - 3 * x).all() and (out[:, 1] == (x - y) * (x + y) // 5).all()
    assert (out[:, 2] == np.where(x * 3 > y << 2, 17 * 30 - np.arange(17 * 30), -(x | y << 4))).all()
