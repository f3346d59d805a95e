# SPDX-License-Identifier: MIT
"""type(x)(...): what Python makes of it, for every kind of x, or an error of typing."""
import collections
import enum

import numpy as np
import pytest
from conftest import function_of

import numba
from numba import cuda, njit
from numba.core.errors import NumbaError

Point = collections.namedtuple("Point", "x y")
Single = collections.namedtuple("Single", "x")
Empty = collections.namedtuple("Empty", "")
Partly = collections.namedtuple("Partly", "x y z", defaults=(2.5, "a"))
Wholly = collections.namedtuple("Wholly", "x y", defaults=(None, True))


class Whole(enum.IntEnum):
    A = 1
    B = 2


class Plain(enum.Enum):
    A = 1
    B = 2


VALUES = {
    "int": 5, "int32": np.int32(5), "uint8": np.uint8(5), "bool": True, "float": 2.5, "float32": np.float32(2.5),
    "complex": 1j, "complex64": np.complex64(1j), "tuple": (1, 2), "mixed": (1, 2.5), "point": Point(1, 2),
    "mixed point": Point(1, 2.5), "nested point": Point(Single(1), 2.5), "single": Single(True), "empty": Empty(),
    "partly": Partly(1), "wholly": Wholly(),
    "list": [1, 2], "set": {1, 2}, "str": "ab", "bytes": b"ab", "array": np.arange(3), "0-d": np.array(3.5),
    "IntEnum": Whole.A, "Enum": Plain.A, "record": np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])[0],
    "None": None, "dict": numba.typed.Dict.empty(numba.int64, numba.int64), "slice": slice(1, 2),
    "date": np.datetime64("2020-01-01"), "span": np.timedelta64(3, "s"), "display": {"a": 1, "b": 2.5},
}
ARGUMENTS = ["", "x", "1", "2", "3.7", "1j", "True", "'12'", "3.5, 4.25", "1, 'a'", "(1, 2.5)", "()", "('a', 2)", "[1, 2]",
             "x=2.5, y=1", "y=1.5, x='t'", "3, y=4.5", "3, z=4.5", "Point(1, 2)", "np.arange(2)", "None"]
# Python takes these as well, numba does not: it makes an array, or a number, for it knows the kind by then.
TAKEN = {("date", ""), ("date", "1"), ("date", "2"), ("date", "True"), ("span", "")}
POINTS = {name for name, value in VALUES.items() if hasattr(value, "_fields")}


def same(a, b):
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and type(a) is type(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b) and np.asarray(a).dtype == np.asarray(b).dtype
    return a == b and isinstance(a, str) == isinstance(b, str)


@pytest.mark.parametrize("arguments", ARGUMENTS)
@pytest.mark.parametrize("kind", VALUES)
def test_made_as_python_makes_it(kind, arguments):
    f = function_of(f"def f(x):\n    return type(x)({arguments})\n", "f", Point=Point)
    try:
        expected = f(VALUES[kind])
    except Exception as error:  # whatever Python says
        expected = error
    try:
        result = njit(f)(VALUES[kind])
    except NumbaError as error:
        assert "internal" not in str(error)
        assert kind not in POINTS or isinstance(expected, Exception)
        return
    except (ValueError, OverflowError) as error:  # what only running tells
        assert type(error) is type(expected)
        return
    if isinstance(expected, Exception) or (kind, arguments) in TAKEN:
        assert kind not in POINTS
        return
    assert same(result, expected)


def test_in_kernels():
    kernel = cuda.jit(function_of(
        "def kernel(out, x):\n"
        "    v = cuda.float32x2(x, 2)\n"
        "    w = type(v)(2.5, v.x)\n"
        "    p = type(Point(1, 2))(y=x, x=0.25)\n"
        "    q = type(p)(3, p)\n"
        "    out[0], out[1], out[2], out[3], out[4] = w.x, w.y, p.x, p.y, q.y.y\n"
        "    out[5] = isinstance(w, type(v)) + 2 * isinstance(p, type(q))\n", "kernel", cuda=cuda, Point=Point))
    out = np.zeros(6)
    kernel[1, 1](out, 7.75)
    assert out.tolist() == [2.5, 7.75, 0.25, 7.75, 7.75, 3.0]
