"""`is` between values of one type: what has no identity of its own is the same where it is equal, or all of its parts are."""
import collections

import numpy as np
import pytest

from extension_values import class_of_values, named_type, unbox_members
from numba import njit, types
from numba.extending import make_attribute_wrapper

Pair = collections.namedtuple("Pair", "a b")
LikePair = collections.namedtuple("LikePair", "a b")
ONES = np.ones(3)
SpanType = named_type("Span", [("data", types.float64[:]), ("ends", types.UniTuple(types.int64, 2)), ("step", types.float64)])
unbox_members(SpanType, data=types.float64[:], ends=types.UniTuple(types.int64, 2), step=types.float64)
Span = class_of_values(SpanType, "data", "ends", "step")
make_attribute_wrapper(SpanType, "data", "data")


@njit
def same(x, y):
    return x is y, x is not y


@njit
def step(x):
    return x + 1


# (one value, another that is equal as far as its own type goes, one that is not)
CASES = {
    "tuple": ((1, 2.5), (1, 2.5), (1, 2.0)),
    "tuple of one type": ((1, 2), (1, 2), (2, 1)),
    "named tuple": (Pair(1, "a"), Pair(1, "a"), Pair(1, "b")),
    "nested tuple": ((1, ("a", (True, b"x"))), (1, ("a", (True, b"x"))), (1, ("a", (True, b"y")))),
    "date": (np.datetime64("2020-01-01"), np.datetime64("2020-01-01"), np.datetime64("2020-01-02")),
    "time": (np.timedelta64(5, "s"), np.timedelta64(5, "s"), np.timedelta64(6, "s")),
    "slice": (slice(1, 5), slice(1, 5), slice(1, 6)),
    "slice with a step": (slice(1, 5, 2), slice(1, 5, 2), slice(1, 5, 3)),
    "bytes": (b"ab", b"ab", b"ac"),
}


@pytest.mark.parametrize("name", CASES)
def test_equal_values_are_the_same(name):
    one, equal, other = CASES[name]
    assert same(one, one) == same(one, equal) == (True, False)
    assert same(one, other) == (False, True)


def test_values_of_other_types_are_others():
    for one, other in (((1, 2), (1, 2.0)), ((1, 2), (1, 2, 3)), ((1, 2), Pair(1, 2)), (LikePair(1, 2), Pair(1, 2)),
                       ((), (1,)), (b"a", "a"), (slice(1, 2), (1, 2)), ((1,), None), (step, 1)):
        assert same(one, other) == same(other, one) == (False, True)
    assert same((), ()) == (True, False)


def test_functions_are_themselves():
    assert same(step, step) == (True, False)
    assert njit(lambda: (step is step, step is not step))() == (True, False)


def test_ranges():
    @njit
    def compare(n):
        whole = range(n)
        return whole is whole, whole is range(n), whole is range(n + 1), whole is not range(1, n)
    assert compare(5) == (True, True, False, True)


def test_no_date_is_not_itself_as_with_numba():
    assert same(np.datetime64("NaT", "s"), np.datetime64("NaT", "s")) == (False, True)


def test_items_of_tuples_keep_their_identity():
    equal = ONES.copy()
    assert same((1, ONES), (1, ONES)) == (True, False)
    assert same((1, ONES), (1, equal)) == (False, True)
    assert same((ONES, ONES[1:]), (ONES, ONES[1:])) == (True, False)
    assert same((ONES[:2], ONES), (ONES[1:], ONES)) == (False, True)

    @njit
    def of_lists():
        one, other = [1], [1]
        return (one, 1) is (one, 1), (one, 1) is (other, 1)
    assert of_lists() == (True, False)


def test_values_of_a_programs_types():
    one = Span(ONES, (1, 2), 0.5)
    assert same(one, one) == same(one, Span(ONES, (1, 2), 0.5)) == (True, False)
    for other in (Span(ONES.copy(), (1, 2), 0.5), Span(ONES, (1, 3), 0.5), Span(ONES, (1, 2), 0.25)):
        assert same(one, other) == (False, True)
    assert same((one, 1), (one, 1)) == (True, False)
    assert same(one, None) == same(one, ONES) == (False, True)
