# SPDX-License-Identifier: MIT
"""Pictures of one access of a warp, of the part of an array that a block touches, and of a warp's lanes over time."""
from .svg import Drawing, Picture, colour
from .told import MOST, WARP, events, is_cut, steps, warps

_WIDTH, _LEFT, _LANE = 660, 10, 20
_SECTOR, _LINE, _WORD, _BANKS = 32, 128, 4, 32


def _heading(row):
    return f"line {row.line}, {row.access or row.source}: {row.op} of {row.space} memory"


def _chosen(result, line, access, ops=("load", "store", "atomic")):
    """The rows of a line, in the order of the table; raises where there are none."""
    rows = [row for row in result._told[0] if row.op in ops and line in (None, row.line)
            and access in (None, row.access)]
    if not rows:
        lines = sorted({row.line for row in result._told[0] if row.op in ops})
        if not lines:
            raise ValueError("the kernel has accessed no memory")
        what = f"line {line}" if access is None else f"{access!r}" if line is None else f"{access!r} in line {line}"
        raise ValueError(f"there is no access at {what}; there are accesses at the lines "
                         f"{', '.join(map(str, lines))}")
    return rows


def _told_nothing(result, warp, known):
    kept = f" among the first {MOST:,} things that it told, which are kept" if is_cut(result._told) else ""
    return ValueError(f"warp {warp} of the first block told nothing{kept}; those that did are {', '.join(map(str, known))}")


