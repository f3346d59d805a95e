# SPDX-License-Identifier: MIT
"""Arrays that the caller gives for results: of what shapes they may be, and what lies in memory that is read as well."""
import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from conftest import function_of

A = np.arange(12.0).reshape(3, 4) * 1.5
# a call, and the shape of its result
CALLS = {
    "np.dot(a, a.T, out)": (3, 3), "a.dot(a.T, out=out)": (3, 3), "np.matmul(a, a.T, out=out)": (3, 3),
    "np.outer(a[0], a[1], out=out)": (4, 4), "np.outer(a, a[0], out)": (12, 4), "np.linalg.multi_dot((a, a.T, a), out=out)": (3, 4),
    "np.choose(np.array([[0, 1], [1, 0]]), (a[0, :2], 7.0), out)": (2, 2), "np.take(a, [0, 1], axis=0, out=out)": (2, 4),
    "a.take([1, 0], 1, out)": (3, 2), "np.concatenate((a, a), out=out)": (6, 4), "np.stack((a, a), out=out)": (2, 3, 4),
    "np.round(a, 1, out)": (3, 4), "a.round(1, out=out)": (3, 4), "np.clip(a, 1, 7, out=out)": (3, 4), "a.clip(1, 7, out=out)": (3, 4),
    "np.add.reduce(a, axis=0, out=out)": (4,), "np.add.reduceat(a, [0, 1], axis=0, out=out)": (2, 4),
    "np.sum(a, axis=0, out=out)": (4,), "a.sum(axis=1, out=out)": (3,), "np.sum(a, out=out)": (), "np.max(a, axis=1, out=out)": (3,),
    "np.max(a, axis=0, keepdims=True, out=out)": (1, 4), "np.mean(a, axis=1, out=out)": (3,), "np.std(a, axis=0, out=out)": (4,),
    "np.median(a, axis=1, out=out)": (3,), "np.percentile(a, 30, axis=1, out=out)": (3,), "np.nansum(a, axis=1, out=out)": (3,),
    "np.ptp(a, axis=1, out=out)": (3,), "np.cumsum(a, axis=1, out=out)": (3, 4), "np.cumprod(a, 0, out=out)": (3, 4),
    "np.nancumsum(a, axis=1, out=out)": (3, 4), "np.cumulative_sum(a, axis=1, out=out)": (3, 4),
    "np.add(a, a, out=out)": (3, 4), "np.sqrt(a, out)": (3, 4), "np.multiply(a, 2, out)": (3, 4),
}


def shapes_beside(shape):
    """The shape, and others that it can and cannot be stretched to."""
    beside = [shape, (1, *shape), (2, *shape)]
    return beside + [shape[1:], (*shape[:-1], shape[-1] + 1), (*shape[:-1], 1)] if shape else beside


def outcome(f, *args):
    try:
        return f(*args)
    except TypingError:
        return TypingError  # as what number of axes an array has is known when the call is compiled
    except Exception:
        return Exception


@pytest.mark.parametrize("call", CALLS)
def test_shapes(call):
    f = function_of(f"def f(a, out):\n    {call}\n    return out")
    for shape in shapes_beside(CALLS[call]):
        expected = outcome(f, A, np.full(shape, -7.0))
        result = outcome(njit(f), A, np.full(shape, -7.0))
        if result is TypingError:
            assert expected is Exception or len(shape) != len(CALLS[call]), shape
        elif expected is Exception:
            assert result is Exception, shape
        else:
            np.testing.assert_allclose(result, expected, rtol=1e-14)


OVERLAPPING = [
    "np.put_along_axis(a, np.array([3, 2, 1, 0]), a, 0)", "np.put_along_axis(a, a, 5, 0)", "np.put_along_axis(a, a[::-1], a, None)",
    "np.add.at(a, a, 1)", "np.add.at(a, np.array([0, 1, 2, 3]), a[::-1])", "np.add.at(a.reshape(2, 2), (a[:2] % 2, a[2:] % 2), a[1:3])",
    "np.outer(a[:2], a[2:], out=a.reshape(2, 2))", "np.dot(a.reshape(2, 2), a.reshape(2, 2), a.reshape(2, 2))", "a[a] = a[::-1]", "a[[0, 1, 2]] = a[[2, 1, 0]]",
    "a[a > 1] = a[a > 1][::-1]", "np.put(a, [0, 1, 2, 3], a[::-1])", "np.putmask(a, a > 0, a[::-1])", "np.copyto(a, a[::-1])",
    "np.place(a, a > 0, a[::-1])", "np.take(a, [3, 2, 1, 0], out=a)", "np.add(a[:-1], a[1:], out=a[1:])", "np.cumsum(a[::-1], out=a)",
    "np.clip(a[::-1], 1, 2, out=a)", "np.choose(a, (a[::-1], a + 1, a, a), out=a)", "a.put(a, a[::-1])", "a[1:3] = a[[0, 1]]",
]


