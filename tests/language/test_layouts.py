"""Functions of numbers applied to arrays of every layout: pieces that are put together begin and end anywhere."""
import itertools
import random

import numpy as np
import pytest

from numba import njit

SHAPES = [(0,), (1,), (63,), (65,), (441,), (2000,), (0, 3), (1, 1), (200, 3), (3, 200), (90, 70), (5, 7, 11), (2, 1, 90),
          (40, 3, 2), (1, 64, 1), (3, 40, 70), (2, 0, 5)]
LAYOUTS = ["strided", "reversed", "sliced", "turned", "repeated", "C"]


def part_of(shape, where, dtype):
    """A view of so many items of a larger array of zeros."""
    return np.zeros(shape, dtype)[where]


def room_for(shape, layout, dtype):
    """A new array whose items lie in memory as the layout says."""
    ndim, *outer, last = len(shape), *shape
    if layout == "strided":
        return part_of([*outer, last * 3], (..., slice(None, None, 3)), dtype)
    elif layout == "reversed":
        return part_of(shape, (slice(None, None, -1),) * ndim, dtype)
    elif layout == "sliced":
        return part_of([n + 2 for n in shape], (slice(1, -1),) * ndim, dtype)
    elif layout == "turned":
        return np.moveaxis(np.zeros([last, *outer], dtype), 0, -1)
    else:
        return np.zeros(shape, dtype)


def laid_out(values, layout):
    room = room_for(values.shape, layout, values.dtype)
    room[...] = values
    return room


def made(shape, dtype, layout, seed):
    values = np.random.default_rng(seed).uniform(0.5, 99, shape).astype(dtype)
    if layout == "repeated":  # one item along the first axis
        return np.broadcast_to(values[:1], shape) if shape[0] else values
    return laid_out(values, layout)


def agree(got, wanted):
    assert got.dtype == wanted.dtype and got.shape == wanted.shape and got.flags.c_contiguous
    np.testing.assert_allclose(got, wanted, rtol=1e-6 if wanted.dtype == np.float32 else 1e-14)


def root(a):
    return np.sqrt(a)


def hyperbolic(a):
    return np.tanh(a)


def quotient(a, b):
    return np.divide(a, b)


def by_number(a, b):
    return np.divide(a, 3.5) - np.divide(3.5, b)


def of_three(a, b):
    return np.exp(-a) / b + a[..., :1]


@pytest.mark.parametrize("function", [root, hyperbolic])
@pytest.mark.parametrize("parallel", [False, True])
def test_function_of_one(function, parallel):
    jitted = njit(parallel=parallel)(function)
    for shape, layout, dtype in itertools.product(SHAPES, LAYOUTS[:5], ("f4", "f8")):
        a = made(shape, dtype, layout, 1)
        agree(np.ascontiguousarray(jitted(a)), function(a))


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "?"])
def test_items_of_every_size(dtype):
    jitted = njit(root)
    for shape, layout in itertools.product(SHAPES, LAYOUTS[:5]):
        a = made(shape, "i8", layout, 1).astype(dtype) if layout == "repeated" else laid_out(made(shape, dtype, "C", 1), layout)
        np.testing.assert_allclose(jitted(a), np.sqrt(a.astype("f8")), rtol=1e-3 if dtype in ("i1", "?") else 1e-6)


@pytest.mark.parametrize("function", [quotient, by_number, of_three])
def test_function_of_two(function):
    jitted = njit(function)
    cases = list(itertools.product(SHAPES, LAYOUTS[:5], LAYOUTS))
    for shape, *layouts in random.Random(function.__name__).sample(cases, 120):
        a, b = made(shape, "f8", layouts[0], 1), made(shape, "f8", layouts[1], 2)
        agree(np.ascontiguousarray(jitted(a, b)), function(a, b))


def test_stretched():
    jitted = njit(quotient)
    for shape, other in [((200, 3), (3,)), ((200, 1), (1, 70)), ((3, 70), (5, 1, 70)), ((1, 1), (80, 90)), ((64, 64), (64, 1))]:
        for layouts in itertools.product(LAYOUTS[:4], repeat=2):
            a, b = made(shape, "f8", layouts[0], 1), made(other, "f8", layouts[1], 2)
            agree(np.ascontiguousarray(jitted(a, b)), a / b)


@pytest.mark.parametrize("shape", [(40_000,), (33_334, 3), (3, 33_334), (250, 200), (40, 41, 42)])
def test_on_threads(shape):
    one, two = njit(parallel=True)(root), njit(parallel=True)(quotient)
    for layout in LAYOUTS[:4]:
        a, b = made(shape, "f8", layout, 1), made(shape, "f8", "sliced", 2)
        agree(np.ascontiguousarray(one(a)), np.sqrt(a))
        agree(np.ascontiguousarray(two(a, b)), a / b)


def test_ravel_of_read_only_arrays():
    """A copy can be written to; a view cannot."""
    c = np.arange(9).reshape(3, 3)
    for a in (c, np.asfortranarray(c), np.arange(18).reshape(3, 6)[:, ::2]):
        a.flags.writeable = False
        for function in (lambda a: a.ravel(), lambda a: np.ravel(a), lambda a: a.ravel("F"), lambda a: a.T.ravel()):
            got, want = njit(function)(a), function(a)
            np.testing.assert_array_equal(got, want)
            assert got.flags.writeable == want.flags.writeable
