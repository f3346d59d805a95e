# SPDX-License-Identifier: MIT
"""The exercises of notebook 06: first kernels."""
import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, need_function, same
from gridcell.course.launching import need_kernel, need_order, need_result


@exercise
def exercise_1(scale):
    """Multiplies each element of an array by a factor, in place."""
    yield "it is a kernel of an array and a factor"
    need_kernel(scale, 2)
    values = np.arange(1.0, 65.0)
    yield "a thread for each element"
    need_result(scale, 2, 32, values, 3.0, expected=3 * values, output=0)
    yield "other blocks, which begin elsewhere"
    need_result(scale, 4, 16, values, -0.5, expected=-0.5 * values, output=0)
    yield "fewer elements than threads"
    need_result(scale, 2, 32, values[:50], 2.0, expected=2 * values[:50], output=0)
    yield "an array of one element, and an empty one"
    need_result(scale, 1, 32, values[:1], 2.0, expected=2 * values[:1], output=0)
    need_result(scale, 1, 32, values[:0], 2.0, expected=values[:0], output=0)
    yield "each element is changed by one thread alone"
    need_order(scale, 2, 32, values[:50], 2.0, strict=True)


@exercise
def exercise_2(blocks_for):
    """How many blocks of so many threads give each of n elements a thread; a launch needs at least one."""
    yield "it is a function of n and the threads of a block"
    need_function(blocks_for, 2)

    def one(n, threads, expected):
        blocks = called(blocks_for, n, threads)
        same(blocks, expected, call_text(blocks_for, (n, threads)))
        if not isinstance(blocks, (int, np.integer)):
            raise NotRight(f"{call_text(blocks_for, (n, threads))} gave {blocks}: kernel[{blocks}, {threads}] is no launch.")
    yield "whole blocks"
    for numbers in ((256, 128, 2), (32, 32, 1), (4096, 64, 64)):
        one(*numbers)
    yield "a last block that is not full"
    for numbers in ((257, 128, 3), (31, 32, 1), (1, 1024, 1), (10_000_001, 256, 39063)):
        one(*numbers)
    yield "numbers that float64 does not have"
    one(2 ** 53 + 1, 1, 2 ** 53 + 1)
    yield "no elements: a launch of no blocks is an error, so one"
    one(0, 128, 1)


@exercise
def exercise_3(axpy):
    """out = a * x + y for arrays of any size under a launch of any size."""
    yield "it is a kernel of four parameters"
    need_kernel(axpy, 4)
    generator = np.random.default_rng(3)
    x, y = generator.random(1000), generator.random(1000)

    def one(grid, block, n):
        need_result(axpy, grid, block, 2.5, x[:n], y[:n], np.zeros(n), expected=2.5 * x[:n] + y[:n], kept=(1, 2),
                    tolerance=1e-12)
    yield "a thread for each element, and some to spare"
    one(4, 256, 1000)
    one(8, 256, 1000)
    yield "fewer threads than elements"
    one(4, 32, 1000)
    one(3, 32, 999)
    yield "a single block, a single thread"
    one(1, 64, 1000)
    one(1, 1, 37)
    yield "an empty array"
    one(2, 32, 0)
    yield "each element is written by one thread alone"
    need_order(axpy, 3, 32, 2.5, x[:200], y[:200], np.zeros(200), strict=True)


@exercise
def exercise_4(reverse):
    """Turns an array round in place."""
    yield "it is a kernel of one array"
    need_kernel(reverse, 1)
    yield "an even number of elements"
    for n in (64, 2):
        need_result(reverse, 2, 32, np.arange(n), expected=np.arange(n)[::-1], output=0)
    yield "an odd number of elements, whose middle stays"
    for n in (63, 33, 1):
        need_result(reverse, 2, 32, np.arange(n), expected=np.arange(n)[::-1], output=0)
    yield "an empty array"
    need_result(reverse, 1, 32, np.arange(0), expected=np.arange(0), output=0)
    yield "no element is touched by two threads"
    need_order(reverse, 2, 32, np.arange(50), strict=True)
    need_order(reverse, 2, 32, np.arange(51), strict=True)


