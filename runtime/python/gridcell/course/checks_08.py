# SPDX-License-Identifier: MIT
"""The exercises of notebook 08: the memory system."""
import numpy as np

from gridcell.course.checking import NotRight, call_text, called, exercise, need_function, same
from gridcell.course.launching import launch_text, need_kernel, need_order, need_result
from gridcell.course.traffic import counted, need_traffic


def _sectors(first, stride, size):
    return len({byte // 32 for lane in range(32) for byte in range(first + lane * stride, first + lane * stride + size)})


@exercise
def exercise_1(sectors_of):
    """The sectors that the lanes of a warp touch."""
    yield "it is a function of three numbers"
    need_function(sectors_of, 3)

    def one(*arguments):
        same(called(sectors_of, *arguments), _sectors(*arguments), call_text(sectors_of, arguments))
    yield "neighbours"
    for size in (4, 8, 1):
        one(0, size, size)
    yield "strides"
    for stride in (8, 16, 32, 48, 64, 1000):
        one(0, stride, 4)
    yield "a first lane in the middle of a sector"
    for first in (4, 20, 28, 1032):
        one(first, 4, 4)
    yield "every lane wants the same, or nearly the same"
    one(64, 0, 4)
    one(0, 2, 2)
    yield "items that lie across a border"
    for arguments in ((30, 64, 4), (24, 100, 16), (0, 64, 64)):
        one(*arguments)
    yield "backwards"
    one(4096, -4, 4)
    one(4096, -100, 8)


@exercise
def exercise_2(scale):
    """Multiplies an array in place, whatever the launch, without wasting a sector."""
    yield "it is a kernel of values and factor"
    need_kernel(scale, 2)
    values = np.random.default_rng(2).integers(1, 99, 2000).astype(np.float32)

    def one(grid, block, n):
        need_result(scale, grid, block, values[:n], 2.0, expected=2 * values[:n], output=0)
    yield "a thread for each element, and some to spare"
    one(8, 256, 2000)
    one(4, 64, 250)
    yield "fewer threads than elements"
    one(2, 64, 2000)
    one(1, 1, 77)
    yield "an empty array"
    one(1, 32, 0)
    yield "each element belongs to one thread"
    need_order(scale, 2, 32, values[:150], 2.0, strict=True)
    yield "no sector is fetched that is not used up"
    need_traffic(scale, 2, 64, values[:1024], 2.0)


def _averaged(values):
    return np.array([values[max(i - 8, 0):i + 9].mean(dtype=np.float64) for i in range(len(values))], np.float32)


@exercise
def exercise_3(average):
    """The mean of 17 neighbours, each element loaded once."""
    yield "it is a kernel of values and out"
    need_kernel(average, 2)
    values = np.random.default_rng(3).normal(size=1000).astype(np.float32)

    def one(n):
        need_result(average, -(-n // 128), 128, values[:n], np.full(n, np.nan, np.float32), expected=_averaged(values[:n]),
                    kept=(0,), tolerance=1e-4)
    yield "barriers are where they are needed"
    need_order(average, 2, 128, values[:256], np.zeros(256, np.float32))
    yield "a single block: the mean of the neighbours that exist"
    one(128)
    yield "several blocks: neighbours of other blocks count"
    one(512)
    yield "a last block that is not full"
    need_order(average, 2, 128, values[:250], np.zeros(250, np.float32))
    one(1000)
    one(130)
    yield "fewer elements than the radius"
    one(5)
    one(1)
    yield "each block asks for its elements and the halo once"
    arguments = values[:384], np.zeros(384, np.float32)
    asked = sum(line.bytes for line in counted(average, 3, 128, *arguments) if (line.space, line.op) == ("global", "load"))
    enough = 4 * (384 + 4 * 8)
    if asked > enough:
        text = launch_text(3, 128, arguments)
        raise NotRight(f"{text}: the threads load {asked // 4:,} elements from global memory; {enough // 4:,} would do.")


@exercise
def exercise_4(steps_of):
    """How many steps shared memory takes for the words of a warp."""
    yield "it is a function of a list"
    need_function(steps_of, 1)
    lanes = np.arange(32)

    def one(words, expected):
        words = [int(word) for word in words]
        same(called(steps_of, words), expected, call_text(steps_of, (words,)))
    yield "a word of each bank"
    one(lanes, 1)
    one(lanes[::-1] + 96, 1)
    yield "strides"
    for stride, expected in ((2, 2), (4, 4), (32, 32), (33, 1), (12, 4)):
        one(stride * lanes, expected)
    yield "the same word for several lanes"
    one([7] * 32, 1)
    one(lanes // 2, 1)
    one(lanes % 4 * 32, 4)
    yield "some lanes only"
    one([0, 32, 5], 2)
    one([3], 1)
    one([], 0)


def _turns(kernel, shape, block=(32, 32)):
    """A launch that covers a source of that shape: grid, block, source, target."""
    source = np.random.default_rng(5).random(shape).astype(np.float32)
    grid = (-(-shape[1] // 32), -(-shape[0] // 32))
    return kernel, grid, block, source, np.full(shape[::-1], np.nan, np.float32)


def _need_turned(kernel, shape, turned):
    launch = _turns(kernel, shape)
    need_result(*launch, expected=turned(launch[3]), kept=(0,))


@exercise
def exercise_5(rotate):
    """An image turned by a quarter, clockwise."""
    yield "it is a kernel of source and target"
    need_kernel(rotate, 2)

    def turned(image):
        return np.rot90(image, -1).copy()
    yield "barriers are where they are needed"
    need_order(*_turns(rotate, (32, 32)))
    yield "a square of one block"
    _need_turned(rotate, (32, 32), turned)
    yield "several blocks"
    _need_turned(rotate, (64, 64), turned)
    yield "more columns than rows, and more rows than columns"
    _need_turned(rotate, (32, 96), turned)
    _need_turned(rotate, (96, 32), turned)
    yield "blocks that are not full"
    for shape in ((45, 70), (1, 33), (33, 1)):
        _need_turned(rotate, shape, turned)
    yield "no sector is wasted, on either side"
    need_traffic(*_turns(rotate, (64, 96)), conflicts=np.inf)
    yield "no bank conflicts"
    need_traffic(*_turns(rotate, (64, 64)))


@exercise
def exercise_6(product):
    """The product of two matrices by tiles of 16 x 16."""
    yield "it is a kernel of a, b and out"
    need_kernel(product, 3)
    generator = np.random.default_rng(6)

    def launch(rows, inner, columns):
        a, b = (generator.integers(-5, 6, shape).astype(np.float32) for shape in ((rows, inner), (inner, columns)))
        return product, (-(-columns // 16), -(-rows // 16)), (16, 16), a, b, np.full((rows, columns), np.nan, np.float32)

    def one(*sizes):
        arguments = launch(*sizes)
        need_result(*arguments, expected=arguments[3] @ arguments[4], kept=(0, 1), tolerance=1e-5)
    yield "barriers are where they are needed"
    need_order(*launch(16, 32, 16))
    yield "one tile"
    one(16, 16, 16)
    yield "several tiles"
    one(64, 48, 64)
    yield "tiles that are not full"
    one(20, 16, 16)
    one(16, 21, 16)
    one(16, 16, 7)
    one(5, 33, 50)
    need_order(*launch(10, 20, 10))
    yield "a row by a column, and nothing in between"
    one(1, 40, 1)
    one(3, 0, 4)
    yield "a block asks for each element that it needs once"
    *how, a, b, out = launch(32, 32, 32)
    asked = sum(line.bytes for line in counted(*how, a, b, out) if (line.space, line.op) == ("global", "load"))
    text, enough = launch_text(*how[1:], (a, b, out)), 4 * 2 * 16 * 32
    if asked > 4 * enough:
        raise NotRight(f"{text}: the threads load {asked // 4:,} elements from global memory; {enough:,} would do.")


@exercise
def exercise_7(swizzled):
    """A transpose by a tile of 32 x 32 without conflicts."""
    yield "it is a kernel of source and target"
    need_kernel(swizzled, 2)
    yield "barriers are where they are needed"
    need_order(*_turns(swizzled, (32, 32)))
    yield "any shape"
    for shape in ((32, 32), (64, 64), (32, 96), (45, 70), (1, 33)):
        _need_turned(swizzled, shape, np.transpose)
    yield "a tile of 32 x 32 at most"
    taken = next(iter(swizzled.overloads.values())).shared_mem_per_block
    if taken > 4 * 32 * 32:
        raise NotRight(f"A block takes {taken:,} bytes of shared memory, and a tile of 32 x 32 has {4 * 32 * 32:,}.")
    yield "no sector is wasted, on either side"
    need_traffic(*_turns(swizzled, (64, 96)), conflicts=np.inf)
    yield "no bank conflicts"
    need_traffic(*_turns(swizzled, (64, 64)))
