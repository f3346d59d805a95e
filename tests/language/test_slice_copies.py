"""a[part] = b[part] along one axis: parts of one array, which overlap in every way, and of two, beside NumPy."""
import itertools

import numpy as np
import pytest
from numba import njit

RECORD = np.dtype([("x", np.float32), ("n", np.int8)])
DTYPES = [np.int8, np.float32, np.float64, np.complex128, np.bool_, "M8[s]", "U3", "S5", RECORD]
PARTS = [slice(start, stop, step) for start, stop, step in itertools.product((0, 2, 5, 8), (0, 3, 6, 9), (1, 2, -1))]


def copy(a, to, b, source):
    a[to] = b[source]


def copy_row(a, i, b, j):
    a[i] = b[j]


def plainly(a, to, b, source):
    """NumPy 2.4 takes a[0:6:2] = a[0:3] for one that it may copy in order."""
    a[to] = b[source].copy()


compiled, compiled_row = njit(copy), njit(copy_row)


def numbers(dtype):
    return np.arange(1, 10).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_parts(dtype):
    for to, source in itertools.product(PARTS, PARTS):
        fits = len(range(*to.indices(9))) == len(range(*source.indices(9)))
        if not fits and len(range(*source.indices(9))) != 1:
            with pytest.raises(ValueError, match="cannot assign slice"):
                compiled(numbers(dtype), to, numbers(dtype), source)
            continue
        ours, plain = numbers(dtype), numbers(dtype)
        compiled(ours, to, ours, source)
        plainly(plain, to, plain, source)
        assert ours.tolist() == plain.tolist(), (to, source)
        ours, plain = numbers(dtype)[::-1], numbers(dtype)[::-1]
        compiled(ours, to, numbers(dtype), source)
        plainly(plain, to, numbers(dtype), source)
        assert ours.tolist() == plain.tolist(), (to, source)


@pytest.mark.parametrize("change", [lambda a: a, np.asfortranarray, lambda a: a[:, ::-1], lambda a: a[::2], lambda a: a[:, 1:4]])
def test_rows(change):
    for i, j in itertools.product(range(3), range(3)):
        ours, plain = (change(np.arange(30.0).reshape(5, 6)) for _ in range(2))
        compiled_row(ours, i, ours, j)
        copy_row(plain, i, plain, j)
        assert (ours == plain).all()


def test_long_ones():
    """Longer than what is moved at once."""
    a = np.arange((1 << 21) + 9)
    b = a.copy()
    compiled(a, slice(3, None), a, slice(0, -3))
    plainly(b, slice(3, None), b, slice(0, -3))
    assert (a == b).all()


@pytest.mark.parametrize("dtype", [np.float64, np.int8, np.complex128, np.bool_])
def test_few_items_that_overlap(dtype):
    """Those that are copied where the code stands: between places of one array, along one axis and several."""
    copies = """a[1:4, 2:5] = a[2:5, 1:4]
a[:, i] = a[:, i + 1]
a[i:i + 3, ::2] = a[i + 1:i + 4, 9:4:-1]
a[i] = a[i + 1, ::-1]
a[::-1, 1] = a[:, 1]
a[2:4, :3] = a[i, i:i + 3]
a.T[1:4, 1:3] = a[1:4, 1:3]
a[1:7, 1:7] = a[:6, :6]
a[:9, :7] = a[1:10, 1:8]
a[i:i, 1:3] = a[:1, :2]
a.reshape(5, 2, 10)[:3, :, 1:6:4] = a.reshape(5, 2, 10)[1:4, ::-1, :2]
a[0] = a[1, :1]
a[1:2, 1:2] = a[3:4, 3:4]"""
    spaces = {}
    for text in copies, copies.replace("\n", ".copy()\n") + ".copy()":  # NumPy 2.4 copies some in order: see above
        exec("def f(a, i):\n    " + text.replace("\n", "\n    "), space := {})
        spaces[text] = space["f"]
    ours, plainly_all = spaces.values()
    f = njit(ours)
    a = np.random.default_rng(3).integers(0, 100, (10, 10)).astype(dtype)
    for i in 0, 2, 5:
        got, want = a.copy(), a.copy()
        f(got, i)
        plainly_all(want, i)
        assert np.array_equal(got, want)
