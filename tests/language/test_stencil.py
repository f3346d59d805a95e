# SPDX-License-Identifier: MIT
"""Stencils, against the kernel in plain Python at each place."""
import pickle

import numpy as np
import pytest

import numba
from numba import njit, stencil
from numba.core import errors


class Seen:
    """An array as the kernel sees it from a place."""

    def __init__(self, array, place):
        self.array, self.place = array, place

    def __getitem__(self, offset):
        offset = offset if isinstance(offset, tuple) else (offset,)
        moved = tuple(
            slice(at + o.start, at + o.stop) if isinstance(o, slice) else at + o
            for at, o in zip(self.place, offset))
        return self.array[moved]


def plain(kernel, reach, *args, standard=(), cval=0, out=None):
    """What a stencil gives, by loops in Python."""
    first = args[0]
    inside = [range(min(-low, n), max(n - high, min(-low, n)))
              for (low, high), n in zip(reach, first.shape)]
    results = {}
    for place in np.ndindex(first.shape):
        if all(at in axis for at, axis in zip(place, inside)):
            results[place] = kernel(*[
                Seen(value, place) if isinstance(value, np.ndarray) and i not in standard else value
                for i, value in enumerate(args)])
    if out is None:
        dtype = np.result_type(*results.values()) if results else first.dtype
        out = np.full(first.shape, cval, dtype)
    for place, value in results.items():
        out[place] = value
    return out


# kernel, how far it reaches, shapes of its arguments (() is a scalar), options
CASES = {
    "mean of three": ("return (a[-1] + a[0] + a[1]) / 3", [(-1, 1)], "a", [(11,)], {}),
    "only forward": ("return a[2] - a[0]", [(0, 2)], "a", [(9,)], {"cval": 1.5}),
    "only backward": ("return a[-3]", [(-3, 0)], "a", [(9,)], {}),
    "a plane": ("return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])",
                [(-1, 1), (-1, 1)], "a", [(7, 5)], {"cval": -1.0}),
    "a lopsided plane": ("return a[-2, 3] * 2 + a[0, 0]", [(-2, 0), (0, 3)], "a", [(6, 8)], {}),
    "a room": ("return a[1, 0, -1] + a[0, 2, 0] - a[-1, -1, 1]",
               [(-1, 1), (-1, 2), (-1, 1)], "a", [(5, 6, 4)], {"cval": 9.0}),
    "two arrays": ("return a[-1] * b[1] + a[0]", [(-1, 1)], "a, b", [(8,), (10,)], {}),
    "a scalar": ("return a[0] * k + a[1]", [(0, 1)], "a, k", [(8,), ()], {}),
    "weights": ("s = 0.0\n    for i in range(-1, 2):\n        s += a[i] * w[i + 1]\n    return s",
                [(-1, 1)], "a, w", [(9,), (3,)],
                {"standard_indexing": ("w",), "neighborhood": ((-1, 1),)}),
    "a declared neighborhood": ("s = 0.0\n    for i in range(-n, 1):\n        s += a[i]\n"
                                "    return s / 3", [(-2, 0)], "a, n", [(9,), 2],
                                {"neighborhood": ((-2, 0),)}),
    "nested loops": ("s = 0.0\n    for i in range(-1, 2):\n        for j in range(-1, 2):\n"
                     "            s += a[i, j] * (i + 2 * j)\n    return s",
                     [(-1, 1), (-1, 1)], "a", [(6, 7)], {}),
    "several returns": ("if a[0] > 0.5:\n        return a[1]\n    return a[-1]", [(-1, 1)], "a",
                        [(9,)], {}),
    "constants of names": ("i = 1\n    return a[i] + a[G] + a[2 * i - 3]", [(-1, 2)], "a", [(9,)], {}),
    "slices": ("return a[-1:2, 0:2].sum() + a[0, 0]", [(-1, 1), (0, 1)], "a", [(6, 7)],
               {"neighborhood": ((-1, 1), (0, 1))}),
    "an attribute": ("return a[0] / a.shape[0]", [(0, 0)], "a", [(5,)], {}),
}


def sample(rng, case):
    body, reach, params, shapes, options = case
    return [rng.random(shape) if shape != () and not isinstance(shape, int) else
            shape if isinstance(shape, int) else float(rng.random()) for shape in shapes]


