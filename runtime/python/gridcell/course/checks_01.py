# SPDX-License-Identifier: MIT
"""The exercises of notebook 01: compiling a function, and when it pays."""
import math

import numpy as np

from gridcell.course.checking import (NotRight, call_text, called, exercise, name_of, need_compiled, need_function,
                                      raised, same)


def _try(function, *arguments, expected, tolerance=None):
    same(called(function, *arguments), expected, call_text(function, arguments), tolerance)


@exercise
def exercise_1(count_inside):
    """How many points of an array of shape (n, 2) lie within the radius of the origin, its circle included."""
    yield "it is a compiled function"
    need_compiled(count_inside, 2)
    yield "a few points"
    points = np.array([[0.1, 0.2], [2.0, 2.0], [-0.5, 0.5], [0.9, 0.9]])
    _try(count_inside, points, 1.0, expected=2)
    yield "points on the circle itself"
    _try(count_inside, np.array([[3.0, 4.0], [-5.0, 0.0], [0.0, 5.1]]), 5.0, expected=2)
    yield "points in all four quarters"
    points = np.random.default_rng(1).uniform(-1, 1, (1000, 2))
    expected = int((points[:, 0] ** 2 + points[:, 1] ** 2 <= 0.49).sum())
    _try(count_inside, points, 0.7, expected=expected)
    yield "no points at all"
    _try(count_inside, np.empty((0, 2)), 1.0, expected=0)
    yield "integers, and every second row of an array"
    _try(count_inside, np.array([[0, 1], [2, 2], [1, 1]]), 1.0, expected=1)
    _try(count_inside, points[::2], 0.7, expected=int(((points[::2] ** 2).sum(axis=1) <= 0.49).sum()))


@exercise
def exercise_2(break_even):
    """From how many calls on compiling, once, and calling compiled code takes no longer than calling Python code."""
    yield "it is a function of three times"
    need_function(break_even, 3)
    yield "a slow function: it pays after a few calls"
    _try(break_even, 0.5, 0.25, 0.125, expected=4)
    yield "between two whole numbers of calls, the next one"
    _try(break_even, 1.0, 0.5, 0.125, expected=3)
    yield "where one call takes longer than compiling, the first pays"
    _try(break_even, 0.25, 8.0, 0.125, expected=1)
    yield "compiling that costs nothing: at once"
    _try(break_even, 0.0, 0.25, 0.125, expected=1)
    yield "compiled code that is not faster never pays"
    _try(break_even, 0.5, 0.125, 0.25, expected=math.inf)
    _try(break_even, 0.5, 0.125, 0.125, expected=math.inf)


def _averages(values, width):
    return np.array([values[i:i + width].mean() for i in range(len(values) - width + 1)], dtype=np.float64)


@exercise
def exercise_3(moving_average):
    """The mean of each window of so many values, as an array of float64."""
    yield "it is a compiled function"
    need_compiled(moving_average, 2)
    yield "windows of three"
    values = np.array([1.0, 2.0, 6.0, 4.0, 5.0])
    _try(moving_average, values, 3, expected=_averages(values, 3), tolerance=1e-12)
    yield "windows of one, and one window of all"
    _try(moving_average, values, 1, expected=values, tolerance=1e-12)
    _try(moving_average, values, 5, expected=_averages(values, 5), tolerance=1e-12)
    yield "a window that is wider than the array: an empty result"
    _try(moving_average, values, 6, expected=np.empty(0))
    _try(moving_average, values, 9, expected=np.empty(0))
    _try(moving_average, np.empty(0), 1, expected=np.empty(0))
    yield "integers: the means are float64"
    whole = np.arange(10) ** 2
    _try(moving_average, whole, 4, expected=_averages(whole, 4), tolerance=1e-12)
    yield "every second value of an array"
    many = np.random.default_rng(2).normal(size=400)
    _try(moving_average, many[::2], 7, expected=_averages(many[::2], 7), tolerance=1e-9)
    yield "a width of zero raises ValueError"
    raised(moving_average, ValueError, values, 0)


