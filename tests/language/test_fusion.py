"""Expressions of whole arrays: one loop each, no arrays between, the same numbers as NumPy's."""
import numpy as np
import pytest
from numba import njit


def allocations(function):
    """How many places in the code of a function make an array."""
    return function.inspect_llvm(function.signatures[0]).count("call ptr @gridcell_memory_create(")


def check(function, *args, exact=False, parallel=False):
    want = function(*[np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args])
    for options in ({}, {"parallel": True})[:1 + parallel]:
        compiled = njit(**options)(function)
        got = compiled(*[np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args])
        assert np.asarray(got).dtype == want.dtype and np.shape(got) == want.shape
        if exact:
            assert np.array_equal(got, want)
        else:
            assert np.allclose(got, want, rtol=1e-13, atol=1e-15, equal_nan=True)
    return compiled


@pytest.fixture
def abc(rng):
    return rng.normal(size=(3, 1000))


def test_one_loop_without_temporaries(abc):
    a, b, c = abc

    def fused(a, b, c):
        return a * b + np.sin(c) - np.sqrt(np.abs(a)) / 2

    def single(a, b, c):
        return a * b

    one, many = njit(single), njit(fused)
    one(a, b, c), many(a, b, c)
    assert allocations(many) == 2  # the result; room for pieces of operands that do not lie densely
    assert allocations(one) >= 1
    check(fused, a, b, c)


def test_what_is_read_again_takes_no_room(rng):
    arrays = rng.integers(-100, 100, size=(6, 500))

    def fused(a, b, c, d, e, g):
        return (a + b) * (c - d) + e * a - b * c + d - (a - g) * (g + e)

    assert allocations(check(fused, *arrays, exact=True)) == 1


def test_large_arrays_on_threads(rng):
    a, b, c = rng.normal(size=(3, 100_000))
    check(lambda a, b, c: a * b + c * 2.0 - a, a, b, c, exact=True, parallel=True)
    check(lambda a, b, c: (a > b) & (c < 0.5), a, b, c, exact=True, parallel=True)
    check(lambda a, b, c: np.where(a > b, a, b) * c + a, a, b, c, exact=True, parallel=True)


def test_shapes_and_layouts(rng):
    u = rng.normal(size=(40, 30))
    row, column = rng.normal(size=30), rng.normal(size=(40, 1))
    check(lambda u: u[1:-1, 1:-1] + 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] - 2 * u[1:-1, 1:-1]), u)
    check(lambda u: u[1:-1, 1:-1] + 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] - 2 * u[1:-1, 1:-1]), u.T)
    check(lambda u, r, c: u * r + c - r * c, u, row, column)
    check(lambda u, r, c: r * c + u[::2, ::-1][:1], u, row, column)
    check(lambda u: (u + u.T[:, :30].T[:30, :].T[:30, :30][0]) * 2 - u[0], u)
    check(lambda u, r, c: u * r + c, np.asfortranarray(u), row, column)
    check(lambda u, r, c: u * r + c, u[:0], row, column[:0])
    check(lambda a, b: a * b + a, np.array(3.0), np.arange(3.0))
    check(lambda a, b: (a * b + 1) * 2, np.array(3.0), np.array(4.0))
    check(lambda a, b: a * 2 + b, rng.normal(size=(2, 3, 4, 5)), rng.normal(size=(3, 1, 5)))


def test_rows_and_columns_of_every_length(rng):
    """Short ones are taken several at a time, of long ones an item stands for a row: the same results."""
    def expression(u, a, b):
        return (u - a) * b + a

    def update(u, a, b):
        u += a * b
        return u

    of_expression, of_update, of_sum = njit(expression), njit(update), njit(lambda a, b: a + b)
    for dtype in (np.float64, np.uint8):
        for rows, width in ((9, 3), (5, 63), (5, 64), (4, 255), (3, 257), (2, 1100), (1, 70), (70, 1)):
            u, row, column, item = (np.asarray(100 * rng.random(shape), dtype)
                                    for shape in ((rows, width), (1, width), (rows, 1), (1, 1)))
            for a, b in ((row, column), (column, column), (column, row), (item, column), (u, column), (row, item)):
                np.testing.assert_allclose(of_expression(u, a, b), expression(u, a, b), rtol=1e-5)
                np.testing.assert_allclose(of_update(u.copy(), a, b), update(u.copy(), a, b), rtol=1e-5)
                np.testing.assert_array_equal(of_sum(a, b), a + b)


