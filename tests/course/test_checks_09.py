"""Wrong answers to the exercises of notebook 09, and what the checks say of them."""
from answers import cases_of, solution

from gridcell.course import checks_09

NO_KERNEL = "cannot be launched: it is no kernel"
BARRIERS = "barriers are where they are needed, and no addition gets lost"
LOOP = "for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):"
GUARD = "i = cuda.grid(1)\n    if i < values.size:"
ENDS_EARLY = "i = cuda.grid(1)\n    if i >= values.size:\n        return\n"
BY_SHARED_MEMORY = """@cuda.jit
def warp_sums(values, sums):
    part = cuda.shared.array(256, float64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = values[i] if i < values.size else 0.0
    cuda.syncthreads()
    if t % 32 == 0 and i < values.size:
        total = 0.0
        for k in range(32):
            total += part[t + k]
        sums[i // 32] = total
"""
WRONG = [
    (1, ("@cuda.jit", "@njit"), "it is a kernel of values, limit and count", NO_KERNEL),
    (1, ("cuda.atomic.add(count, 0, mine)", "count[0] += mine"), "no thread's addition gets lost",
     "a race: ", "count[0]", "'count[0] += mine'"),
    (1, ("mine = 0", "mine = 1"), "a thread for each value, and some to spare; it adds to what was counted before"),
    (1, (LOOP, "i = cuda.grid(1)\n    if i >= 0:"),
     "a thread for each value, and some to spare; it adds to what was counted before", "reaches beyond the end"),
    (1, (LOOP, GUARD), "fewer threads than values"),
    (1, ("> limit", ">= limit"), "values that are equal to the limit do not count"),
    (1, ("> limit", "> max(limit, 0)"), "none, and all, of the values; and no values"),

    (2, ("@cuda.jit", ""), "it is a kernel of one array", NO_KERNEL),
    (2, ("    cuda.syncthreads()\n", ""),
     "no thread reads what another may not have written yet, or has overwritten", "no thread of the block has written"),
    (2, "@cuda.jit\ndef rotate(values):\n    i = cuda.grid(1)\n    v = values[i // 64 * 64 + (i - 1) % 64]\n"
     "    values[i] = v\n", "no thread reads what another may not have written yet, or has overwritten", "a race: "),
    (2, ("tile[(t + 1) % 64]", "tile[(t - 1) % 64]"), "one stretch", "(and 63 more differ)"),
    (2, ("i = cuda.grid(1)", "i = t"), "several stretches: none takes from another"),

    (3, ("@cuda.jit", ""), "it is a kernel of values and counts", NO_KERNEL),
    (3, ("    cuda.syncthreads()\n    for", "    for"), BARRIERS),
    (3, ("    cuda.syncthreads()\n    if", "    if"), BARRIERS),
    (3, ("mine[t] = 0", "pass"), BARRIERS),
    (3, ("cuda.atomic.add(mine, values[i], 1)", "mine[values[i]] += 1"), BARRIERS, "race on shared memory: another thread has written here",
     "It was thread 5 of block 0", "The other is thread 3, in line"),
    (3, ("cuda.atomic.add(counts, t, mine[t])", "counts[t] += mine[t]"), BARRIERS, "a race: "),
    (3, ("values[i], 1", "15 - values[i], 1"), "a thread for each value; it adds to what was counted before"),
    (3, ("add(counts", "exch(counts"), "a thread for each value; it adds to what was counted before"),
    (3, (LOOP, GUARD), "fewer threads than values, and more"),
    (3, ("t = cuda.threadIdx.x", "t = cuda.threadIdx.x + 0 * values[0]"), "no values: nothing changes", "reaches beyond"),
    (3, "@cuda.jit\ndef histogram(values, counts):\n    " + LOOP + "\n        cuda.atomic.add(counts, values[i], 1)\n",
     "at most 16 additions to counts for each block", "2 blocks made 120 atomic additions to counts for 120 values"),

    (4, ("@cuda.jit", ""), "it is a kernel of values and largest", NO_KERNEL),
    (4, ("        cuda.syncthreads()\n        half", "        half"), "barriers are where they are needed"),
    (4, ("    cuda.syncthreads()\n    half", "    half"), "barriers are where they are needed"),
    (4, ("half = 64", "half = 32"), "whole blocks"),
    (4, ("= max(", "= min("), "whole blocks"),
    (4, ("i = cuda.grid(1)\n", ENDS_EARLY), "barriers are reached by all threads, also by those without an element",
     "divergent barrier: not all threads of the block come to it.", "The other is thread 127, which has ended."),
    (4, ("values[i] if i < values.size else -np.inf", "values[i]"),
     "barriers are reached by all threads, also by those without an element", "reaches beyond"),
    (4, ("-np.inf", "values[0]"), "a last block that is not full"),
    (4, ("-np.inf", "0.0"), "negative values only, and a last block that is not full", "largest[7] is 0.0"),

    (5, ("@cuda.jit", ""), "it is a kernel of values and sums", NO_KERNEL),
    (5, ("step = 16", "step = 8"), "one warp"),
    (5, ("cuda.laneid == 0", "cuda.threadIdx.x == 0"), "several warps in a block, and several blocks", "is nan"),
    (5, ("0.0", "1.0"), "a last warp that is not full"),
    (5, ("i = cuda.grid(1)\n", ENDS_EARLY), "a last warp that is not full"),
    (5, (" and i < values.size:", ":"), "warps without any element write nothing", "reaches beyond"),
    (5, BY_SHARED_MEMORY, "without shared memory and atomics"),

    (6, ("@cuda.jit", ""), "it is a kernel of values, scanned and totals", NO_KERNEL),
    (6, ("        cuda.syncthreads()                   # all have read\n", ""),
     "each round reads, and then writes, with a barrier after both", "race on shared memory"),
    (6, ("        cuda.syncthreads()                   # all have written\n", ""),
     "each round reads, and then writes, with a barrier after both", "race on shared memory"),
    (6, ("scanned[i] = sums[t]", "scanned[i] = sums[t] - values[i]"), "one block"),
    (6, ("step < 128", "step < 64"), "one block"),
    (6, (("if i < values.size:", "if t < values.size:"), ("scanned[i]", "scanned[t]")),
     "several blocks, each for itself"),
    (6, ("    if i < values.size:\n", "    if True:\n"), "a last block that is not full", "reaches beyond"),
    (6, ("t == 127", "t == 0"), "the totals of the blocks"),

    (7, "scan = 3", "it is a function of an array", "of type int"),
    (7, ("return scanned.copy_to_host()", "return scanned"), "less than a block, and a whole one", "an array is asked for"),
    (7, ("if blocks > 1", "if blocks < 1"), "two blocks: the second begins where the first ended", "item 128"),
    (7, ("scan(totals.copy_to_host())", "totals.copy_to_host()"), "many blocks"),
    (7, ("        offsets = scan(totals.copy_to_host())\n", "        offsets, rest = np.zeros(blocks), np.zeros(1)\n"
         "        block_scan[1, 128](totals.copy_to_host(), offsets, rest)\n"),
     "more blocks than a block has threads", "item 16512"),
    (7, ("    if values.size == 0:\n        return np.empty(0)\n", ""), "an empty array", "raised"),
]
globals().update(cases_of(9, checks_09, WRONG, f"{solution(9, 6)}\n"))
