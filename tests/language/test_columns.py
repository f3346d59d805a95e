"""Arrays that meet a column, of which each row takes one item: in new arrays, and in place."""
import operator

import numpy as np
import pytest
from numba import njit

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.lt, operator.iadd, operator.isub, operator.imul]
SHAPES = [(7, 2), (7, 5), (7, 64), (3, 700), (2, 3, 5), (40, 3, 3), (3, 2, 600), (1, 9), (7, 1), (0, 4), (4, 0), (2, 3, 4, 5)]
LAYOUTS = {
    "C": lambda a: a,
    "F": np.asfortranarray,
    "rows with gaps": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "rows apart": lambda a: np.repeat(a, 2, axis=0)[::2],
    "backwards": lambda a: a[::-1],
    "turned around": lambda a: a[..., ::-1],
}


def same(got, want):
    return got.dtype == want.dtype and got.shape == want.shape and np.array_equal(got, want)


def jitted(op):
    @njit(error_model="numpy")
    def f(a, b):
        return op(a, b)

    return f


FUNCTIONS = {op: jitted(op) for op in OPERATORS}


@pytest.mark.sampled
@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_shapes(op, layout, rng):
    for shape in SHAPES:
        for axis in range(len(shape)):
            whole, part = rng.normal(size=shape), rng.normal(size=shape[:axis] + (1,) + shape[axis + 1:])
            a, column = LAYOUTS[layout](whole), LAYOUTS[layout](part)
            want = op(a.copy(), column.copy())
            if not op.__name__.startswith("i"):
                assert same(FUNCTIONS[op](column, a), op(column.copy(), a.copy()))
                assert same(FUNCTIONS[op](a, column), want)
            assert same(FUNCTIONS[op](a, column.copy()), want)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, np.int32, np.float32, np.float64, np.complex64, np.complex128])
def test_dtypes(dtype, rng):
    @njit
    def f(a, column, row):
        return a * column, column * row, column * row + a, (a * column) * row

    a, column, row = (rng.integers(0, 5, shape).astype(dtype) for shape in ((6, 9), (6, 1), (9,)))
    for got, want in zip(f(a, column, row), f.py_func(a, column, row)):
        assert same(got, want.astype(got.dtype)) and np.can_cast(dtype, got.dtype)


def test_every_pair_of_points(rng):
    @njit
    def differences(x):
        return x[:, None, :] - x[None, :, :]

    @njit
    def ratios(x):
        return x[:, None] / x

    for shape in ((9, 3), (70, 2), (5, 70), (300, 1), (200, 5)):
        x = rng.normal(size=shape)
        assert same(differences(x), differences.py_func(x))
        assert same(ratios(x[:, 0]), ratios.py_func(x[:, 0])) and same(ratios(x[:, 0].copy()), ratios.py_func(x[:, 0]))


def test_columns_of_the_array_itself(rng):
    @njit
    def f(a, b, c):
        a -= a[:, :1]
        b *= b[:, 1][:, np.newaxis]
        c[:, 1:] += c[:, :1]

    arrays = [rng.normal(size=(5, 6)) for _ in range(3)]
    wants = [a.copy() for a in arrays]
    f.py_func(*wants)
    f(*arrays)
    assert all(map(same, arrays, wants))


@pytest.mark.parametrize("op", [operator.add, operator.iadd])
@pytest.mark.parametrize("shape", [(4, 1), (3, 2), (2, 1)])
def test_shapes_that_do_not_fit(op, shape, rng):
    with pytest.raises(ValueError):
        FUNCTIONS[op](rng.normal(size=(3, 5)), rng.normal(size=shape))
