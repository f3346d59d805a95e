# SPDX-License-Identifier: MIT
"""What cuda.xray counted: tables by line, totals, verdict; as text and as HTML."""
import copy
import linecache
import os
from functools import cached_property

import gridcell
from gridcell.insight.bound import Bound
from gridcell.insight.gpus import occupancy
from gridcell.insight.memory_model import add_traffic
from gridcell.insight.resources import resources, text as text_of_resources, unknown

from .xray_verdict import verdict

_COUNTS = ("requests", "lanes", "bytes", "sectors", "sectors_ideal", "distinct", "wavefronts", "conflicts", "even",
           "strides", "changes", "divergent", "skipped", "work_most", "work_sum")
_COLUMNS = ("line", "source", "space", "op", "requests", "sectors", "sectors_ideal", "wavefronts",
            "conflicts", "bytes", "active_lanes", "sectors_per_request", "efficiency", "reuse",
            "l2_bytes", "dram_bytes", "depth", "stride", "item_bytes", "access", "column", "file")
_SPACES = ("global", "shared", "local", "constant")
_OPS = ("load", "store", "atomic")
_COMPUTED = ("fp16", "fp32", "fp64", "integer", "special", "conversion", "control")
CLASSES = (*_COMPUTED[:-1], "memory", "control")
_WIDTHS = ("fp16", "fp32", "fp64")


def _source(file, line):
    return linecache.getline(file, line).strip() if file else ""


def _piece(file, line, column, end):
    """The text of an access; columns are of the line's UTF-8 bytes."""
    text = linecache.getline(file, line).encode() if file else b""
    return text[column:end].decode(errors="replace") if end else ""


def _ratio(part, whole):
    return part / whole if whole else None


_LIBRARY = os.path.join(os.path.dirname(gridcell.__file__), "library", "")


def _is_library(file):
    """Whether it is code of ours that stands for the line of the user's that calls it."""
    return bool(file) and file.startswith(_LIBRARY)


class _Row:
    """One place in the source: its counts, for the whole grid."""

    def __init__(self, told, kernel_file):
        self.op, self.space, self.item_bytes, self.file, self.line, place, counts, (self.low, self.high) = told
        own_line, self.column, end = place
        if _is_library(self.file):
            self.file, end = kernel_file, 0
        self.access = _piece(self.file, own_line, self.column, end)
        self.source = _source(self.file, self.line)
        counts = dict(zip(_COUNTS, counts))
        requests, even = counts["requests"], counts["even"]
        # what was counted by lanes only, beyond the room that an endless loop gets
        self.is_partial = counts["skipped"] > 0
        scale = 1 + counts["skipped"] / counts["lanes"] if counts["lanes"] else 1
        self.is_scattered = even * 2 <= requests  # else neighbouring lanes are at one distance
        self.stride = None if self.is_scattered or counts["changes"] else counts["strides"] // even
        self.active_lanes = counts["lanes"] / requests if requests else 0.0
        for name in _COUNTS:
            setattr(self, name, counts[name] if scale == 1 else round(counts[name] * scale))

    @property
    def sectors_per_request(self):
        return _ratio(self.sectors, self.requests)

    @property
    def efficiency(self):
        return _ratio(self.sectors_ideal, self.sectors)

    @property
    def reuse(self):
        """How often a block loads each of its sectors."""
        return _ratio(self.sectors, self.distinct) if self.op == "load" else None

    @property
    def depth(self):
        """How many lanes of an atomic operation wait in a row, at the address that most of them want."""
        return _ratio(self.wavefronts, self.requests) if self.op == "atomic" else None

    @property
    def imbalance(self):
        """Of a barrier: the work of the busiest warp before it, by that of a warp on average."""
        return _ratio(self.work_most, self.work_sum)

    def copy(self):
        return copy.copy(self)

    def as_dict(self):
        return {name: getattr(self, name) for name in _COLUMNS}


