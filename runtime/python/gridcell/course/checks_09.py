# SPDX-License-Identifier: MIT
"""The exercises of notebook 09: cooperation."""
import numpy as np

from gridcell.course import tracing
from gridcell.course.checking import NotRight, call_text, called, exercise, need_function, plain, same
from gridcell.course.launching import need_kernel, need_order, need_result


def _names_used(kernel):
    """The names of attributes and globals that the kernel's own code has."""
    return set(plain(kernel).__code__.co_names)


def _parts(values, size):
    """The stretches of an array that blocks or warps of that size have."""
    return [values[start:start + size] for start in range(0, len(values), size)]


@exercise
def exercise_1(count_above):
    """Adds to count[0] how many values are greater than the limit, with any launch."""
    yield "it is a kernel of values, limit and count"
    need_kernel(count_above, 3)
    values = 2 * np.random.default_rng(1).integers(0, 50, 1000)

    def one(grid, block, n, limit, before=0):
        expected = np.array([before + (values[:n] > limit).sum()])
        need_result(count_above, grid, block, values[:n], limit, np.array([before]), expected=expected, kept=(0,))
    yield "no thread's addition gets lost"
    need_order(count_above, 2, 32, values[:64], 21, np.zeros(1, np.int64))
    yield "a thread for each value, and some to spare; it adds to what was counted before"
    one(4, 256, 1000, 49)
    one(4, 256, 1000, 49, before=5)
    yield "fewer threads than values"
    one(2, 32, 1000, 49)
    one(1, 1, 100, 49)
    yield "values that are equal to the limit do not count"
    one(4, 256, 1000, int(values[0]))
    yield "none, and all, of the values; and no values"
    one(2, 64, 1000, 100)
    one(2, 64, 1000, -1)
    one(1, 32, 0, 5)


@exercise
def exercise_2(rotate):
    """Moves every element one place to the right within its stretch of 64, the last one to the front."""
    yield "it is a kernel of one array"
    need_kernel(rotate, 1)

    def one(blocks):
        values = np.random.default_rng(2).integers(0, 10**6, 64 * blocks)
        expected = np.roll(values.reshape(blocks, 64), 1, axis=1).ravel()
        need_result(rotate, blocks, 64, values, expected=expected, output=0)
    yield "no thread reads what another may not have written yet, or has overwritten"
    need_order(rotate, 1, 64, np.arange(64))
    yield "one stretch"
    one(1)
    yield "several stretches: none takes from another"
    one(3)
    need_order(rotate, 2, 64, np.arange(128))


@exercise
def exercise_3(histogram):
    """Counts values from 0 to 15, in shared memory first."""
    yield "it is a kernel of values and counts"
    need_kernel(histogram, 2)
    values = np.random.default_rng(3).binomial(15, 0.4, 1000)

    def one(grid, block, n, before=0):
        expected = before + np.bincount(values[:n], minlength=16)
        need_result(histogram, grid, block, values[:n], np.full(16, before), expected=expected, kept=(0,))
    yield "barriers are where they are needed, and no addition gets lost"
    need_order(histogram, 2, 64, values[:120], np.zeros(16, np.int64))
    yield "a thread for each value; it adds to what was counted before"
    one(4, 256, 1000)
    one(4, 256, 1000, before=3)
    yield "fewer threads than values, and more"
    one(2, 32, 1000)
    one(4, 96, 10)
    yield "no values: nothing changes"
    one(2, 64, 0, before=3)
    yield "at most 16 additions to counts for each block"
    run = tracing.Run(histogram, 2, 64, values[:120], np.zeros(16, np.int64))
    name = plain(histogram).__code__.co_varnames[1]
    additions = sum(access.array == name and access.kind == tracing.ATOMIC for access in run.accesses)
    if additions > 32:
        raise NotRight(f"2 blocks made {additions} atomic additions to {name} for 120 values; the counting is to be done "
                       "in shared memory.")


@exercise
def exercise_4(block_max):
    """The greatest element of each block of 128."""
    yield "it is a kernel of values and largest"
    need_kernel(block_max, 2)
    values = np.random.default_rng(4).normal(size=1000)
    values[0] = 9.0

    def one(n, shift=0.0):
        expected = np.array([part.max() for part in _parts(values[:n] + shift, 128)])
        need_result(block_max, len(expected), 128, values[:n] + shift, expected * np.nan, expected=expected, kept=(0,))
    yield "barriers are where they are needed"
    need_order(block_max, 2, 128, values[:256], np.zeros(2))
    yield "whole blocks"
    one(128)
    one(512)
    yield "barriers are reached by all threads, also by those without an element"
    need_order(block_max, 2, 128, values[:200], np.zeros(2))
    yield "a last block that is not full"
    one(1000, 10.0)
    one(129, 10.0)
    yield "negative values only, and a last block that is not full"
    one(1000, -20.0)


@exercise
def exercise_5(warp_sums):
    """The sum of each warp's elements, by shuffles."""
    yield "it is a kernel of values and sums"
    need_kernel(warp_sums, 2)
    values = np.random.default_rng(5).integers(-50, 50, 1000).astype(np.float64)

    def one(grid, block, n):
        expected = np.array([part.sum() for part in _parts(values[:n], 32)])
        need_result(warp_sums, grid, block, values[:n], expected * np.nan, expected=expected, kept=(0,))
    yield "one warp"
    one(1, 32, 32)
    yield "several warps in a block, and several blocks"
    one(1, 128, 128)
    one(3, 96, 288)
    yield "a last warp that is not full"
    one(1, 32, 20)
    one(2, 64, 97)
    yield "warps without any element write nothing"
    one(4, 256, 900)
    yield "without shared memory and atomics"
    if _names_used(warp_sums) & {"shared", "atomic"}:
        raise NotRight("It works, with shared memory or atomics. The threads of a warp can do without.")


@exercise
def exercise_6(block_scan):
    """Running sums within each block of 128, and each block's total."""
    yield "it is a kernel of values, scanned and totals"
    need_kernel(block_scan, 3)
    values = np.random.default_rng(6).integers(-9, 10, 1000).astype(np.float64)

    def one(n, output):
        parts = _parts(values[:n], 128)
        expected = {1: np.concatenate([part.cumsum() for part in parts]), 2: np.array([part.sum() for part in parts])}
        need_result(block_scan, len(parts), 128, values[:n], *(right * np.nan for right in expected.values()),
                    expected=expected[output], output=output, kept=(0,))
    yield "each round reads, and then writes, with a barrier after both"
    need_order(block_scan, 1, 128, values[:128], np.zeros(128), np.zeros(1))
    yield "one block"
    one(128, output=1)
    yield "several blocks, each for itself"
    one(384, output=1)
    yield "a last block that is not full"
    one(200, output=1)
    need_order(block_scan, 2, 128, values[:200], np.zeros(200), np.zeros(2))
    yield "the totals of the blocks"
    one(384, output=2)
    one(200, output=2)


@exercise
def exercise_7(scan):
    """The running sums of an array of any size."""
    yield "it is a function of an array"
    need_function(scan, 1)
    values = np.random.default_rng(7).integers(-9, 10, 40_000).astype(np.float64)

    def one(n):
        same(called(scan, values[:n]), values[:n].cumsum(), call_text(scan, (values[:n],)))
    yield "less than a block, and a whole one"
    one(5)
    one(128)
    yield "two blocks: the second begins where the first ended"
    one(129)
    one(256)
    yield "many blocks"
    one(1000)
    yield "more blocks than a block has threads"
    one(128 * 128 + 1)
    one(40_000)
    yield "an empty array"
    one(0)
