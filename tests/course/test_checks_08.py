"""Wrong answers to the exercises of notebook 08, and what the checks say of them."""
import numpy as np
import pytest
from answers import cases_of, defined, names, solution
from numba import cuda, float32, float64

from gridcell.course import checks_08, traffic

NO_KERNEL = "cannot be launched: it is no kernel"
BARRIERS = "barriers are where they are needed"
BY_STRETCHES = """@cuda.jit
def scale(values, factor):
    each = (values.size + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    for i in range(cuda.grid(1) * each, min(values.size, (cuda.grid(1) + 1) * each)):
        values[i] *= factor
"""
PLAIN_AVERAGE = """@cuda.jit
def average(values, out):
    i = cuda.grid(1)
    if i < values.size:
        total = float32(0)
        count = 0
        for k in range(max(i - 8, 0), min(i + 9, values.size)):
            total += values[k]
            count += 1
        out[i] = total / count
"""
PLAIN_ROTATE = """@cuda.jit
def rotate(source, target):
    x, y = cuda.grid(2)
    if x < source.shape[1] and y < source.shape[0]:
        target[x, source.shape[0] - 1 - y] = source[y, x]
"""
PLAIN_PRODUCT = """@cuda.jit
def product(a, b, out):
    j, i = cuda.grid(2)
    if i < len(out) and j < len(out[0]):
        out[i, j] = 0
        for k in range(len(b)):
            out[i, j] += a[i, k] * b[k, j]
"""
PLAIN_TRANSPOSE = PLAIN_ROTATE.replace("rotate", "swizzled").replace("source.shape[0] - 1 - y", "y")
SYNC = "    cuda.syncthreads()\n"
WRONG = [
    (1, "sectors_of = 3", "it is a function of three numbers", "of type int"),
    (1, ("range(32)", "range(16)"), "neighbours", "sectors_of(0, 4, 4) gave 2; 4 is right"),
    (1, "def sectors_of(first, stride, size):\n    return (first + 31 * stride + size - 1) // 32 - first // 32 + 1\n",
     "strides", "sectors_of(0, 48, 4) gave 47; 32 is right"),
    (1, ("begin = first + lane", "begin = lane"), "a first lane in the middle of a sector", "sectors_of(4, 4, 4) gave 4; 5 is right"),
    (1, "def sectors_of(first, stride, size):\n    return len({(first + k * stride) // 32 for k in range(32)}) if stride else 32\n",
     "every lane wants the same, or nearly the same", "sectors_of(64, 0, 4) gave 32; 1 is right"),
    (1, "def sectors_of(first, stride, size):\n    return len({(first + k * stride) // 32 for k in range(32)})\n",
     "items that lie across a border", "sectors_of(30, 64, 4)"),
    (1, ("lane * stride", "lane * max(stride, 0)"), "backwards", "sectors_of(4096, -4, 4)"),

    (2, ("@cuda.jit", ""), "it is a kernel of values and factor", NO_KERNEL),
    (2, ("*= factor", "+= factor"), "a thread for each element, and some to spare"),
    (2, ("for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):", "i = cuda.grid(1)\n    if i < values.size:"),
     "fewer threads than elements"),
    (2, ("def scale(values, factor):", "def scale(values, factor):\n    factor *= values[0] / values[0]"), "an empty array"),
    (2, ("cuda.grid(1), values.size, cuda.gridsize(1)", "cuda.grid(1) // 2, values.size, cuda.gridsize(1) // 2"),
     "a thread for each element, and some to spare"),
    (2, "@cuda.jit\ndef scale(values, factor):\n    n = values.size\n    for i in range(cuda.grid(1), n, cuda.gridsize(1)):\n"
     "        v = values[i] * factor\n        values[(i + 1) % n] = values[(i + 1) % n]\n        values[i] = v\n",
     "each element belongs to one thread", "a race: "),
    (2, BY_STRETCHES, "no sector is fetched that is not used up", "take 1,024 sectors where 128 would hold the data"),

    (3, ("@cuda.jit", ""), "it is a kernel of values and out", NO_KERNEL),
    (3, ("count += 1", "count = 17"), "a single block: the mean of the neighbours that exist"),
    (3, ("i + 9", "i + 8"), "a single block: the mean of the neighbours that exist"),
    (3, (SYNC, ""), BARRIERS, "no thread of the block has written"),
    (3, (("max(i - 8, 0)", "max(i - 8, first + 8)"), ("min(i + 9, values.size)", "min(i + 9, first + 136, values.size)")),
     "several blocks: neighbours of other blocks count"),
    (3, ("    i = cuda.grid(1)\n", "    i = cuda.grid(1)\n    if i >= values.size:\n        return\n"),
     "a last block that is not full", "divergent barrier"),
    (3, ("min(i + 9, values.size)", "i + 9 if i + 9 <= values.size or values.size < 100 else values.size"),
     "fewer elements than the radius"),
    (3, PLAIN_AVERAGE, "each block asks for its elements and the halo once", "load 6,456 elements"),

    (4, "steps_of = [1]", "it is a function of a list", "of type list"),
    (4, ("word % 32", "word // 32"), "a word of each bank"),
    (4, ("word % 32", "word % 16"), "a word of each bank"),
    (4, "def steps_of(words):\n    return 1 if words else 0\n", "strides", "gave 1; 2 is right"),
    (4, ("set(words)", "words"), "the same word for several lanes", "gave 32; 1 is right"),
    (4, (", default=0", ""), "some lanes only", "raised ValueError"),

    (5, ("@cuda.jit", ""), "it is a kernel of source and target", NO_KERNEL),
    (5, ("rows - 1 - y, x", "y, x"), "a square of one block"),
    (5, (SYNC, ""), BARRIERS, "no thread of the block has written"),
    (5, (("x = cuda.blockIdx.y * 32 + tx", "x = cuda.blockIdx.x * 32 + tx"), ("y = cuda.blockIdx.x * 32 + ty", "y = cuda.blockIdx.y * 32 + ty"))[:1],
     "several blocks"),
    (5, ("x < rows and y < columns", "x < columns and y < rows"), "more columns than rows, and more rows than columns"),
    (5, (("x < columns and y < rows", "x < columns"), ("source[rows - 1 - y, x]", "source[rows - 1 - y, x]")), "blocks that are not full"),
    (5, PLAIN_ROTATE, "no sector is wasted, on either side", "take 6,144 sectors where 768"),
    (5, ("(32, 33)", "(32, 32)"), "no bank conflicts", "bank conflicts"),

    (6, ("@cuda.jit", ""), "it is a kernel of a, b and out", NO_KERNEL),
    (6, ("right[ty, tx] = b", "right[tx, ty] = b"), "one tile"),
    (6, ("        cuda.syncthreads()\n        for", "        for"), BARRIERS),
    (6, ("            total += left[ty, k] * right[k, tx]\n        cuda.syncthreads()\n", "            total += left[ty, k] * right[k, tx]\n"),
     BARRIERS),
    (6, ("b[first + ty, x]", "b[first + ty, tx]"), "several tiles"),
    (6, ("if y < a.shape[0] and first + tx < a.shape[1] else float32(0)", ""), "tiles that are not full", "reaches beyond"),
    (6, ("range(0, a.shape[1], 16)", "range(0, a.shape[1] // 16 * 16, 16)"), "tiles that are not full"),
    (6, ("total = float32(0)", "total = float32(0) * a[0, 0]"), "a row by a column, and nothing in between"),
    (6, PLAIN_PRODUCT, "a block asks for each element that it needs once", "load 98,304 elements", "4,096 would do"),

    (7, ("@cuda.jit", ""), "it is a kernel of source and target", NO_KERNEL),
    (7, ("ty ^ tx", "ty"), "any shape"),
    (7, (SYNC, ""), BARRIERS, "no thread of the block has written"),
    (7, ("x < target.shape[1] and y < target.shape[0]", "True"), "any shape", "beyond the end"),
    (7, PLAIN_TRANSPOSE, "no sector is wasted, on either side", "take 6,144 sectors where 768"),
    (7, (("tx ^ ty", "tx"), ("ty ^ tx", "ty")), "no bank conflicts", "bank conflicts"),
    (7, (("(32, 32)", "(32, 33)"), ("tx ^ ty", "tx"), ("ty ^ tx", "ty")), "a tile of 32 x 32 at most", "4,224 bytes"),
]
globals().update(cases_of(8, checks_08, WRONG))


