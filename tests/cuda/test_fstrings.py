"""f-strings in kernels: printed with widths and precisions, anything else refused."""
import numpy as np
import pytest
from numba import cuda, errors


def test_fstrings_are_printed(capfd):
    @cuda.jit
    def kernel(a, n):
        i = cuda.threadIdx.x
        print(f"[{i:3d}] {a[i]:8.3f}|{n:x}|{n:05d}|{a[i]:.2e} {n}", i, f"{n}")

    kernel[1, 2](np.array([1.5, -2.25]), 255)
    cuda.synchronize()
    out = sorted(line for line in capfd.readouterr().out.splitlines() if line.startswith("["))
    assert out == ["[  0]    1.500|ff|00255|1.50e+00 255 0 255", "[  1]   -2.250|ff|00255|-2.25e+00 255 1 255"]


def test_other_specifications_are_refused():
    @cuda.jit
    def kernel(a):
        print(f"{a[0]:^8}")

    with pytest.raises(errors.UnsupportedError, match="a width and a precision"):
        kernel[1, 1](np.zeros(1))
