# SPDX-License-Identifier: MIT
"""Arguments that NumPy refuses: places of partitions, parameters of distributions, forms of arrays."""
import numpy as np
import pytest
from compare import check, check_each, compiled
from conftest import function_of

from numba import TypingError, njit

REFUSED = [
    "beta(-1.0, 1)", "beta(1, 0.0)", "binomial(-1, .5)", "binomial(5, 1.5)", "chisquare(0)", "exponential(-1)",
    "f(-1, 1)", "f(1, 0)", "gamma(-1, 1)", "gamma(1, -1)", "geometric(1.5)", "gumbel(0, -1)", "laplace(0, -1)",
    "logistic(0, -1)", "lognormal(0, -1)", "logseries(1.5)", "negative_binomial(0, .5)", "negative_binomial(1, 0)",
    "noncentral_chisquare(-1, 1)", "noncentral_chisquare(1, -1)", "noncentral_f(0, 1, 1)", "noncentral_f(1, 1, -1)",
    "normal(0, -1)", "pareto(0)", "poisson(-1)", "poisson(1e300)", "power(0)", "rayleigh(-1)", "standard_gamma(-1)",
    "standard_t(0)", "triangular(3, 2, 1)", "triangular(1, 3, 2)", "triangular(1, 1, 1)", "uniform(1, 0)",
    "uniform(0, np.inf)", "vonmises(0, -1)", "wald(0, 1)", "weibull(-1)", "zipf(1)", "integers(5, 5)",
    "integers(5, 2, 3)", "integers(0, 300, 3, np.uint8)", "dirichlet(np.array([0.5, -1.0]))",
]


def test_parameters_of_distributions():
    """One function for all, as each would be compiled alone otherwise."""
    lines = "".join(f"    if case == {i}:\n        g.{call}\n" for i, call in enumerate(REFUSED))
    f = njit(function_of(f"def f(g, case):\n{lines}    return g.normal(0, np.nan)"))
    g = np.random.default_rng(3)
    for case, call in enumerate(REFUSED):
        with pytest.raises((ValueError, OverflowError)) as got:
            f(g, case)
        with pytest.raises((ValueError, OverflowError)) as want:
            f.py_func(g, case)
        assert type(got.value) is type(want.value), call
        if "integers" not in call:
            assert str(got.value) == str(want.value), call
    assert np.isnan(f(g, -1))


@pytest.mark.parametrize("kth", [7, -5, 4, -1, 2, (1, 9), (0, 2)])
def test_places_of_partitions(kth):
    f = njit(function_of("def f(a, kth):\n    return np.partition(a, kth), np.argpartition(a, kth)[0]"))
    a = np.array([1, 0, 2, 3])
    places = kth if isinstance(kth, tuple) else (kth,)
    if all(-4 <= k < 4 for k in places):
        assert f(a, kth)[0][places[0]] == sorted(a)[places[0]]
        return
    for call in f, f.py_func:
        with pytest.raises(ValueError, match=r"kth\(=.*out of bounds \(4\)"):
            call(a, kth)


def test_places_of_partitions_on_axes():
    check("np.partition(a, 2)", np.zeros((2, 2)))
    check("a.partition(9)", np.zeros(3))
    check("np.argpartition(a, 3, None).shape, np.partition(a, 1, 0)", np.eye(2))


def test_trim_of_zeros():
    row, plane = np.array([0, 3, 0, 1, 0]), np.array([[0, 0], [1, 2]])
    check("np.trim_zeros(a), np.trim_zeros(a, 'F'), np.trim_zeros(a, 'bf', 0)", row)
    check("np.trim_zeros(a, 'x')", row)
    check("np.trim_zeros(a, '')", row)
    check("np.trim_zeros(a, 'fb', 7)", row)
    check("np.trim_zeros(a), np.trim_zeros(a, axis=1), np.trim_zeros(a, 'b', [0, 1])", plane)


@pytest.mark.parametrize("call", ["np.zeros((%s)).sum()", "np.zeros(1).reshape((%s))", "np.broadcast_to(np.zeros(1), (%s))",
                                  "np.ones((%s)).T"])
def test_too_many_dimensions(call):
    f = njit(function_of("def f():\n    return " + call % ("1, " * 65)))
    with pytest.raises(TypingError, match="maximum supported dimension for an ndarray is 64, found 65"):
        f()


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 has up to 32 dimensions")
def test_as_many_dimensions_as_numpy_has():
    f = njit(function_of("def f():\n    return np.ones((" + "1, " * 40 + ")), np.ones(3).reshape((3, " + "1, " * 63 + "))"))
    assert [a.shape for a in f()] == [(1,) * 40, (3,) + (1,) * 63]


