# SPDX-License-Identifier: MIT
"""The exercises of notebook 04: ufuncs, generalised ufuncs, stencils."""
import re
import warnings

import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, is_stub, name_of, need_function, same


def need_ufunc(answer, inputs):
    """The answer is a ufunc of numbers with so many inputs."""
    if answer in (Ellipsis, None) or is_stub(answer):
        need_function(answer, inputs)
    if not hasattr(answer, "nin") or getattr(answer, "signature", None):
        raise NotRight(f"{name_of(answer)} is no ufunc of numbers. What makes one of a function?")
    if (answer.nin, answer.nout) != (inputs, 1):
        raise NotRight(f"{name_of(answer)} has {answer.nin} inputs; {inputs} are asked for.")


def _core(signature):
    """A signature with its dimensions named in the order in which they come."""
    names = {}
    return re.sub(r"\w+", lambda name: names.setdefault(name[0], f"d{len(names)}"), re.sub(r"\s", "", signature))


def need_gufunc(answer, signature):
    """The answer is a generalised ufunc with that signature, whatever its dimensions are called."""
    if answer in (Ellipsis, None) or is_stub(answer):
        need_function(answer, 0)
    found = getattr(answer, "signature", None)
    if not isinstance(found, str):
        raise NotRight(f"{name_of(answer)} is no generalised ufunc. What makes one of a function?")
    if _core(found) != _core(signature):
        raise NotRight(f"{name_of(answer)} has the signature {found}; {signature} is asked for.")


def need_stencil(answer):
    if answer in (Ellipsis, None) or is_stub(answer):
        need_function(answer, 1)
    if not hasattr(answer, "neighborhood"):
        raise NotRight(f"{name_of(answer)} is no stencil. What makes one of a function?")


def _need(function, expected, *arguments, tolerance=None):
    same(called(function, *arguments), expected, _text(function, arguments), tolerance)


def _text(function, arguments):
    name = getattr(function, "__name__", None)
    return call_text(function, arguments) if name else f"the stencil of {call_text(np.asarray, arguments)[8:-1]}"


def _smooth(x):
    x = np.clip(np.asarray(x, np.float64), 0, 1)
    return x * x * (3 - 2 * x)


@exercise
def exercise_1(smoothstep):
    """A smooth step from 0 to 1."""
    yield "it is a ufunc of one number"
    need_ufunc(smoothstep, 1)

    def one(x):
        expected = _smooth(x)
        _need(smoothstep, expected if expected.ndim else float(expected), x, tolerance=1e-12)
    # first, as a ufunc that has a loop for floats takes it for integers as well; of those whose answer is plain
    yield "integers give floats"
    one(np.array([-1, 0]))
    one(-3)
    yield "numbers in between"
    for x in (0.5, 0.25, 0.9):
        one(x)
    yield "numbers below and above, and the ends"
    for x in (-3.0, 7.5, 0.0, 1.0):
        one(x)
    yield "arrays of any shape"
    values = np.random.default_rng(1).normal(size=(4, 3, 5))
    one(values)
    one(values[::2, :, 1])
    one(values[:0])
    yield "NaN stays NaN"
    one(np.array([0.5, np.nan, 2.0]))


@exercise
def exercise_2(gcd):
    """The greatest common divisor."""
    yield "it is a ufunc of two numbers"
    need_ufunc(gcd, 2)
    generator = np.random.default_rng(2)
    yield "two numbers"
    for a, b in ((12, 18), (18, 12), (7, 5), (100, 10)):
        _need(gcd, np.gcd(a, b), a, b)
    yield "zeros"
    for a, b in ((0, 5), (5, 0), (0, 0)):
        _need(gcd, np.gcd(a, b), a, b)
    yield "the result is an integer"
    a, b = generator.integers(1, 1000, (6, 1)), generator.integers(1, 1000, 9)
    if called(gcd, a, b).dtype != np.int64:
        raise NotRight(f"{name_of(gcd)} of integers gives {called(gcd, a, b).dtype}.")
    yield "arrays, broadcast"
    _need(gcd, np.gcd(a, b), a, b)
    yield "negative numbers"
    for a, b in ((-12, 18), (12, -18), (-12, -18), (-7, 0)):
        _need(gcd, np.gcd(a, b), a, b)
    yield "reduce: of many, and of none"
    for values in (np.array([12, 18, 30]), np.array([0, 0]), np.zeros(0, np.int64)):
        try:
            found = gcd.reduce(values)
        except Exception as error:
            raise NotRight(f"gcd.reduce({values.tolist()}) raised {type(error).__name__}: {error}") from None
        same(found, np.gcd.reduce(values), f"gcd.reduce({values.tolist()})")


@exercise
def exercise_3(mean_and_spread):
    """Mean and standard deviation."""
    yield "it is a generalised ufunc (n)->(),()"
    need_gufunc(mean_and_spread, "(n)->(),()")
    values = np.random.default_rng(3).normal(size=(3, 4, 50))

    def one(values):
        expected = values.mean(axis=-1), values.std(axis=-1)
        _need(mean_and_spread, expected, values, tolerance=1e-6)
    yield "a row"
    one(np.array([1.0, 2.0, 3.0, 6.0]))
    one(values[0, 0])
    yield "one element: no spread"
    one(np.array([5.0]))
    yield "stacks of rows"
    one(values)
    one(values[:0])
    one(values.T)
    yield "large numbers that differ little"
    one(values[0] + 1e9)
    yield "rows without elements"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one(values[0, :, :0])


def _moving(values, width):
    return np.array([values[max(0, i + 1 - width):i + 1].mean() for i in range(len(values))])


