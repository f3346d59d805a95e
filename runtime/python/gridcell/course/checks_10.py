# SPDX-License-Identifier: MIT
"""The exercises of notebook 10: a whole application."""
import functools
import math

import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, need_compiled, need_function, same
from gridcell.course.launching import launched, need_kernel, need_order, need_result
from gridcell.course.traffic import counted

_SOFTENING = 0.01


@exercise
def exercise_1(speedup):
    """How many times as fast a program becomes of which some parts do."""
    yield "it is a function of shares and factors"
    need_function(speedup, 2)

    def one(shares, factors):
        left = sum(share / factor for share, factor in zip(shares, factors))
        same(called(speedup, shares, factors), 1 / left if left else math.inf, call_text(speedup, (shares, factors)),
             tolerance=1e-12)
    yield "all parts become as fast as each other"
    one([0.5, 0.25, 0.25], [4, 4, 4])
    yield "one part of several"
    one([0.75, 0.25], [3, 1])
    one([0.9, 0.08, 0.02], [1, 1, 100])
    yield "a part that becomes slower"
    one([0.5, 0.5], [4, 0.5])
    yield "a part that takes no time any more"
    one([0.8, 0.2], [math.inf, 1])
    yield "nothing is left"
    one([0.5, 0.5], [math.inf, math.inf])


def _neighbours(image):
    rows, columns = image.shape
    wide = np.pad(image, 1, mode="edge")
    return np.stack([wide[y:y + rows, x:x + columns] for y in range(3) for x in range(3)])


def _picture(rows, columns):
    return np.random.default_rng(10 * rows + columns).integers(0, 256, (rows, columns), dtype=np.uint8)


@exercise
def exercise_2(clean):
    """The median of each pixel's neighbourhood."""
    yield "it is a compiled function of a picture"
    need_compiled(clean, 1)

    def one(image):
        expected = np.median(_neighbours(image), axis=0).astype(np.uint8)
        same(called(clean, image), expected, f"a picture of {image.shape[0]} x {image.shape[1]}")
    yield "a single grey, with one pixel that is stuck"
    image = np.full((6, 7), 90, np.uint8)
    image[3, 3] = 255
    one(image)
    yield "pictures, without their edges"
    image = _picture(9, 14)
    image[0], image[-1], image[:, 0], image[:, -1] = 0, 0, 0, 0
    image[1], image[-2], image[:, 1], image[:, -2] = 0, 0, 0, 0
    one(image)
    yield "pictures, with their edges"
    one(_picture(9, 14))
    one(_picture(12, 5))
    yield "one row, one column, one pixel"
    for shape in ((1, 9), (8, 1), (1, 1)):
        one(_picture(*shape))