@pytest.mark.parametrize("values", ["3", "a", "np.arange(2)"])
def test_only_vectors_are_searched(values):
    f = njit(function_of(f"def f(a):\n    return np.searchsorted(a, {values})"))
    for shape in ((2, 2), (2, 2, 2), (0, 3)):
        with pytest.raises(ValueError, match="object too deep for desired array"):
            f(np.zeros(shape))
    assert np.array_equal(f(np.arange(3)), f.py_func(np.arange(3)))


@pytest.mark.parametrize("parts", ["(a, 3)", "(3, a)", "(3, 4)", "(a, a.sum())", "(a, np.array(3))", "(a, True)", "(a, 2.5, a)"])
def test_numbers_are_not_concatenated(parts):
    f = njit(function_of(f"def f(a):\n    return np.concatenate({parts})"))
    with pytest.raises(TypingError, match="Numbers and zero-dimensional arrays cannot be concatenated, but with axis=None"):
        f(np.arange(3))
    with pytest.raises(ValueError):
        f.py_func(np.arange(3))
    for call in (f"np.concatenate({parts}, axis=None)", f"np.hstack({parts})", "np.append(a, 3)"):
        g = njit(function_of(f"def f(a):\n    return {call}"))
        assert np.array_equal(g(np.arange(3)), g.py_func(np.arange(3)))


@pytest.mark.parametrize("parts", ["(a, np.ones((2, 2)))", "(np.ones((2, 2)), a)", "(a, a, np.ones((1, 2, 3)), np.ones((2, 2)))"])
def test_parts_of_unlike_dimensions(parts):
    f = njit(function_of(f"def f(a):\n    return np.concatenate({parts})"))
    with pytest.raises(ValueError) as want:
        f.py_func(np.arange(3))
    with pytest.raises(ValueError) as got:
        f(np.arange(3))
    assert str(got.value) == str(want.value)


@pytest.mark.parametrize("name", ["x", "f", "c", "F", "clip", "wrap", "raise", "xy", "ij", "sort"])
def test_names_of_options(name):
    """One that there is not was taken for the first one."""
    a = np.array([1, 0])
    if name in "fcFx":
        check("np.unravel_index(5, (3, 4), b), np.unravel_index(a, 4, b)", a, name)
        check("np.ravel_multi_index((1, 2), (3, 4), order=b), np.ravel_multi_index((a,), 4, order=b)", a, name)
    check("np.ravel_multi_index((a, a), (3, 4), b), np.choose(a, (a, a), mode=b)", a, name)
    check("np.meshgrid(a, a[:1], indexing=b)", a, name)


def test_orders_to_search_by():
    a = np.array([3, 1, 2])
    check("np.searchsorted(a, 2, sorter=b)", a, np.array([1, 2, 0]))
    check("np.searchsorted(a, 2, sorter=b)", a, np.array([1, 2]))
    check("np.searchsorted(a, a, sorter=b)", a, np.array([1, 2, 0, 0]))
    check("np.vander(a)", np.ones((2, 2)))


@pytest.mark.parametrize("order", ["C", "F", "A", "K", "c", "f", "a", "k", "x", "", "CF"])
def test_names_of_orders(order):
    """A small letter, and 'A' of reshape(), stood for rows, as did what is no order."""
    for a in np.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3).T:
        check_each(f"""
        np.ravel(a, '{order}')
        a.flatten('{order}')
        a.flatten(b)
        a.tobytes('{order}')
        np.reshape(a, (3, 2), '{order}')
        a.reshape(3, 2, order='{order}')
        """, a, order)


@pytest.mark.parametrize("order", ["F", "f", "A", "K", "x"])
def test_orders_of_new_arrays(order):
    """Whatever was no 'F' gave rows, and an order that a caller chooses as well."""
    made = "np.zeros((2, 3), np.int8, b), np.ones((2, 3), order=b), np.full((2, 3), 7, order=b), np.eye(2, 3, order=b)"
    like = "np.zeros_like(a, order=b), np.full_like(a, 1, None, b), np.copy(a, b), a.copy(b), np.asarray(a, np.int8, b), " \
           "np.array(a, order=b), a.astype(np.int8, b), np.asanyarray(a, order=b)"
    for body in made, like:
        check(body, np.arange(6).reshape(2, 3).T, order)
        check(body.replace("order=b", f"order='{order}'"), np.arange(6).reshape(2, 3), order)
        if order != "x" and (body is like or order in "Ff"):
            f = compiled(body, 2)
            for got, want in zip(f(np.eye(2), order), f.py_func(np.eye(2), order)):
                assert got.flags.f_contiguous == want.flags.f_contiguous