@pytest.mark.parametrize("call", OVERLAPPING)
def test_overlapping(call):
    f = function_of(f"def f(a):\n    {call}\n    return a")
    np.testing.assert_array_equal(njit(f)(np.array([3, 1, 0, 2])), f(np.array([3, 1, 0, 2])))


DRAWN = [f"gen.{name}({more}out=out)" for name in ("random", "standard_normal", "standard_exponential") for more in ("", "dtype=np.float32, ")]
DRAWN += ["gen.standard_exponential(method='inv', out=out)", "gen.random((3, 4), out=out)", "gen.random(12, out=out)"]
FILLED = {"C": np.zeros((3, 4)), "F": np.zeros((4, 3)).T, "strided": np.zeros((3, 8))[:, ::2], "single": np.zeros((3, 4), np.float32),
          "integers": np.zeros((3, 4), np.int8), "row": np.zeros(12)}


@pytest.mark.parametrize("layout", FILLED)
@pytest.mark.parametrize("call", DRAWN)
def test_drawn_into(call, layout):
    """A generator fills what is in one piece, in the order of its memory, and refuses all else."""
    f = function_of(f"def f(gen, out):\n    {call}\n    return out")
    expected, result = (outcome(g, np.random.default_rng(1), FILLED[layout].copy(order="K") if layout != "strided" else FILLED[layout])
                        for g in (f, njit(f)))
    assert (result is Exception) == (expected is Exception)
    if expected is not Exception:
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("call", ["np.diag(a)", "np.triu_indices_from(a)", "np.tril_indices_from(a, 1)", "a.item(1, 1)", "a.item(0, 0, 0, 0)"])
def test_axes_that_are_too_many(call):
    f = function_of(f"def f(a):\n    return {call}")
    assert outcome(f, np.ones((2, 2, 2))) is outcome(njit(f), np.ones((2, 2, 2))) is Exception


@pytest.mark.parametrize("shape", [(4, 4, 1), (1, 4, 4), (3, 3, 3), (2, 3, 3), (0, 0, 0), (0, 2, 2), (2, 2, 2, 2), (5, 5, 5, 4), (2, 5), (5, 2)])
@pytest.mark.parametrize("value", ["7.5", "b", "b[:0]"])
def test_diagonals_that_are_filled(shape, value):
    """Nothing beside the array is written: it lies in the midst of a larger one."""
    f = function_of(f"def f(a, b):\n    np.fill_diagonal(a, {value})\n    return 1")
    wholes = np.zeros((2, 1000))
    begin, size = 400, int(np.prod(shape))
    made = [outcome(call, whole[begin:begin + size].reshape(shape), np.array([1.5, 2.5]))
            for call, whole in zip((f, njit(f)), wholes)]
    assert made[0] is made[1] or made[0] == made[1]
    np.testing.assert_array_equal(*wholes)


@pytest.mark.parametrize("given", ["a", "b'abcdefgh' * 4"])
@pytest.mark.parametrize("count", [-1, 0, 1, 7, 8, 2**61, 2**62, -2**63])
@pytest.mark.parametrize("offset", [0, 4, 31, 32, 33, -1, -8, 2**62, -2**62])
def test_buffers_are_read_within(given, count, offset):
    f = function_of(f"def f(a, count, offset):\n    return np.frombuffer({given}, np.int32, count, offset)")
    made, expected = (outcome(call, A[0], count, offset) for call in (njit(f), f))
    assert (made is Exception) == (expected is Exception)
    if expected is not Exception:
        np.testing.assert_array_equal(made, expected)


