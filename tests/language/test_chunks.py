"""Expressions of arrays that are stretched, turned or have gaps: the same items as NumPy's, whatever the shapes.

The lengths lie around what is taken at a time (support/chunks.c): rows of fewer than 64 items several at once, blocks
of 512 items.
"""
import itertools

import numpy as np
import pytest
from numba import njit

DTYPES = [np.int8, np.float32, np.complex128]
SHAPES = {2: [(1, 1), (3, 1), (1, 5), (4, 3), (3, 63), (3, 64), (2, 513), (700, 3), (1, 1300), (0, 3), (3, 0)],
          3: [(2, 3, 4), (3, 1, 70), (2, 200, 3), (1, 1, 1), (4, 0, 2)]}


@njit
def both(a, b):
    return a - b


@njit
def three(a, b, c):
    return (a - b) * c + b


@njit
def doubled(a, b):
    return a * 2 - b


def items(shape, dtype):
    numbers = np.arange(1, np.prod(shape) + 1).reshape(shape) % 11
    return (numbers + 1j * numbers[::-1] if dtype is np.complex128 else numbers).astype(dtype)


def stretchable(shape, ndim):
    """Shapes of at most that many axes that stretch to the shape."""
    for ones in itertools.product((False, True), repeat=len(shape)):
        small = tuple(1 if one else n for one, n in zip(ones, shape))
        if ndim == len(shape):
            yield small
    if ndim < len(shape):
        yield shape[len(shape) - ndim:]


def within(a):
    """The same items with gaps between the rows, of a type that does not tell."""
    wide = np.zeros([n + 2 for n in a.shape], a.dtype)
    inside = wide[(slice(1, -1),) * a.ndim]
    inside[...] = a
    return inside


def apart(a):
    """Likewise, with gaps within the rows."""
    wide = np.zeros((*a.shape[:-1], a.shape[-1] * 2), a.dtype)
    wide[..., ::2] = a
    return wide[..., ::2]


def check(function, *args):
    want, got = function.py_func(*args), function(*args)
    assert want.shape == got.shape
    assert np.array_equal(want, got.astype(want.dtype)), [(a.shape, a.strides) for a in args]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ndims", [(2, 2), (2, 1), (1, 2), (3, 2), (3, 3)])
def test_two_stretched(dtype, ndims):
    for shape in SHAPES[max(ndims)]:
        for left, right in itertools.product(stretchable(shape, ndims[0]), stretchable(shape, ndims[1])):
            check(both, items(left, dtype), items(right, dtype))


@pytest.mark.parametrize("layout", [within, apart, lambda a: a[..., ::-1], lambda a: a.T.copy().T])
def test_two_in_any_layout(layout):
    for shape in SHAPES[2]:
        for small in stretchable(shape, 2):
            a, b = items(shape, np.float64), items(small, np.float64)
            check(both, layout(a), layout(b))
            check(both, layout(a), b)
            check(both, b, layout(a))


@pytest.mark.parametrize("dtype", [np.int8, np.float64])
def test_expressions(dtype):
    for shape in SHAPES[2]:
        a = items(shape, dtype)
        for left, right in itertools.product(stretchable(shape, 2), repeat=2):
            check(three, a, items(left, dtype), items(right, dtype))
            check(three, within(a), within(items(left, dtype)), within(items(right, dtype)))
        check(three, a, items(shape[1:], dtype), items(shape[1:], dtype))
        check(doubled, a, items(shape[1:], dtype))
        check(three, apart(a), within(a), within(a))


def test_functions_are_those_of_dense_arrays(rng):
    """The last bit does not tell how an array was stretched."""
    waves = njit(lambda a, b: np.exp(a * b) + np.sin(b))
    a = rng.normal(size=(20, 301))
    for b in (rng.normal(size=301), rng.normal(size=(20, 1))):
        wide = np.ascontiguousarray(np.broadcast_to(b, a.shape))
        assert waves(a, b).tobytes() == waves(a, wide).tobytes()


def test_reductions_of_expressions():
    total = njit(lambda a, b, c: np.sum((a - b) * c))
    for shape in SHAPES[2]:
        for left, right in itertools.product(stretchable(shape, 2), repeat=2):
            args = items(shape, np.int64), items(left, np.int64), items(right, np.int64)
            assert total(*args) == total.py_func(*args)


def test_arrays_that_cannot_be_written():
    a, row = items((4, 300), np.float64), items((300,), np.float64)
    row.flags.writeable = a.flags.writeable = False
    check(both, a, row)
    check(three, a, row, a)
    check(three, a, row, items((4, 1), np.float64))


def test_items_that_lie_unaligned():
    record = np.dtype([("tag", np.int8), ("x", np.float64)])
    table = np.zeros((5, 70), record)
    table["x"] = items((5, 70), np.float64)
    sums = njit(lambda t, row, column: (t["x"] - row) * column + t["x"])
    args = table, items((70,), np.float64), items((5, 1), np.float64)
    assert np.array_equal(sums(*args), sums.py_func(*args))


def test_shapes_that_do_not_agree():
    for args in ((np.ones((3, 4)), np.ones(3)), (np.ones((3, 4)), np.ones((2, 4)))):
        with pytest.raises(ValueError, match="broadcast"):
            both(*args)
    with pytest.raises(ValueError, match="broadcast"):
        three(np.ones((3, 4)), np.ones((3, 1)), np.ones((2, 4)))


# --- Arrays that are changed


@njit
def add_to(out, b):
    out += b


@njit
def add_all_to(out, b, c, d):
    out += b * c - d


def check_update(function, out, *args):
    want = out.copy()
    function.py_func(want, *args)
    function(out, *args)
    assert np.array_equal(want, out), [(a.shape, a.strides) for a in (out, *args)]


@pytest.mark.parametrize("layout", [np.copy, within, apart, lambda a: a[::-1], lambda a: a.T.copy().T])
def test_updates(layout):
    for shape in SHAPES[2]:
        for small in stretchable(shape, 2):
            check_update(add_to, layout(items(shape, np.int64)), items(small, np.int64))
            check_update(add_all_to, layout(items(shape, np.int64)), items(small, np.int64), items(shape[1:], np.int64),
                         within(items(shape, np.int64)))
        check_update(add_to, layout(items(shape, np.int64)), 3)
        check_update(add_to, layout(items(shape, np.int64)), items(shape[1:], np.int64))


def test_updates_of_what_is_read():
    """What overlaps is read as it was before."""
    def rows(a):
        a[1:] += a[:-1]

    def columns(a):
        a[:, 1:] += a[:, :-1] * 2 - a[:, 1:]

    def first_row(a):
        a += a[0]

    def first_column(a):
        a += a[:, :1] * a[:1]

    def turned(a):
        a[:3, :3] += a[:3, :3].T

    def inside(a):
        a[1:-1, 1:-1] += a[2:, 1:-1] + a[:-2, 1:-1] - 4 * a[1:-1, 1:-1]

    for function in (rows, columns, first_row, first_column, turned, inside):
        compiled = njit(function)
        for shape in ((3, 3), (4, 5), (700, 3), (3, 70), (5, 600)):
            check_update(compiled, items(shape, np.int64))


def test_shapes_that_cannot_be_added_to():
    for out, b in ((np.ones((3, 1)), np.ones((3, 4))), (np.ones((3, 4)), np.ones((2, 4)))):
        kept = out.copy()
        with pytest.raises(ValueError, match="broadcast"):
            add_to(out, b)
        assert np.array_equal(kept, out)