@pytest.mark.parametrize("rule", ["no", "safe", "same_kind", "unsafe", "x"])
def test_rules_of_casts(rule):
    """Only copyto() and `out` minded the rule."""
    for body in ("np.concatenate((a, a), dtype=np.int8, casting=b), np.vstack((a, a), dtype=np.float64, casting=b)",
                 "np.stack((a, a), dtype=np.float32, casting=b)", "a.astype(np.complex64, casting=b)",
                 "c = a.copy(); np.copyto(c, np.ones(2, np.int16), casting=b); return c".replace("; ", "\n")):
        check(body, np.array([1, 2**53 + 1]), rule)
        check(body, np.array([0.5, 3.0]), rule)


def test_parts_are_cast_one_by_one():
    """In a float64 that all of them fit in digits are lost."""
    check("np.hstack((a, b), dtype=np.int64, casting='unsafe'), np.concatenate((b, a), out=a.repeat(2), casting='unsafe')",
          np.array([2**53 + 1]), np.array([1.5]))


@pytest.mark.parametrize("kind", ["Stable", "quick", "x", "introselect", "", "table"])
def test_kinds_of_sorts(kind):
    row = np.array([3, 1, 2])
    check("np.sort(a, kind=b), np.argsort(a, kind=b)", row, kind)
    check("np.partition(a, 1, kind=b)[1], np.argpartition(a, 1, -1, b).shape", row, kind)
    check("np.isin(a, a[:2], kind=b)", row, kind)
    check("np.sort(a, kind=b, stable=True)", row, kind)


def test_cases_of_select():
    check("np.select([a > 1], [a, a])", np.arange(3))
    check("np.select((), ())", np.arange(3))
    check("np.select([a], [a])", np.arange(3))
    check("np.select((a > 1, a > 0), (a, -a), 7)", np.arange(3))


@pytest.mark.parametrize("name, rest", [("delete", ", 0"), ("roll", ", 1")])
def test_numbers_have_no_axis(name, rest):
    """Told of the function that was called, and not of what it is written with."""
    for value in 2.0, np.array(3):
        with pytest.raises((TypingError, np.exceptions.AxisError)) as raised:
            njit(function_of(f"def f(a):\n    return np.{name}(a{rest}, axis=0)\n"))(value)
        assert f"<built-in function {name}>" in str(raised.value) and "no dimensions, has no axis" in str(raised.value)


@pytest.mark.parametrize("axis", [0, 1])
def test_numbers_have_an_axis_where_numpy_gives_them_one(axis):
    for value in 2.0, np.array(3):
        for call in ("take(a, 0", "take(a, [0, 0]", "take(a, 1", "argpartition(a, 0", "compress([True], a", "compress([False], a"):
            check(f"np.{call}, axis={axis})", value)
        f = function_of(f"def f(a):\n    return np.squeeze(a, axis={axis})\n")
        if axis == 1:
            with pytest.raises(np.exceptions.AxisError):
                njit(f)(value)
        else:
            assert njit(f)(value) == f(value)


def test_lists_are_not_without_a_copy():
    for given in "[1, 2]", "(1, 2)", "()", "3", "range(2)":
        check(f"np.array({given}, copy=False)")
        check(f"np.array({given}, np.float64, copy=False)")
        check(f"np.asarray({given}, copy=False)")
        check(f"np.asanyarray({given}, order='F', copy=False)")


def test_arrays_are_not_without_a_copy():
    """Where the order asks for one, NumPy 2 refuses; ours went on with a copy."""
    for given in np.arange(6.0).reshape(2, 3), np.arange(6.0)[::2], np.arange(3.0), np.zeros((0, 3)):
        check("np.asarray(a, order='F', copy=False)", given)
        check("np.array(a, order='C', copy=False)", given.T)
        check("np.reshape(a, -1, copy=False)", given)
        check("np.reshape(a.T, -1, copy=False)", given)
