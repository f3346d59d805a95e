# SPDX-License-Identifier: MIT
"""What stands for an array, and values at the edges of functions, as NumPy has them."""
import numpy as np
import pytest

import numba
from numba import njit, types


def same(got, expected):
    if isinstance(expected, (list, tuple)):
        assert len(got) == len(expected)
        for one, other in zip(got, expected):
            same(one, other)
        return
    assert np.shape(got) == np.shape(expected)
    np.testing.assert_array_equal(got, expected)
    assert np.asarray(got).dtype == np.asarray(expected).dtype


NAN, INF = np.nan, np.inf


@pytest.mark.parametrize("function, args", [
    (lambda a: np.partition(a, 0), ((),)),
    (lambda a: np.argpartition(a, 0), ((),)),
    (lambda a: np.roll(a, 3), ((),)),
    (lambda a: np.vander(a), ((),)),
    (lambda a: np.array_split(a, 3), (tuple(range(7)),)),
    (lambda a: np.split(a, [1, 4]), ((1.5, 2.5, 3.5, 4.5, 5.5),)),
    (lambda a, b: np.cov(a, b), (1.5, 2.5)),
    (lambda a, b: np.corrcoef(a, b), (1.5, 2.5)),
    (lambda a: np.flip(a), (np.array(4),)),
    (lambda x, bins: np.digitize(x, bins), (np.array([0.5, 2, NAN, INF, -INF]), np.array([NAN, NAN, 8, 1, -INF]))),
    (lambda x, bins: np.digitize(x, bins), (np.array([0.5, 2, NAN, INF]), np.array([1.0, 1, 3, INF, NAN]))),
    (lambda a: np.trim_zeros(a), (np.array(["", "0", "b", ""]),)),
    (lambda n: np.bartlett(n), (12,)),
    (lambda x, xp, fp: np.interp(x, xp, fp),
     (np.linspace(2, 3, 7, dtype="f4"), np.arange(10, dtype="f4"), np.arange(10, dtype="f4") ** 2)),
    (lambda a, b: np.isrealobj(a) and not np.iscomplexobj(b), (None, None)),
    (lambda a: np.bool_(a), (((1.5, 0), (0, 2)),)),
    (lambda a: np.bool_(a), ([0.0, 1.5],)),
    (lambda a: int(a), (np.datetime64(-3, "ns"),)),
])
@pytest.mark.filterwarnings("ignore")
def test_as_numpy(function, args):
    same(njit(function)(*args), function(*args))


def test_interp_goes_on_after_nan():
    """Points out of order are NumPy's too: the search begins where the last one ended."""
    rng = np.random.default_rng()
    xp, fp, x = rng.permutation(200) * 1.0, rng.random(200), rng.random(300) * 200
    x[rng.integers(0, 300, 60)] = NAN
    np.testing.assert_allclose(njit(lambda x, xp, fp: np.interp(x, xp, fp))(x, xp, fp), np.interp(x, xp, fp))


@pytest.mark.parametrize("start, stop", [(np.complex64(1j), np.complex64(1000j)), (1 + 1j, 1000 + 1000j), (-4j, -324j),
                                         (3 + 4j, -1 + 2j)])
def test_complex_geomspace(start, stop):
    got, expected = njit(lambda a, b: np.geomspace(a, b, 4))(start, stop), np.geomspace(start, stop, 4)
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)
    assert got.dtype == expected.dtype and got[0] == start and got[-1] == stop


def test_texts():
    assert njit(lambda a: ",".join(a))(np.array(["a", "", "bcd"])) == "a,,bcd"
    assert njit(lambda a, n: (n * a, a * n, bytes(a)))(b"ab", 3) == (b"ababab", b"ababab", b"ab")
    assert njit(lambda: (... is ..., ... is not ...))() == (True, False)


@pytest.mark.parametrize("value, other", [("text", "longer"), (3, 4), (2.5, NAN), (np.timedelta64(3, "s"), np.timedelta64(4, "s"))])
def test_equal_or_none(value, other):
    def compare(has_a, has_b, a, b):
        x = a if has_a else None
        y = b if has_b else None
        return x == y, x != y, x == b, a != y

    compiled = njit(compare)
    for has_a in (True, False):
        for has_b in (True, False):
            for b in value, other:
                assert compiled(has_a, has_b, value, b) == compare(has_a, has_b, value, b)


def test_ranges_of_two_types():
    def choose(small, n):
        r = range(np.int32(n)) if small else range(1, n, 2)
        return [i for i in r]

    for small in (True, False):
        assert njit(choose)(small, 7) == choose(small, 7)


def test_row_times_row_does_not_fit():
    def multiply(a, b):
        a @= b
        return a

    with pytest.raises(numba.TypingError, match="@="):
        njit(multiply)(np.ones(3), np.ones(3))


def test_generators_come_back():
    first, second = np.random.default_rng(1), np.random.default_rng(1)
    swapped = njit(lambda a, b: (b, a))(first, second)
    assert swapped[0] is second and swapped[1] is first
    with pytest.raises(ValueError):
        njit(lambda: np.random.noncentral_chisquare(1.0, -1.0))()
    assert np.isnan(njit(lambda: np.random.noncentral_chisquare(0.5, np.nan))())


def test_limits_come_back():
    low, high = njit(lambda: (np.finfo(np.float32), np.iinfo(np.uint8)))()
    assert low.eps == np.finfo(np.float32).eps and high.max == 255 and high.bits == 8


def test_chunk_size_is_for_one_loop():
    @njit(parallel=True)
    def sizes(n):
        inner = np.full(n, -1)
        with numba.parallel_chunksize(5):
            for i in numba.prange(n):
                inner[i] = numba.get_parallel_chunksize()
            outer = numba.get_parallel_chunksize()
        return inner, outer

    inner, outer = sizes(101)
    assert not inner.any() and outer == 5


def test_object_mode_takes_any_signature():
    function = numba.jit((), forceobj=True)(lambda x: x + x)
    assert function("a") == "aa" and function(2) == 4


def test_text_fields_take_texts():
    record = numba.from_dtype(np.dtype([("n", "S5"), ("u", "U3")]))

    @njit((record[:], types.CharSeq(5), types.UnicodeCharSeq(3)))
    def put(a, n, u):
        a[0].n = n
        a[0].u = u

    data = np.zeros(1, record.dtype)
    put(data, b"abcdef", "wxyz")
    assert data[0]["n"] == b"abcde" and data[0]["u"] == "wxy"


def test_nothing_has_no_places():
    assert list(numba.njit(lambda a: np.flatnonzero(a))(None)) == list(np.flatnonzero(None)) == []
    for text in ("a text", ""):
        assert list(numba.njit(lambda a: np.flatnonzero(a))(text)) == list(np.flatnonzero(text))
