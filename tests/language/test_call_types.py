"""Values whose types are remembered by their dtype or class: calls find the version of each again."""
import collections

import numpy as np
from numba import njit, typeof

Point = collections.namedtuple("Point", "x y")
Other = collections.namedtuple("Point", "x y")


@njit
def same(a):
    return a


@njit
def first(t):
    return t[0]


def test_records_follow_their_dtype():
    dtype = np.dtype([("x", np.float64), ("y", np.int64)])

    @njit
    def read(a):
        return a[0].x if a.ndim else a.x

    @njit
    def of_record(r):
        return r.x

    a = np.array([(1.5, 2)], dtype)
    for _ in range(3):
        assert read(a) == 1.5 and of_record(a[0]) == 1.5 and of_record(np.rec.array(a)[0]) == 1.5
    assert len(read.signatures) == 1
    # the same dtype, with other names from now on, as NumPy allows
    dtype.names = ("y", "x")
    assert typeof(np.zeros(1, dtype)) != typeof(np.zeros(1, [("x", np.float64), ("y", np.int64)]))
    b = np.zeros(1, dtype)
    b["x"] = 7
    assert read(b) == 7 and of_record(b[0]) == 7


def test_dtypes_that_come_and_go():
    for i in range(300):
        dtype = np.dtype([("x", np.float64), (f"field{i}", np.int64)])
        assert f"field{i}[" in str(typeof(np.zeros(1, dtype)))


def test_dates_of_every_unit():
    for unit in ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "25s", "3D"):
        for value in (np.datetime64(3, unit), np.timedelta64(3, unit), np.datetime64("NaT", unit)):
            assert typeof(value) == typeof(np.array([value])).dtype
            got = same(value)
            assert got.dtype == value.dtype and (got == value or np.isnat(value))
    assert same(np.timedelta64(5)) == np.timedelta64(5)


def test_tuples_by_their_items():
    values = [(1, 2), (1.5, 2), (1, 2, 3), ((1, 2), 3), (True, 2), (np.float32(1), 2), (2**63, 1), (np.zeros(2), 1),
              (np.zeros(2, np.int8), 1), ("a", 1), (None, 1), (1, 2.5), Point(1, 2), Point(1.5, 2), Other(1, 2), (1, (2,))]
    for _ in range(2):
        for value in values:
            for _ in range(2):
                got = first(value)
                assert type(got) is type(value[0]) or isinstance(value[0], (tuple, np.generic, np.ndarray))
                assert np.array_equal(got, value[0])
    assert len(first.signatures) == len(values)


def test_subclasses_of_tuples_are_no_tuples():
    class Sub(tuple):
        pass

    @njit
    def length(t):
        return len(t)

    assert length((1, 2)) == 2
    try:
        length(Sub((1, 2)))
    except Exception as error:
        assert "Cannot determine Numba type" in str(error) or "non-precise type" in str(error)
    else:
        raise AssertionError("a subclass without fields has no type")
