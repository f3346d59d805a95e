# SPDX-License-Identifier: MIT
"""What cuda.xray counted: tables by line, totals, verdict; as text and as HTML."""
import linecache

from .gpu_limits import occupancy
from .xray_verdict import verdict

_COUNTS = ("requests", "lanes", "bytes", "sectors", "sectors_ideal", "distinct", "wavefronts", "conflicts", "even",
           "strides", "changes", "divergent", "skipped")
_COLUMNS = ("line", "source", "space", "op", "requests", "sectors", "sectors_ideal", "wavefronts",
            "conflicts", "bytes", "active_lanes", "sectors_per_request", "efficiency", "reuse",
            "stride", "item_bytes", "access", "column", "file")
_SPACES = ("global", "shared", "local", "constant")
_OPS = ("load", "store", "atomic")


def _source(file, line):
    return linecache.getline(file, line).strip() if file else ""


def _piece(file, line, column, end):
    """The text of an access; columns are of the line's UTF-8 bytes."""
    text = linecache.getline(file, line).encode() if file else b""
    return text[column:end].decode(errors="replace") if end else ""


def _ratio(part, whole):
    return part / whole if whole else None


class _Row:
    """One place in the source: its counts, for the whole grid."""

    def __init__(self, told, scale):
        self.op, self.space, self.item_bytes, self.file, self.line, place, counts = told
        own_line, self.column, end = place
        self.access = _piece(self.file, own_line, self.column, end)
        self.source = _source(self.file, self.line)
        counts = dict(zip(_COUNTS, counts))
        requests, even = counts["requests"], counts["even"]
        # what was counted by lanes only, beyond the room that an endless loop gets
        self.is_partial = counts["skipped"] > 0
        scale *= 1 + counts["skipped"] / counts["lanes"] if counts["lanes"] else 1
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
        return _ratio(self.sectors, self.distinct)

    def as_dict(self):
        return {name: getattr(self, name) for name in _COLUMNS}


class XRay:
    """What a GPU's memory system and warps would do with one launch of a kernel.

    lines: a dict for each access of each line, in the columns of to_dataframe(). branches, barriers:
    likewise. total: sums. verdict: the first things to change, as texts; empty if nothing stands out.
    """

    def __init__(self, kernel, launch, counted, limits, is_interrupted):
        self.blocks, self.observed_blocks, shared_bytes, rows = counted
        self.kernel = kernel.py_func.__name__
        self.grid, self.block = launch.griddim, launch.blockdim
        self.is_interrupted = is_interrupted
        scale = self.blocks / self.observed_blocks if self.observed_blocks and not is_interrupted else 1
        self.is_sampled = scale != 1
        rows = sorted((_Row(row, scale) for row in rows),
                      key=lambda row: (row.file != kernel.py_func.__code__.co_filename, row.file or "",
                                       row.line, row.op == "store", row.column, row.op))
        self._accesses = [row for row in rows if row.op in _OPS]
        self._branches = [row for row in rows if row.op == "branch"]
        self._barriers = [row for row in rows if row.op == "barrier"]
        self.is_partial = any(row.is_partial for row in rows)
        threads = self.block[0] * self.block[1] * self.block[2]
        self.device, capacity = limits
        self._occupancy = occupancy(capacity, threads, shared_bytes)
        self.total = self._sums(threads, shared_bytes)
        self.verdict = verdict(self._accesses, self._branches, self.total)

    @property
    def lines(self):
        return [row.as_dict() for row in self._accesses]

    @property
    def branches(self):
        return [{"line": row.line, "source": row.source, "branches": row.requests,
                 "divergent": row.divergent, "active_lanes": row.active_lanes, "file": row.file}
                for row in self._branches]

    @property
    def barriers(self):
        return [{"line": row.line, "source": row.source, "arrivals": row.requests,
                 "active_lanes": row.active_lanes, "file": row.file} for row in self._barriers]

    def _sums(self, threads, shared_bytes):
        total = {"threads": threads * self.blocks, "blocks": self.blocks,
                 "observed_blocks": self.observed_blocks, "block_threads": threads,
                 "block_shared_bytes": shared_bytes}
        for space in _SPACES:
            rows = [row for row in self._accesses if row.space == space]
            for name in ("requests", "sectors", "sectors_ideal", "wavefronts", "conflicts", "bytes"):
                total[f"{space}_{name}"] = sum(getattr(row, name) for row in rows)
        total["global_efficiency"] = _ratio(total["global_sectors_ideal"], total["global_sectors"])
        total["branches"] = sum(row.requests for row in self._branches)
        total["divergent_branches"] = sum(row.divergent for row in self._branches)
        total["barriers"] = sum(row.requests for row in self._barriers)
        requests = sum(row.requests for row in self._accesses)
        total["active_lanes"] = _ratio(sum(row.lanes for row in self._accesses), requests)
        blocks, share, limiter = self._occupancy
        total.update(device=self.device, occupancy=share, occupancy_blocks=blocks,
                     occupancy_limiter=limiter)
        return total

    def to_dict(self):
        """All of it as plain dicts, lists, numbers and texts."""
        return {"kernel": self.kernel, "grid": list(self.grid), "block": list(self.block),
                "device": self.device, "blocks": self.blocks, "observed_blocks": self.observed_blocks,
                "interrupted": self.is_interrupted, "lines": self.lines, "branches": self.branches,
                "barriers": self.barriers, "total": dict(self.total), "verdict": list(self.verdict)}

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
        return f"{self.kernel}[{_dims(self.grid)}, {_dims(self.block)}]"

    def _notes(self):
        """What a reader must know of how the figures came to be."""
        notes = []
        if self.is_interrupted:
            notes.append(f"interrupted: the counts so far; {self.observed_blocks} of {self.blocks} blocks had "
                         "ended")
        elif self.is_sampled:
            notes.append(f"sampled: {self.observed_blocks} of {self.blocks} blocks were counted, and the "
                         "figures multiplied")
        if self.is_partial:
            notes.append("long loops were counted in part, and the figures multiplied")
        blocks, share, limiter = self._occupancy
        notes.append(f"occupancy on {self.device}: {share:.0%}, {blocks} blocks a multiprocessor, limited by "
                     f"{limiter} (registers not counted)")
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
        rows = [("line", "source", "", "", "times", "divergent", "lanes")]
        for row in self._branches + self._barriers:
            is_branch = row.op == "branch"
            rows.append((str(row.line), row.source, row.op, "", f"{row.requests:,}",
                         f"{row.divergent:,} ({_ratio(row.divergent, row.requests) or 0:.0%})" if is_branch else "",
                         f"{row.active_lanes:.1f}"))
        return rows

    def __repr__(self):
        parts = [self._heading(), *self._notes()]
        for table in (self._table(), self._branch_table()):
            if len(table) > 1:
                parts += ["", *_text_table(table)]
        parts += ["", *([f"{number}. {text}" for number, text in enumerate(self.verdict, 1)]
                        or ["Nothing stands out."])]
        return "\n".join(parts)

    def _repr_html_(self):
        from .xray_html import page
        return page(self)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _dims(dims):
    last = max((axis for axis in range(3) if dims[axis] > 1), default=0)
    return str(dims[0]) if last == 0 else str(tuple(dims[:last + 1]))


_LEFT = {"source", "space", "op", ""}


def _text_table(rows):
    rows = [[cell[:60] for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) if name in _LEFT else cell.rjust(width)
                      for cell, width, name in zip(row, widths, rows[0])).rstrip() for row in rows]
