# SPDX-License-Identifier: MIT
"""Arrays reshaped, joined, taken apart and made."""
import numpy as np
import pytest
from compare import calls, check, check_each, with_arguments
from conftest import function_of

from numba import njit


def test_views(rng):
    for a in (rng.random((2, 3, 4)), np.asfortranarray(rng.random((2, 3, 4))), rng.random((4, 3, 4))[::2, :, ::-1]):
        check_each(calls("np.", "ravel flip fliplr flipud rot90 shape size atleast_2d copy ascontiguousarray "
                                "asfortranarray asarray array diagonal") + """
            a.ravel()
            a.flatten()
            np.reshape(a, (4, -1))
            np.reshape(a, -1)
            a.reshape(2, 12) if a.shape[2] == 4 else a.reshape((a.size // 12, 12))
            np.transpose(a)
            np.transpose(a, (1, 0, 2))
            a.transpose(2, 0, 1)
            a.transpose((2, 0, 1))
            a.transpose()
            np.swapaxes(a, 0, -1)
            a.swapaxes(1, 2)
            np.moveaxis(a, 0, -1)
            np.moveaxis(a, (0, 1), (-1, 0))
            np.expand_dims(a, 1)
            np.expand_dims(a, (0, -1))
            np.squeeze(a[:1], 0)
            np.squeeze(a[:1, :, :1], (0, 2))
            np.squeeze(a, 0)
            np.flip(a, 1)
            np.flip(a, (0, 2))
            np.rot90(a, 2)
            np.rot90(a, -1)
            np.size(a, 1)
            np.rollaxis(a, 2)
            a.T
            np.asarray(a, np.float32)
            a.astype(np.int32)
            np.diagonal(a, 1, 2, 0)
            np.transpose(a, (0, 0, 1))
            np.broadcast_to(a, (2,) + a.shape)
        """, a)


def test_rolls_and_repeats(rng):
    a = rng.random((3, 4))
    check_each(with_arguments("np.roll", "2", "-1, 0", "5, axis=1", "(1, 2), (0, 1)") + """
        np.repeat(a, 2)
        a.repeat(3)
        np.repeat(a, 2, axis=0)
        np.repeat(a, 2, axis=1)
        np.repeat(a, np.array((1, 0, 2)), axis=0)
        np.repeat(a, np.array((True, False, True)), axis=0)
        np.repeat(3.5, 4)
        np.tile(a, 2)
        np.tile(a, (2, 1, 2))
        np.tile(a[0], (2, 2))
        np.resize(a, (5, 3))
        np.resize(a, 4)
    """, a)


def test_joins(rng):
    a, b = rng.random((2, 3)), rng.random((2, 3)).astype("f4")
    check_each("""
        np.concatenate((a, b))
        np.concatenate((a, b), 1)
        np.concatenate((a, b), axis=None)
        np.concatenate((a, b[:, :1]), axis=-1)
        np.concatenate((a, b[:, :1]), axis=0)
        np.concatenate((a[0], b[0], a[1]))
        np.stack((a, b))
        np.stack((a, b), 1)
        np.stack((a, b), axis=-1)
        np.hstack((a, b))
        np.vstack((a, b))
        np.dstack((a, b))
        np.hstack((a[0], b[0]))
        np.vstack((a[0], b[0]))
        np.dstack((a[0], b[0]))
        np.column_stack((a[0], b[0]))
        np.column_stack((a, b[:, 0]))
        np.append(a, b)
        np.append(a, 3)
        np.append(a, b, 0)
        np.append(a, b, axis=1)
        np.broadcast_arrays(a, b[0])
        np.broadcast_shapes((2, 3), (3,), 3)
    """, a, b)


def test_items_in_and_out(rng):
    a = rng.random((3, 4))
    check_each("""
        np.delete(a, 1)
        np.delete(a, -1, 0)
        np.delete(a, 2, axis=1)
        np.delete(a, np.array((0, 2)), 1)
        np.delete(a, 5, 1)
        np.insert(a, 1, 5.0)
        np.insert(a[0], np.array((1, 3)), np.array((8.0, 9.0)))
        np.insert(a, 1, a[0], axis=0)
        np.insert(a, -1, 7, axis=1)
        np.trim_zeros(np.array((0, 0, 1, 2, 0)))
        np.trim_zeros(np.array((0, 0, 1, 2, 0)), 'f')
        np.diag(a)
        np.diag(a, -1)
        np.diag(a[0])
        np.diag(a[0], 1)
        np.diagflat(a, 1)
        np.fill_diagonal(a, 9); return a
        a.item(3)
        a[0, :1].item()
        a.nonzero()
        a.view(np.int64)
        a.view(np.float32)
        a.view(np.uint8)
        np.frombuffer(a, np.int16)
        np.frombuffer(a)
    """, a)
    check("np.fill_diagonal(a, b, True)\nreturn a", np.zeros((7, 3)), np.array([1.0, 2, 3]))


