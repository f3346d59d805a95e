"""What kernels know of enums, and of variables that not every path sets."""
import enum

from common import cuda, np


class Planet(enum.Enum):
    VENUS = (4.8, 6.0)
    EARTH = (5.9, 6.3)
    MARS = (6.4, 3.3)


HOME = Planet.EARTH


@cuda.jit
def compared(p, out):
    out[0] = 1 if p is Planet.EARTH else 2 if p == Planet.MARS else 3
    out[1] = p != Planet.MARS
    out[2] = Planet["VENUS"] == p
    out[3] = p is HOME
    out[4] = Planet.EARTH.value[1]


def test_enums_of_tuples():
    for p in Planet:
        out, expected = np.zeros(5), np.zeros(5)
        compared[1, 1](p, out)
        compared.py_func(p, expected)
        np.testing.assert_array_equal(out, expected)


@cuda.jit
def set_by_some(a, n):
    i = cuda.threadIdx.x
    if i < n:
        doubled = a[i] * 2
    for j in range(n):
        last = j
    if i < n:
        a[i] = doubled + last


def test_variables_that_some_paths_set():
    a = np.arange(4.0)
    set_by_some[1, 4](a, 3)
    np.testing.assert_array_equal(a, [2, 4, 6, 3])
