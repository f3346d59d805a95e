# SPDX-License-Identifier: MIT
"""view() of a number, for every pair of types, and arithmetic with the result."""
import itertools

import numpy as np
import pytest
from conftest import function_of

from numba import cuda, njit
from numba.core.errors import TypingError

NAMES = ["bool_", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
         "complex64", "complex128"]
VALUES = {"bool_": [True], "complex64": [1 + 2j], "complex128": [1 + 2j]}


@pytest.mark.parametrize("kind", NAMES)
def test_every_pair(kind):
    for name in NAMES:
        f = njit(function_of(f"def f(x):\n    v = x.view(np.{name})\n    return v, v + v, v == v\n", "f"))
        for number in VALUES.get(kind, [1, 3, 2.5 if "float" in kind else 100]):
            value = np.dtype(kind).type(number)
            if value.dtype.itemsize != np.dtype(name).itemsize or "complex" in kind + name:
                with pytest.raises(TypingError, match="only supported if the itemsize is unchanged"):
                    f(value)
                continue
            if kind == "bool_" or name == "bool_":
                continue  # a byte that is no truth has no meaning here
            view = value.view(name)
            result = f(value)
            assert np.array_equal(result[0], view, equal_nan=True) and result[2] == (view == view)
            with np.errstate(all="ignore"):
                wrapped = np.array(result[1]).astype(name)
                assert np.array_equal(wrapped, view + view, equal_nan=True)


@pytest.mark.parametrize("name, other", itertools.permutations(["int32", "float32", "uint32"], 2))
def test_in_kernels(name, other):
    source = f"def kernel(out, x):\n    i = cuda.grid(1)\n    out[i] = x[i].view(np.{other})\n"
    kernel = cuda.jit(function_of(source, "kernel", cuda=cuda))
    x = np.array([1, 2, 3, 250], name)
    out = np.zeros(4, other)
    kernel[1, 4](out, x)
    assert out.tolist() == x.view(other).tolist()
