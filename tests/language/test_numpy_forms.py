# SPDX-License-Identifier: MIT
"""The forms of arguments that NumPy's signatures allow: by position, by keyword, lists, numbers."""
import numpy as np
import pytest
from compare import check, check_each
from conftest import function_of
from numba import njit, typeof
from numba.core.errors import TypingError


def test_arguments_of_reductions(rng):
    """`out`, `keepdims`, `initial` and `where` stand in NumPy's order."""
    a = rng.random((3, 4))
    check_each("""
        np.sum(a, 0, None, None, True)
        np.sum(a, 0, None, None, False, 2.0, b)
        a.sum(0, None, c); return c
        np.prod(a, None, None, None, True)
        np.min(a, 0, None, True)
        np.max(a, 0, c); return c
        np.max(a, where=b)
        np.min(a, axis=1, initial=0.5, where=b)
        np.mean(a, 0, None, c); return c
        np.var(a, 0, None, None, 1, True)
        np.var(a, where=b)
        np.std(a, axis=1, where=b, ddof=1, keepdims=True)
        np.std(a, axis=0, correction=1)
        np.var(a, axis=0, mean=np.mean(a, axis=0, keepdims=True))
        np.any(b, 0, None, True)
        np.cumsum(a, 0, np.float32)
        np.cumulative_sum(c, include_initial=True)
        np.cumulative_prod(a, axis=1, include_initial=True)
        np.cumulative_sum(a)
        np.median(a, 0, None, True, True)
        np.quantile(a, 0.3, 0, None, False, 'higher')
        np.average(a, 0, [1, 2, 3], True)
        np.average(a, axis=1, returned=True)
    """, a, a > 0.4, np.zeros(4))


def test_masks_and_starts_of_reductions_without_nan(rng):
    a = rng.random((3, 4))
    a[0, 1] = np.nan
    check_each("""
        np.nansum(a, where=b)
        np.nanprod(a, axis=0, where=b, initial=2.0)
        np.nanmin(a, axis=0, where=b, initial=1.0)
        np.nanmax(a, initial=3.0)
        np.nanmean(a, axis=1, where=b)
        np.nanvar(a, 0, None, None, 1)
        np.nanstd(a, axis=0, where=b)
        np.nanvar(a, axis=0, mean=np.nanmean(a, axis=0, keepdims=True))
        np.nancumsum(a, 0, np.float32)
    """, a, rng.random((3, 4)) > 0.3)


def test_differences_and_slopes(rng):
    a, x = rng.random((3, 4)), np.array([0.0, 1.0, 3.0, 4.0])
    check_each("""
        np.diff(a, prepend=0)
        np.diff(a, 2, 0, a[:1], a[:1])
        np.diff(a, axis=1, prepend=1, append=2)
        np.gradient(a, 2.0, 3.0)
        np.gradient(a, axis=(0, 1))
        np.gradient(a, 0.5, axis=0, edge_order=2)
        np.gradient(a, 1, b)
        np.gradient(a[0], b, edge_order=2)
        np.gradient(a[:1])
        np.trapezoid(a, a)
        np.trapezoid(a > 0.5)
    """, a, x)


def test_arrays_like_others(rng):
    a = rng.random((3, 4))
    check_each("""
        np.zeros_like(a, np.float32, 'F')
        np.ones_like(a, order='F', subok=False)
        np.zeros_like(a, shape=(2, 2))
        np.full_like(a, 2, shape=3)
        np.full_like(a, [1, 2, 3, 4])
        np.eye(2, 3, 1, order='F')
        np.asarray(a, order='F')
        np.asarray(a, np.float32, copy=True)
        np.array(5)
        np.geomspace([1, 2], [10, 20], 3)
        np.meshgrid([1, 2], [3, 4, 5], indexing='ij', sparse=True)
        np.indices((2, 3), sparse=True)
        np.diag_indices(3, 3)
        np.diag_indices_from(a[:3, :3])
        np.arange(stop=4)
        np.broadcast_to(3, (2, 2))
        np.broadcast_arrays(a, 1.0)
        np.atleast_1d(3, [1, 2])
        np.reshape(a, shape=(2, 6), order='F')
        a.T.ravel(order='K')
        a.T.flatten('A')
        a.mT
    """, a)
    f = njit(lambda a: (np.zeros_like(a), np.zeros_like(a, order="F"), np.clip(a.T, 0, 1), np.concatenate((a.T, a.T))))
    assert [x.flags.f_contiguous for x in f(a)] == [False, True, True, True]


