"""What is known while a kernel compiles: shapes through device functions, displays in loops."""
import importlib

import numpy as np
import pytest
from common import cuda
from numba import float32, float64, int64, types
from numba.core.errors import TypingError

SHAPE = (4, 8)


@cuda.jit(device=True)
def reversed_in_block(count, dtype, value):
    shared = cuda.shared.array(count, dtype)
    shared[cuda.threadIdx.x] = value
    cuda.syncthreads()
    return shared[count - 1 - cuda.threadIdx.x]


@cuda.jit(device=True)
def through_another(half, value):
    return reversed_in_block(half * 2, float32, value)


@cuda.jit(device=True)
def of_a_tuple(shape, value):
    shared = cuda.shared.array(shape, float32)
    local = cuda.local.array((shape[0] + 1) * 2, int64)
    shared[shape[0] - 1, 2] = value
    local[(shape[0] + 1) * 2 - 1] = shape[1]
    return shared[shape[0] - 1, 2] + local[(shape[0] + 1) * 2 - 1]


def test_device_functions_take_shapes():
    @cuda.jit
    def kernel(out, count):
        i = cuda.grid(1)
        out[i, 0] = reversed_in_block(8, float64, i)
        out[i, 1] = through_another(4, i)
        out[i, 2] = reversed_in_block(count, float32, i)
        out[i, 3] = of_a_tuple((4, 5), 1.0)
        out[i, 4] = of_a_tuple(SHAPE, 2)

    out = np.zeros((8, 5))
    kernel[1, 8](out, 8)
    backwards = np.arange(8)[::-1]
    for column, expected in enumerate([backwards, backwards, backwards, 6, 10]):
        np.testing.assert_array_equal(out[:, column], np.broadcast_to(expected, 8))

    @cuda.jit
    def unknown(out, counts):
        out[0, 0] = reversed_in_block(counts[0], float64, 1)

    with pytest.raises(TypingError, match="known when the code is compiled"):
        unknown[1, 1](out, np.ones(2, np.int64))


def test_loops_and_membership_take_list_displays():
    @cuda.jit
    def kernel(out, a, b):
        i = cuda.grid(1)
        for dy, dx in [(-1, 0), (1, 0), (0, -1), (0, 2)]:
            out[i] += 2 * dy + 3 * dx
        for value in [a, i, 2.5]:
            out[i] += value
        if i in [a, b]:
            out[i] += 100
        if i not in {2, 3}:
            out[i] += 1000

    out = np.zeros(5)
    kernel[1, 5](out, 1, 2)
    expected = [3 + 1 + i + 2.5 + 100 * (i in [1, 2]) + 1000 * (i not in [2, 3]) for i in range(5)]
    np.testing.assert_array_equal(out, expected)

    @cuda.jit
    def grows(out):
        values = [1, 2]
        values.append(3)
        out[0] = values[2]

    with pytest.raises(TypingError, match="memory that grows"):
        grows[1, 1](out)


def test_names_of_numba_cuda():
    assert cuda.float32 is types.float32 and cuda.void is types.void
    for name, of in (("config", "numba.config"), ("core.errors", "numba.core.errors"),
                     ("np.numpy_support", "numba.np.numpy_support"), ("utils", "numba.core.utils"),
                     ("typing", "numba.core.typing"), ("misc.special", "numba.misc.special")):
        assert importlib.import_module(f"numba.cuda.{name}") is importlib.import_module(of)
    with pytest.raises(ModuleNotFoundError, match="numba.cuda.nothing"):
        importlib.import_module("numba.cuda.nothing.at_all")
    with pytest.raises(AttributeError):
        cuda.nothing

    @cuda.vectorize(["float64(float64)"])
    def twice(x):
        return 2 * x

    @cuda.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
    def total(values, out):
        out[0] = 0
        for value in values:
            out[0] += value

    assert twice(np.arange(3.0)).tolist() == [0, 2, 4]
    assert total(np.ones((2, 3))).tolist() == [3, 3]
