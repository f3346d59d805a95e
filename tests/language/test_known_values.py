"""Values known while compiling: globals that are slices and records, dicts of several types, literals."""
import collections
import enum
import multiprocessing
import random

import numpy as np
import pytest

import numba
from numba import literal_unroll, njit, types

PART, ROWS, PLACE = slice(1, 4), (slice(0, 2), slice(1, None)), (0, slice(None, None, 2))
RECORDS = np.array([(1, 2.5), (3, 4.5)], dtype=[("x", np.int64), ("y", np.float64)])
RECORD, NAMES, MIXED = RECORDS[1], ("x", "y"), ("a", "b", 1, 2)
Pair = collections.namedtuple("Pair", "a b")


class Axis(enum.IntEnum):
    ROWS = 3
    COLUMNS = 5


def kind_of(value):
    raise NotImplementedError


@numba.extending.overload(kind_of)
def kind_of_literal(value):
    if isinstance(value, types.StringLiteral):
        number = 10 if value.literal_value == "a" else 20
        return lambda value: number
    if isinstance(value, types.IntegerLiteral):
        return (lambda value: 100) if value.literal_value == 1 else (lambda value: 200)


def test_slices_and_records_as_globals():
    @njit
    def read(a, b):
        return a[PART], b[ROWS], b[PLACE], PART.start, RECORD["x"] + RECORD["y"], PART.stop - PART.start
    a, b = np.arange(6), np.arange(6).reshape(2, 3)
    for found, wanted in zip(read(a, b), read.py_func(a, b)):
        np.testing.assert_array_equal(found, wanted)
    for index in (..., (..., 0), (1, ...)):
        np.testing.assert_array_equal(njit(lambda a, index: a[index])(b, index), b[index])


def test_dict_of_several_types():
    @njit
    def parts():
        d = {"a": 1, "b": 2.5, "c": "text"}
        names = ""
        for name in d.keys():
            names += name
        for name, value in literal_unroll(d.items()):
            names += name
        return names, "b" in d, "z" in d, "z" not in d, d["b"], len(d), d.values(), d.items()
    assert parts() == parts.py_func()[:6] + ((1, 2.5, "text"), (("a", 1), ("b", 2.5), ("c", "text")))

    @njit
    def holds(name):
        d = {"a": 1, "b": "x"}
        return name in d
    assert holds("b") and not holds("c")


def test_literal_unroll_knows_its_literals():
    @njit
    def kinds():
        total = 0
        for value in literal_unroll(("a", "b", 1, 2)):
            total += kind_of(value)
        for value in literal_unroll(MIXED):
            total += kind_of(value)
        return total
    assert kinds() == 660

    @njit
    def fields(records):
        total = 0.0
        for name in literal_unroll(NAMES):
            total += records[0][name] + records[name].sum()
        for name in literal_unroll(("x", "y")):
            records[1][name] = 8
        return total
    records = RECORDS.copy()
    assert fields(records) == 14.5 and records[1].tolist() == (8, 8.0)

    @njit
    def truths():
        count = 0
        for value in literal_unroll((1, True, "foo", False)):
            if value is True:
                count += 1
            elif value is False:
                count += 10
        return count
    assert truths() == 11


def test_tuples_and_names():
    @njit
    def of_tuple(items):
        return items.index(3), items.count(3), (*items, 7), items.index(2)
    assert of_tuple((1, 2, 3, 3)) == (2, 2, (1, 2, 3, 3, 7), 1)
    assert njit(lambda pair: pair.index(2))(Pair(1, 2)) == 1
    with pytest.raises(ValueError, match="not in tuple"):
        of_tuple((1, 2))

    @njit
    def by_name(a):
        return getattr(a, "sum")(), getattr(a, "ndim"), getattr(a, "no", 5), hasattr(a, "no"), hasattr(a, "sum")
    assert by_name(np.arange(3)) == (3, 1, 5, False, True)
    assert njit(lambda: np.empty((Axis.ROWS, Axis.COLUMNS)).shape)() == (3, 5)


def test_typed_list_may_not_change_in_its_loop():
    @njit
    def grow(items):
        for item in items:
            items.append(item)

    @njit
    def grow_once(items):
        for item in items:
            if item == 2:
                items.append(3)
                break
        return len(items)
    with pytest.raises(RuntimeError, match="list was mutated during iteration"):
        grow(numba.typed.List([1, 2]))
    assert grow_once(numba.typed.List([1, 2])) == 3


@njit
def draw():
    return np.random.random(), random.random()


@njit
def draw_seeded():
    np.random.seed(3)
    random.seed(3)
    return draw()


def send(connection, function):
    connection.send((function(), draw_seeded()))


def test_forked_processes_draw_their_own_numbers():
    context = multiprocessing.get_context("fork")
    drawn = [draw_seeded()]
    for _ in range(3):
        here, there = context.Pipe()
        child = context.Process(target=send, args=(there, draw))
        child.start()
        numbers, seeded = here.recv()
        child.join()
        assert seeded == drawn[0]
        drawn.append(numbers)
    drawn.append(draw())
    assert len(set(drawn)) == 5


def test_sums_of_polynomials_have_a_formula():
    @njit
    def sums(first, n, k):
        total, squares = 0, 5
        for i in range(n):
            total += i
            squares += i * i * k - 1
        for i in range(first, n, 3):
            total += i
        return total + sum(range(n)), squares
    for n in (-1, 0, 1, 3, 1000, 5000):
        assert sums(2, n, 3) == sums.py_func(2, n, 3)

    @njit("(int64,)")
    def total(n):
        result = 0
        for i in range(n):
            result += i
        return result
    assert total(1 << 61) == ((1 << 60) * ((1 << 61) - 1) + (1 << 63)) % (1 << 64) - (1 << 63)


FLAG = True


def test_flags_that_are_asked_by_is():
    def f(b):
        if FLAG is True:
            b = b[0]
        return b

    def g(b):
        if FLAG is not True:
            b = b[0]
        return b
    assert njit(f)((2,)) == 2 and njit(g)((2,)) == (2,)
