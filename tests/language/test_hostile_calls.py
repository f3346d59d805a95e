# SPDX-License-Identifier: MIT
"""Calls that ask the library for what is not there: empty arrays, lengths that do not match, huge and negative numbers.

The last test runs the file once more with each access of the library checked (GRIDCELL_CHECK_LIBRARY).
"""
import os
import pathlib

import numpy as np
import pytest
from compare import check
from numba import njit

LOW, HIGH = -2 ** 63, 2 ** 63 - 1
IS_FROM_2_5 = np.lib.NumpyVersion(np.__version__) >= "2.5.0"
IS_CHECKED = os.environ.get("GRIDCELL_CHECK_LIBRARY") == "1"
EDGES = (0, 1, -1, 3, -3, HIGH, LOW, 2 ** 32, -2 ** 32)
EMPTY = np.zeros(0)
FLAT = np.arange(3.0, 0.0, -1.0)
BOX = np.arange(6.0).reshape(2, 3)
HOLLOW = np.zeros((0, 3))
TURNED = BOX[::-1, ::-1]
SPREAD = np.broadcast_to(np.float64(2), (2, 3))
ARRAYS = (EMPTY, FLAT, BOX, HOLLOW, TURNED, SPREAD)
OF_ARRAYS = """
np.sort(a)
np.partition(a, 0).shape
np.cumsum(a)
np.diff(a)
np.diff(a, 7)
np.median(a)
np.nanmedian(a)
np.ediff1d(a)
np.flip(a)
np.unique(a)
np.pad(a, 1)
np.argwhere(a)
np.tile(a, 0)
np.roll(a, 5)
np.ravel(a, order='F')
a.flatten()
np.packbits(a > 1)
np.histogram(a, 3)
""".strip().splitlines()
OF_A_NUMBER = """
np.partition(a, b).shape
np.take(a, b)
np.take(a, b, mode='clip')
np.put(a, b, 7); return a
np.delete(a, b)
np.insert(a, b, 7)
np.roll(a, b)
a.flat[b]
np.reshape(a, (b, 2))
np.reshape(a, (2, b), order='F')
a.T.reshape(b, 3)
np.broadcast_to(a, (b, 1)).shape
np.broadcast_to(a, (2, b)).shape
np.lib.stride_tricks.sliding_window_view(a, b, axis=0).shape
np.add.reduceat(a, [0, b])
a[b:]
a[:b]
a[::b]
""".strip().splitlines()
OF_TWO = """
np.convolve(a, b)
np.correlate(a, b, 'same')
np.interp(a, b, b)
np.searchsorted(b, a)
np.compress(a, b)
np.extract(a, b)
np.place(a, b > 1, b); return a
np.putmask(a, b > 1, b); return a
np.average(a, weights=b)
np.cov(a, b)
np.polyadd(a, b)
np.polydiv(a, b)
np.digitize(a, b)
np.append(a, b, axis=0)
np.insert(a, [1], b)
np.isin(a, b)
np.cross(a, b)
np.kron(a, b)
np.add(a, 1, out=b); return b
np.take_along_axis(a, b.astype(np.int64), 0)
np.copyto(a, b); return a
a[:len(b)][b[:len(a)] > 1]
""".strip().splitlines()


@pytest.fixture(autouse=True)
def compiled_in_little_time(monkeypatch):
    monkeypatch.setattr("numba.config.OPT", 0)


@pytest.mark.parametrize("body", OF_ARRAYS)
def test_arrays(body):
    for a in ARRAYS:
        check(body, a)


@pytest.mark.parametrize("body", OF_A_NUMBER)
def test_numbers(body):
    for a in (EMPTY, FLAT):
        for number in EDGES:
            check(body, a.copy(), number)


@pytest.mark.parametrize("body", OF_TWO)
def test_lengths_that_do_not_match(body):
    for a in (EMPTY, FLAT):
        for b in (EMPTY, FLAT, FLAT[:1], np.arange(5.0)):
            # from NumPy 2.5 on nothing that is looked up in nothing is no error
            if not ("interp" in body and a.size == b.size == 0 and IS_FROM_2_5):
                check(body, a.copy(), np.sort(b) if "searchsorted(b" in body else b.copy())  # without an order it finds anything