def test_frombuffer_of_bytes():
    text = bytes(range(250, 256)) + b"\0\1"
    check_each("""
        np.frombuffer(a, np.uint8)
        np.frombuffer(a, np.int16)
        np.frombuffer(a, np.uint8, 3, 2)
        np.frombuffer(a)
        np.frombuffer(b'xyz', np.int8)[1:]
    """, text)


def test_creation():
    check_each("""
        np.arange(5)
        np.arange(2, 9, 3)
        np.arange(5.5)
        np.arange(3, -3, -1)
        np.arange(0, 1, 0.1)
        np.arange(4, dtype=np.float32)
        np.arange(1, 4, dtype='int16')
        np.arange(5, 2)
        np.linspace(0, 1)
        np.linspace(1, 10, 4)
        np.linspace(0, 1, 5, endpoint=False)
        np.linspace(0, 1, 5, retstep=True)
        np.linspace(0, 10, 4, dtype=np.int64)
        np.linspace(0, 1, 1)
        np.linspace(0, 1, 0)
        np.linspace(0, 1 + 1j, 3)
        np.logspace(0, 3, 4)
        np.logspace(0, 3, 4, base=2)
        np.geomspace(1, 1000, 4)
        np.geomspace(-1, -1000, 4)
        np.eye(3)
        np.eye(2, 4, 1)
        np.eye(3, k=-1, dtype=np.int32)
        np.identity(3)
        np.identity(2, np.complex64)
        np.tri(3)
        np.tri(3, 4, 1, np.int8)
        np.tril_indices(3)
        np.triu_indices(3, 1)
        np.tril_indices(3, -1, 4)
        np.diag_indices(3)
        np.indices((2, 3))
        np.meshgrid(np.arange(3), np.arange(4.0))
        np.meshgrid(np.arange(3), np.arange(4), indexing='ij')
        np.meshgrid(np.arange(3), np.arange(4), np.arange(2))
        np.bartlett(7)
        np.blackman(8)
        np.hamming(7)
        np.hanning(1)
        np.kaiser(9, 14.0)
        np.full((2, 3), 7)
        np.zeros(3, 'float32')
        np.array((1, 2, 3))
        np.array(((1, 2.5), (3, 4)))
        np.array(((), ()))
        np.array([(), ()])
        np.array((((),), ((),)))
        np.array((1, 2), np.float32)
        np.finfo(np.float64).max
        np.finfo(np.float32).eps
        np.iinfo(np.int16).min
        np.iinfo(np.uint64).max
        np.finfo(1.0).tiny
    """, dtype=False)
    check_each("""
        np.tril(a)
        np.triu(a, 1)
        np.tril(a[0], -1)
        np.triu(np.broadcast_to(a, (2, 3, 3)), -1)
        np.tril_indices_from(a)
        np.vander(a[0])
        np.vander(a[0], 4, increasing=True)
        np.trace(a)
        np.trace(a, 1)
    """, np.arange(9.0).reshape(3, 3))


def test_layouts(rng):
    for a in (rng.random((3, 4)), np.asfortranarray(rng.random((3, 4)))):
        check_each("""
            np.zeros_like(a).strides
            np.full_like(a, 3)
            np.ones_like(a, dtype=np.int8).strides
            a.flags.c_contiguous
            a.flags.f_contiguous
            a[:, 1:].flags.c_contiguous
            a[1].flags.contiguous
            a.T.flags.f_contiguous
        """, a)


def test_what_is_joined_has_a_known_layout():
    from numba import njit, types
    c, f = types.float64[:, ::1], types.float64[::1, :]
    for join in (np.concatenate, np.vstack, np.hstack):
        for kinds in ((c, c), (c, f)):
            joined = njit([kinds])(lambda a, b: join((a, b)))
            assert joined.nopython_signatures[0].return_type.layout == "C"


def test_copies_that_turn_axes(rng):
    for dtype in ("u1", "f8", "c16"):
        for shape in ((37, 53), (3, 20, 40), (1, 70), (0, 5)):
            a = (100 * rng.random(shape)).astype(dtype)
            check_each("""
                a.T.copy()
                np.ascontiguousarray(a.T)
                a[::-1].T.copy()
                """, a)


def test_half_precision(rng):
    check_each("""
        a + a
        a * 2
        np.sqrt(a)
        a.sum()
        np.sort(a)
        a.astype(np.float32)
        np.max(a, axis=0)
        np.argsort(a)
        np.median(a)
    """, rng.random((3, 4)).astype("f2"), rtol=1e-2, dtype=False)


