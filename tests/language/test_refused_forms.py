# SPDX-License-Identifier: MIT
"""Lengths, axes, shapes and counts that NumPy refuses, and forms at their edges."""
import numpy as np
import pytest
from compare import check
from conftest import function_of

from numba import njit

PLANE, ROW, POINT, BYTES = np.arange(6.0).reshape(2, 3), np.arange(4.0), np.array(3.5), np.array([1, 200], np.uint8)


def plain_error(call, *args):
    """The compiled function's error, which is of the same class as NumPy's."""
    f = njit(function_of(f"def f({', '.join('abc'[:len(args)])}):\n    return {call}\n"))
    with pytest.raises(Exception) as want:
        f.py_func(*args)
    with pytest.raises(want.type) as got:
        f(*args)
    assert str(got.value)
    return str(got.value), str(want.value)


@pytest.mark.parametrize("stop", [np.inf, -np.inf, np.nan, 1e19, -1e19, 2.5, -1.0, 0.0])
@pytest.mark.parametrize("call", ["np.arange(a)", "np.arange(0, a)", "np.arange(a, 1.5)", "np.arange(0, a, 0.5)",
                                  "np.arange(0.0, 3.0, a)", "np.arange(0, a, dtype=np.int32)"])
def test_lengths_of_ranges(call, stop):
    if call == "np.arange(0.0, 3.0, a)" and stop == 0:
        assert "division by zero" in plain_error(call, stop)[0]
    else:
        check(call, stop)


REPEATED = ["np.moveaxis(a, (0, 0), (0, 1))", "np.moveaxis(a, (0, 1), (1, 1))", "np.moveaxis(a, (0, -2), (1, 0))",
            "np.moveaxis(a, (0, 1), (1, -1))", "np.flip(a, (0, 0))", "np.flip(a, (1, -1))", "np.transpose(a, (0, 0))",
            "a.transpose((0, -2))", "a.transpose(1, 1)", "np.rot90(a, 1, (0, 0))", "np.rot90(a, 1, (0, -2))",
            "np.expand_dims(a, (0, 0))", "np.expand_dims(a, (0, -4))", "np.squeeze(a[:1, :1], (0, 0))", "np.sum(a, (0, -2))",
            "np.max(a, (1, 1))", "np.tensordot(a, a, ((0, 0), (0, 1)))", "np.tensordot(a, a, ((0, 1), (0, 0)))",
            "np.moveaxis(a, (0, 1), (0,))"]


@pytest.mark.parametrize("call", REPEATED)
def test_repeated_axes(call):
    got, want = plain_error(call, PLANE)
    assert got == want


@pytest.mark.parametrize("call", ["np.moveaxis(a, (0, 1), (1, 0))", "np.flip(a, (0, 1))", "np.flip(a, (-1,))",
                                  "np.flip(a, ())", "np.transpose(a, (-1, 0))", "np.expand_dims(a, (0, -1))",
                                  "np.expand_dims(a, (2, 0, 1))", "np.rot90(a, 1, (-1, 0))"])
def test_axes_in_other_orders(call):
    check(call, PLANE)


@pytest.mark.parametrize("subscripts", ["ii", "ii->i", "iij", "iji", "iij->ji"])
@pytest.mark.parametrize("shape", [(3, 1), (1, 3), (2, 3), (3, 3), (1, 1), (0, 0)])
def test_diagonals_in_subscripts(subscripts, shape):
    lengths = {"ii": shape, "ii->i": shape, "iji": (shape[0], 2, shape[1])}.get(subscripts, shape + (2,))
    a = np.arange(np.prod(lengths), dtype=float).reshape(lengths)
    if shape[0] == shape[1]:
        check(f"np.einsum('{subscripts}', a)", a)
    else:
        got, _ = plain_error(f"np.einsum('{subscripts}', a)", a)
        assert got.startswith("dimensions in operand 0 for collapsing index")


def test_ones_of_other_operands_are_stretched():
    check("np.einsum('ij,ij', a, b)", np.ones((3, 1)), np.ones((3, 4)))
    check("np.einsum('ii,i', a, b)", np.ones((3, 3)), np.ones(1))
    assert "operand 1" in plain_error("np.einsum('i,ii', a, b)", np.ones(3), np.ones((3, 1)))[0]


