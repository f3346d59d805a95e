# SPDX-License-Identifier: MIT
"""%roofline: kernels below what the memory and the arithmetic of a GPU allow, by their counts and a model."""
import math

from .bound import Bound
from .gpus import gpu_of
from .svg import DASHES, Drawing, Picture, colour

_WIDTH, _HEIGHT = 660, 400
_LEFT, _TOP, _RIGHT, _BOTTOM = 70, 36, 20, 46
_NAMES = {"fp64": "float64", "fp32": "float32", "fp16": "float16", "tensor": "float16, tensor cores"}


class Roofline(Picture):
    """points: a dict for each launch. device: the GPU's name. ceilings: operations and bytes a second."""

    def __init__(self, results, device=None):
        if not results:
            raise ValueError("a roofline takes at least one result of cuda.xray")
        self.gpu = results[0].gpu if device is None else gpu_of(device)
        self.device = self.gpu.name
        self.points = [self._point(result) for result in results]
        self.ceilings = {"DRAM": self.gpu.dram, "L2": self.gpu.l2, "shared memory": self.gpu.shared, **self.gpu.flops}

    def _point(self, result):
        total = dict(result.counted)
        accesses = [row.copy() for row in result._accesses]
        total.update(result.traffic(accesses, self.gpu))
        bound = Bound(total, self.gpu)
        shared = 128 * total["shared_wavefronts"]
        taken = result.seconds if result.device == self.device else None
        rate = bound.operations / taken if taken else bound.rate
        return {"kernel": result._heading(), **bound.as_dict(), "rate": rate,
                "share": rate / bound.roof if bound.roof else None, "taken": taken, "flops": total["flops"],
                "interrupted": result.is_interrupted, "sampled": result.is_sampled,
                "dram_bytes": total["dram_bytes"], "l2_bytes": total["l2_bytes"], "shared_bytes": shared,
                "l2_intensity": bound.operations / total["l2_bytes"] if total["l2_bytes"] else None,
                "shared_intensity": bound.operations / shared if shared else None}

    def to_dict(self):
        """All of it as plain dicts, lists, numbers and texts."""
        return {"device": self.device, "is_model": not self.is_timed, "points": self.points, "ceilings": dict(self.ceilings)}

    @property
    def is_timed(self):
        """Whether the GPU itself has run all of them; else a point may be what it would reach at best."""
        return all(point["taken"] for point in self.points)

    def _how(self):
        return "bytes of DRAM by a model of its caches, times as measured" if self.is_timed \
            else "modelled by its published peak rates"

    def _texts(self):
        from gridcell.cuda.xray_result import quantity
        for number, point in enumerate(self.points, 1):
            unit = "op" if point["precision"] == "integer" else "flop"
            intensity = point["arithmetic_intensity"]
            below = (f"{point['share']:.0%} of what the roofline allows" if point["share"] is not None
                     else "no operations to measure")
            taken = f"took {quantity(point['taken'])}s, " if point["taken"] else ""
            so_far = "interrupted, so far " if point["interrupted"] else ""
            yield (f"{number}. {point['kernel']}: {so_far}{taken}bound by {point['limiter']}, at least "
                   f"{quantity(point['seconds'])}s; "
                   f"{quantity(point['operations'])}{unit} ({point['precision']}), "
                   f"{f'{intensity:.3g} {unit} a byte of DRAM, ' if intensity is not None else ''}"
                   f"{quantity(point['rate'])}{unit}/s: {below}")

    def __repr__(self):
        how = (f"on {self.device}: {self._how()}" if self.is_timed
               else f"modelled for {self.device} by its published peak rates (nothing was timed)")
        return "\n".join([f"roofline, {how}", *self._texts()])

    def _repr_html_(self):
        from html import escape
        texts = "".join(f"<div>{escape(text)}</div>" for text in self._texts())
        return f'<div class="gridcell-picture">{self.to_svg()}{texts}</div>'

    # --- the drawing -------------------------------------------------------------------------

    def _scales(self):
        """Decades of operations a byte, and of operations a second."""
        found = [point[name] for point in self.points for name in ("arithmetic_intensity", "l2_intensity",
                                                                   "shared_intensity") if point[name]]
        ridge = self.gpu.flops["fp32"] / self.gpu.dram
        low = math.floor(math.log10(min([0.1, *found])))
        high = math.ceil(math.log10(max([10 * ridge, *found])))
        top = math.ceil(math.log10(max(self.gpu.flops.values())))
        rates = [point["rate"] for point in self.points if point["rate"] > 0]
        bottom = math.floor(math.log10(min([self.gpu.dram * 10 ** low, *rates])))
        return low, high, bottom, top

    def drawing(self):
        drawing = Drawing(_WIDTH, _HEIGHT, f"Roofline of {self.device}, {'measured' if self.is_timed else 'modelled'}")
        low, high, bottom, top = self._scales()
        plot = _Plot(drawing, low, high, bottom, top)
        plot.axes()
        drawing.text(_LEFT, 16, f"{self.device}: {self._how()}", size=12, weight="bold")
        for dash, (name, rate) in zip(DASHES, (("DRAM", self.gpu.dram), ("L2", self.gpu.l2),
                                               ("shared memory", self.gpu.shared))):
            plot.slope(name, rate, max(self.gpu.flops.values()), dash)
        for name in ("tensor", "fp16", "fp32", "fp64"):
            plot.ceiling(_NAMES[name], self.gpu.flops[name], self.gpu.shared)
        for number, point in enumerate(self.points):
            plot.point(number, point)
        return drawing


