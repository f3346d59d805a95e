"""Tuples that hold lists, dicts, sets, ranges, None and arrays, compared by what these hold."""
import itertools

import numpy as np
import pytest
from conftest import outcome
from numba import njit

ITEMS = {"lists": ("[1]", "[2]", "[1, 2]"), "dicts": ("{1: 2}", "{1: 3}"), "sets": ("{1}", "{1, 2}"), "ranges": ("range(0)", "range(5, 5)", "range(3)"),
         "slices": ("slice(1, 2)", "slice(1, 3)"), "None": ("None", "None"), "nested": ("(1, [1])", "(1, [2])"), "NaN": ("[nan * n]", "[1.5]"),
         "optional": ("n", "(3 if n > 2 else None)")}


@pytest.mark.parametrize("kind", ITEMS)
def test_comparisons(make, kind):
    has_order = kind in ("lists", "sets", "nested", "NaN", "None")
    operators = ("==", "!=", "<", "<=", ">", ">=") if has_order else ("==", "!=")
    parts = []
    for x, y in itertools.product(ITEMS[kind], ITEMS[kind]):
        parts += [f"(n, {x}) {operator} (n, {y})" for operator in operators]
        parts += [f"({x}, 1) in [({y}, 1)]"] + ([] if kind == "optional" else [f"{x} in (5.0, {y})"])
    f = make(f"def f(n):\n    nan = float('nan')\n    return [{', '.join(parts)}]\n")
    jitted = njit(f)
    for n in (1, 3):
        assert jitted(n) == f(n)


def test_arrays_decide_where_they_must(make):
    f = make("def f(a, b):\n    return (1, a) < (2, b), sorted([(2, a), (1, b)])[0][0], (1, a) == (1, b)\n")
    for size in (1, 2):
        a = np.arange(size)
        assert outcome(njit(f), a, a + 1) == outcome(f, a, a + 1)


def test_functions_of_the_library_are_not_named(make):
    """Where it refuses an argument, the message is about the call."""
    for call in ("np.sum(1, axis={1})", "np.roll(np.ones(3), {1: 1})", "np.diag_indices(2, n)", "[1] + [1.5]", "np.flip(np.ones(2), {0})",
                 "np.moveaxis(np.ones((2, 2)), {0}, 1)", "np.take(np.ones(3), {1})", "np.tensordot(np.ones(2), np.ones(2), n * 2)"):
        given = outcome(njit(make(f"def f(n):\n    return {call}\n")), 1)
        assert not any(word in str(given) for word in ("external", "gridcell_", "tuple_full", "list_", "strided(", "Line ")), call


def test_axes_in_lists(make):
    a, b = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2)
    for axes in ("([0, 1], [1, 0])", "([1], [0])", "[[0], [1]]", "([0], (1,))", "(1, 0)", "-1", "0", "([0, 1], [1])", "([0], [7])", "5"):
        f = make(f"def f(a, b):\n    return np.tensordot(a, b, axes={axes})\n")
        got, want = outcome(njit(f), a, b), outcome(f, a, b)
        if isinstance(want, np.ndarray):
            assert np.array_equal(got, want) and got.shape == want.shape, axes
        else:
            assert issubclass(got[0], want[0]), axes