@pytest.mark.parametrize("name", CASES)
def test_against_plain_python(make, rng, name):
    body, reach, params, shapes, options = CASES[name]
    kernel = make(f"def f({params}):\n    {body}\n", G=2)
    s = stencil(**options)(kernel) if options else stencil(kernel)
    standard = [i for i, p in enumerate(params.split(", ")) if p in options.get("standard_indexing", ())]
    caller = f"def f({params}):\n    return s({params}) * 2\n"
    one, many = njit(make(caller, s=s)), njit(parallel=True)(make(caller, s=s))
    for args in (sample(rng, CASES[name]), sample(rng, CASES[name])):
        if name == "an attribute":
            want = args[0] / 5
        else:
            want = plain(kernel, reach, *args, standard=standard, cval=options.get("cval", 0))
        assert np.allclose(s(*args), want, rtol=1e-13)
        assert np.allclose(one(*args), want * 2, rtol=1e-13)
        assert np.allclose(many(*args), want * 2, rtol=1e-13)
        strided = [np.asfortranarray(a)[::-1] if isinstance(a, np.ndarray) and a.ndim > 1 else a
                   for a in args]
        if name != "an attribute":
            assert np.allclose(s(*strided), plain(
                kernel, reach, *strided, standard=standard, cval=options.get("cval", 0)), rtol=1e-13)


def test_the_result(make):
    s = stencil(make("def f(a):\n    return a[-1] + a[1]\n"))
    assert s(np.arange(5)).dtype == np.int64
    assert s(np.arange(5, dtype=np.float32)).dtype == np.float32
    assert s(np.arange(5) > 2).dtype == np.int64
    assert stencil(make("def f(a):\n    return a[0] > 1\n"))(np.arange(3)).dtype == bool
    for n in range(4):
        assert np.array_equal(s(np.arange(n)), [0, 2, 0] if n == 3 else [0] * n)
    nan = stencil(cval=np.nan)(make("def f(a):\n    return a[1, 0]\n"))
    assert np.isnan(nan(np.ones((2, 2)))[1]).all()
    assert stencil(cval=1.5)(make("def f(a):\n    return a[1]\n"))(np.arange(3)).tolist() == [1, 2, 1]
    assert s.neighborhood == [[-1, 1]] and s.mode == "constant"
    assert "StencilFunc object" in repr(s) and s.__name__ == "f"


def test_out(make, rng):
    kernel = make("def f(a, k):\n    return a[-1] * k\n")
    s, filled = stencil(kernel), stencil(cval=5.0)(kernel)
    inside = njit(make("def f(a, k, o):\n    return s(a, k, out=o)\n", s=s))
    for call in (lambda o: s(np.arange(6.0), 3, out=o), lambda o: inside(np.arange(6.0), 3, o)):
        for dtype in (float, int):
            o = np.full(6, 9, dtype)
            assert call(o) is o and o.tolist() == [9, 0, 3, 6, 9, 12]
    o = np.full(7, 9.0)
    filled(np.arange(6.0), 3, out=o)
    assert o.tolist() == [5, 0, 3, 6, 9, 12, 5] or o.tolist() == [5, 0, 3, 6, 9, 12, 9]
    with pytest.raises(ValueError, match="smaller than the first stencil input"):
        s(np.arange(6.0), 3, out=np.zeros(5))
    assert inside(np.arange(3.0), 1.0, None).tolist() == [0, 0, 1]


def test_pickling(make):
    s = pickle.loads(pickle.dumps(stencil(_three)))
    assert s(np.arange(4)).tolist() == [0, 3, 6, 0]


def _three(a):
    return a[-1] + a[0] + a[1]


