# SPDX-License-Identifier: MIT
"""The exercises of notebook 05: many cores."""
import contextlib
import io
import math
import re
import warnings

import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, need_compiled, need_function, raised, same, short


def need_parallel(answer, loops, *arguments):
    """For these arguments at least so many loops of the function run in parallel, and none that is to does not."""
    from numba import typeof
    if not answer.targetoptions.get("parallel"):
        raise NotRight(f"{answer.py_func.__name__}() is compiled for one thread. What tells the compiler that it may use more?")
    called(answer, *arguments)
    notes = io.StringIO()
    with contextlib.redirect_stdout(notes):
        answer.parallel_diagnostics(tuple(map(typeof, arguments)))
    refused = re.search(r"^Loop #\d+ \(line \d+\) runs turn after turn, for (.*)$", notes.getvalue(), re.MULTILINE)
    if refused:
        raise NotRight(f"A loop does not run in parallel; {refused[1]}")
    found = len(re.findall(r"^\+--\d+ \(parallel", notes.getvalue(), re.MULTILINE))
    if found < loops:
        raise NotRight(f"Of {answer.py_func.__name__}() {found or 'no'} loop{'s' * (found > 1)} "
                       f"run{'s' * (found < 2)} in parallel; the exercise asks for {loops}.")


@contextlib.contextmanager
def _threads(count):
    from numba import get_num_threads, set_num_threads
    before = get_num_threads()
    set_num_threads(count)
    try:
        yield
    finally:
        set_num_threads(before)


def _ways():
    """Numbers of threads, and sizes of chunks."""
    from numba import get_num_threads
    return sorted({(1, 0), (get_num_threads(), 0), (get_num_threads(), 1), (min(2, get_num_threads()), 7)})


def _same_each_way(function, expected, *arguments, tolerance=None):
    """The result is the same with any number of threads and any size of chunks."""
    from numba import parallel_chunksize
    for count, size in _ways():
        with _threads(count), parallel_chunksize(size), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = called(function, *arguments)
        what = call_text(function, arguments)
        if (count, size) != (1, 0):
            what += f" with {count} thread{'s' * (count > 1)}{f' and chunks of {size}' if size else ''}"
        same(result, expected, what, tolerance)


@exercise
def exercise_1(norms):
    """The lengths of the rows of an array."""
    yield "it is a compiled function"
    need_compiled(norms, 1)
    vectors = np.random.default_rng(1).normal(size=(300, 5))

    def one(vectors):
        expected = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1))
        _same_each_way(norms, expected, vectors, tolerance=1e-12)
    yield "a few vectors"
    one(np.array([[3.0, 4.0], [0.0, 0.0], [-5.0, 12.0]]))
    yield "many vectors, with any number of threads"
    one(vectors)
    yield "integers"
    one(np.arange(-12, 12).reshape(8, 3))
    yield "vectors without elements, and no vectors"
    one(np.zeros((3, 0)))
    one(np.zeros((0, 3)))
    yield "the rows run in parallel"
    need_parallel(norms, 1, vectors)


@exercise
def exercise_2(extent):
    """The least and the greatest element."""
    values = np.random.default_rng(2).normal(size=1000)
    yield "it is a compiled function"
    need_compiled(extent, 1)

    def one(values):
        _same_each_way(extent, (values.min(), values.max()), values)
    yield "positive and negative numbers"
    one(np.array([2.5, -1.0, 7.0]))
    yield "many, with any number of threads"
    one(values)
    one(np.arange(500.0))
    one(np.arange(500.0)[::-1])
    yield "negative ones only, positive ones only"
    one(values - 50)
    one(values + 50)
    yield "one element"
    one(np.array([-3.0]))
    yield "an empty array raises ValueError"
    raised(extent, ValueError, values[:0])
    yield "the loop runs in parallel"
    need_parallel(extent, 1, values)


