# SPDX-License-Identifier: MIT
"""%%compare_kernels: variants of a kernel on the same data: right or not, how fast, and what they do differently."""
import statistics

import numpy as np

from gridcell.cuda.launches import Launches, items_of, launch
from gridcell.cuda.observing import modelled_gpu, xray
from gridcell.cuda.xray_result import dims, quantity

from .measuring import arrays_of, contents_of, fill, positional, times
from .svg import Drawing, Picture, colour

_COUNTS = {"global_requests": "requests of global memory", "global_sectors": "sectors of global memory",
           "shared_wavefronts": "wavefronts of shared memory", "shared_conflicts": "bank conflicts",
           "local_requests": "requests of local memory", "divergent_branches": "divergent branches",
           "barriers": "arrivals at barriers", "warp_instructions": "instructions of warps", "flops": "flops",
           "integer_operations": "integer operations", "l2_bytes": "bytes of L2", "dram_bytes": "bytes of DRAM",
           "occupancy": "occupancy"}
_TOLERANCES = {2: 1e-2, 4: 1e-4, 8: 1e-9}  # of floats, by their bytes


def difference(found, wanted):
    """Where two arrays differ by more than rounding, as a text; None: nowhere."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{found.dtype}{list(found.shape)} instead of {wanted.dtype}{list(wanted.shape)}"
    if found.dtype.kind in "fc":
        part = found.dtype.itemsize // (2 if found.dtype.kind == "c" else 1)
        tolerance = _TOLERANCES.get(part, 1e-9)
        finite = np.abs(wanted[np.isfinite(wanted)]).astype(float)
        least = tolerance * float(finite.max(initial=0.0))
        with np.errstate(all="ignore"):
            wrong = ~np.isclose(found, wanted, rtol=tolerance, atol=least, equal_nan=True)
    else:
        wrong = np.asarray(found != wanted)
    if not wrong.any():
        return None
    place = tuple(int(axis) for axis in np.argwhere(wrong)[0])
    return (f"{int(wrong.sum()):,} of {wrong.size:,} items differ, the first at {list(place)}: {found[place]} instead "
            f"of {wanted[place]}")


class Comparing(Launches):
    """While it is open, each launch is a variant: tried on the data that the first one found, timed and counted."""

    def __init__(self, device=None, runs=9):
        super().__init__(self._launched)
        self.gpu, self._runs = modelled_gpu(device), runs
        self._found, self._kept = [], {}  # by id: an array, with what it held at first

    def _launched(self, configuration, args, kwargs):
        kernel = configuration.dispatcher
        args = positional(kernel, args, kwargs)
        arrays = list(arrays_of(args))
        for _, array in arrays:
            self._kept.setdefault(id(array), (array, contents_of(array)))
        self._restore(arrays)
        launch(configuration, args, {})
        results = [contents_of(array) for _, array in arrays]
        variant = {"kernel": kernel.py_func.__name__, "grid": configuration.griddim, "block": configuration.blockdim,
                   "difference": self._difference(results),
                   "seconds": times(configuration, args, lambda: self._restore(arrays), self._runs),
                   "counts": self._counts(configuration, args, arrays)}
        for (_, array), contents in zip(arrays, results):  # as one launch leaves them
            fill(array, contents)
        if not self._found:
            self._wanted = results
        self._found.append(variant)

    @property
    def count(self):
        """How many variants there were."""
        return len(self._found)

    def _restore(self, arrays):
        for _, array in arrays:
            fill(array, self._kept[id(array)][1])

    def _difference(self, results):
        if not self._found:
            return None
        if len(results) != len(self._wanted):
            return f"{len(results)} arrays, where the first variant has {len(self._wanted)}"
        texts = (difference(found, wanted) for found, wanted in zip(results, self._wanted))
        return next((f"array {number}: {text}" for number, text in enumerate(texts, 1) if text), None)

    def _counts(self, configuration, args, arrays):
        self._restore(arrays)
        grid, block, stream, shared = items_of(configuration)
        result = xray(configuration.dispatcher, grid, block, *args, stream=stream, shared=shared, device=self.gpu.name)
        return {name: result.total[name] for name in _COUNTS} | {"bound": result.bound.seconds,
                                                                   "limiter": result.bound.limiter}

    def comparison(self):
        from numba import cuda
        return Comparison(self._found, cuda.get_current_device(), self.gpu)


class Comparison(Picture):
    """variants: a dict for each launch: kernel, is_right, difference (a text), seconds (sorted), counts."""

    def __init__(self, found, device, gpu):
        self.device, self.gpu = device.name.decode(), gpu.name
        self.variants = [{**variant, "name": name, "is_right": variant["difference"] is None}
                         for variant, name in zip(found, _names(found))]

    def _table(self):
        """Rows of texts below a heading: what is told of each variant stands in a column."""
        variants = self.variants
        rows = [("", *(variant["name"] for variant in variants)),
                ("result", *("the first" if number == 0 else "the same" if variant["is_right"] else "WRONG"
                             for number, variant in enumerate(variants)))]
        medians = [statistics.median(variant["seconds"]) for variant in variants]
        rows.append(("time, median", *(f"{quantity(seconds)}s" for seconds in medians)))
        rows.append(("from, to", *(f"{quantity(variant['seconds'][0])}s, {quantity(variant['seconds'][-1])}s"
                                   for variant in variants)))
        rows.append(("by the first", *(f"{seconds / medians[0]:.2f}" if medians[0] else "" for seconds in medians)))
        counts = [variant["counts"] for variant in variants]
        for name, text in _COUNTS.items():
            if len({found[name] for found in counts}) > 1:
                rows.append((text, *(f"{found[name]:.0%}" if name == "occupancy" else f"{found[name]:,}"
                                     for found in counts)))
        rows.append((f"at least, on {self.gpu} (model)",
                     *(f"{quantity(found['bound'])}s ({found['limiter']})" for found in counts)))
        return rows

    def _faults(self):
        return [f"{variant['name']} is wrong: {variant['difference']}" for variant in self.variants
                if not variant["is_right"]]

    def __repr__(self):
        rows = self._table()
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                           for column, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
        return "\n".join([f"on {self.device}", *lines, *self._faults()])

    def _repr_html_(self):
        from html import escape
        heading, *rows = self._table()
        cells = ["".join(f"<th>{escape(cell)}</th>" for cell in heading)]
        cells += ["<th style='text-align: left'>" + escape(row[0]) + "</th>"
                  + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) for row in rows]
        faults = "".join(f"<div><b>{escape(fault)}</b></div>" for fault in self._faults())
        table = "".join(f"<tr>{row}</tr>" for row in cells)
        return (f'<div class="gridcell-picture" style="overflow-x: auto"><div>on {escape(self.device)}</div>'
                f"<table style='color: inherit'>{table}</table>{faults}{self.to_svg()}</div>")

    def drawing(self):
        names = [_short(variant["name"]) for variant in self.variants]
        variants, right, height = self.variants, 130, 26
        left = 24 + 6.5 * max(map(len, names))
        drawing = Drawing(660, 34 + height * len(variants), f"Times on {self.device}")
        drawing.text(8, 16, f"time on {self.device}: median, least and most", size=12, weight="bold")
        most = max(variant["seconds"][-1] for variant in variants) or 1.0
        unit = (660 - left - right) / most
        for number, variant in enumerate(variants):
            y, times = 28 + number * height, variant["seconds"]
            median = statistics.median(times)
            drawing.text(left - 8, y + 13, names[number], "end", size=11)
            drawing.box(left, y, max(1.0, median * unit), height - 8, fill=colour(number), opacity=0.75,
                        stroke="currentColor", hover=f"{variant['name']}: {quantity(median)}s")
            drawing.line(left + times[0] * unit, y + 9, left + times[-1] * unit, y + 9, width=2,
                         hover=f"from {quantity(times[0])}s to {quantity(times[-1])}s")
            for at in (times[0], times[-1]):
                drawing.line(left + at * unit, y + 4, left + at * unit, y + 14)
            drawing.text(left + times[-1] * unit + 8, y + 13,
                         f"{quantity(median)}s{'' if variant['is_right'] else ', wrong'}", size=11)
        return drawing


def _short(name):
    """As much of it as a drawing has room for; its end tells variants apart."""
    return name if len(name) <= 40 else f"{name[:18]}…{name[-21:]}"


def _names(found):
    """Each kernel's name, told apart by its grid and block where it comes several times."""
    names = [variant["kernel"] for variant in found]
    unique = [name if names.count(name) == 1 else f"{name}[{dims(variant['grid'])}, {dims(variant['block'])}]"
              for name, variant in zip(names, found)]
    return [name if unique.count(name) == 1 else f"{variant['kernel']} ({number})"
            for number, (name, variant) in enumerate(zip(unique, found), 1)]