class _Plot:
    """Logarithmic axes of a drawing."""

    def __init__(self, drawing, low, high, bottom, top):
        self.drawing = drawing
        self.low, self.high, self.bottom, self.top = low, high, bottom, top

    def x(self, intensity):
        share = (math.log10(intensity) - self.low) / (self.high - self.low)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(self, rate):
        share = (math.log10(rate) - self.bottom) / (self.top - self.bottom)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    def axes(self):
        from gridcell.cuda.xray_result import quantity
        for power in range(self.low, self.high + 1):
            x = self.x(10.0 ** power)
            self.drawing.line(x, _TOP, x, _HEIGHT - _BOTTOM, opacity=0.15)
            self.drawing.text(x, _HEIGHT - _BOTTOM + 15, f"{10.0 ** power:g}", "middle")
        for power in range(self.bottom, self.top + 1):
            y = self.y(10.0 ** power)
            self.drawing.line(_LEFT, y, _WIDTH - _RIGHT, y, opacity=0.15)
            self.drawing.text(_LEFT - 6, y + 4, quantity(10.0 ** power), "end")
        self.drawing.text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 10, "operations for each byte", "middle")
        self.drawing.text(14, (_TOP + _HEIGHT - _BOTTOM) / 2, "operations a second", "middle", turn=-90)

    def slope(self, name, bandwidth, peak, dash):
        """What memory of a bandwidth allows, up to the highest peak."""
        start = max(10.0 ** self.low, 10.0 ** self.bottom / bandwidth)
        end = min(10.0 ** self.high, peak / bandwidth)
        self.drawing.line(self.x(start), self.y(start * bandwidth), self.x(end), self.y(end * bandwidth), width=1.5,
                          dash=dash, hover=f"{name}: {bandwidth / 1e9:,.0f} GB/s")
        place = start * (end / start) ** 0.3
        turn = math.degrees(math.atan2(self.y(10 * place) - self.y(place), self.x(10 * place) - self.x(place)))
        self.drawing.text(self.x(place), self.y(place * bandwidth) - 5, f"{name} {bandwidth / 1e9:,.0f} GB/s",
                          size=10, turn=round(turn, 1))

    def ceiling(self, name, peak, bandwidth):
        start = max(10.0 ** self.low, peak / bandwidth)
        y = self.y(peak)
        self.drawing.line(self.x(start), y, _WIDTH - _RIGHT, y, width=1.5, hover=f"{name}: {peak / 1e12:g} Tflop/s")
        self.drawing.text(_WIDTH - _RIGHT, y - 3, f"{name} {peak / 1e12:g} Tflop/s", "end", size=10)

    def point(self, number, point):
        if not point["arithmetic_intensity"] or point["rate"] <= 0:
            return
        x, y = self.x(point["arithmetic_intensity"]), self.y(point["rate"])
        roof = self.y(point["roof"])
        self.drawing.line(x, y, x, roof, stroke=colour(number), dash="3 2", hover="what the roofline allows besides")
        self.drawing.dot(x, y, 5, colour(number), f"{point['kernel']}: bound by {point['limiter']}")
        self.drawing.text(x + 8, y + 4, f"{number + 1}. {point['kernel'].partition('[')[0]}", size=11, weight="bold")