def _generation(board):
    around = sum(np.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - board
    return ((around == 3) | ((around == 2) & (board == 1))).astype(board.dtype)


@exercise
def exercise_3(life_step):
    """The next generation."""
    yield "it is a compiled function"
    need_compiled(life_step, 1)

    def one(rows):
        board = np.array([[int(cell == "x") for cell in row] for row in rows])
        _same_each_way(life_step, _generation(board), board)
    yield "a blinker in the middle of the board"
    one(["......", "...x..", "...x..", "...x..", "......", "......"])
    yield "too many neighbours, and too few"
    one(["......", ".xxx..", ".xxx..", ".xxx..", "......", "......"])
    one(["......", ".x....", "......", "...xx.", "......", "......"])
    yield "edges and corners"
    one(["x...x", ".....", ".....", "x....", "x...."])
    yield "boards that are not square"
    one(["..x...x", ".xx.x..", "x.xx..x"])
    yield "large boards, with any number of threads"
    board = (np.random.default_rng(3).random((60, 41)) < 0.4).astype(np.int64)
    _same_each_way(life_step, _generation(board), board)
    yield "the loop runs in parallel"
    need_parallel(life_step, 1, board)


@exercise
def exercise_4(cut):
    """Cuts numbers into stretches."""
    def one(n, parts):
        what, pieces = call_text(cut, (n, parts)), called(cut, n, parts)
        if not isinstance(pieces, list) or not all(isinstance(piece, tuple) and len(piece) == 2 for piece in pieces):
            raise NotRight(f"{what} gave {short(pieces)}; a list of tuples of two is asked for.")
        if len(pieces) != parts:
            raise NotRight(f"{what} gave {len(pieces)} parts.")
        ends = [0, *(number for piece in pieces for number in piece), n]
        if ends[::2] != ends[1::2]:
            raise NotRight(f"{what} gave {short(pieces)}: each part is to begin where the one before it ended, the first at 0, "
                           f"and the last is to end at {n}.")
        lengths = [end - begin for begin, end in pieces]
        if max(lengths) - min(lengths) > 1 or min(lengths) < 0:
            raise NotRight(f"{what} gave parts of {short(lengths)} numbers.")
    yield "it is a function of n and parts"
    need_function(cut, 2)
    yield "parts that come out even"
    one(12, 3)
    one(8, 8)
    yield "one part"
    one(7, 1)
    yield "parts that do not come out even"
    one(10, 3)
    one(11, 3)
    one(20, 7)
    one(1003, 64)
    yield "more parts than numbers"
    one(2, 5)
    one(0, 4)


@exercise
def exercise_5(histogram):
    """Counts numbers, in parallel."""
    yield "it is a compiled function"
    need_compiled(histogram, 2)
    values = np.random.default_rng(5).binomial(19, 0.3, 5000)

    def one(values, bins):
        _same_each_way(histogram, np.bincount(values, minlength=bins), values, bins)
    yield "a few values"
    one(np.array([0, 2, 2, 1, 2]), 3)
    yield "many, with any number of threads"
    one(values, 20)
    yield "numbers that do not occur"
    one(values, 40)
    yield "fewer values than threads, and none"
    one(np.array([1]), 2)
    one(values[:0], 3)
    yield "the loop runs in parallel"
    need_parallel(histogram, 1, values, 20)


@exercise
def exercise_6(running_sums):
    """Running sums, in parallel."""
    yield "it is a compiled function"
    need_compiled(running_sums, 1)
    values = np.random.default_rng(6).integers(-9, 10, 3001)

    def one(values):
        _same_each_way(running_sums, np.cumsum(values, dtype=values.dtype), values, tolerance=1e-9)
    yield "a few values"
    one(np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3]))
    yield "many, with any number of threads"
    one(values)
    yield "floats stay floats"
    one(np.random.default_rng(6).random(1000))
    yield "fewer values than parts, and none"
    one(values[:1])
    one(values[:3])
    one(values[:0])
    yield "two loops run in parallel"
    need_parallel(running_sums, 2, values)


@exercise
def exercise_7(estimate_pi):
    """π from points, the same for any number of threads."""
    n = 20_000
    yield "it is a compiled function"
    need_compiled(estimate_pi, 2)
    first = called(estimate_pi, n, 1)
    yield "it is near π"
    same(first, math.pi, call_text(estimate_pi, (n, 1)), tolerance=0.05)
    yield "the same again"
    same(called(estimate_pi, n, 1), first, f"{call_text(estimate_pi, (n, 1))}, called again,")
    yield "the same with any number of threads and size of chunks"
    for arguments in ((n, 1), (1001, 5)):
        with _threads(1):
            expected = called(estimate_pi, *arguments)
        _same_each_way(estimate_pi, expected, *arguments)
    yield "other points for another seed"
    found = {float(called(estimate_pi, n, seed)) for seed in range(12)}
    if len(found) < 6:
        raise NotRight(f"Of 12 seeds, with n = {n}, came {len(found)} different result{'s' * (len(found) > 1)}.")
    yield "points of different seeds have nothing in common"
    results = np.array([called(estimate_pi, 500, seed) for seed in range(800)])
    # half the mean square of differences is the variance where neighbours are independent
    alike = np.mean(np.diff(results) ** 2) / 2 / np.var(results)
    if alike < 0.8:
        raise NotRight("For n = 500 the results of seeds that follow each other differ less than those of seeds far apart: some "
                       "of their points are the same.")
    yield "no two coordinates of points are the same number"
    ratio = np.std(results) * math.sqrt(500) / math.sqrt(math.pi * (4 - math.pi))
    if ratio > 1.1:
        raise NotRight(f"For n = 500 the results of 800 seeds spread {ratio:.2f} times as much as those of independent points: "
                       "their coordinates have numbers in common.")
    yield "one point"
    for seed in range(3):
        if called(estimate_pi, 1, seed) not in (0.0, 4.0):
            raise NotRight(f"{call_text(estimate_pi, (1, seed))} is neither 0 nor 4, and a single point is inside or outside.")
    yield "the loop runs in parallel"
    need_parallel(estimate_pi, 1, n, 1)