@exercise
def exercise_4(moving_average):
    """The mean of the last elements."""
    yield "it is a generalised ufunc (n),()->(n)"
    need_gufunc(moving_average, "(n),()->(n)")
    values = np.random.default_rng(4).normal(size=(2, 3, 40))

    def one(values, width):
        _need(moving_average, np.apply_along_axis(_moving, -1, values, width) if values.size else values.copy(), values, width,
              tolerance=1e-9)
    yield "a row"
    one(np.array([1.0, 2.0, 6.0, 4.0, 0.0, 8.0]), 3)
    one(values[0, 0], 7)
    yield "a width of one changes nothing"
    one(values[0, 0], 1)
    yield "the beginning of a row"
    one(values[0, 0, :5], 5)
    one(values[0, 0, :5], 100)
    yield "stacks of rows, and a width for each"
    one(values, 4)
    widths = np.array([[1], [6]])
    expected = np.array([[_moving(row, int(width)) for row, in zip(stack)] for stack, width in zip(values, widths[:, 0])])
    _need(moving_average, expected, values, widths, tolerance=1e-9)
    yield "a row without elements"
    one(values[0, 0, :0], 3)
    yield "a NaN spoils the means that it belongs to, and no others"
    spoiled = values[0, 0].copy()
    spoiled[10] = np.nan
    one(spoiled, 4)


def _sobel(image):
    p = image
    gx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    gy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    result = np.zeros(image.shape)
    result[1:-1, 1:-1] = np.hypot(gx, gy)
    return result


@exercise
def exercise_5(edges):
    """Sobel's operator."""
    yield "it is a stencil"
    need_stencil(edges)
    image = np.random.default_rng(5).random((11, 8))
    yield "an image of one grey has no edges"
    _need(edges, np.zeros((5, 6)), np.full((5, 6), 3.0), tolerance=1e-12)
    yield "an upright edge"
    _need(edges, _sobel(np.tri(1, 6, 2).repeat(5, 0)), np.tri(1, 6, 2).repeat(5, 0), tolerance=1e-12)
    yield "a level edge"
    _need(edges, _sobel(np.tri(1, 6, 2).repeat(5, 0).T), np.tri(1, 6, 2).repeat(5, 0).T.copy(), tolerance=1e-12)
    yield "pictures, and the border"
    _need(edges, _sobel(image), image, tolerance=1e-12)
    _need(edges, _sobel(image[:3, :3].copy()), image[:3, :3].copy(), tolerance=1e-12)
    _need(edges, np.zeros((2, 5)), image[:2, :5].copy())


def _peaks(values):
    result = np.zeros(len(values), np.int64)
    for i in range(5, len(values) - 5):
        others = np.delete(values[i - 5:i + 6], 5)
        result[i] = not np.isnan(values[i]) and not (others >= values[i]).any()
    return result


@exercise
def exercise_6(peaks):
    """Elements greater than five neighbours on either side."""
    yield "it is a stencil"
    need_stencil(peaks)

    def one(values):
        values = np.asarray(values, np.float64)
        found = called(peaks, values)
        what = _text(peaks, (values,))
        same(np.asarray(found).astype(np.int64) if np.shape(found) == values.shape else found, _peaks(values), what)
    yield "a single peak"
    one(np.eye(1, 15, 7)[0])
    yield "two that are near each other: the lower one is none"
    one(2 * np.eye(1, 20, 8)[0] + np.eye(1, 20, 12)[0])
    yield "two that are five apart, and six"
    one(np.eye(1, 20, 8)[0] + 2 * np.eye(1, 20, 13)[0])
    one(np.eye(1, 21, 8)[0] + 2 * np.eye(1, 21, 14)[0])
    yield "a level top is no peak"
    one(np.eye(1, 20, 8)[0] + np.eye(1, 20, 9)[0])
    yield "negative values"
    one(-1.0 - np.random.default_rng(6).random(60))
    yield "the ends"
    one(np.arange(30.0))
    one(np.arange(30.0)[::-1])
    one(np.eye(1, 12, 4)[0])
    one(np.eye(1, 12, 5)[0])
    one(np.arange(7.0))
    yield "NaN"
    one(np.where(np.arange(20) == 10, np.nan, np.eye(1, 20, 8)[0]))


@exercise
def exercise_7(nearest):
    """The number of the nearest point."""
    yield "it is a generalised ufunc (d),(n,d)->()"
    need_gufunc(nearest, "(d),(n,d)->()")
    generator = np.random.default_rng(7)

    def one(point, others):
        distances = ((point[..., None, :] - others) ** 2).sum(axis=-1)
        expected = np.where(np.isnan(distances), np.inf, distances).argmin(axis=-1)
        _need(nearest, expected if expected.ndim else int(expected), point, others)
    yield "one point"
    one(np.array([0.0, 0.0]), np.array([[3.0, 4.0], [1.0, 1.0], [-5.0, 0.0]]))
    one(np.array([-9.0, 2.0]), np.array([[3.0, 4.0], [1.0, 1.0], [-5.0, 0.0]]))
    yield "in one dimension, and in seven"
    for d in (1, 7):
        one(generator.normal(size=d), generator.normal(size=(40, d)))
    yield "many points"
    one(generator.normal(size=(30, 3)), generator.normal(size=(20, 3)))
    one(generator.normal(size=(4, 5, 2)), generator.normal(size=(9, 2)))
    yield "of several that are equally near the first"
    one(np.zeros(2), np.array([[3.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    yield "far away"
    one(np.zeros(2), np.array([[3e150, 0.0], [2e150, 0.0]]))
    yield "a NaN among the others"
    one(np.zeros(2), np.array([[np.nan, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, np.nan]]))
    yield "no others"
    _need(nearest, np.array([-1, -1]), np.zeros((2, 3)), np.zeros((0, 3)))
