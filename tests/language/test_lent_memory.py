# SPDX-License-Identifier: MIT
"""Arguments that lend their memory, and NumPy's scalars: found by short ways, with the types that NumPy gives them."""
import array

import numpy as np
import pytest
from numba import njit, typeof


@njit
def same(a):
    return a


@pytest.mark.parametrize("lent", [
    *(array.array(letter, [1, 2, 3]) for letter in "bBhHiIlLqQfd"), bytearray(b"abc"), memoryview(b"abc"),
    memoryview(np.arange(12.0).reshape(3, 4))[::2], memoryview(np.arange(12.0).reshape(3, 4).T),
    memoryview(np.zeros((2, 3), bool)), memoryview(b"abcd").cast("i"), memoryview(array.array("d", [])),
    memoryview(np.arange(3, dtype=np.complex64)), memoryview(np.arange(3, dtype=np.float16)),
], ids=lambda lent: f"{type(lent).__name__}_{getattr(lent, 'format', getattr(lent, 'typecode', ''))}")
def test_lent_memory_is_the_array_that_numpy_makes_of_it(lent):
    assert str(typeof(lent)) == str(typeof(np.asarray(lent)))
    found, want = same(lent), np.asarray(lent)
    assert (found.dtype, found.strides, found.flags.writeable) == (want.dtype, want.strides, want.flags.writeable)
    assert np.array_equal(found, want)


def test_scalars_of_every_class():
    for value in (np.int8(-3), np.int16(-9), np.int32(-7), np.int64(-2**40), np.longlong(5), np.uint8(200),
                  np.uint16(60000), np.uint32(4 * 10**9), np.uint64(2**63), np.bool_(True), np.float16(1.5),
                  np.complex64(1 + 2j), np.complex128(2)):
        assert same(value) == value and str(typeof(value)) == str(typeof(np.array([value])).dtype)