def test_joined_turned_and_trimmed(rng):
    a = rng.random((3, 4))
    check_each("""
        np.concatenate((a.T, a.T), axis=1)
        np.concatenate((a, a), axis=None, dtype=np.float32)
        np.concatenate((a, a), out=np.zeros((6, 4)))
        np.vstack((a, a), dtype=np.float32)
        np.stack((a, a), axis=1, dtype=np.float32)
        np.insert(a, [1, 2], 0, axis=0)
        np.insert(a, [3, 0], [[5], [6]], axis=0)
        np.insert([1, 2, 3], slice(0, 2), 9)
        np.delete(a, np.s_[::2], 1)
        a[np.s_[1:2, ::2]]
        a[np.index_exp[1]]
        np.trim_zeros(a * (a > 0.8))
        np.roll(a, (1, 2))
        np.rot90(a, 3, (1, 0))
        np.pad([1, 2, 3], 9, 'symmetric', reflect_type='odd')
        np.pad(a, 7, 'reflect', reflect_type='odd')
    """, a)


def test_items_by_number(rng):
    a = rng.random((3, 4))
    check_each("""
        np.take(a, 100)
        np.take(a, -1, 0)
        np.take(a[:0], 0, 0)
        np.take_along_axis(a, np.argsort(a))
        np.put(a, [100], 1, mode='clip'); return a
        np.copyto(a, 1); return a
        np.choose([0, 1, 5], ([1, 2, 3], [4, 5, 6]), mode='clip')
        np.clip(a, min=0.2, max=0.5)
        np.clip(a, max=0.5)
        np.unique([1.0, np.nan, np.nan], equal_nan=False)
        np.unique_all([1, 2, 2])
        np.unique_counts([1, 2, 2])
        np.intersect1d([1, 2, 3, 3], [3, 1, 5], return_indices=True)
        np.union1d(3, [1])
        np.array_equiv([1, 2], [1, 2, 3])
        np.bincount([1], minlength=-1)
        np.angle([1j, 1], True)
        np.unwrap([0, 3, 6, 9], period=4)
        np.nonzero(np.array(1))
    """, a)


def test_polynomials_and_covariances(rng):
    a = rng.random((3, 4))
    check_each("""
        np.polyfit(a[0], a[1], 1, w=[1, 2, 3, 4])
        np.polyfit(a[0], a[1], 1, cov=True)
        np.poly([1, 2])
        np.polyint([1, 2, 3], 2, [1, 2])
        np.polynomial.polynomial.polyint((1, 2, 3), 1, [2], 0, 3)
        np.polynomial.polynomial.polyder((1, 2, 3), 2)
        np.polynomial.polynomial.polyadd(1, (3, 2))
        np.cov(a, fweights=[1, 2, 3, 4])
        np.cov(a, fweights=[1, 2, 3, 4], aweights=[1.0, 2, 3, 4], ddof=0)
    """, a)


def test_attributes_of_dtypes():
    f = njit(lambda a: (a.dtype.name, a.dtype.kind, a.dtype.char, a.dtype.str, a.dtype.itemsize))
    for code in ("?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16", "U3", "S4"):
        dtype = np.dtype(code)
        want = dtype.name, dtype.kind, dtype.char, dtype.str, dtype.itemsize
        assert f(np.zeros(2, dtype))[1:] == want[1:]
        assert dtype.kind in "US" or f(np.zeros(2, dtype))[0] == want[0]
    record = np.zeros(2, [("x", "f4"), ("y", "i8")])
    check("a.dtype.names", record)
    check("a.dtype.kind", record)


