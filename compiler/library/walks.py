# SPDX-License-Identifier: MIT
"""Arrays of any layout, gone over as pieces whose items lie side by side (support/walk.c): a loop over them vectorises,
which pays for functions that take long."""
import numpy as np

from gridcell.library import C, compiled, external, strided

# Fields of struct walk
AT, OFFSETS, IS_GATHERED = 0, 1, 7
HEADER = 48
ROOM = 440  # numbers behind it for all operands; more would be asked for in whole pages


@compiled
def walk_over(shape, size, count, first, stop):
    room = min(2 * size, ROOM // count)
    walk = np.empty(HEADER + (2 + count) * len(shape) + count * room, np.int64)
    external("gridcell_walk", None, walk, shape, len(shape), count, room, first, stop)
    return walk


@compiled
def add_operand(walk, k, a):
    """An array of the walk's shape; a number is the same everywhere."""
    if np.ndim(a) > 0:
        external("gridcell_walk_operand", None, walk, k, a, a.strides, a.itemsize)


@compiled
def next_piece(walk):
    """How many items the next piece has, 0 at the end."""
    return external("gridcell_walk_next", np.int64, walk)


@compiled
def piece(walk, k, a, n):
    if np.ndim(a) == 0:
        return a
    elif walk[IS_GATHERED + k] != 0:
        return strided(walk, a.dtype, C, walk[OFFSETS + k], (n,), None)
    else:
        return strided(a, a.dtype, C, walk[OFFSETS + k], (n,), None)


@compiled
def piece_of_result(walk, out, n):
    """Of an array without gaps."""
    return strided(out, out.dtype, C, walk[AT] * out.itemsize, (n,), None)