class _Instructions:
    """What the threads do for one line: instructions by class, of lanes and of warps, and operations."""

    def __init__(self, file, line):
        self.file, self.line, self.source = file, line, _source(file, line)
        self.lanes = dict.fromkeys(CLASSES, 0)
        self.warps = dict.fromkeys(CLASSES, 0)
        self.flops = dict.fromkeys(_WIDTHS, 0)
        self.integers = 0

    def add(self, warps, lanes, flops, integers):
        for name, warp, lane in zip(_COMPUTED, warps, lanes):
            self.warps[name] += warp
            self.lanes[name] += lane
        for name, number in zip(_WIDTHS, flops):
            self.flops[name] += number
        self.integers += integers

    def add_access(self, row):
        self.warps["memory"] += row.requests
        self.lanes["memory"] += row.lanes

    def as_dict(self):
        warps = sum(self.warps.values())
        return {"line": self.line, "source": self.source, "warp_instructions": warps,
                "active_lanes": _ratio(sum(self.lanes.values()), warps), **self.lanes,
                "flops": sum(self.flops.values()), "integer_operations": self.integers, "file": self.file}


def _instructions(works, accesses, kernel_file):
    """By line, in the order of the source."""
    lines = {}

    def at(file, line):
        return lines.setdefault((file, line), _Instructions(file, line))

    for file, line, *counts in works:
        at(kernel_file if _is_library(file) else file, line).add(*counts)
    for row in accesses:
        at(row.file, row.line).add_access(row)
    return [lines[key] for key in sorted(lines, key=lambda key: (key[0] or "", key[1]))]


def _loop(told):
    file, line, entries, turns, least, most = told
    return {"line": line, "source": _source(file, line), "entries": entries, "turns": turns, "min": least, "mean": turns / entries, "max": most, "file": file}


