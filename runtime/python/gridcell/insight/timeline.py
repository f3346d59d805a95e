# SPDX-License-Identifier: MIT
"""%%gpu_timeline: what a cell does on host and device, in time."""
import json
import time

from gridcell import _gridcell
from gridcell.cuda.launches import Launches, launch
from gridcell.cuda.xray_result import quantity

from .svg import Drawing, Picture, colour

_KINDS = ("compile", "pass", "to device", "to host", "launch", "wait", "kernel", "copy", "memset", "driver wait", "on device",
          "set")
_TEXTS = {"compile": "compilation", "pass": "its passes", "to device": "copies to device", "to host": "copies to host",
          "on device": "copies within", "set": "sets of memory", "launch": "launches", "wait": "waiting",
          "kernel": "kernels", "copy": "device copies", "memset": "memsets", "driver wait": "driver's waiting"}
_ON_DEVICE = ("kernel", "copy", "memset")


class Recording(Launches):
    """While it is open, what the process does is noted. timeline(): what it was. A GPU's own records (CUPTI) tell
    what it does, where they are to be had; else events around each launch, and `without_records` says why."""

    def __init__(self):
        super().__init__(self._launched)
        self._kernels = []  # (name, stream, event before, event after), of a GPU without records
        self._records, self.without_records = None, None

    def __enter__(self):
        from numba import cuda
        self._cuda = cuda
        self._is_emulated = cuda.get_current_device().is_emulated
        self._device = cuda.get_current_device().name.decode()
        if not self._is_emulated:
            cuda.synchronize()
            self.without_records = _gridcell.gpu_records_begin()
        if self.without_records:
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
        if not self._is_emulated and not self.without_records:
            try:
                self._cuda.synchronize()
            finally:  # also where a kernel has failed
                records, lost = _gridcell.gpu_records_end()
                # but for our own wait just now
                self._records = [record for record in records if record[0] != "driver wait" or record[2] < self.end]
                self.lost += lost

    def _launched(self, configuration, args, kwargs):
        if not self.without_records:
            launch(configuration, args, kwargs)
            return
        stream = configuration.stream
        before, after = self._cuda.event(), self._cuda.event()
        before.record(stream)
        launch(configuration, args, kwargs)
        after.record(stream)
        self._kernels.append((configuration.dispatcher.py_func.__name__, int(getattr(stream, "handle", 0) or 0), before, after))

    def _event_times(self):
        """(name, stream, begin, end) of each kernel, on the host's clock."""
        launches = [note for note in self._notes if note[0] == "launch"]
        if self._is_emulated:  # a kernel has run when its launch comes back
            return [(what, stream, begin, end) for _, what, begin, end, _, stream, *_ in launches]
        self._cuda.synchronize()
        found = []
        for (name, stream, before, after), note in zip(self._kernels, launches):
            begin, end = (self.begin + self._base.elapsed_time(event) / 1e3 for event in (before, after))
            # the first event may be over long before the kernel is compiled and launched
            found.append((name, stream, min(max(begin, note[2]), end), end))
        return found

    def _device_events(self):
        if self._records is not None:
            return [self._event(*record) for record in self._records]
        return [self._event("kernel", name, begin, end, 0, stream, None, 0)
                for name, stream, begin, end in self._event_times()]

    def _event(self, kind, name, begin, end, size, stream, memory, thread):
        if kind == "kernel":
            name = _named(name)
        return {"kind": kind, "name": name, "begin": begin - self.begin, "end": end - self.begin, "bytes": size,
                "stream": stream, "memory": memory, "thread": thread}

    def timeline(self):
        events = [self._event(*note) for note in self._notes] + self._device_events()
        how = "it runs a kernel while it is launched" if self._is_emulated else \
            "by its own records (CUPTI)" if self._records is not None else "kernels by events"
        return Timeline(sorted(events, key=lambda event: event["begin"]), self.end - self.begin, self._device, how,
                        self.lost, self.without_records)


def _named(symbol):
    """The name in the source, of a kernel of ours; else the symbol."""
    return symbol.removeprefix("gc_").removesuffix("_joined") if symbol.startswith("gc_") else symbol