@pytest.mark.parametrize("body, args", [
    ("np.lexsort(a)", (np.zeros((0, 3)),)),
    ("np.lexsort((a, b), axis=0)", (BOX, TURNED)),
    ("np.lexsort((a, a), axis=b)", (FLAT, 1)),
    ("np.unpackbits(a, count=b)", (np.arange(3, dtype=np.uint8), LOW)),
    ("np.unpackbits(a, count=b)", (np.arange(3, dtype=np.uint8), -24)),
    ("np.unpackbits(a, axis=0, count=b)", (np.ones((3, 2), np.uint8), -25)),
    ("np.pad(a, 2, mode='mean', stat_length=b)", (BOX, -1)),
    ("np.pad(a, 2, mode='maximum', stat_length=b)", (BOX, LOW)),
    ("np.argsort(a, axis=b)", (np.array(1.0), 4)),
    ("np.argsort(a, axis=b)", (FLAT, 1)),
    ("np.partition(a, b)", (HOLLOW, 5)),
    ("np.partition(a, b)", (EMPTY, 5)),
    ("np.argpartition(a, b)", (EMPTY, LOW)),
    ("np.take(a, b, axis=c)", (FLAT, np.zeros((0, 0), np.int64), 2)),
    ("np.quantile(a, b)", (FLAT, np.nan)),
    ("np.percentile(a, b)", (FLAT, np.nan)),
    ("np.quantile(a, b)", (FLAT, np.array([0.5, np.nan]))),
    ("np.average(a, axis=0, weights=b)", (BOX, np.ones((1, 3)))),
    ("np.random.poisson(a)", (9.3e18,)),
    ("np.broadcast_to(a, (b, c))", (np.ones((1, 1)), -5, 3)),
    ("np.broadcast_to(a, (b, c))", (np.ones(1), 2 ** 62, 4)),
    ("np.diff(a, 7)", (np.zeros((0, 3)),)),
])
def test_what_fell(body, args):
    check(body, *args)


# --- With each access of the library checked


@pytest.mark.skipif(not IS_CHECKED, reason="run by the last test")
def test_each_kind_of_access_is_checked():
    from gridcell import library

    @library.compiled
    def item(a, i):
        return a[i]

    @library.compiled
    def list_item(items, i):
        return library.list_load(items, i)

    @library.compiled
    def set_item(items, i):
        library.list_store(items, i, 1)

    @library.compiled
    def view(a, offset, n, step):
        return library.strided(a, a.dtype, library.A, offset, (n,), (step,))

    assert item(FLAT, 2) == 1.0 and list_item([1, 2], 1) == 2 and view(FLAT, 16, 3, -8).tolist() == [1.0, 2.0, 3.0]
    for call in (lambda: item(FLAT, 3), lambda: list_item([1, 2], 2), lambda: list_item([1, 2], -1), lambda: set_item([1], 1),
                 lambda: view(FLAT, 0, 4, 8), lambda: view(FLAT, 0, 2, -8), lambda: view(FLAT, 8, 3, 8),
                 lambda: view(FLAT, 0, -1, 8), lambda: view(EMPTY, 0, 1, 8)):
        with pytest.raises(IndexError, match=r"\(\) of the library reaches out of bounds: index -?\d+ on axis -?\d of size \d+"):
            call()

    @njit
    def caller(a):
        return np.sort(a[::2]).sum() + np.lib.stride_tricks.as_strided(a, (1,), (8,))[0]

    assert caller(FLAT) == 7.0


@pytest.mark.skipif(IS_CHECKED, reason="it is the run that this one makes")
def test_library_stays_in_bounds(run_python):
    done = run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(pathlib.Path(__file__)),
                      env={"GRIDCELL_CHECK_LIBRARY": "1"})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
