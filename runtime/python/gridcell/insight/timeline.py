# SPDX-License-Identifier: MIT
"""%%gpu_timeline: what a cell does on host and device, in time."""
import json
import time

from gridcell import _gridcell
from gridcell.cuda.launches import Launches, launch
from gridcell.cuda.xray_result import quantity

from .svg import Drawing, Picture, colour

_KINDS = ("compile", "pass", "to device", "to host", "launch", "wait", "kernel")
_TEXTS = {"compile": "compilation", "pass": "its passes", "to device": "copies to device", "to host": "copies to host",
          "launch": "launches", "wait": "waiting", "kernel": "kernels"}


class Recording(Launches):
    """While it is open, what the process does is noted. timeline(): what it was."""

    def __init__(self):
        super().__init__(self._launched)
        self._kernels = []  # (name, stream, event before, event after), of a GPU

    def __enter__(self):
        from numba import cuda
        self._cuda = cuda
        self._is_emulated = cuda.get_current_device().is_emulated
        self._device = cuda.get_current_device().name.decode()
        if not self._is_emulated:
            cuda.synchronize()
            self._base = cuda.event()
            self._base.record()
            self._base.synchronize()
        self.begin = time.perf_counter()
        _gridcell.activity_keep(True)
        return super().__enter__()

    def __exit__(self, *failure):
        super().__exit__(*failure)
        self.end = time.perf_counter()
        self._notes, self.lost = _gridcell.activity_take()
        _gridcell.activity_keep(False)

    def _launched(self, kernel, items, args, kwargs):
        if self._is_emulated:
            launch(kernel, items, args, kwargs)
            return
        stream = items[2] if len(items) > 2 and items[2] else 0
        before, after = self._cuda.event(), self._cuda.event()
        before.record(stream)
        launch(kernel, items, args, kwargs)
        after.record(stream)
        self._kernels.append((kernel.py_func.__name__, int(getattr(stream, "handle", 0) or 0), before, after))

    def _device_times(self):
        """(name, stream, begin, end) of each kernel, on the host's clock."""
        launches = [note for note in self._notes if note[0] == "launch"]
        if self._is_emulated:  # a kernel has run when its launch comes back
            return [(what, stream, begin, end) for _, what, begin, end, _, stream, _ in launches]
        self._cuda.synchronize()
        found = []
        for (name, stream, before, after), note in zip(self._kernels, launches):
            begin, end = (self.begin + self._base.elapsed_time(event) / 1e3 for event in (before, after))
            # the first event may be over long before the kernel is compiled and launched
            found.append((name, stream, min(max(begin, note[2]), end), end))
        return found

    def timeline(self):
        events = [{"kind": kind, "name": what, "begin": begin - self.begin, "end": end - self.begin, "bytes": size,
                   "stream": stream, "thread": thread} for kind, what, begin, end, size, stream, thread in self._notes]
        events += [{"kind": "kernel", "name": name, "begin": begin - self.begin, "end": end - self.begin, "bytes": 0,
                    "stream": stream, "thread": 0} for name, stream, begin, end in self._device_times()]
        return Timeline(sorted(events, key=lambda event: event["begin"]), self.end - self.begin, self._device,
                        self._is_emulated, self.lost)