class Timeline(Picture):
    """events: a dict each, of the kinds compile, pass, 'to device', 'to host', 'on device', set, launch, wait and kernel,
    and by a GPU's own records copy, memset and 'driver wait'; begin and end in seconds from the start of the cell; memory: of the
    host, in a copy ('pageable' or 'pinned'). seconds: how long the cell took. how: where times of the device come
    from, and note why not from its records."""

    def __init__(self, events, seconds, device, how, lost=0, note=None):
        self.events, self.seconds, self.device = events, seconds, device
        self.how, self.lost, self.note = how, lost, note
        streams = sorted({event["stream"] for event in events if event["kind"] in _ON_DEVICE} - {0})
        self._streams = {0: "default stream", **{stream: f"stream {number}" for number, stream in enumerate(streams, 1)}}

    def _sums(self):
        for kind in _KINDS:
            found = [event for event in self.events if event["kind"] == kind]
            if found and kind != "pass":
                yield (_TEXTS[kind], len(found), sum(event["end"] - event["begin"] for event in found),
                       sum(event["bytes"] for event in found),
                       ", ".join(sorted({event["memory"] for event in found if event["memory"]})))

    def __repr__(self):
        lines = [f"{quantity(self.seconds)}s on {self.device} ({self.how})"]
        for name, count, seconds, size, memories in self._sums():
            lines.append(f"{name:17}  {count:5}  {quantity(seconds):>7}s{f'  {quantity(size)}B' if size else ''}"
                         f"{f', {memories}' if memories else ''}")
        for event in self._passes():
            lines.append(f"  {event[0]:15}         {quantity(event[1]):>7}s")
        if self.lost:
            lines.append(f"{self.lost:,} more events were not kept")
        if self.note:
            lines.append(f"without the GPU's own records: {self.note}")
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
        found = [_named_for_trace("process_name", pid, 0, name) for pid, name in ((1, "host"), (2, self.device))]
        for tid, (pid, name, events) in enumerate(self._tracks(), 1):
            found.append(_named_for_trace("thread_name", pid, tid, name))
            for event in events:
                begin, end = _nanoseconds(event)
                found.append({"ph": "X", "cat": event["kind"], "name": event["name"] or event["kind"], "ts": begin / 1e3,
                              "dur": (end - begin) / 1e3, "pid": pid, "tid": tid,
                              "args": {name: event[name] for name in ("bytes", "memory") if event[name]}})
        return {"traceEvents": found, "displayTimeUnit": "ms"}

    def _tracks(self):
        """(1 of the host or 2 of the device, name, events) of rows in which events are nested, or lie apart."""
        rows = {}
        for event in self.events:
            key = (2, event["stream"]) if event["kind"] in _ON_DEVICE else \
                (1, event["kind"] if event["kind"] == "driver wait" else event["thread"])
            rows.setdefault(key, []).append(event)
        threads = [key for pid, key in rows if pid == 1 and key != "driver wait"]
        for (pid, key), events in sorted(rows.items(), key=lambda row: (row[0][0], str(row[0][1]))):
            name = self._streams[key] if pid == 2 else "driver's waiting" if key == "driver wait" else \
                "thread" if len(threads) == 1 else f"thread {threads.index(key) + 1}"
            for number, nested in enumerate(_nested(events), 1):
                yield pid, name if number == 1 else f"{name} ({number})", nested

    def save_trace(self, path):
        """Writes a file that Perfetto (ui.perfetto.dev) and chrome://tracing open."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_trace(), file, allow_nan=False)

    # --- the drawing -------------------------------------------------------------------------

    def _lanes(self):
        """(name, events) of each row."""
        def of(*kinds):
            return [event for event in self.events if event["kind"] in kinds]
        lanes = [("compile", of("compile")), ("passes", of("pass")), ("copies", of("to device", "to host", "on device", "set")),
                 ("launches", of("launch")), ("waiting", of("wait")), ("driver's waiting", of("driver wait"))]
        for stream, name in self._streams.items():
            lanes.append((name, [event for event in of(*_ON_DEVICE) if event["stream"] == stream]))
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
            drawing.text(x(number * step), bottom + 14, f"{quantity(number * step)}s", "middle")
        for row, (name, events) in enumerate(lanes):
            y = 32 + row * height
            drawing.text(left - 8, y + 13, name, "end", size=10)
            for event in events:
                begin, end = x(event["begin"]), x(event["end"])
                drawing.box(begin, y, max(1.0, end - begin), height - 4, fill=colour(_KINDS.index(event["kind"])),
                            opacity=0.75, stroke="currentColor" if end - begin > 4 else None, hover=_hover(event))
                if end - begin > 7 * len(event["name"]) and event["name"]:
                    drawing.text(begin + 3, y + 13, event["name"], size=10)
        return drawing


def _named_for_trace(what, pid, tid, name):
    return {"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}}


def _nanoseconds(event):
    """Whole ones: so what is nested stays so, whatever a reader rounds."""
    return round(event["begin"] * 1e9), round(event["end"] * 1e9)


def _nested(events):
    """The events in as many lists as it takes for none to overlap but within another."""
    lists = []  # (ends of what an event would lie in, events)
    for event in sorted(events, key=lambda event: (_nanoseconds(event)[0], -_nanoseconds(event)[1])):
        begin, end = _nanoseconds(event)
        for ends, found in lists:
            while ends and ends[-1] <= begin:
                ends.pop()
            if not ends or end <= ends[-1]:
                break
        else:
            ends, found = [], []
            lists.append((ends, found))
        ends.append(end)
        found.append(event)
    return [found for _, found in lists]


def _hover(event):
    size = f", {quantity(event['bytes'])}B" if event["bytes"] else ""
    size += f" ({event['memory']})" if event["memory"] else ""
    return (f"{_TEXTS[event['kind']]}: {event['name']}{size}, {quantity(event['end'] - event['begin'])}s from "
            f"{quantity(event['begin'])}s on")


def _step(seconds):
    """Of about six marks, at round numbers."""
    unit = 1e-9
    while unit * 10 < seconds / 6:
        unit *= 10
    return next(unit * digit for digit in (1, 2, 5, 10, 20) if unit * digit >= seconds / 6)
