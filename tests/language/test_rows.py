# SPDX-License-Identifier: MIT
"""Small facts of the language: one function each."""
import numpy as np
import pytest
from conftest import function_of

from numba import njit

FACTS = [
    ("x in range(0, 10, 2), x not in range(3), 5 in range(9, 0, -2), 2.5 in range(5), 3.0 in range(5), 3+0j in range(5), 3+1j in range(5)",
     (4,), (True, True, True, False, True, True, False)),
    ("x is x, x is None, x is not None", (4,), (True, False, True)),
    ("-x, ~x, +x", (np.uint8(1),), (255, 254, 1)),
    ("-x, ~x", (np.uint32(7),), (2**32 - 7, 2**32 - 8)),
    ("-x, ~x", (np.int8(-128),), (-128, 127)),
    ("-x, ~x", (np.uint64(1),), (2**64 - 1, 2**64 - 2)),
]


@pytest.mark.parametrize("fact", FACTS, ids=[fact[0] for fact in FACTS])
def test_expression(fact):
    expression, args, want = fact
    got = njit(function_of(f"def f(x):\n    return {expression}\n"))(*args)
    assert got == want and [type(v) for v in got] == [type(v) for v in want]


def test_parts_of_real_arrays():
    f = njit(function_of("def f(a):\n    return a.real, a.imag\n"))
    a = np.arange(6.0).reshape(2, 3)
    real, imag = f(a)
    assert (real == a).all() and imag.shape == a.shape and not imag.any()
