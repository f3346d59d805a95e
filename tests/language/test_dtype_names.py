# SPDX-License-Identifier: MIT
"""Names of dtypes that are arguments: the function is compiled for each of them, as for a literal."""
import numpy as np
import pytest
from conftest import function_of

from numba import njit
from numba.core.errors import NumbaNotImplementedError, TypingError

CALLS = """
    np.zeros(2, dt)
    np.ones((2, 1), dtype=dt)
    np.full(2, 7, dt)
    np.arange(3, dtype=dt)
    np.eye(2, dtype=dt)
    np.zeros_like(a, dt)
    np.array([1, 2], dt)
    np.asarray((1, 2), dt)
    a.astype(dt)
    a[0].astype(dt)
    a.sum(dtype=dt)
    np.cumsum(a, dtype=dt)
    np.add(a, a, dtype=dt)
    np.concatenate((a, a), dtype=dt)
    np.frombuffer(b"12345678", dt)
    a.view(dt)
    np.empty(2, np.result_type(dt, np.int8))
    np.empty(2, np.dtype(dt))
"""


def function(body):
    return eval(f"lambda a, dt: {body}", {"np": np})


@pytest.mark.parametrize("body", [line.strip() for line in CALLS.strip().splitlines()])
def test_a_name_that_is_an_argument(body):
    f, a = function(body), np.arange(4)
    inner = njit(f)
    outer = njit(lambda a: (inner(a, "f4"), inner(a, "f8")))
    for got, name in zip((*outer(a), inner(a, "float32")), ("f4", "f8", "f4")):
        want = f(a, name)
        assert got.dtype == want.dtype if hasattr(got, "dtype") else type(got) is type(want.item())
        if "empty" not in body:
            np.testing.assert_array_equal(got, want)


def test_limits_of_a_name():
    f = njit(lambda name: np.iinfo(name).max)
    assert [f("i1"), f("u2"), f("int32")] == [127, 65535, 2**31 - 1]
    assert njit(lambda name: np.finfo(name).eps)("f4") == np.finfo("f4").eps


@pytest.mark.parametrize("name", ["i4, (2,3)f8", "i4,f8", "i4,", "u1, 3i2", "U5, S3, M8[D]", "f4,(2,)c16", "int32, float64",
                                  "b1,?,i8", "i4 , ( 2 , 3 ) f8"])
def test_names_of_records(name):
    assert njit(function_of(f"def f(n):\n    return np.zeros(n, {name!r})"))(2).dtype == np.dtype(name)


@pytest.mark.parametrize("name", ["(2,3)f8", "2f8", "i4,,f8", "i4,zz", "(2,i4", "<i4, >f8", ",", "i4,(", "i4,()", "i4,(99999999999999999999)i8"])
def test_names_of_no_records(name):
    with pytest.raises(TypingError, match="zeros"):
        njit(function_of(f"def f(n):\n    return np.zeros(n, {name!r})"))(2)


def test_a_name_that_is_not_known():
    def chosen(n):
        name = "f8" if n > 2 else "f4"
        return np.zeros(n, name)
    with pytest.raises(TypingError, match="`dtype` of zeros.., on which the type of the result depends"):
        njit(chosen)(3)
    with pytest.raises(TypingError, match="zeros.*Literal"):
        njit(lambda n, name: np.zeros(n, name))(3, "no dtype")


USES = ("np.zeros(3, d)", "np.full(2, 1, d)", "np.array([1, 2], d)", "a.astype(d)", "a.view(d)", "d(3)", "np.arange(3, dtype=d)",
        "np.frombuffer(a, d)", "a.sum(dtype=d)", "np.result_type(d)", "np.iinfo(d).max", "d.itemsize")


def test_the_dtype_of_objects_is_passed_on():
    """As numba has it: where a branch that is not taken, or a function for all cases, is given one."""
    f = njit(function_of("def f(a, n, d):\n    return [a * n]\n"))
    assert f(np.ones(2), 3, np.dtype(object))[0].tolist() == [3, 3]
    g = njit(function_of("def g(a):\n    return f(a, 2, d)\n", name="g", f=f, d=np.dtype(object)))
    assert g(np.ones(2))[0].tolist() == [2, 2]
    for use in USES:
        with pytest.raises((TypingError, NumbaNotImplementedError)):
            njit(function_of(f"def f(a, d):\n    return {use}\n"))(np.ones(3), np.dtype(object))
