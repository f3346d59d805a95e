# SPDX-License-Identifier: MIT
"""The exercises of notebook 02: types, loops, arrays, and reading errors."""
import math

import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, need_compiled, raised, same

_OPERATIONS = {"add": lambda a, b: a + b, "divide": lambda a, b: a / b}
_VALUES = {"int64": 3, "int32": np.int32(3), "float32": np.float32(3), "bool": True}


def _try(function, *arguments, expected, tolerance=None):
    same(called(function, *arguments), expected, call_text(function, arguments), tolerance)


def _result_type(operation, *kinds):
    """What the compiler finds."""
    from numba import njit, typeof
    function, values = njit(_OPERATIONS[operation]), [_VALUES[kind] for kind in kinds]
    function(*values)
    return str(function.overloads[tuple(map(typeof, values))].signature.return_type)


@exercise
def exercise_1(predicted):
    """The types of results, as a dict by the operation and the types of its operands."""
    yield "each has an answer"
    operations = [f"{name} {kind} {kind}" for name, kind in
                  (("add", "int64"), ("divide", "int64"), ("add", "float32"), ("add", "int32"), ("add", "bool"))]
    operations.append("add int64 float32")
    if not isinstance(predicted, dict) or all(predicted.get(name, ...) is ... for name in operations):
        raise NotRight("Not answered yet: put the names of types in place of the dots, and run that cell.")
    missing = [name for name in operations if predicted.get(name, ...) is ...]
    if missing:
        raise NotRight(f"There is no answer for {', '.join(missing)}.")
    yield "each is the name of a type"
    odd = [name for name in operations if str(predicted[name]) not in (*_VALUES, "float64")]
    if odd:
        raise NotRight(f"{odd[0]}: {predicted[odd[0]]!r} is none of {', '.join((*_VALUES, 'float64'))}.")
    yield "each is what the compiler finds"
    wrong = [name for name in operations if str(predicted[name]) != _result_type(*name.split())]
    if wrong:
        raise NotRight(f"{', '.join(wrong)}: something else. Ask result_type().")


@exercise
def exercise_2(safe_factorial):
    """n! within int64, OverflowError beyond, ValueError for negative numbers."""
    yield "it is a compiled function"
    need_compiled(safe_factorial, 1)
    yield "small numbers"
    for n in (1, 2, 5, 10):
        _try(safe_factorial, n, expected=math.factorial(n))
    yield "0! is 1"
    _try(safe_factorial, 0, expected=1)
    yield "the largest that fits"
    _try(safe_factorial, 20, expected=math.factorial(20))
    yield "the first that does not fit raises OverflowError"
    raised(safe_factorial, OverflowError, 21)
    yield "larger ones, too, also where the lost bits happen to leave something plausible"
    for n in (22, 25, 66, 100):
        raised(safe_factorial, OverflowError, n)
    yield "negative numbers raise ValueError"
    raised(safe_factorial, ValueError, -1)


@exercise
def exercise_3(clip):
    """A copy in which nothing is below low or above high."""
    yield "it is a compiled function"
    need_compiled(clip, 3)
    values = np.array([-2.5, 0.5, 3.0, 9.0])
    yield "values below, within and above"
    _try(clip, values, 0.0, 3.5, expected=np.clip(values, 0.0, 3.5))
    yield "values on the limits, and an empty array"
    _try(clip, values, -2.5, 9.0, expected=values)
    _try(clip, np.empty(0), 0.0, 1.0, expected=np.empty(0))
    yield "integers stay integers, and float32 float32"
    _try(clip, np.array([1, 5, 9]), 2, 7, expected=np.array([2, 5, 7]))
    narrow = values.astype(np.float32)
    _try(clip, narrow, 0.0, 3.5, expected=np.clip(narrow, np.float32(0), np.float32(3.5)))
    yield "every second element of an array"
    _try(clip, np.arange(12.0)[::2], 3.0, 8.0, expected=np.clip(np.arange(12.0)[::2], 3.0, 8.0))
    yield "NaN stays NaN"
    _try(clip, np.array([np.nan, 5.0]), 0.0, 1.0, expected=np.array([np.nan, 1.0]))