@cuda.jit
def wide(values, out):
    tile = cuda.shared.array((32, 3), float64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    for k in range(3):
        tile[t, k] = values[(i * 3 + k) % values.size]
    cuda.syncthreads()
    if i % 3:
        out[i] = tile[31 - t, 1]


LAUNCHES = {"records and halves of warps": (wide, 2, 32, np.arange(90.0), np.zeros(64)),
            **{f"exercise {number}": (*defined(solution(8, number), names(8, number)), *launch) for number, launch in {
                2: (2, 48, np.ones(150, np.float32), float32(2)),
                3: (2, 128, np.ones(150, np.float32), np.zeros(150, np.float32)),
                5: (1, (32, 8), np.ones((8, 30), np.float32), np.zeros((30, 8), np.float32))}.items()}}


@pytest.mark.parametrize("name", LAUNCHES)
def test_the_trace_counts_what_the_device_counts(name):
    """On a GPU, the counts of the course come of the trace."""
    both = []
    for count in (traffic.counted, traffic.traced):
        by_line = {}
        for line in count(*LAUNCHES[name]):
            by_line.setdefault(line[:3], []).append(line[3:])
        # of one line the device has each access apart
        both.append({key: tuple(map(sum, zip(*rows))) for key, rows in by_line.items()})
    assert both[0] == both[1]