def factors(size, count):
    """All shapes of `count` axes for so many items."""
    if count == 0:
        return [()] if size == 1 else []
    return [(first,) + rest for first in range(1, size + 1) if size % first == 0
            for rest in factors(size // first, count - 1)]


def test_reshape_of_arrays_with_gaps(rng):
    """A view wherever NumPy makes one, so that what is written to it is seen in the array."""
    f = njit(function_of("def f(a, shape):\n    return a.reshape(shape)"))
    views = 0
    for lengths in ((6,), (4, 6), (2, 3, 4), (3, 1, 4)):
        whole = np.arange(np.prod([2 * n + 1 for n in lengths])).reshape([2 * n + 1 for n in lengths])
        for _ in range(12):
            cuts = [[slice(None, n), slice(1, 2 * n + 1, 2), slice(n - 1, None, -1)][rng.integers(3)] for n in lengths]
            a = whole[tuple(cuts)].transpose(rng.permutation(len(lengths)))
            for count in range(1, 5):
                shapes = factors(a.size, count)
                shape = list(shapes[rng.integers(len(shapes))])
                if rng.integers(3) == 0:
                    shape[rng.integers(count)] = -1
                want, got = a.reshape(shape), f(a, tuple(shape))
                assert np.array_equal(got, want), (a.shape, a.strides, shape)
                assert np.shares_memory(got, a) == np.shares_memory(want, a), (a.shape, a.strides, shape)
                views += np.shares_memory(want, a)
    assert views > 20
    fixed = np.arange(12).reshape(3, 4)[::-1]
    fixed.flags.writeable = False
    assert not f(fixed, (2, 6)).flags.writeable


def test_sizes_that_reshape_refuses():
    f = njit(function_of("def f(a, shape):\n    return a.reshape(shape)"))
    for size, shape in ((0, (0, -1)), (8, (3, -1)), (8, (-1, -1)), (8, (3, 2))):
        for a in (np.zeros(size), np.zeros(2 * size)[::2]):
            for function in (f, f.py_func):
                with pytest.raises(ValueError):
                    function(a, shape)


def test_items_outside():
    f = njit(function_of("def f(a, i):\n    return a.item(i)"))
    g = njit(function_of("def f(a, i, j):\n    return a.item(i, j)"))
    for a, i in ((np.zeros(0), 0), (np.zeros(3), 3), (np.zeros(3), -4), (np.zeros((2, 3)), 6)):
        with pytest.raises(IndexError):
            f(a, i)
    for i, j in ((2, 0), (0, 3), (-3, 0), (0, -4)):
        with pytest.raises(IndexError):
            g(np.zeros((2, 3)), i, j)
    assert g(np.arange(6).reshape(2, 3), -1, -3) == 3


ITEMS = [np.dtype(code) for code in ("u1", "i4", "f8", "c16", "M8[s]", "?", "f2", [("a", "i4"), ("b", "f8")],
                                     [("x", "i2"), ("y", "i2")])]


@pytest.mark.parametrize("to", ITEMS, ids=str)
def test_views_as_other_items(to):
    """Between any two dtypes, records among them, of rows, matrices and rows with gaps."""
    f = njit(lambda a: a.view(to))
    memory = np.arange(96, dtype="u1") % 2
    for made_of in ITEMS:
        a = memory.view(made_of)
        for x in (a, a[::2], a[:len(a) // 2 * 2].reshape(2, -1), a[:0]):
            try:
                want = x.view(to)
            except ValueError:
                with pytest.raises(ValueError, match="dtype"):
                    f(x)
            else:
                got = f(x)
                assert got.dtype == to and got.shape == want.shape, made_of
                assert got.tobytes() == want.tobytes() and np.shares_memory(got, want) == (x.size > 0)


def test_what_may_be_written_to():
    """As NumPy's flags say: views of arrays in Fortran's order may be, what is stretched and what is no part of the array may not."""
    def of_fortran(a):
        b = a.reshape((4, 6))
        b[0, 0] += 1
        return b

    def fixed(a):
        return np.broadcast_to(a, a.shape), a.imag, np.broadcast_to(a, (2,) + a.shape)

    a = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
    assert njit(of_fortran)(a.copy("F")).tolist() == of_fortran(a.copy("F")).tolist()
    for got, want in zip(njit(fixed)(a), fixed(a)):
        assert got.flags.writeable == want.flags.writeable is False and got.tolist() == want.tolist()


@pytest.mark.parametrize("dtype", ("i1", "i2", "f4", "f8", "c16", "M8[s]"))
def test_copies_of_transposed_arrays(dtype, rng):
    """In squares of several items at a time, and what is left of them at the edges."""
    @njit
    def into(a, out):
        out[...] = a.T
        return a.T.copy()

    @njit
    def onto_itself(a):
        a[...] = a.T

    for rows, columns in (0, 3), (1, 1), (2, 5), (3, 4), (16, 17), (19, 33), (40, 15):
        a = rng.integers(0, 200, (rows, columns)).astype("i8").astype(dtype)
        for view in a, a[::-1], a[:, ::2], a[1:, 1:], a[:, ::-1]:
            around = np.zeros((view.shape[1] + 3, view.shape[0] + 3), dtype)
            assert np.array_equal(into(view, around[1:-2, 2:-1]), view.T)
            assert np.array_equal(around[1:-2, 2:-1], view.T)
            around[1:-2, 2:-1] = np.zeros((), dtype)
            assert np.array_equal(around, np.zeros_like(around))
        square = a[:min(rows, columns), :min(rows, columns)].copy()
        want = square.T.copy()
        onto_itself(square)
        assert np.array_equal(square, want)