@exercise
def exercise_5(transpose):
    """target[j, i] = source[i, j] for a matrix of any shape, by blocks of two dimensions."""
    yield "it is a kernel of source and target"
    need_kernel(transpose, 2)

    def one(grid, block, rows, columns):
        source = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
        need_result(transpose, grid, block, source, np.full((columns, rows), -1, np.float32), expected=source.T.copy(),
                    kept=(0,))
    yield "a square that the blocks fill"
    one((2, 2), (8, 8), 16, 16)
    yield "a square that they do not fill"
    one((2, 2), (8, 8), 13, 13)
    yield "more columns than rows: x counts columns"
    one((4, 1), (8, 8), 7, 30)
    yield "more rows than columns: y counts rows"
    one((1, 4), (8, 8), 30, 7)
    yield "one row, one column, nothing"
    one((4, 1), (8, 8), 1, 29)
    one((1, 4), (8, 8), 29, 1)
    one((1, 1), (8, 8), 0, 5)
    yield "each element is written by one thread alone"
    source = np.zeros((7, 12), np.float32)
    need_order(transpose, (2, 1), (8, 8), source, np.zeros((12, 7), np.float32), strict=True)


def _blurred(image):
    rows, columns = image.shape
    return np.array([[image[max(i - 1, 0):i + 2, max(j - 1, 0):j + 2].mean() for j in range(columns)]
                     for i in range(rows)]).reshape(image.shape)


@exercise
def exercise_6(blur):
    """Each pixel becomes the mean of the pixels of its 3 x 3 neighbourhood that lie in the image."""
    yield "it is a kernel of source and target"
    need_kernel(blur, 2)
    image = np.random.default_rng(6).random((21, 14))

    def one(source):
        grid = (max(1, -(-source.shape[1] // 8)), max(1, -(-source.shape[0] // 8)))
        need_result(blur, grid, (8, 8), source, np.full(source.shape, -1.0), expected=_blurred(source),
                    kept=(0,), tolerance=1e-9)
    yield "an image of one grey stays as it is, edges included"
    one(np.full((9, 9), 4.0))
    yield "pictures"
    one(image)
    one(image[:11, :5].copy())
    yield "one row, one column, one pixel"
    one(image[:1].copy())
    one(image[:, :1].copy())
    one(image[:1, :1].copy())
    yield "each element is written by one thread alone"
    need_order(blur, (1, 1), (8, 8), image[:6, :5].copy(), np.zeros((6, 5)), strict=True)


def _stepped(heat, rate):
    after = heat.copy()
    middle = heat[1:-1, 1:-1, 1:-1]
    neighbours = (heat[2:, 1:-1, 1:-1] + heat[:-2, 1:-1, 1:-1] + heat[1:-1, 2:, 1:-1] + heat[1:-1, :-2, 1:-1]
                  + heat[1:-1, 1:-1, 2:] + heat[1:-1, 1:-1, :-2])
    after[1:-1, 1:-1, 1:-1] = middle + rate * (neighbours - 6 * middle)
    return after


@exercise
def exercise_7(heat_step):
    """One step of heat in a body: before, after, rate; what lies on the surface keeps its warmth."""
    yield "it is a kernel of before, after and rate"
    need_kernel(heat_step, 3)

    def one(before, block=(4, 4, 4)):
        grid = tuple(-(-size // threads) for size, threads in zip(before.shape[::-1], block))
        need_result(heat_step, grid, block, before, np.full(before.shape, -1.0), 0.1, expected=_stepped(before, 0.1),
                    output=1, kept=(0,), tolerance=1e-12)
    heat = np.random.default_rng(7).random((6, 9, 12))
    yield "a cube"
    one(heat[:6, :6, :6].copy())
    yield "a body with three different sides"
    one(heat)
    one(heat, (8, 2, 1))
    yield "a body that is all surface"
    one(heat[:2].copy())
    one(heat[:1, :1, :1].copy())
    yield "each element is written by one thread alone"
    need_order(heat_step, (1, 1, 1), (4, 4, 4), heat[:4, :4, :4].copy(), np.zeros((4, 4, 4)), 0.1, strict=True)