@exercise
def exercise_4(row_means):
    """The mean of each row, as float64."""
    yield "it is a compiled function"
    need_compiled(row_means, 1)
    matrix = np.random.default_rng(4).normal(size=(6, 9))
    yield "a matrix with more columns than rows"
    _try(row_means, matrix, expected=matrix.mean(axis=1), tolerance=1e-12)
    yield "other layouts: a transposed matrix, and parts of one"
    _try(row_means, matrix.T, expected=matrix.T.mean(axis=1), tolerance=1e-12)
    _try(row_means, matrix[::2, ::3], expected=matrix[::2, ::3].mean(axis=1), tolerance=1e-12)
    yield "integers: the means are float64"
    _try(row_means, np.array([[1, 2], [3, 3]]), expected=np.array([1.5, 3.0]))
    yield "float32 is added up in float64"
    tenths = np.full((1, 100_000), 0.1, np.float32)
    _try(row_means, tenths, expected=np.array([float(np.float32(0.1))]), tolerance=1e-9)
    yield "a matrix without rows"
    _try(row_means, np.empty((0, 3)), expected=np.empty(0))
    yield "rows without elements raise ValueError"
    raised(row_means, ValueError, np.empty((3, 0)))


@exercise
def exercise_5(first_above):
    """The index of the first value above the limit, or -1."""
    yield "it is a compiled function"
    need_compiled(first_above, 2)
    values = np.array([1.0, 4.0, 2.0, 8.0, 9.0])
    yield "the first of several"
    _try(first_above, values, 2.0, expected=1)
    _try(first_above, values, 4.5, expected=3)
    yield "the very first, and the last"
    _try(first_above, values, 0.0, expected=0)
    _try(first_above, values, 8.5, expected=4)
    yield "equal to the limit is not above it"
    _try(first_above, values, 8.0, expected=4)
    yield "none"
    _try(first_above, values, 9.0, expected=-1)
    yield "an empty array"
    _try(first_above, np.empty(0), 1.0, expected=-1)


@exercise
def exercise_6(product):
    """The product of two matrices, with loops."""
    yield "it is a compiled function"
    need_compiled(product, 2)
    generator = np.random.default_rng(6)
    a, b = generator.normal(size=(5, 7)), generator.normal(size=(7, 4))
    yield "square matrices"
    _try(product, a[:4, :4], b[:4, :4], expected=a[:4, :4] @ b[:4, :4], tolerance=1e-12)
    yield "other shapes"
    _try(product, a, b, expected=a @ b, tolerance=1e-12)
    yield "transposed matrices, and integers"
    _try(product, b.T, a.T, expected=b.T @ a.T, tolerance=1e-12)
    _try(product, np.array([[1, 2]]), np.array([[3], [4]]), expected=np.array([[11.0]]))
    yield "a row times a column without elements: zero"
    _try(product, np.empty((2, 0)), np.empty((0, 3)), expected=np.zeros((2, 3)))
    yield "shapes that do not fit raise ValueError"
    raised(product, ValueError, a, a)
    raised(product, ValueError, b, a.T[:5])
    yield "without NumPy's own product"
    if {"dot", "matmul"} & set(product.py_func.__code__.co_names) or "@" in _operators(product):
        raise NotRight("It is right, by NumPy's own product. Three loops are what this exercise is about.")


def _operators(function):
    """The binary operators of its source."""
    import dis
    return {step.argrepr for step in dis.get_instructions(function.py_func) if step.opname == "BINARY_OP"}


@exercise
def exercise_7(runs):
    """The values that follow each other without a change, and how often each does."""
    yield "it is a compiled function"
    need_compiled(runs, 1)

    def one(values, kept, lengths):
        _try(runs, values, expected=(np.array(kept, values.dtype), np.array(lengths, np.int64)))
    yield "runs of several lengths"
    one(np.array([5, 5, 2, 5]), [5, 2, 5], [2, 1, 1])
    yield "one run, and a single value"
    one(np.array([7, 7, 7]), [7], [3])
    one(np.array([3]), [3], [1])
    yield "a last run that is longer than one"
    one(np.array([1, 2, 2, 2]), [1, 2], [1, 3])
    yield "no two alike"
    one(np.arange(1, 6), range(1, 6), [1] * 5)
    yield "zeros, also in front"
    one(np.array([0, 0, 1, 0]), [0, 1, 0], [2, 1, 1])
    yield "the type of the values stays"
    one(np.array([1.5, 1.5, -0.5], np.float32), [1.5, -0.5], [2, 1])
    yield "an empty array"
    one(np.empty(0), [], [])