# lengths of which the product, or the sum, wraps around to that of a small array
HUGE = [2**31, 2**32, 2**60, 2**61, 2**62, 2**62 + 1, 2**63 - 1, 0, 1, 4]
SHAPED = ["a.reshape((n, m))", "a[::2].reshape((n, m))", "a.reshape((n, m, -1))", "a[:0].reshape((n, m))", "a[:0][::2].reshape((n, m))",
          "np.broadcast_to(a, (n, m, 4))", "np.broadcast_to(a[0], (n, m))", "np.lib.stride_tricks.sliding_window_view(a, (n,))"]
MADE = ["np.zeros((n, m))", "np.empty((n, m, 4), np.int8)", "np.ones_like(a, shape=(n, m))", "np.full((n, m), 1.5)"]


@pytest.mark.parametrize("call", SHAPED + MADE)
def test_shapes_that_wrap_around(call):
    f = function_of(f"def f(a, n, m):\n    return {call}.shape")
    compiled = njit(f)
    for n in HUGE:
        for m in HUGE:
            if call in MADE and 2**24 < n * m < 2**59:
                continue  # more memory than a machine may have
            assert outcome(compiled, A[0], n, m) == outcome(f, A[0], n, m), (n, m)


REFUSED = [("np.repeat(a, n)", [2**60, 2**61, 2**62, 2**62 + 1, 2**63 - 1]), ("np.repeat(a, [n, n, 0, n])", [2**60, 2**62, 2**63 - 1]),
           ("np.repeat(a, [n, n, n, n])", [2**62]), ("np.repeat(a.reshape(2, 2), n, 1)", [2**61, 2**62, 2**63 - 1]),
           ("np.repeat(a.reshape(2, 2), [n, n], 0)", [2**61, 2**62, 2**63 - 1]), ("a.repeat(n)", [2**62]),
           ("np.tile(a, n)", [2**61, 2**62, 2**62 + 1]), ("np.tile(a, (4, n))", [2**60, 2**62]), ("np.pad(a, n)", [2**62, 2**63 - 2, 2**63 - 1]),
           ("np.pad(a.reshape(2, 2), ((0, 0), (n, n)), 'edge')", [2**62, 2**63 - 2, 2**63 - 1]), ("np.tril_indices(4, n, n)", [2**62, 2**63 - 1]),
           ("np.triu_indices(4, 0, n)", [2**62, 2**63 - 1]), ("np.triu_indices(4, -9, n)", [2**62])]


@pytest.mark.parametrize("call, counts", REFUSED)
def test_counts_that_wrap_around(call, counts):
    """These are beside no NumPy: its repeat() writes behind the array that it makes."""
    compiled = njit(function_of(f"def f(a, n):\n    return {call}"))
    for n in counts:
        with pytest.raises((ValueError, MemoryError)):
            compiled(A[0], n)


@pytest.mark.parametrize("k", [0, 2, -2, 2**62, -2**62, 2**63 - 1])
@pytest.mark.parametrize("call", ["np.tril(a, k)", "np.triu(a, k)", "np.tril_indices(3, k, 4)", "np.triu_indices(3, k, 4)", "np.tri(3, 4, k)",
                                  "np.eye(3, 4, k)"])
def test_diagonals_far_away(call, k):
    f = function_of(f"def f(a, k):\n    return {call}")
    np.testing.assert_array_equal(njit(f)(A, k), f(A, k))


@pytest.mark.sampled
@pytest.mark.parametrize("shape", [(3, 4), (12,), (1, 4), (0, 4), (4, 4), (2, 3, 2), ()])
@pytest.mark.parametrize("call", ["np.putmask(a, mask, b)", "np.putmask(a, mask, 5)", "np.place(a, mask, b)", "np.copyto(a, 5, where=mask)",
                                  "np.extract(mask, a)", "np.compress(mask.ravel(), a)"])
def test_masks_of_other_shapes(call, shape):
    """Nothing beside the array is written: it lies in the midst of a larger one."""
    f = function_of(f"def f(a, mask, b):\n    {call}\n    return 1")
    for taken in (3, 4), (2, 3), (12,), (3,):
        wholes = np.zeros((2, 100))
        size = int(np.prod(taken))
        made, expected = (outcome(call, whole[40:40 + size].reshape(taken), np.ones(shape, np.bool_), np.array([1.5, 2.5]))
                          for call, whole in zip((njit(f), f), wholes))
        if made is TypingError:
            assert len(shape) != len(taken)
        else:
            assert made is expected or made == expected
            np.testing.assert_array_equal(*wholes)
