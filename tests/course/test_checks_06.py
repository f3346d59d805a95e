"""Wrong answers to the exercises of notebook 06, and what the checks say of them."""
from answers import cases_of

from gridcell.course import checks_06

NO_KERNEL = "cannot be launched: it is no kernel"
ALONE = "each element is written by one thread alone"
WRONG = [
    (1, ("@cuda.jit", ""), "it is a kernel of an array and a factor", NO_KERNEL),
    (1, ("@cuda.jit", "@njit"), "it is a kernel of an array and a factor", NO_KERNEL),
    (1, ("@cuda.jit", "@cuda.jit(device=True)"), "it is a kernel of an array and a factor", NO_KERNEL),
    (1, ("values, factor", "values, factor, n"), "it is a kernel of an array and a factor", "has 3 parameters"),
    (1, ("cuda.grid(1)", "cuda.threadIdx.x"), "a thread for each element", 
     "There is a race: thread 0 of block 0 writes values[0], thread 0 of block 1 reads it", "'values[i] *= factor'"),
    (1, ("*= factor", "= values.scaled(factor)"), "a thread for each element", "TypingError", "scaled"),
    (1, ("cuda.grid(1)", "cuda.blockIdx.x * 32 + cuda.threadIdx.x"), "other blocks, which begin elsewhere"),
    (1, ("i < values.size", "i >= 0"), "fewer elements than threads",
     "thread 18 of block 1 reaches beyond the end of an array", "'values[i] *= factor'"),
    (1, ("i < values.size", "i <= values.size"), "fewer elements than threads", "thread 18 of block 1 reaches beyond"),
    (1, ("cuda.grid(1)", "cuda.grid(1) + int(0 * values[0])"), "an array of one element, and an empty one",
     "thread 0 of block 0 reaches beyond"),
    (1, ("*= factor", "*= factor\n        values[0] += 0"), "each element is changed by one thread alone", "a race: "),

    (2, "blocks_for = 3", "it is a function of n and the threads of a block", "of type int"),
    (2, ("(n + threads - 1) // threads", "n // threads + 1"), "whole blocks", "gave 3; 2 is right"),
    (2, ("max(1, (n + threads - 1) // threads)", "-(-n // threads) / 1"), "whole blocks", "kernel[2.0, 128] is no launch"),
    (2, ("(n + threads - 1)", "n"), "a last block that is not full", "gave 2; 3 is right"),
    (2, ("(n + threads - 1) // threads", "math.ceil(n / threads)"), "numbers that float64 does not have"),
    (2, ("max(1, (n + threads - 1) // threads)", "(n + threads - 1) // threads"),
     "no elements: a launch of no blocks is an error, so one", "gave 0; 1 is right"),

    (3, ("@cuda.jit", ""), "it is a kernel of four parameters", NO_KERNEL),
    (3, ("    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):", "    i = cuda.grid(1)\n    if True:"),
     "a thread for each element, and some to spare", "thread 232 of block 3 reaches beyond"),
    (3, ("out[i] = a * x[i] + y[i]", "x[i] = a * x[i] + y[i]"), "a thread for each element, and some to spare",
     "only to be read, argument 2, was changed"),
    (3, ("    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):", "    i = cuda.grid(1)\n    if i < out.size:"),
     "fewer threads than elements", "out[128] is 0.0", "and 871 more differ"),
    (3, ("cuda.gridsize(1)", "cuda.blockDim.x * 4"), "fewer threads than elements", "3 blocks of 32 threads"),
    (3, ("cuda.gridsize(1)", "max(96, cuda.gridsize(1))"), "a single block, a single thread"),
    (3, ("    for", "    a += 0 * x[0]\n    for"), "an empty array", "reaches beyond"),
    (3, ("cuda.grid(1), out.size, cuda.gridsize(1)", "cuda.threadIdx.x, out.size, cuda.blockDim.x"), ALONE,
     "thread 0 of block 0 writes out[0], thread 0 of block 1 writes it"),

    (4, ("@cuda.jit", ""), "it is a kernel of one array", NO_KERNEL),
    (4, ("values.size // 2", "values.size"), "an even number of elements", "There is a race"),
    (4, ("values[i] = right", "pass"), "an even number of elements", "(and 31 more differ)"),
    (4, ("j = values.size - 1 - i", "j = values.size // 2 * 2 - 1 - i"), "an odd number of elements, whose middle stays"),
    (4, ("values.size // 2", "max(1, values.size // 2)"), "an empty array", "reaches beyond"),
    (4, ("values[j] = left", "values[j] = left\n    elif i < values.size:\n        values[i] += 0"),
     "no element is touched by two threads", "a race: "),

    (5, ("@cuda.jit", ""), "it is a kernel of source and target", NO_KERNEL),
    (5, ("target[x, y] = source[y, x]", "target[y, x] = source[y, x]"), "a square that the blocks fill"),
    (5, ("x < columns and y < rows", "x < columns"), "a square that they do not fill", "thread (0, 5) of block (0, 1)"),
    (5, ("x, y = cuda.grid(2)", "y, x = cuda.grid(2)"), "more columns than rows: x counts columns"),
    (5, ("y < rows", "y < rows and y < 16"), "more rows than columns: y counts rows", "30x7"),
    (5, ("y < rows:", "y < rows and rows > 1:"), "one row, one column, nothing", "1x29"),
    (5, ("        target[x, y] = source[y, x]", "        for k in range(rows):\n            target[x, k] = source[k, x]"),
     ALONE, "thread 0 of block 0 writes target[0, 0], thread (0, 1) of block 0 writes it"),

    (6, ("@cuda.jit", ""), "it is a kernel of source and target", NO_KERNEL),
    (6, ("total / count", "total / 9"), "an image of one grey stays as it is, edges included", "target[0, 0] is"),
    (6, ("x < columns and y < rows", "y < rows"), "an image of one grey stays as it is, edges included"),
    (6, ("range(max(y - 1, 0), min(y + 2, rows))", "range(y, y + 1)"), "pictures"),
    (6, ("min(y + 2, rows)", "min(y + 2, max(rows, 2))"), "one row, one column, one pixel", "reaches beyond"),
    (6, ("        target[y, x] = total / count", "        target[y, x] = total / count\n        target[0, 0] += 0"), ALONE,
     "a race: "),

    (7, ("@cuda.jit", ""), "it is a kernel of before, after and rate", NO_KERNEL),
    (7, ("neighbours - 6 * value", "neighbours"), "a cube"),
    (7, ("after[z, y, x] = value", "before[z, y, x] = value"), "a cube", "only to be read, argument 1, was changed"),
    (7, ("x, y, z = cuda.grid(3)", "z, y, x = cuda.grid(3)"), "a body with three different sides"),
    (7, ("z < depth:", "z < depth and depth > 2:"), "a body that is all surface"),
    (7, ("after[z, y, x] = value", "after[z, y, x] = value\n        after[0, 0, 0] = before[0, 0, 0]"), ALONE,
     "writes after[0, 0, 0]"),
]
globals().update(cases_of(6, checks_06, WRONG))
