# SPDX-License-Identifier: MIT
"""What a launch asks of the memory system: by cuda.xray on the emulated device. On a GPU another process would have to
count, which takes a second for each launch; there the same is worked out of a run thread by thread (tracing.py)."""
from typing import NamedTuple

import numpy as np

from gridcell.course import tracing
from gridcell.course.checking import NotRight, plain, source_line
from gridcell.course.launching import launch_text

_WARP, _SECTOR, _BANKS, _WORD = 32, 32, 32, 4
_OPS = {tracing.READ: "load", tracing.WRITE: "store", tracing.ATOMIC: "atomic"}


class Line(NamedTuple):
    """The accesses of one kind in one line, of all warps."""

    number: int
    space: str            # "global" or "shared"
    op: str               # "load", "store" or "atomic"
    requests: int         # of warps
    sectors: int          # of 32 bytes that they touch
    sectors_ideal: int    # that would hold what they ask for
    wavefronts: int       # how often the fullest bank has to give
    conflicts: int        # of these, beyond the first
    bytes: int            # that all lanes ask for


def counted(kernel, grid, block, *arguments):
    """The lines of a launch that touch global or shared memory."""
    from numba import cuda
    if cuda.get_current_device().is_emulated:
        rows = cuda.xray(kernel, grid, block, *arguments).lines
        return [Line(*(row["line" if name == "number" else name] for name in Line._fields)) for row in rows
                if row["space"] in ("global", "shared")]
    return traced(kernel, grid, block, *arguments)


def traced(kernel, grid, block, *arguments):
    """The same, of the trace: the accesses of a warp's lanes that are in one line, to one array, at the same turn."""
    run = tracing.Run(kernel, grid, block, *arguments)
    turns, warps = {}, {}
    for access in run.accesses:
        x, y, z = access.thread
        lane = x + run.block_shape.x * (y + run.block_shape.y * z)
        where = (access.block, access.array, access.kind, access.line)
        turn = turns[where, lane] = turns.get((where, lane), 0) + 1
        warps.setdefault((*where, lane // _WARP, turn), []).append((lane, access.place))
    sums = {}
    for (_, array, kind, number, *_), lanes in warps.items():
        space = "shared" if array.startswith("shared") else "global"
        counts = _of_warp(space, sorted(lanes), run.dtypes[array].itemsize)
        key = (number, space, _OPS[kind])
        sums[key] = [one + other for one, other in zip(sums.get(key, [0] * len(counts)), counts)]
    return [Line(*key, *map(int, counts)) for key, counts in sorted(sums.items())]


def _of_warp(space, lanes, size):
    """Requests, sectors, enough sectors, wavefronts, conflicts, bytes of one access of one warp."""
    first = np.array([place for _, place in lanes]) * size
    touched = np.unique(first[:, None] + np.arange(size))
    sectors, enough, wavefronts = len(np.unique(touched // _SECTOR)), -(-len(touched) // _SECTOR), 0
    if space == "shared":
        sectors = enough = 0
        together = max(1, _WARP * _WORD // max(size, _WORD))    # wide items run by halves or quarters of the warp
        parts = {}
        for (lane, _), byte in zip(lanes, first):
            words = range(byte // _WORD, (byte + size - 1) // _WORD + 1)
            parts.setdefault(lane % _WARP // together, set()).update(words)
        wavefronts = sum(np.bincount([word % _BANKS for word in words]).max() for words in parts.values())
    else:
        wavefronts, parts = len(np.unique(touched // (4 * _SECTOR))), ()
    conflicts = wavefronts - len(parts) if space == "shared" else 0
    return 1, sectors, enough, wavefronts, conflicts, len(lanes) * size


def sums(lines, space):
    """The lines of one memory added up, as a Line without number and op."""
    chosen = [line for line in lines if line.space == space]
    return Line(0, space, "", *(sum(getattr(line, name) for line in chosen) for name in Line._fields[3:]))


def need_traffic(kernel, grid, block, *arguments, sectors=1.0, conflicts=0):
    """Of each line global memory takes at most so many times the sectors that would do, and shared memory has at most
    so many conflicts for each access of a warp."""
    text, file = launch_text(grid, block, arguments), plain(kernel).__code__.co_filename
    for line in counted(kernel, grid, block, *arguments):
        where = f"{text}: the {line.op}s in line {line.number}, {source_line(file, line.number)!r}, "
        if line.space == "global" and line.sectors > sectors * line.sectors_ideal:
            raise NotRight(f"{where}take {line.sectors:,} sectors where {line.sectors_ideal:,} would hold the data.")
        if line.space == "shared" and line.conflicts > conflicts * line.requests:
            raise NotRight(f"{where}make {line.requests:,} accesses of warps to shared memory, with {line.conflicts:,} bank "
                           "conflicts.")