def test_weights_of_other_shapes():
    check("np.histogram(a, 3, weights=b)[0]", ROW, ROW)
    for a, b in (ROW, np.ones((2, 2))), (np.ones((2, 2)), ROW), (ROW, np.arange(3.0)):
        got, want = plain_error("np.histogram(a, 3, weights=b)", a, b)
        assert got == want
        got, want = plain_error("np.histogram(a, np.array([0.0, 2.0, 4.0]), weights=b)", a, b)
        assert got == want
    for shape in (1, 3), (2, 1), (2,), (4,), (1,), (3, 2):
        got, want = plain_error("np.average(a, 1, b)", PLANE, np.ones(shape))
        assert got == want
    check("np.average(a, 1, b), np.average(a, -1, c)", PLANE, np.arange(3.0), PLANE)
    check("np.average(a, (0, 1), b)", PLANE, PLANE)


@pytest.mark.parametrize("call, text", [
    ("multinomial(-1, a)", "n < 0"), ("multinomial(3, -a)", "pvals"), ("multinomial(3, a * np.nan)", "pvals"),
    ("multinomial(3, 4 * a)", "pvals"), ("multinomial(3, np.concatenate((2 * a, a)))", "sum(pvals[:-1]) > 1.0"),
    ("multinomial(-1, a, 2)", "n < 0"), ("dirichlet(-a)", "alpha <= 0"), ("dirichlet(0 * a)", "alpha <= 0"),
    ("dirichlet(0 * a, 2)", "alpha <= 0"), ("multinomial(-1, np.empty(0))", "n < 0")])
def test_shares_of_distributions(call, text):
    got, want = plain_error(f"np.random.{call}", np.array([0.4, 0.3]))
    assert got.startswith(text) and want.startswith(text)


def test_no_shares_at_all():
    check("np.random.multinomial(3, np.empty(0)), np.random.multinomial(3, np.empty(0), 2), np.random.dirichlet(np.empty(0))")


def test_counts_of_bytes():
    f = njit(function_of("def f(n):\n    return np.random.bytes(n)\n"))
    assert [len(f(n)) for n in (0, 1, 4, 5, 8)] == [0, 1, 4, 5, 8]
    for n in 2**63 - 1, 2**63 - 3, 2**62:
        with pytest.raises((MemoryError, ValueError)):
            f(n)


@pytest.mark.parametrize("count", [-2**63, 2**63 - 1, -17, -16, -15, -1, 0, 3, 16, 18])
def test_counts_of_bits(count):
    if count == 2**63 - 1:
        f = njit(function_of("def f(a, n):\n    return np.unpackbits(a, count=n)\n"))
        with pytest.raises((MemoryError, ValueError)):
            f(BYTES, count)
    else:
        check("np.unpackbits(a, count=b)", BYTES, count)
        check("np.unpackbits(a, 0, b)", np.array([[7], [9]], np.uint8), count)


@pytest.mark.parametrize("ddof", [-2**63, 2**63 - 1, -1, 0, 4, 5])
def test_degrees_of_freedom(ddof):
    check("np.cov(a, ddof=b)", ROW, ddof)
    check("np.cov(a, ddof=b)", PLANE, ddof)


@pytest.mark.parametrize("places", [[0, 1, 1, 2], [0, 0, 0, 0], [3, 1, 1, 0], [0, 2, 4, 6], [0, 1, 3, 6], [6, 4, 2, 0]])
@pytest.mark.parametrize("edge_order", [1, 2])
def test_slopes_between_places(places, edge_order):
    check(f"np.gradient(a, b, edge_order={edge_order})", ROW**2, np.array(places, float))
    check(f"np.gradient(a, b, edge_order={edge_order})", ROW**2, np.array(places))


@pytest.mark.parametrize("call", [
    "np.array(a, order='F')", "np.array(a, np.int64, order='F')", "a.astype(np.int64, order='F')", "a.copy('F')",
    "np.copy(a, order='F')", "np.asarray(a, order='F')", "np.zeros_like(a, order='F')", "np.full_like(a, 2, order='F')",
    "np.zeros((), order='F')", "np.full((), 3.5, order='F')", "a.flatten('F')", "a.reshape((1, 1), order='F')",
    "np.array(3.5, order='F')", "a.astype(np.float32, order='C')"])
def test_no_dimensions_in_order_of_columns(call):
    check(call, POINT)


@pytest.mark.parametrize("a, b", [(POINT, 2.0), (7, POINT), (POINT, POINT), (ROW, POINT), (POINT, ROW + 1), (ROW, 2),
                                  (np.array(7), 2), (np.array(7, np.int32), np.int32(2)), (np.array(-7), np.array(2)),
                                  (PLANE, ROW[1:]), (np.array(7), 0), (ROW, 0.0)])
def test_divmod_of_arrays(a, b):
    check("divmod(a, b)", a, b)