class XRay:
    """What a GPU's memory system and warps would do with one launch of a kernel.

    lines: a dict for each access of each line, in the columns of to_dataframe(). branches, barriers, loops,
    instructions: likewise. total: sums. verdict: the first things to change, as texts; empty if nothing stands
    out. bound: how long the GPU needs at least, by a model.
    """

    # What a launch has to wait for is little: tables and sums are made when they are asked for.

    def __init__(self, kernel, launch, arrays, counted, gpu, is_interrupted):
        self.blocks, self.observed_blocks, self._shared_bytes, self._recurses, self._has_links, *self._counted = counted
        self.kernel, self._file = kernel.py_func.__name__, kernel.py_func.__code__.co_filename
        self.grid, self.block = launch.griddim, launch.blockdim
        self.is_interrupted = is_interrupted
        self.is_sampled = self.observed_blocks != self.blocks and not is_interrupted
        self.gpu, self.device = gpu, gpu.name
        self._arrays = arrays
        self._kernel, self._resources = kernel, {}
        self.argument_types = None  # of the kernel's version that ran
        self.seconds = None  # that the launch takes without counting, where somebody has timed it
        self.counted_on = None  # a GPU's name, where its own warps counted

    @cached_property
    def uncounted(self):
        """What of the kernel is not counted."""
        return [text for text, is_so in (("functions that call themselves do", self._recurses),
                                         ("linked CUDA C does", self._has_links)) if is_so]

    @cached_property
    def _told(self):
        """The rows in the order of the launch, and what its first block told of them."""
        rows, _, _, *told = self._counted
        return [_Row(row, self._file) for row in rows], *told

    @cached_property
    def _rows(self):
        return sorted(self._told[0], key=lambda row: (row.file != self._file, row.file or "", row.line,
                                                      row.op == "store", row.column, row.op))

    @cached_property
    def _accesses(self):
        return [row for row in self._rows if row.op in _OPS]

    @cached_property
    def _branches(self):
        return [row for row in self._rows if row.op == "branch"]

    @cached_property
    def _barriers(self):
        return [row for row in self._rows if row.op == "barrier"]

    @cached_property
    def _instructions(self):
        return _instructions(self._counted[1], self._accesses, self._file)

    @property
    def is_partial(self):
        return any(row.is_partial for row in self._rows)

    @cached_property
    def loops(self):
        return sorted((_loop(loop) for loop in self._counted[2]),
                      key=lambda loop: (loop["file"] or "", loop["line"]))

    @cached_property
    def counted(self):
        """The sums that are counts, and what the model makes of them: for these nothing is assembled."""
        return self._sums(self.block[0] * self.block[1] * self.block[2], self._shared_bytes)

    @cached_property
    def total(self):
        blocks, share, limiter = self._occupancy(self.gpu)
        taken = self.resources(self.gpu)
        return {**self.counted, "device": self.device, "occupancy": share, "occupancy_blocks": blocks,
                "occupancy_limiter": limiter, "registers": taken.registers, "local_bytes_a_thread": taken.local_bytes,
                "spill_bytes_a_thread": taken.spill_bytes}

    @cached_property
    def bound(self):
        return Bound(self.counted, self.gpu)

    @cached_property
    def verdict(self):
        return verdict(self._accesses, self._branches, self._barriers, self._instructions, self.total, self.gpu)

    def traffic(self, accesses, gpu):
        """What of them reaches L2 and DRAM of a GPU: see add_traffic. Registers are asked for where they matter."""
        bounds = (self._occupancy(gpu, has_registers)[0] for has_registers in (False, True))
        return add_traffic(accesses, gpu, self.blocks, bounds)

    @cached_property
    def _traffic(self):
        return self.traffic(self._accesses, self.gpu)

    def resources(self, gpu):
        """What a thread takes of a GPU: Resources. Assembled for it when somebody asks."""
        capability = gpu.limits.capability
        if capability not in self._resources:
            self._resources[capability] = (resources(self._kernel, self.argument_types, capability)
                                           if self.argument_types is not None else unknown("which version ran is not known"))
        return self._resources[capability]

    def _occupancy(self, gpu, has_registers=True):
        registers = self.resources(gpu).registers if has_registers else None
        return occupancy(gpu.limits, self.block[0] * self.block[1] * self.block[2], self._shared_bytes, registers)

    def access_picture(self, line=None, warp=0, turn=0, access=None):
        """The lanes of a warp of the first block, and what they want in one access: an AccessPicture.

        line, access: which, by its line and text; turn: how often the warp has been there before."""
        from gridcell.insight.pictures import AccessPicture
        return AccessPicture(self, line, warp, turn, access)

    def tile_picture(self, line=None, access=None):
        """The items of an array that the first block touches: a TilePicture."""
        from gridcell.insight.pictures import TilePicture
        return TilePicture(self, line, access)

    def mask_picture(self, warp=0, first=0, count=48):
        """The active lanes of a warp of the first block, step by step: a MaskPicture."""
        from gridcell.insight.pictures import MaskPicture
        return MaskPicture(self, warp, first, count)

    def roofline(self, *others, device=None):
        """This launch, and others, below the roofline of a GPU: a Roofline."""
        from gridcell.insight.roofline import Roofline
        return Roofline([self, *others], device)

    @property
    def lines(self):
        self._traffic  # says what of the rows comes from L2 and DRAM
        return [row.as_dict() for row in self._accesses]

    @property
    def branches(self):
        return [{"line": row.line, "source": row.source, "branches": row.requests,
                 "divergent": row.divergent, "active_lanes": row.active_lanes, "file": row.file}
                for row in self._branches]

    @property
    def barriers(self):
        return [{"line": row.line, "source": row.source, "arrivals": row.requests,
                 "active_lanes": row.active_lanes, "imbalance": row.imbalance, "file": row.file}
                for row in self._barriers]

    @property
    def instructions(self):
        return [line.as_dict() for line in self._instructions]

    def _sums(self, threads, shared_bytes):
        total = {"threads": threads * self.blocks, "blocks": self.blocks,
                 "observed_blocks": self.observed_blocks, "block_threads": threads, "block_width": self.block[0],
                 "block_shared_bytes": shared_bytes}
        for space in _SPACES:
            rows = [row for row in self._accesses if row.space == space]
            for name in ("requests", "sectors", "sectors_ideal", "wavefronts", "conflicts", "bytes"):
                total[f"{space}_{name}"] = sum(getattr(row, name) for row in rows)
        total["global_efficiency"] = _ratio(total["global_sectors_ideal"], total["global_sectors"])
        total["widest_item"] = max((row.item_bytes for row in self._accesses), default=0)
        total["branches"] = sum(row.requests for row in self._branches)
        total["divergent_branches"] = sum(row.divergent for row in self._branches)
        total["barriers"] = sum(row.requests for row in self._barriers)
        requests = sum(row.requests for row in self._accesses)
        total["active_lanes"] = _ratio(sum(row.lanes for row in self._accesses), requests)
        total.update(self._traffic)
        total.update(self._operations(total["dram_bytes"]))
        return total

    def _operations(self, dram_bytes):
        """Instructions and operations of all lines."""
        lines = self._instructions
        found = {f"{name}_instructions": sum(line.lanes[name] for line in lines) for name in CLASSES}
        found.update({f"{name}_warp_instructions": sum(line.warps[name] for line in lines) for name in CLASSES})
        found.update({f"{name}_flops": sum(line.flops[name] for line in lines) for name in _WIDTHS})
        found["instructions"] = sum(found[f"{name}_instructions"] for name in CLASSES)
        found["warp_instructions"] = sum(found[f"{name}_warp_instructions"] for name in CLASSES)
        found["flops"] = sum(found[f"{name}_flops"] for name in _WIDTHS)
        found["integer_operations"] = sum(line.integers for line in lines)
        found["arithmetic_intensity"] = _ratio(found["flops"], dram_bytes)
        return found

    def to_dict(self):
        """All of it as plain dicts, lists, numbers and texts."""
        return {"kernel": self.kernel, "grid": list(self.grid), "block": list(self.block),
                "device": self.device, "resources": self.resources(self.gpu)._asdict(), "counted_on": self.counted_on,
                "blocks": self.blocks, "observed_blocks": self.observed_blocks, "interrupted": self.is_interrupted,
                "uncounted": list(self.uncounted), "lines": self.lines, "branches": self.branches,
                "barriers": self.barriers, "loops": self.loops, "instructions": self.instructions,
                "total": dict(self.total), "bound": self.bound.as_dict(), "verdict": list(self.verdict)}

    def to_dataframe(self):
        """The lines as a pandas DataFrame."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_dataframe() needs pandas (pip install pandas); .lines and .to_dict() "
                              "hold the same figures") from None
        return pandas.DataFrame(self.lines, columns=list(_COLUMNS))

    # --- how it looks ------------------------------------------------------------------------

    def _heading(self):
        return f"{self.kernel}[{dims(self.grid)}, {dims(self.block)}]"

    def _notes(self):
        """What a reader must know of how the figures came to be."""
        notes = []
        if self.counted_on:
            notes.append(f"counted by the warps of {self.counted_on}")
        if self.is_interrupted:
            ended = f"; {self.observed_blocks} of {self.blocks} blocks had ended"
            notes.append(f"interrupted: the counts so far{'' if self.counted_on else ended}")
        elif self.is_sampled:
            notes.append(f"sampled: {self.observed_blocks} of {self.blocks} blocks were counted, and what those "
                         "between the first and the last did was multiplied")
        if self.uncounted:
            notes.append(f"not counted: what {' and what '.join(self.uncounted)}")
        if self.is_partial:
            notes.append("long loops were counted in part, and the figures multiplied")
        blocks, share, limiter = self._occupancy(self.gpu)
        notes.append(f"occupancy on {self.device}: {share:.0%}, {blocks} block{'s' * (blocks != 1)} a multiprocessor, "
                     f"limited by {limiter}")
        notes.append(text_of_resources(self.resources(self.gpu)))
        total, bound = self.total, self.bound
        intensity = total["arithmetic_intensity"]
        notes.append(f"{quantity(total['flops']).strip()} flops and {quantity(total['integer_operations']).strip()} "
                     "integer operations; "
                     f"{quantity(total['l2_bytes'])}B of L2 and {quantity(total['dram_bytes'])}B of DRAM, by a model of "
                     f"its caches{f': {intensity:.2g} flops a byte' if intensity else ''}")
        notes.append(f"modelled for {self.device}: at least {quantity(bound.seconds)}s, bound by {bound.limiter}")
        return notes

    def _table(self):
        """The rows of the table of accesses, as texts, below a heading."""
        rows = [("line", "source", "space", "op", "requests", "sectors", "ideal", "a request", "efficiency",
                 "reuse", "wavefronts", "conflicts", "lanes")]
        for row in self._accesses:
            has_sectors = row.space in ("global", "local")
            rows.append((str(row.line), row.access or row.source, row.space, row.op, f"{row.requests:,}",
                         f"{row.sectors:,}" if has_sectors else "", f"{row.sectors_ideal:,}" if has_sectors else "",
                         f"{row.sectors_per_request:.1f}" if has_sectors else "",
                         f"{row.efficiency:.0%}" if has_sectors and row.sectors else "",
                         f"{row.reuse:.1f}" if row.reuse else "",
                         f"{row.wavefronts:,}", f"{row.conflicts:,}", f"{row.active_lanes:.1f}"))
        return rows

    def _branch_table(self):
        rows = [("line", "source", "", "times", "divergent", "lanes", "imbalance")]
        for row in self._branches + self._barriers:
            is_branch = row.op == "branch"
            rows.append((str(row.line), row.source, row.op, f"{row.requests:,}",
                         f"{row.divergent:,} ({_ratio(row.divergent, row.requests) or 0:.0%})" if is_branch else "",
                         f"{row.active_lanes:.1f}", f"{row.imbalance:.2f}" if row.imbalance else ""))
        return rows

    def _loop_table(self):
        rows = [("line", "source", "loop", "entries", "min turns", "mean", "max")]
        return rows + [(str(loop["line"]), loop["source"], "", f"{loop['entries']:,}", f"{loop['min']:.3g}",
                        f"{loop['mean']:.3g}", f"{loop['max']:.3g}") for loop in self.loops]

    def _instruction_table(self):
        """Of the classes that there are, instructions of lanes."""
        shown = [name for name in CLASSES if self.total[f"{name}_instructions"]]
        has_flops = self.total["flops"] > 0
        rows = [("line", "source", "warps", "lanes", *shown, *(("flops",) if has_flops else ()))]
        for line in self.instructions:
            rows.append((str(line["line"]), line["source"], f"{line['warp_instructions']:,}",
                         f"{line['active_lanes']:.1f}" if line["active_lanes"] else "",
                         *(f"{line[name]:,}" if line[name] else "" for name in shown),
                         *((f"{line['flops']:,}" if line["flops"] else "",) if has_flops else ())))
        return rows

    def tables(self):
        """The tables that have rows, each with a heading, as texts."""
        found = (self._table(), self._branch_table(), self._loop_table(), self._instruction_table())
        return [table for table in found if len(table) > 1]

    def __repr__(self):
        parts = [self._heading(), *self._notes()]
        for table in self.tables():
            parts += ["", *_text_table(table)]
        parts += ["", *([f"{number}. {text}" for number, text in enumerate(self.verdict, 1)]
                        or ["Nothing stands out."])]
        return "\n".join(parts)

    def _repr_html_(self):
        from .xray_html import page
        return page(self)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


_PREFIXES = (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9), ("p", 1e-12))


def quantity(number):
    """Three digits and a prefix, for the unit that follows."""
    prefix, unit = next((entry for entry in _PREFIXES if abs(number) >= entry[1]), ("", 1))
    return f"{number / unit:.3g} {prefix}" if prefix else f"{number:.3g} "


def dims(sizes):
    """A grid or block as one writes it."""
    last = max((axis for axis in range(3) if sizes[axis] > 1), default=0)
    return str(sizes[0]) if last == 0 else str(tuple(sizes[:last + 1]))


_LEFT = {"source", "space", "op", "loop", ""}


def _text_table(rows):
    rows = [[cell[:60] for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) if name in _LEFT else cell.rjust(width)
                      for cell, width, name in zip(row, widths, rows[0])).rstrip() for row in rows]