def _collatz(limit):
    best = (1, 0)
    for start in range(1, limit + 1):
        n, steps = start, 0
        while n != 1:
            n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        if steps > best[1]:
            best = (start, steps)
    return best


@exercise
def exercise_4(longest_collatz):
    """Which start up to the limit has the most Collatz steps, and how many: the smallest such start."""
    yield "it is a compiled function"
    need_compiled(longest_collatz, 1)
    yield "the smallest limit"
    _try(longest_collatz, 1, expected=(1, 0))
    yield "limits up to a thousand"
    for limit in (2, 3, 7, 9, 100, 1000):
        _try(longest_collatz, limit, expected=_collatz(limit))
    yield "of equally long ones the smallest start"
    _try(longest_collatz, 19, expected=_collatz(19))
    yield "paths that leave the range of int32: 113383 is within the limit"
    _try(longest_collatz, 120_000, expected=(106_239, 353))


@exercise
def exercise_5(summary):
    """The mean and the place of the largest value: what a dict of mixed types was before."""
    yield "it is a compiled function"
    need_compiled(summary, 1)
    yield "the mean, and where the largest value is"
    _try(summary, np.array([3.0, 1.0, 5.0, -1.0, 7.0]), expected=(3.0, 4), tolerance=1e-12)
    yield "the place is a whole number"
    place = called(summary, np.array([1.0, 2.0]))[1]
    if not isinstance(place, (int, np.integer)):
        raise NotRight(f"The place came as {type(place).__name__}: it cannot be used as an index.")
    yield "negative values only"
    _try(summary, np.array([-3.0, -1.5, -2.0, -1.5]), expected=(-2.0, 1), tolerance=1e-12)
    yield "one value"
    _try(summary, np.array([-7.0]), expected=(-7.0, 0))
    yield "integers: the mean keeps its fraction"
    _try(summary, np.array([1, 2]), expected=(1.5, 1))
    yield "an empty array raises ValueError"
    raised(summary, ValueError, np.empty(0))


def _wrapped(angles):
    """Angles moved by whole turns into (-pi, pi]."""
    rest = np.remainder(np.asarray(angles, dtype=np.float64), 2 * np.pi)
    return np.where(rest > np.pi, rest - 2 * np.pi, rest)


@exercise
def exercise_6(wrap_angle):
    """A ufunc that moves an angle by whole turns into (-pi, pi]."""
    yield "it is a ufunc of one argument"
    need_function(wrap_angle, 1)
    if not hasattr(wrap_angle, "nin") and not hasattr(wrap_angle, "ufunc"):
        raise NotRight(f"{name_of(wrap_angle)}() is no ufunc. Which decorator makes one?")
    yield "angles within the range stay"
    inside = np.array([-3.0, -1.0, 0.0, 1.0, 3.0])
    _try(wrap_angle, inside, expected=inside, tolerance=1e-12)
    yield "a turn more, a turn less, many turns; in a matrix, too"
    turned = np.array([4.0, -4.0, 7.0, -7.0, 100.0, -100.0])
    _try(wrap_angle, turned, expected=_wrapped(turned), tolerance=1e-9)
    yield "pi itself belongs to the range, and -pi becomes pi"
    _try(wrap_angle, np.array([np.pi, -np.pi]), expected=np.array([np.pi, np.pi]), tolerance=1e-12)
    grid = np.arange(12.0).reshape(3, 4)
    _try(wrap_angle, grid, expected=_wrapped(grid), tolerance=1e-9)
    _try(wrap_angle, np.empty((0, 3)), expected=np.empty((0, 3)))
    yield "float32 stays float32"
    narrow = np.array([0.5, 4.0, -4.0], dtype=np.float32)
    _try(wrap_angle, narrow, expected=_wrapped(narrow).astype(np.float32), tolerance=1e-5)
    yield "NaN stays NaN"
    _try(wrap_angle, np.array([np.nan]), expected=np.array([np.nan]))