class Timeline(Picture):
    """events: a dict each, of the kinds compile, pass, 'to device', 'to host', launch, wait and kernel; begin and end
    in seconds from the start of the cell. seconds: how long the cell took."""

    def __init__(self, events, seconds, device, is_emulated, lost=0):
        self.events, self.seconds, self.device = events, seconds, device
        self.is_emulated, self.lost = is_emulated, lost
        streams = sorted({event["stream"] for event in events if event["kind"] in ("kernel", "launch")} - {0})
        self._streams = {0: "default stream", **{stream: f"stream {number}" for number, stream in enumerate(streams, 1)}}

    def _sums(self):
        for kind in _KINDS:
            found = [event for event in self.events if event["kind"] == kind]
            if found and kind != "pass":
                yield (_TEXTS[kind], len(found), sum(event["end"] - event["begin"] for event in found),
                       sum(event["bytes"] for event in found))

    def __repr__(self):
        how = "times of the emulated device, which runs a kernel while it is launched" if self.is_emulated else \
            "kernels by events"
        lines = [f"{quantity(self.seconds)}s on {self.device} ({how})"]
        for name, count, seconds, size in self._sums():
            lines.append(f"{name:16}  {count:5}  {quantity(seconds):>7}s{f'  {quantity(size)}B' if size else ''}")
        for event in self._passes():
            lines.append(f"  {event[0]:14}         {quantity(event[1]):>7}s")
        if self.lost:
            lines.append(f"{self.lost:,} more events were not kept")
        return "\n".join(lines)

    def _passes(self):
        """(pass, seconds) of all compilations, without the passes that ran within it, the longest first."""
        spent = {}
        stack = []
        for event in sorted((event for event in self.events if event["kind"] == "pass"),
                            key=lambda event: (event["thread"], event["begin"], -event["end"])):
            while stack and (stack[-1]["thread"] != event["thread"] or stack[-1]["end"] < event["end"]):
                stack.pop()
            seconds = event["end"] - event["begin"]
            spent[event["name"]] = spent.get(event["name"], 0) + seconds
            if stack:
                spent[stack[-1]["name"]] -= seconds
            stack.append(event)
        return sorted(spent.items(), key=lambda entry: -entry[1])[:6]

    # --- Chrome's trace format ---------------------------------------------------------------

    def to_trace(self):
        """What Perfetto and chrome://tracing open, as a dict for JSON."""
        threads = {thread: number for number, thread in enumerate(
            dict.fromkeys(event["thread"] for event in self.events if event["kind"] != "kernel"), 1)}
        found = [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "host"}},
                 {"ph": "M", "name": "process_name", "pid": 2, "args": {"name": self.device}}]
        found += [{"ph": "M", "name": "thread_name", "pid": 2, "tid": number, "args": {"name": name}}
                  for number, name in enumerate(self._streams.values())]
        numbers = {stream: number for number, stream in enumerate(self._streams)}
        for event in self.events:
            is_kernel = event["kind"] == "kernel"
            arguments = {"bytes": event["bytes"]} if event["bytes"] else {}
            found.append({"ph": "X", "cat": event["kind"], "name": event["name"] or event["kind"],
                          "ts": event["begin"] * 1e6, "dur": (event["end"] - event["begin"]) * 1e6,
                          "pid": 2 if is_kernel else 1,
                          "tid": numbers[event["stream"]] if is_kernel else threads[event["thread"]], "args": arguments})
        return {"traceEvents": found, "displayTimeUnit": "ms"}

    def save_trace(self, path):
        """Writes a file that Perfetto (ui.perfetto.dev) and chrome://tracing open."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_trace(), file)

    # --- the drawing -------------------------------------------------------------------------

    def _lanes(self):
        """(name, events) of each row."""
        def of(*kinds):
            return [event for event in self.events if event["kind"] in kinds]
        lanes = [("compile", of("compile")), ("passes", of("pass")), ("copies", of("to device", "to host")),
                 ("launches", of("launch")), ("waiting", of("wait"))]
        for stream, name in self._streams.items():
            lanes.append((name, [event for event in of("kernel") if event["stream"] == stream]))
        return [(name, events) for name, events in lanes if events]

    def drawing(self):
        lanes, left, width, height = self._lanes(), 96, 660, 22
        drawing = Drawing(width, 58 + height * max(1, len(lanes)), repr(self).partition("\n")[0])
        drawing.text(8, 16, f"{quantity(self.seconds)}s on {self.device}", size=12, weight="bold")
        bottom = 34 + height * len(lanes)

        def x(seconds):
            return left + (width - left - 12) * min(1.0, max(0.0, seconds / self.seconds))

        step = _step(self.seconds)
        for number in range(int(self.seconds / step) + 1):
            drawing.line(x(number * step), 30, x(number * step), bottom, opacity=0.2)
            drawing.text(x(number * step), bottom + 14, f"{quantity(number * step)}s", "middle", size=9)
        for row, (name, events) in enumerate(lanes):
            y = 32 + row * height
            drawing.text(left - 8, y + 13, name, "end", size=10)
            for event in events:
                begin, end = x(event["begin"]), x(event["end"])
                drawing.box(begin, y, max(1.0, end - begin), height - 4, fill=colour(_KINDS.index(event["kind"])),
                            opacity=0.75, stroke="currentColor" if end - begin > 4 else None, hover=_hover(event))
                if end - begin > 7 * len(event["name"]) and event["name"]:
                    drawing.text(begin + 3, y + 13, event["name"], size=9)
        return drawing


def _hover(event):
    size = f", {quantity(event['bytes'])}B" if event["bytes"] else ""
    return (f"{_TEXTS[event['kind']]}: {event['name']}{size}, {quantity(event['end'] - event['begin'])}s from "
            f"{quantity(event['begin'])}s on")


def _step(seconds):
    """Of about six marks, at round numbers."""
    unit = 1e-9
    while unit * 10 < seconds / 6:
        unit *= 10
    return next(unit * digit for digit in (1, 2, 5, 10, 20) if unit * digit >= seconds / 6)
