# SPDX-License-Identifier: MIT
"""What the threads of a launch's first block told, one after the other, put together by warps again."""
import struct
from collections import Counter

WARP = 32
_EVENT = struct.Struct("<iiiiqqQQqq")  # struct observed_event of runtime/device/observation.h
_TOLD = struct.Struct("<iiiIqQQqq32q32q")  # struct observed_told
_TURNS = 1 << 64


class Step:
    """What the lanes of a warp do in one instruction: at a row of the result, by lane an address or a decision."""

    def __init__(self, row, turn):
        self.row, self.turn = row, turn
        self.what, self.time = {}, 0

    @property
    def lanes(self):
        return sorted(self.what)


MOST = 1 << 16  # OBSERVED_MOST_TOLD: of warps that come when there are so many nothing is kept
_MOST_TURNS = 1 << 9  # OBSERVED_KEPT_TURNS: of a lane of the emulated device, at each place


def is_cut(told):
    """Whether the first block told more than is kept."""
    times = Counter((id(row), thread) for row, thread, _, _ in events(told))
    return times.total() >= MOST or max(times.values(), default=0) == _MOST_TURNS


def events(told):
    """(row, thread, turn, what) of each event, in the order in which the emulated device ran."""
    rows, data, first = told
    found = []
    for row, _, thread, count, order, order_step, turn, turn_step, what, what_step in _EVENT.iter_unpack(data or b""):
        found += [(order + i * order_step, row, thread, (turn + i * turn_step) % _TURNS, what + i * what_step)
                  for i in range(count)]
    for row, _, warp, lanes, count, turn, turn_step, what_step, order_step, *numbers in _TOLD.iter_unpack(first or b""):
        found += [(numbers[WARP + lane] + i * order_step, row, WARP * warp + lane, (turn + i * turn_step) % _TURNS,
                   numbers[lane] + i * what_step)
                  for lane in range(WARP) if lanes >> lane & 1 for i in range(count)]
    found.sort(key=lambda event: event[0])
    for _, row, *event in found:
        yield rows[row], *event


def steps(told, warp):
    """The steps of a warp in an order that a GPU could have: each after those of its lanes before it, ways of a
    divergent branch one after the other."""
    found, latest = {}, {}
    for row, thread, turn, what in events(told):
        if thread // WARP != warp:
            continue
        lane = thread % WARP
        step = found.setdefault((id(row), turn), Step(row, turn))
        step.what[lane] = what
        step.time = max(step.time, latest.get(lane, 0) + 1)
        latest[lane] = step.time
    return sorted(found.values(), key=lambda step: step.time)  # stable: else as they ran


def warps(told):
    """The numbers of the warps that told something."""
    return sorted({thread // WARP for _, thread, _, _ in events(told)})