def test_lines_and_one_item(rng):
    def update(a, b):
        a *= b
        return a

    add, of_update = njit(lambda a, b: a - b), njit(update)
    one = rng.normal(size=1)
    for n in (1, 2, 500, 0):
        a = rng.normal(size=n)
        for x, y in ((a, one), (one, a), (np.repeat(a, 2)[::2], one), (one, a[::-1]), (a[:1], a[:1])):
            np.testing.assert_array_equal(add(x, y), x - y)
        np.testing.assert_array_equal(of_update(np.repeat(a, 2)[::2], one), a * one)
        np.testing.assert_array_equal(of_update(a.copy(), one), update(a.copy(), one))
        b = a.copy()
        np.testing.assert_array_equal(of_update(b, b[-1:]), a * a[-1:])


def test_kinds_of_numbers(rng):
    i = rng.integers(-50, 50, 100)
    f = rng.normal(size=100).astype(np.float32)
    z = rng.normal(size=100) + 1j * rng.normal(size=100)
    check(lambda i, f: i * 2 + i // 3 - i % 7, i, f, exact=True)
    check(lambda i, f: f * f + f - f / 2, i, f)
    check(lambda i, f: (i & 3) | (i << 2) ^ i, i, f, exact=True)
    check(lambda i, z: z * i + z.conj() - 1j, i, z)
    check(lambda i, z: np.abs(z) + i > 3, i, z, exact=True)
    check(lambda i, f: ~(i > 3) & (f < 0), i, f, exact=True)
    check(lambda i, f: -i + abs(i) * +i, i, f, exact=True)
    check(lambda i, f: np.maximum(i, 3) + np.minimum(f, 0) + np.hypot(f, i), i, f.astype(float))
    check(lambda i, f: np.logaddexp(f, i) + np.fmod(f, 2) * np.heaviside(f, 1), i, f.astype(float))


def test_many_operands(rng):
    a, b, c, d, e, f, g, h = rng.normal(size=(8, 50))
    check(lambda a, b, c, d, e, f, g, h: a + b * c - d / e + f * g - h, a, b, c, d, e, f, g, h)
    check(lambda a, b, c, d, e, f, g, h: (a * b + c * d) + (e * f + g * h) * a, a, b, c, d, e, f, g, h)
    check(lambda a, b: a * a * a + a * b * a * b - (a + b) * (a - b) + a + b + a + b, a, b)


def test_variables_and_writes(abc):
    def several_uses(a, b, c):
        t = a * b
        return t + c * t + t

    def written_between(a, b, c):
        t = a * b
        a[:] = 0
        return t + a + c

    def element_written_between(a, b, c):
        t = a * b
        a[3] = 100
        u = t + c
        return u * a

    def called_between(a, b, c):
        t = a * b
        b.sort()
        return t + b

    def out_between(a, b, c):
        t = a * b
        np.add(b, c, a)
        return t + a

    def in_place(a, b, c):
        a += b * c + a
        a -= a * 0.5
        return a

    def in_a_loop(a, b, c):
        for _ in range(3):
            t = a * b + c
            a = t - a / 2
        return a

    def in_branches(a, b, c):
        if len(a) > 10:
            t = a * b
        else:
            t = a - b
        return t + c

    for function in (several_uses, written_between, element_written_between, called_between,
                     out_between, in_place, in_a_loop, in_branches):
        check(function, *abc, parallel=function is written_between)


def test_out_and_reductions(abc):
    def into(a, b, c):
        out = np.empty_like(a)
        np.add(a * b, np.cos(c), out)
        return out

    def reduced(a, b, c):
        return np.array([np.sum(a * b + c), (a - b).max(), np.mean(a * c) * 2])

    check(into, *abc)
    check(reduced, *abc)


def test_shapes_that_do_not_fit():
    f = njit(lambda a, b, c: a * b + c)
    with pytest.raises(ValueError, match="broadcast"):
        f(np.ones(3), np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match="broadcast"):
        f(np.ones(3), np.ones(4), np.ones(4))


def test_an_exception_in_between():
    @njit
    def f(a, b):
        try:
            t = a * b
            if b[0] > 0:
                raise ValueError("x")
            t = t + a
        except ValueError:
            return a
        return t

    assert f(np.ones(3), np.ones(3)).tolist() == [1, 1, 1]
    assert f(np.ones(3), -np.ones(3)).tolist() == [0, 0, 0]


def test_arrays_change_in_place():
    def whole(a, b):
        a += b
        a *= b * 2.0 + a
        return a

    def overlapping(a):
        a += a.T
        a[1:] += a[:-1]
        a[:-1] += a[1:] * 2
        a += a[::-1]
        a += a * a[0]
        a[::2] *= a[1::2]
        a /= a[3, 3]
        return a

    def of_temporary(a, b):
        product = a * b
        product += b
        return product

    def twice(a):
        a -= a
        return a

    rng = np.random.default_rng(4)
    square = rng.uniform(1, 2, (6, 6))
    for a in (square, np.asfortranarray(square)):
        for b in (rng.uniform(1, 2, (6, 6)), rng.uniform(1, 2, (6, 1)), np.ones(6), 3.0, 2):
            check(whole, a, b)
            check(of_temporary, a, np.full((6, 6), 0.5))
        check(overlapping, a)
        check(twice, a)

    @njit
    def halved(a):
        a *= 0.5
        return a

    assert halved(np.ones(3)).tolist() == [0.5] * 3
    assert allocations(halved) == 0
    with pytest.raises(ValueError, match="broadcast"):
        njit(whole)(np.zeros((1, 3)), np.zeros((2, 3)))


READ = {
    "as it is": lambda a: a[:6], "transposed": lambda a: a[:6].T, "turned": lambda a: a[5::-1, ::-1],
    "moved": lambda a: a[1:], "row": lambda a: a[2], "column": lambda a: a[:6, 1:2], "number": lambda a: a[1, 1]}


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("into", ["as it is", "turned", "moved"])
def test_results_go_into_out_one_by_one(into, read):
    """Without an array between, but where what is read shares memory with it."""
    def whole(x, y, out):
        np.multiply(x, y, out)
        np.add(x, out * y - 1, out)
        return np.sqrt(out, out)

    compiled = njit(whole)
    found = []
    for f in (compiled, whole):
        memory = np.arange(1.0, 43.0).reshape(7, 6) ** 0.5
        found.append((f(READ[read](memory), np.full(6, 2.0), READ[into](memory)), memory))
    for ours, expected in zip(*found):
        np.testing.assert_allclose(ours, expected, rtol=1e-14)


def test_no_array_is_made_for_out():
    from numba import vectorize
    from numba.core.errors import TypingError
    from numba.core.runtime import _nrt_python, rtsys

    def whole(a, b, out):
        np.add(a, b, out)
        np.exp(out, out)
        np.multiply(a * 2 + b, 1.5, out)
        twice(out, out)

    twice = vectorize(lambda x: x * 2)
    a, b, out = np.ones((4, 5)), np.arange(20.0).reshape(4, 5), np.zeros((4, 5))
    f = njit(whole)
    f(a, b, out)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats().mi_alloc
    f(a, b, out)
    made = rtsys.get_allocation_stats().mi_alloc - before
    _nrt_python.memsys_disable_stats()
    assert made == 0
    np.testing.assert_array_equal(out, (a * 2 + b) * 3)
    for x, y in ((np.ones(3), np.ones((2, 3))), (np.ones((5, 5)), np.ones(5)), (np.ones((4, 5)), np.ones(4))):
        out[:] = 7
        with pytest.raises(ValueError, match="broadcast"):
            f(x, y, out)
        assert (out == 7).all()
    with pytest.raises(TypingError, match="narrower kind"):
        f(a, b, np.zeros((4, 5), np.int64))
    with pytest.raises(TypingError, match="result fits into"):
        f(np.ones((2, 4, 5)), b, out)


@pytest.mark.parametrize("make", ["np.maximum(a, a)", "a + a", "-a", "np.sqrt(a) * 2", "twice(a)"])
def test_an_operand_that_is_the_output_too(monkeypatch, make):
    """It has to be there, whether anything reads it afterwards or not."""
    from numba import config, vectorize
    monkeypatch.setattr(config, "OPT", 0)
    twice = vectorize(lambda x: x * 2)
    x = np.array([1.0, 2.5, 4.0])
    for use in ("np.subtract(b, b, b)", "np.subtract(a, b, b)", "np.subtract(b, 1, out=b)", "np.exp(b, b)", "twice(b, b)",
                "np.add(b, a, b, where=a > 1)", "np.add(b, a, out=b, dtype=np.float64)", "np.divmod(b, a, b)",
                "np.modf(b, b)", "np.copyto(b, b)"):
        scope = {"np": np, "twice": twice}
        exec(f"def f(a):\n    b = {make}\n    {use}\n    return 1\ndef g(a):\n    b = {make}\n    {use}\n    return b", scope)
        assert njit(scope["f"])(x) == 1, use
        np.testing.assert_array_equal(njit(scope["g"])(x), scope["g"](x), use)
