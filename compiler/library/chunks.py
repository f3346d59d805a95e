# SPDX-License-Identifier: MIT
"""Arrays gone over together in chunks whose items lie side by side (support/chunks.c), so that one loop over rows
without gaps does for all shapes. `work` tells where the next chunk of each array is, and holds what is stretched.
"""
import numpy as np

from gridcell.library import C, compiled, external, small, strided

# Fields of struct chunks
OFFSETS, KINDS, ITEMS = 0, 7, 14
OF_BLOCK, OF_ITEM = 1, 2
IS_WRITTEN, CAN_BE_ITEM = 1, 2
HEAD, BLOCK = 800, 1032
FEW = 64  # items, which are done by indices before chunks of them are planned


@small
def add(work, a, flags):
    """An operand; numbers are what they are."""
    if np.ndim(a) > 0:
        external("gridcell_chunks_add", None, work, a, a.shape, a.strides, a.ndim, a.itemsize, flags)


@small
def begun2(shape, flags, a, b):
    """The work, and whether there are chunks (0, and -1 where an array has gaps). The flags are those of a."""
    work = np.empty(HEAD + 2 * BLOCK, np.int64)
    external("gridcell_chunks_open", None, work, shape, len(shape))
    add(work, a, flags)
    add(work, b, 0)
    return work, external("gridcell_chunks_begin", np.int64, work)


@small
def begun6(shape, flags, a, b, c, d, e, g):
    """Likewise; chunks are for `chosen`, not for `part`."""
    work = np.empty(HEAD + 6 * BLOCK, np.int64)
    external("gridcell_chunks_open", None, work, shape, len(shape))
    add(work, a, flags | CAN_BE_ITEM)
    add(work, b, CAN_BE_ITEM)
    add(work, c, CAN_BE_ITEM)
    add(work, d, CAN_BE_ITEM)
    add(work, e, CAN_BE_ITEM)
    add(work, g, CAN_BE_ITEM)
    return work, external("gridcell_chunks_begin", np.int64, work)


@compiled
def following(work):
    """How many items the next chunk has: 0 behind the last."""
    return external("gridcell_chunks_next", np.int64, work)


@compiled
def beginning(a, work, k, n):
    """The first n items from where the chunk of an array begins."""
    return strided(a, a.dtype, C, work[OFFSETS + k], (n,), None)


@compiled
def part(a, work, k, n):
    """The chunk of an operand, which is number k of the arrays in work."""
    if np.ndim(a) == 0:
        return a
    elif work[KINDS + k] == OF_BLOCK:
        return strided(work, a.dtype, C, work[OFFSETS + k], (n,), None)
    else:
        return beginning(a, work, k, n)


@compiled
def chosen(a, work, k, n):
    """The chunk of an operand, how many of its items count, and the item that all others are."""
    if np.ndim(a) == 0:
        return a
    elif work[KINDS + k] == OF_ITEM:
        return strided(work, a.dtype, C, work[OFFSETS + k], (n,), None), np.uint64(0), beginning(a, work, ITEMS + k, 1)[0]
    elif work[KINDS + k] == OF_BLOCK:
        items = strided(work, a.dtype, C, work[OFFSETS + k], (n,), None)
        return items, np.uint64(n), items[0]
    else:
        items = beginning(a, work, k, n)
        return items, np.uint64(n), items[0]


@compiled
def choice(operand, i):
    """Item i of what `chosen` gave: without a branch, and by a condition for which LLVM makes no loop of its own."""
    if isinstance(operand, tuple):
        x = operand[0][i]
        return x if i < operand[1] else operand[2]
    else:
        return operand


@compiled
def places(*operands):
    """How many of the operands are arrays."""
    if len(operands) == 0:
        return 0
    else:
        return places(*operands[1:]) + (1 if np.ndim(operands[0]) > 0 else 0)