@exercise
def exercise_3(sharpen_kernel):
    """A lookup in a table and a sharper picture in one."""
    yield "it is a kernel of source, table and target"
    need_kernel(sharpen_kernel, 3)

    def one(image, table):
        n = table[_neighbours(image)].astype(np.int64)
        expected = np.clip(5 * n[4] - n[1] - n[3] - n[5] - n[7], 0, 255).astype(np.uint8)
        grid = (-(-image.shape[1] // 16), -(-image.shape[0] // 8))
        need_result(sharpen_kernel, grid, (16, 8), image, table, np.full(image.shape, 7, np.uint8), expected=expected,
                    kept=(0, 1))
    same_values, dark = np.arange(256).astype(np.uint8), (np.arange(256) // 16 + 60).astype(np.uint8)
    yield "a single grey stays as it is"
    one(np.full((8, 16), 40, np.uint8), same_values)
    yield "a table"
    one(np.full((8, 16), 40, np.uint8), dark)
    yield "a picture without strong edges"
    one(_picture(8, 16), dark)
    yield "strong edges: what is below 0 and above 255"
    one(_picture(8, 16), same_values)
    yield "pictures that the blocks do not fill"
    one(_picture(13, 21), same_values)
    one(_picture(1, 1), same_values)
    yield "each element is written by one thread alone"
    need_order(sharpen_kernel, (1, 1), (8, 8), _picture(6, 5), dark, np.zeros((6, 5), np.uint8), strict=True)


def _bodies(n):
    generator = np.random.default_rng(n)
    return (generator.normal(size=(3, n)).astype(np.float32), generator.normal(size=(3, n)).astype(np.float32),
            generator.uniform(0.5, 1.5, n).astype(np.float32))


def _energy(position, velocity, mass):
    p, v, m = (array.astype(np.float64) for array in (position, velocity, mass))
    apart = np.sqrt(((p[:, None] - p[:, :, None]) ** 2).sum(axis=0) + _SOFTENING)
    pairs = np.triu(m * m[:, None] / apart, 1)
    return (m * v ** 2).sum() / 2 - pairs.sum()


@exercise
def exercise_4(energy):
    """The energy of bodies that attract each other."""
    yield "it is a compiled function of position, velocity and mass"
    need_compiled(energy, 3)

    def one(bodies, what, tolerance=1e-5):
        expected = float(_energy(*bodies))
        result = called(energy, *bodies)
        if np.ndim(result) or not np.isclose(result, expected, rtol=tolerance, atol=1e-12):
            same(result, expected, what)
    yield "one body: what moves has energy"
    one(_bodies(1), "one body")
    yield "two bodies that do not move"
    position, velocity, mass = _bodies(2)
    one((position, 0 * velocity, mass), "two bodies that do not move")
    yield "many bodies: each pair once, none with itself"
    one(_bodies(40), "40 bodies")
    yield "bodies in one place"
    one((np.zeros((3, 5), np.float32), *_bodies(5)[1:]), "5 bodies in one place")
    yield "no bodies"
    one(_bodies(0), "no bodies")
    yield "in float64: the last digits are right"
    position, velocity, mass = _bodies(60)
    one((position + np.float32(1000), velocity, mass), "60 bodies, far from the origin", 1e-12)
    one((position, 100 * velocity, mass / 3), "60 fast bodies", 1e-12)


def _pull(position, mass):
    p = position.astype(np.float64)
    apart = p[:, None] - p[:, :, None]
    return (mass * apart / ((apart ** 2).sum(axis=0) + _SOFTENING) ** 1.5).sum(axis=2).astype(np.float32)


@exercise
def exercise_5(pull_tiled):
    """Accelerations, with the bodies loaded into shared memory tile by tile."""
    yield "it is a kernel of position, mass and out"
    need_kernel(pull_tiled, 3)

    def arguments(n):
        position, _, mass = _bodies(n)
        return position, mass, np.zeros((3, n), np.float32)

    def one(n):
        values = arguments(n)
        need_result(pull_tiled, -(-n // 128), 128, *values, expected=_pull(*values[:2]), kept=(0, 1), tolerance=1e-3)
    yield "barriers are where they are needed"
    need_order(pull_tiled, 2, 128, *arguments(256))
    yield "one tile"
    one(128)
    yield "several tiles"
    one(256)
    yield "a last tile that is not full"
    one(140)
    yield "fewer bodies than threads"
    one(5)
    one(1)
    yield "a block loads each body once"
    values = arguments(256)
    lines = counted(pull_tiled, 2, 128, *values)
    loaded = sum(line.bytes for line in lines if line.space == "global" and line.op == "load")
    # each block four numbers of each body, and three of its own; a body's mass may be loaded with them
    allowed = 2 * (4 * 256 + 4 * 128) * 4
    if loaded > allowed:
        raise NotRight(f"2 blocks of 128 threads, 256 bodies: {loaded:,} bytes are loaded from global memory; {allowed:,} are "
                       "enough.")


@functools.cache
def _drawer():
    """A kernel that draws as many normal numbers as each thread of the answer should, in its order."""
    from numba import cuda
    from numba.cuda.random import xoroshiro128p_normal_float64

    @cuda.jit
    def draw(states, steps, out):
        thread = cuda.grid(1)
        for i in range(thread, out.shape[0], cuda.gridsize(1)):
            for k in range(steps):
                out[i, k] = xoroshiro128p_normal_float64(states, thread)
    return draw


@exercise
def exercise_6(paths):
    """What random paths pay."""
    from numba import cuda
    from numba.cuda.random import create_xoroshiro128p_states
    yield "it is a kernel of seven parameters"
    need_kernel(paths, 7)
    states = {}

    def drawn(blocks, n, steps):
        """The same states twice: for the answer, and for the numbers that it finds in them."""
        if blocks not in states:
            states[blocks] = create_xoroshiro128p_states(32 * blocks, seed=6).copy_to_host()
        numbers = cuda.to_device(np.zeros((n, steps)))
        _drawer()[blocks, 32](cuda.to_device(states[blocks]), steps, numbers)
        return states[blocks], numbers.copy_to_host()

    def one(blocks, n, strike, spread, steps=6, drift=0.01):
        mine, numbers = drawn(blocks, n, steps)
        prices = 100.0 * np.exp(np.cumsum(drift + spread * numbers, axis=1))
        expected = np.maximum(prices.mean(axis=1) - strike, 0)
        after = launched(paths, blocks, 32, mine, 100.0, strike, drift, spread, steps, np.full(n, np.nan))
        text = f"{blocks} block{'s' * (blocks > 1)} of 32 threads, {n} path{'s' * (n > 1)}, strike {strike:g}"
        same(after[6], expected, text, tolerance=1e-9, array="payoffs")
        return mine, after[0], text
    yield "no spread: all paths are the same"
    one(2, 64, 90.0, 0.0)
    yield "a spread: each step has a random number of its own"
    one(2, 64, 50.0, 0.1)
    yield "paths that pay nothing"
    one(2, 64, 105.0, 0.1)
    yield "more paths than threads"
    one(2, 150, 100.0, 0.1)
    yield "fewer paths than threads"
    one(3, 50, 100.0, 0.1)
    one(1, 1, 100.0, 0.1)
    yield "one step"
    one(2, 64, 100.0, 0.1, steps=1)


@exercise
def exercise_7(with_control):
    """A mean and its error, better by a control variate."""
    yield "it is a function of values, controls and known"
    need_function(with_control, 3)
    generator = np.random.default_rng(7)
    controls = generator.normal(3, 2, 200)

    def one(values, controls, known, what):
        deviations = controls - controls.mean()
        square = (deviations ** 2).sum()
        slope = (deviations * (values - values.mean())).sum() / square if square else 0.0
        corrected = values - slope * (controls - known)
        same(called(with_control, values, controls, known),
             (corrected.mean(), corrected.std(ddof=1) / math.sqrt(values.size)), what, tolerance=1e-9)
    yield "controls that have nothing to do with the values"
    one(np.array([1.0, 2.0, 1.0, 2.0]), np.array([5.0, 5.0, 7.0, 7.0]), 6.0, "4 values, and controls that do not go with them")
    yield "controls that go with the values"
    values = controls + generator.normal(0, 0.2, 200)
    one(values, controls, float(controls.mean()), "200 values, whose controls are right on average")
    yield "controls that are off, on average"
    one(values, controls, 3.0, "200 values, whose controls are off by chance")
    yield "values that go the other way, or go farther"
    one(5 - 3 * values, controls, 3.0, "200 values that fall where the controls rise")
    yield "controls that are all the same"
    one(values, np.full(200, 2.5), 2.0, "200 values, controls of 2.5")