class AccessPicture(Picture):
    """The lanes of a warp and the sectors, banks or words that they want in one access."""

    def __init__(self, result, line=None, warp=0, turn=0, access=None):
        rows = _chosen(result, line, access)
        known = warps(result._told)
        if warp not in known:
            raise _told_nothing(result, warp, known)
        found = [step for step in steps(result._told, warp) if any(step.row is row for row in rows)]
        if not 0 <= turn < len(found):
            raise ValueError(f"warp {warp} comes here {len(found)} times (as far as it was kept); there is no turn {turn}")
        self.step, self.warp, self.turn = found[turn], warp, turn
        self.row = self.step.row

    def _addresses(self):
        """By lane; of local memory as it lies interleaved."""
        if self.row.space != "local":
            return self.step.what
        return {lane: (address // _WORD * WARP + lane) * _WORD for lane, address in self.step.what.items()}

    def pieces(self):
        """The sectors that are touched (words of constant and shared memory), each with its lanes, by address."""
        size = _SECTOR if self.row.space in ("global", "local") else _WORD
        found = {}
        for lane, address in self._addresses().items():
            for piece in range(address // size, (address + self.row.item_bytes - 1) // size + 1):
                found.setdefault(piece, []).append(lane)
        return dict(sorted(found.items()))

    def __repr__(self):
        names = {"shared": "words", "constant": "words"}
        return (f"{_heading(self.row)}, warp {self.warp}, turn {self.turn}: {len(self.step.what)} lanes, "
                f"{len(self.pieces())} {names.get(self.row.space, 'sectors')}")

    def drawing(self):
        pieces = self.pieces()
        return self._banks(pieces) if self.row.space == "shared" else self._memory(pieces)

    def _open(self, height, figure):
        drawing = Drawing(_WIDTH, height, repr(self))
        drawing.text(_LEFT, 16, f"{_heading(self.row)} ({figure})", size=12, weight="bold")
        drawing.text(_LEFT, 34, f"lanes of warp {self.warp}", size=10, opacity=0.75)
        for lane in range(WARP):
            is_active = lane in self.step.what
            drawing.box(_LEFT + lane * _LANE, 40, _LANE - 2, 18, fill=colour(0) if is_active else "none",
                        stroke="currentColor", opacity=0.35 if is_active else None)
            drawing.text(_LEFT + lane * _LANE + 9, 53, str(lane), "middle", size=9, opacity=None if is_active else 0.5)
        return drawing

    def _memory(self, pieces):
        size = _SECTOR if self.row.space in ("global", "local") else _WORD
        name = "sectors of 32 bytes" if size == _SECTOR else "words"
        drawing = self._open(190, f"{len(pieces)} {name}")
        numbers, first = list(pieces), min(pieces)
        # a small gap where neighbours are apart
        places, at = {}, 0.0
        for before, number in zip([None, *numbers], numbers):
            at += 0 if before is None else 1 if number == before + 1 else 1.6
            places[number] = at
        unit = min(40.0, (_WIDTH - 2 * _LEFT) / (at + 1))
        for number in numbers:
            x = _LEFT + places[number] * unit
            drawing.box(x, 140, unit - 1, 18, fill=colour(1), stroke="currentColor", opacity=0.3,
                        hover=f"{size} bytes from {(number - first) * size} on: lanes {_ranges(pieces[number])}")
            if size == _SECTOR and number % (_LINE // _SECTOR) == 0:
                drawing.line(x - 0.5, 134, x - 0.5, 164, width=2)
        step = max(1, round(46 / unit))
        for number in numbers[::step]:
            drawing.text(_LEFT + places[number] * unit, 176, f"+{(number - first) * size:,}", size=9)
        for lane, address in self._addresses().items():
            number = address // size
            x = _LEFT + (places[number] + address % size / size) * unit
            drawing.line(_LEFT + lane * _LANE + 9, 58, x + 1, 140, opacity=0.6, hover=f"lane {lane}: +"
                         f"{address - first * size:,}")
        drawing.text(_WIDTH - _LEFT, 34, "below: bytes from the first; thick marks: lines of 128 bytes"
                     if size == _SECTOR else "below: bytes from the first", "end", size=10, opacity=0.75)
        return drawing

    def _banks(self, pieces):
        stacks = {}
        for word, lanes in pieces.items():
            stacks.setdefault(word % _BANKS, []).append((word, lanes))
        most = max(len(stack) for stack in stacks.values())
        shown = min(most, 8)
        drawing = self._open(150 + 18 * shown, f"the fullest bank gives {most} words")
        for bank in range(_BANKS):
            x = _LEFT + bank * _LANE
            stack = stacks.get(bank, [])
            drawing.text(x + 9, 136, str(bank), "middle", size=9, opacity=0.75)
            drawing.box(x, 116, _LANE - 2, 8, stroke="currentColor", fill="none")
            for number, (word, lanes) in enumerate(stack[:shown]):
                drawing.box(x, 140 + 18 * number, _LANE - 2, 16, fill=colour(1), stroke="currentColor", opacity=0.3,
                            hover=f"bank {bank}, word {word - min(pieces)}: lanes {_ranges(lanes)}")
                drawing.text(x + 9, 152 + 18 * number, str(lanes[0]) + ("+" if len(lanes) > 1 else ""), "middle", size=9)
            if len(stack) > shown:
                drawing.text(x + 9, 148 + 18 * shown, "\u22ee", "middle", size=10)
        for word, lanes in pieces.items():
            for lane in lanes:
                drawing.line(_LEFT + lane * _LANE + 9, 58, _LEFT + word % _BANKS * _LANE + 9, 116, opacity=0.5,
                             hover=f"lane {lane}: bank {word % _BANKS}")
        drawing.text(_WIDTH - _LEFT, 34, "below: banks, with the lanes that want each word", "end", size=10,
                     opacity=0.75)
        return drawing


def _ranges(lanes):
    """0-3, 7"""
    texts, lanes = [], sorted(set(lanes))
    start = lanes[0]
    for lane, after in zip(lanes, [*lanes[1:], None]):
        if after != lane + 1:
            texts.append(str(start) if start == lane else f"{start}-{lane}")
            start = after
    return ", ".join(texts)


class TilePicture(Picture):
    """The items of an array that the first block touches in the accesses of a line.

    items: how often, by index. The array's shape is that of the kernel's argument of that name."""

    _MOST = 64  # cells a side

    def __init__(self, result, line=None, access=None):
        rows = [row for row in _chosen(result, line, access) if row.space == "global"]
        if not rows:
            raise ValueError("a tile is of an array in global memory; of shared memory there is access_picture()")
        self.row, self.is_cut = rows[0], is_cut(result._told)
        self.name = self.row.access.partition("[")[0].partition(".")[0].strip()
        array = result._arrays.get(self.name)
        if array is None:
            raise ValueError(f"{self.row.access or self.row.source!r} is not an access to an array that is an argument "
                             f"of the kernel; those are {', '.join(result._arrays) or 'none'}")
        self.shape, self._strides, self._base = array
        self._base = self._base or self.row.low // 256 * 256
        self.items = {}
        for row, _, _, what in events(result._told):
            if row is self.row:
                index = self._index(what)
                self.items[index] = self.items.get(index, 0) + 1

    def _index(self, address):
        """Axes of larger strides first."""
        offset, index = address - self._base, [0] * len(self.shape)
        for axis in sorted(range(len(self.shape)), key=lambda axis: -abs(self._strides[axis])):
            if self.shape[axis] > 1 and self._strides[axis]:
                index[axis], offset = divmod(offset, self._strides[axis])
        return tuple(index)

    def _cells(self):
        """(row, column) in the plane of the last two axes, others added up; a line of items is broken into rows."""
        for index, times in self.items.items():
            if len(index) < 2:
                flat = index[0] if index else 0
                yield flat // self._MOST, flat % self._MOST, times
            else:
                yield index[-2], index[-1], times

    def __repr__(self):
        most = max(self.items.values(), default=0)
        return (f"{_heading(self.row)}: the first block touches {len(self.items):,} items of {self.name}, of "
                f"{' x '.join(map(str, self.shape))}, each up to {most} times"
                f"{' (as far as it was kept)' if self.is_cut else ''}")

    def drawing(self):
        cells = list(self._cells())
        rows, columns = ([cell[axis] for cell in cells] for axis in (0, 1))
        top, left = min(rows), min(columns)
        height, width = max(rows) - top + 1, max(columns) - left + 1
        bin_rows, bin_columns = -(-height // self._MOST), -(-width // self._MOST)
        binned = {}
        for row, column, times in cells:
            key = (row - top) // bin_rows, (column - left) // bin_columns
            binned[key] = binned.get(key, 0) + times
        side = min(9.0, 600 / -(-width // bin_columns))
        most = max(binned.values())
        drawing = Drawing(_WIDTH, 66 + side * -(-height // bin_rows), repr(self))
        drawing.text(_LEFT, 16, _heading(self.row), size=12, weight="bold")
        drawing.text(_LEFT, 32, f"{self.name}[{top}:{top + height}, {left}:{left + width}] of "
                     f"{' x '.join(map(str, self.shape))}, as the first block touches it"
                     if len(self.shape) > 1 else f"{self.name}: rows of {self._MOST} items, from row {top} on", size=10)
        if bin_rows * bin_columns > 1:
            drawing.text(_LEFT, 46, f"a cell stands for {bin_rows} x {bin_columns} items", size=10, opacity=0.75)
        for (row, column), times in binned.items():
            drawing.box(_LEFT + column * side, 54 + row * side, side - 1, side - 1, fill=colour(0),
                        opacity=round(0.25 + 0.6 * times / most, 2), hover=f"{times} times")
        drawing.box(_LEFT - 1, 53, side * -(-width // bin_columns) + 1, side * -(-height // bin_rows) + 1,
                    stroke="currentColor")
        return drawing


class MaskPicture(Picture):
    """Which lanes of a warp are active, step by step: masks is a list of (line, source, set of lanes)."""

    def __init__(self, result, warp=0, first=0, count=48):
        found = steps(result._told, warp)
        if not warps(result._told):
            raise ValueError("the first block has neither accessed memory nor come to a branch or a barrier")
        if not found:
            raise _told_nothing(result, warp, warps(result._told))
        if not 0 <= first < len(found) or count < 1:
            raise ValueError(f"mask_picture(first={first}, count={count}): warp {warp} of the first block has the steps 0 "
                             f"to {len(found) - 1}")
        self.warp, self.first, self.all_steps = warp, first, len(found)
        self._steps = found[first:first + count]
        self.masks = [(step.row.line, step.row.access or step.row.source, set(step.what)) for step in self._steps]

    def __repr__(self):
        lines = [f"active lanes of warp {self.warp}, steps {self.first} to {self.first + len(self.masks)} of "
                 f"{self.all_steps}"]
        for line, source, lanes in self.masks:
            lines.append("".join("#" if lane in lanes else "." for lane in range(WARP)) + f"  {line}: {source[:40]}")
        return "\n".join(lines)

    def drawing(self):
        side = 11
        drawing = Drawing(_WIDTH, 52 + side * len(self.masks), repr(self).partition("\n")[0])
        drawing.text(_LEFT, 16, f"active lanes of warp {self.warp}, from top to bottom", size=12, weight="bold")
        for lane in range(0, WARP, 4):
            drawing.text(_LEFT + lane * side + 5, 38, str(lane), "middle", size=9)
        tones = {line: number for number, line in enumerate(dict.fromkeys(line for line, _, _ in self.masks))}
        for number, (line, source, lanes) in enumerate(self.masks):
            y = 44 + number * side
            for lane in range(WARP):
                is_active = lane in lanes
                drawing.box(_LEFT + lane * side, y, side - 1, side - 1, opacity=0.8 if is_active else 0.12,
                            fill=colour(tones[line]) if is_active else "currentColor")
            drawing.text(_LEFT + WARP * side + 10, y + 9, f"{line}: {source[:44]}", size=9)
        return drawing