@pytest.mark.parametrize("text", ["np.concatenate((a, b))", "np.concatenate((a, b), axis=1)", "np.vstack((a, b))",
                                  "np.hstack((a, b))", "np.column_stack((a, b))"])
def test_what_arrays_are_joined_to_has_one_layout(text):
    """Of arrays that all lie in Fortran order an array that does, by its type."""
    f = njit(function_of(f"def f(a, b):\n    return {text}\n"))
    a, b = np.arange(6.0).reshape(2, 3), np.arange(6, 12).reshape(2, 3)
    for layout, given in (("F", (np.asfortranarray(a), np.asfortranarray(b))), ("C", (a, b)), ("C", (a, np.asfortranarray(b))),
                          ("C", (np.asfortranarray(a), b))):
        made = f(*given)
        assert np.array_equal(made, eval(text, {"np": np, "a": a, "b": b})) and made.dtype == np.float64
        assert f.overloads[tuple(map(typeof, given))].signature.return_type.layout == layout == typeof(made).layout


IDLE = """np.array([1, n], like=a); np.array(b, ndmax=2, subok=True); np.asarray(a, like=a, device='cpu'); np.asanyarray(a, like=None)
np.ascontiguousarray(a, dtype=np.float64, like=a); np.asfortranarray(b, like=a); np.zeros(n, like=a, device=None)
np.ones(n, device='cpu', like=a); np.empty(n, device='cpu', like=a).shape == (n,); np.full(n, 7, device='cpu', like=a)
np.zeros_like(a, subok=False, device='cpu'); np.arange(n, like=a, device='cpu'); np.linspace(0, 1, n, device='cpu')
np.eye(n, device='cpu', like=a); np.identity(n, like=a); np.tri(n, like=a); np.frombuffer(a, like=a); np.copy(b, subok=True)
np.broadcast_to(a, (2, n), subok=True); np.broadcast_arrays(a, b, subok=False)[0]; np.add(a, a, subok=True, order='K', casting='same_kind')
np.unique(a, sorted=True); np.einsum('i->', a, optimize=True)"""


def test_keywords_that_choose_nothing():
    """like=, device=, subok= and kin, for plain arrays."""
    newer = {"ndmax=2, ": (2, 4), "sorted=True": (2, 3)}
    text = IDLE
    for words, version in newer.items():
        if tuple(map(int, np.__version__.split(".")[:2])) < version:
            text = text.replace(words, "")
    calls = [call for line in text.splitlines() for call in line.split("; ")]
    f = function_of(f"def f(a, b, n):\n    return {', '.join(calls)}\n")
    a = np.arange(3.0)
    got, want = njit(f)(a, np.ones((3, 3)), 3), f(a, np.ones((3, 3)), 3)
    for call, one, other in zip(calls, got, want, strict=True):
        assert np.array_equal(one, other) and np.asarray(one).dtype == np.asarray(other).dtype, call


@pytest.mark.parametrize("call,words", [
    ("np.zeros(3, device='gpu')", 'Only "cpu" is allowed, but received: gpu'), ("np.asarray(a, device='cuda')", "received: cuda"),
    ("np.zeros_like(a, device='gpu')", "received: gpu"), ("np.array(a, like=1)", "__array_function__"),
    ("np.array([[1, 2]], ndmax=1)", "maximum number of dimension of 1"), ("np.array(a, ndmax=a[0])", "ndmax must be a literal"),
    ("np.add(a, a, casting='no')", "casting='same_kind'"), ("np.sin(a, like=a)", "unexpected keyword argument 'like'")])
def test_keywords_that_would_choose_something(call, words):
    with pytest.raises(TypingError, match=words):
        njit(function_of(f"def f(a):\n    return {call}\n"))(np.arange(3))