ERRORS = {
    "Unsupported mode style nearest": lambda make: stencil("nearest"),
    "Unknown stencil option foo": lambda make: stencil(foo=1),
    "stencil kernel index is not constant, 'neighborhood' option required": lambda make: stencil(
        make("def f(a, n):\n    return a[n]\n"))(np.arange(4), 1),
    "2 dimensional neighborhood specified for 1 dimensional input array": lambda make: stencil(
        neighborhood=((-1, 1), (0, 0)))(make("def f(a):\n    return a[0]\n"))(np.arange(4)),
    "1 dimensional neighborhood specified for 2 dimensional input array": lambda make: stencil(
        make("def f(a):\n    return a[0]\n"))(np.ones((2, 2))),
    "Standard indexing requested for an array name not present in the stencil kernel definition.":
        lambda make: stencil(standard_indexing="b")(make("def f(a):\n    return a[0]\n"))(np.ones(3)),
    "must use relative indexing, not standard indexing.": lambda make: stencil(
        standard_indexing=("a",))(make("def f(a):\n    return a[0]\n"))(np.ones(3)),
    "Assignments to arrays passed to stencil kernels is not allowed.": lambda make: stencil(
        make("def f(a):\n    a[0] = 1\n    return a[0]\n"))(np.ones(3)),
    "Stencil kernel with no accesses to relatively indexed arrays.": lambda make: stencil(
        make("def f(a):\n    return 1\n"))(np.ones(3)),
    "cval type does not match stencil return type.": lambda make: stencil(cval=1j)(
        make("def f(a):\n    return a[0]\n"))(np.ones(3)),
    "none cannot be represented as a NumPy dtype": lambda make: stencil(
        make("def f(a):\n    a[0]\n"))(np.ones(3)),
    "Unsupported array index|No implementation of function": lambda make: stencil(
        make("def f(a):\n    return a[0.5]\n"))(np.ones(3)),
    "a stencil in a compiled function is made by a call of stencil": lambda make: njit(
        make("def f(a):\n    s = stencil\n    return s(lambda x: x[0])(a)\n",
             stencil=stencil))(np.ones(3)),
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors(make, text):
    with pytest.raises(errors.NumbaError, match=text):
        ERRORS[text](make)


def test_errors_at_the_call(make):
    s = stencil(make("def f(a, b):\n    return a[0] + b[0]\n"))
    with pytest.raises(TypeError, match="Mismatch number of argument types"):
        s(np.ones(3))
    with pytest.raises(ValueError, match="Secondary stencil array has some dimension smaller"):
        s(np.ones(3), np.ones(2))
    with pytest.raises(TypeError, match="is not a callable object"):
        stencil(3)
    with pytest.raises(errors.TypingError, match="no accesses"):
        njit(make("def f(a):\n    return s(a)\n", s=stencil(make("def f(a):\n    return 2\n"))))(
            np.ones(3))
    kernel = make("def f(a):\n    b = a[0]\n    return b + 'x'\n")
    with pytest.raises(errors.TypingError, match="line 3") as caught:
        stencil(kernel)(np.ones(3))
    assert "b + 'x'" in str(caught.value)


def test_stencils_defined_in_a_function():
    """By a decorator, with options or not, and by a call with a function that is defined there."""
    a = np.arange(12.0).reshape(3, 4)
    weight = 2.0

    def decorated(a):
        @stencil
        def kernel(a):
            return a[0, 1] + weight * a[0, -1]
        return kernel(a)

    def with_options(a):
        @numba.stencil(cval=7.0)
        def kernel(a):
            return a[0, 1] + weight * a[0, -1]
        return kernel(a)

    def called(a):
        def kernel(a):
            return a[0, 1] + weight * a[0, -1]
        return stencil(kernel)(a)
    want = np.zeros_like(a)
    want[:, 1:-1] = a[:, 2:] + 2 * a[:, :-2]
    assert np.array_equal(njit(decorated)(a), want) and np.array_equal(njit(called)(a), want)
    want[:, [0, -1]] = 7
    assert np.array_equal(njit(with_options)(a), want)
    assert np.array_equal(njit(parallel=True)(with_options)(a), want)


def test_stencils_that_cannot_be_made_in_a_function():
    a = np.arange(4.0)

    def captures(a):
        x = a[0]

        @stencil
        def kernel(a):
            return a[0] + x
        return kernel(a)

    def decorated(a):
        @njit
        def inner(a):
            return a[0]
        return inner(a)

    def option(a):
        @stencil(cval=a[0])
        def kernel(a):
            return a[0]
        return kernel(a)
    for function, words in ((captures, "the kernel uses a variable of the compiled function"),
                            (decorated, "a decorator on an inner function is not supported"), (option, "this option is none")):
        with pytest.raises(numba.core.errors.UnsupportedError, match=words):
            njit(function)(a)
