"""%%gpu_timeline and %%compare_kernels as Python has them: what is noted, drawn and compared."""
import json
import math
import xml.dom.minidom

import pytest
from common import cuda, is_emulated, np, raises

from gridcell.insight.comparing import Comparing, difference
from gridcell.insight.timeline import Recording, Timeline


def kernel_of():
    @cuda.jit
    def add_one(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] += 1
    return add_one


def well_formed(picture):
    page = xml.dom.minidom.parseString(picture.to_svg())
    return [element.firstChild.data for name in ("text", "title") for element in page.getElementsByTagName(name)]


@pytest.fixture(scope="module")
def timeline():
    kernel, stream = kernel_of(), cuda.stream()
    with Recording() as recording:
        a = cuda.to_device(np.zeros(1000))
        kernel[8, 128](a)
        kernel[8, 128, stream](a)
        stream.synchronize()
        cuda.synchronize()
        event = cuda.event()
        event.record()
        event.synchronize()
        host = a.copy_to_host()
    assert (host == 2).all()
    return recording.timeline()


def of(timeline, kind):
    return [event for event in timeline.events if event["kind"] == kind]


def test_what_is_noted(timeline):
    assert {event["name"] for event in of(timeline, "compile")} == {"add_one"}
    passes = [event["name"] for event in of(timeline, "pass")]
    # libnvvm optimises what a GPU runs
    assert {"lower", "types", "codegen", *(["optimise"] if is_emulated() else [])} <= set(passes), passes
    assert [event["bytes"] for event in of(timeline, "to device")] == [8000]
    assert [event["bytes"] for event in of(timeline, "to host")] == [8000]
    assert [event["name"] for event in of(timeline, "wait")] == ["stream.synchronize", "cuda.synchronize",
                                                                 "event.synchronize"]
    assert [event["name"] for event in of(timeline, "launch")] == ["add_one"] * 2
    default, own = of(timeline, "kernel")
    assert default["stream"] != own["stream"]


def test_times_are_in_order(timeline):
    assert all(0 <= event["begin"] <= event["end"] <= timeline.seconds + 1e-3 for event in timeline.events)
    compiled = of(timeline, "compile")
    first, second = of(timeline, "kernel")
    assert compiled[-1]["end"] <= first["begin"] + 1e-3 and first["end"] <= second["begin"] + 1e-4
    assert all(any(whole["begin"] - 1e-3 <= event["begin"] and event["end"] <= whole["end"] + 1e-3
                   for whole in compiled) for event in of(timeline, "pass"))


def test_how_a_timeline_looks(timeline, tmp_path):
    text, found = repr(timeline), well_formed(timeline)
    assert "kernels" in text and "8 kB" in text and "compilation" in text
    assert {"compile", "passes", "copies", "launches", "waiting", "default stream", "stream 1"} <= set(found)
    assert any(words.startswith("copies to device: ") and "8 kB" in words for words in found)
    timeline.save_trace(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    complete = [event for event in trace if event["ph"] == "X"]
    assert len(complete) == len(timeline.events) and all(event["dur"] >= 0 and event["ts"] >= 0 for event in complete)
    assert {event["args"]["name"] for event in trace if event["ph"] == "M"} >= {"host", "default stream", "stream 1"}
    assert next(event for event in complete if event["cat"] == "to host")["args"] == {"bytes": 8000, "memory": "pageable"}


def test_copies_are_of_pageable_memory_or_not():
    pinned, registered = cuda.pinned_array(16, np.float64), np.zeros(16)
    pinned[:] = 1
    a = cuda.to_device(np.zeros(16))
    with Recording() as recording, cuda.pinned(registered):
        a.copy_to_device(pinned)
        a.copy_to_device(np.ones(16))
        a[8:].copy_to_host(registered[8:])
        a.copy_to_host()
    timeline = recording.timeline()
    found = [event["memory"] for kind in ("to device", "to host") for event in of(timeline, kind)]
    assert found == ["pinned", "pageable", "pinned", "pageable"]
    assert "pageable, pinned" in repr(timeline) and any("(pinned)" in text for text in well_formed(timeline))


def test_copies_within_the_device():
    a, b = cuda.to_device(np.zeros(16)), cuda.device_array(16)
    memory = cuda.current_context().memalloc(64)
    with Recording() as recording:
        b.copy_to_device(a)
        cuda.driver.device_memset(memory, 1, 48)
        assert b[3] == 0
    told = recording.timeline()
    (copy,), (memset,), (item,) = (of(told, kind) for kind in ("on device", "set", "to host"))
    assert (copy["bytes"], memset["bytes"], item["bytes"], item["name"]) == (128, 48, 8, "an item")
    assert "copies within" in repr(told) and "sets of memory" in repr(told)


def checked_trace(timeline):
    """The events of each track, by its name, of what is held strictly against the Trace Event Format: an object with
    traceEvents; metadata and complete events, with the fields of each; times in microseconds; nested, or apart."""
    trace = json.loads(json.dumps(timeline.to_trace(), allow_nan=False))
    assert set(trace) == {"traceEvents", "displayTimeUnit"} and trace["displayTimeUnit"] in ("ms", "ns")
    processes, tracks, found = {}, {}, {}
    for event in trace["traceEvents"]:
        assert all(type(event[name]) is int and event[name] >= 0 for name in ("pid", "tid")), event
        assert type(event["name"]) is str and event["name"] and type(event["args"]) is dict
        if event["ph"] == "M":
            assert set(event) == {"ph", "name", "pid", "tid", "args"} and set(event["args"]) == {"name"}
            names = {"process_name": processes, "thread_name": tracks}[event["name"]]
            key = event["pid"] if event["name"] == "process_name" else (event["pid"], event["tid"])
            assert key not in names and type(event["args"]["name"]) is str
            names[key] = event["args"]["name"]
            continue
        assert event["ph"] == "X" and set(event) == {"ph", "cat", "name", "ts", "dur", "pid", "tid", "args"}
        assert type(event["cat"]) is str and all(type(event[name]) in (int, float) for name in ("ts", "dur"))
        assert event["dur"] >= 0 and (event["pid"], event["tid"]) in tracks  # named before it is used
        found.setdefault(f"{processes[event['pid']]}: {tracks[event['pid'], event['tid']]}", []).append(event)
    assert len({tid for _, tid in tracks}) == len(tracks) == len(found)
    for events in found.values():
        within = []  # ends, in nanoseconds
        for event in events:
            begin, end = (round(1e3 * number) for number in (event["ts"], event["ts"] + event["dur"]))
            while within and within[-1] <= begin:
                within.pop()
            assert not within or end <= within[-1], event
            within.append(end)
        assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)
    assert sum(map(len, found.values())) == len(timeline.events)
    return found


def test_a_trace_keeps_the_format(timeline):
    tracks = checked_trace(timeline)
    device = cuda.get_current_device().name.decode()
    assert set(tracks) >= {"host: thread", f"{device}: default stream", f"{device}: stream 1"}
    cats = {event["cat"] for event in tracks["host: thread"]}
    assert cats == {"compile", "pass", "to device", "to host", "launch", "wait"}


def test_a_trace_of_several_threads():
    import concurrent.futures
    kernels = [kernel_of() for _ in range(3)]

    def work(kernel):
        stream = cuda.stream()
        a = cuda.to_device(np.zeros(4096), stream=stream)
        for _ in range(5):
            kernel[32, 128, stream](a)
        stream.synchronize()
        return a.copy_to_host()

    with Recording() as recording, concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert all((result == 5).all() for result in pool.map(work, kernels))
    tracks = checked_trace(recording.timeline())
    assert {"host: thread 1", "host: thread 2", "host: thread 3"} >= {name for name in tracks if name.startswith("host: thread")}
    assert sum("stream" in name for name in tracks) >= 3


def test_events_that_overlap_have_tracks_of_their_own():
    def timeline_of(*spans):
        events = [{"kind": "wait", "name": str(number), "begin": begin, "end": end, "bytes": 0, "stream": 0, "memory": None,
                   "thread": 1} for number, (begin, end) in enumerate(spans)]
        return Timeline(events, 9.0, "D", "")
    assert [len(events) for events in checked_trace(timeline_of((0, 5), (1, 3), (3, 5), (4, 6), (4.5, 5.5))).values()] == [3, 2]
    assert len(checked_trace(timeline_of((0, 1), (1, 2), (1, 2), (1, 1)))) == 1
    third = 1 / 3 * 1e-6  # nested, whatever is rounded
    assert len(checked_trace(timeline_of((third, 7 * third), (2 * third, 7 * third), (7 * third, 8 * third)))) == 1


def test_records_of_a_gpu():
    """As CUPTI has them: kernels by symbol and stream, copies by the device, waits of the driver."""
    recording = Recording()
    recording.begin, recording.end, recording.lost = 10.0, 11.0, 0
    recording._is_emulated, recording._device = False, "GPU"
    recording._notes = [("launch", "add_one", 10.1, 10.2, 0, 0, None, 5)]
    recording._records = [("kernel", "gc_add_one_joined", 10.2, 10.3, 0, 0, None, 0),
                          ("kernel", "other", 10.25, 10.4, 0, 13, None, 0),
                          ("copy", "host to device", 10.3, 10.5, 4096, 13, "pageable", 0),
                          ("driver wait", "stream", 10.4, 10.6, 0, 0, None, 0)]
    told = recording.timeline()
    assert [(event["kind"], event["name"]) for event in told.events] == [
        ("launch", "add_one"), ("kernel", "add_one"), ("kernel", "other"), ("copy", "host to device"),
        ("driver wait", "stream")]
    assert "CUPTI" in repr(told) and "driver's waiting" in repr(told)
    assert {"stream 1", "default stream", "driver's waiting"} <= set(well_formed(told))
    rows = sorted((track, *(event["name"] for event in events)) for track, events in checked_trace(told).items())
    assert rows == [("GPU: default stream", "add_one"), ("GPU: stream 1", "other"), ("GPU: stream 1 (2)", "host to device"),
                    ("host: driver's waiting", "stream"), ("host: thread", "add_one")]


def test_nothing_is_kept_when_nobody_asks():
    from gridcell import _gridcell
    with Recording():
        pass
    kernel = kernel_of()
    kernel[1, 32](np.zeros(32))
    assert _gridcell.activity_take() == ([], 0)
    assert "_LaunchConfiguration" in str(type(kernel[1, 32]))


def test_a_cell_without_a_device():
    with Recording() as recording:
        math.sqrt(2)
    timeline = recording.timeline()
    assert timeline.events == [] and well_formed(timeline)


# --- comparing ---------------------------------------------------------------------------------

def summing(name, first, step):
    def kernel(a, out):
        row, total = cuda.grid(1), np.float32(0)
        for j in range(a.shape[1] - first):
            total += a[row, (first + step * j) % a.shape[1]]
        out[row] += total
    kernel.__name__ = name
    return cuda.jit(kernel)


sums, backwards, one_short = summing("sums", 0, 1), summing("backwards", 0, -1), summing("one_short", 1, 1)


@pytest.mark.parametrize("place", [cuda.to_device, lambda array: array], ids=["device", "host"])
def test_variants_on_the_same_data(place):
    values = np.random.default_rng(3).random((128, 64)).astype(np.float32)
    a, out, other = place(values), place(np.ones(128, np.float32)), place(np.ones(128, np.float32))
    with Comparing("T4", runs=3) as comparing:
        sums[2, 64](a, out)
        backwards[2, 64](a, out)
        one_short[4, 32](a, other)
        sums[4, 32](out=out, a=a)
    comparison = comparing.comparison()
    names = ["sums[2, 64]", "backwards", "one_short", "sums[4, 32]"]
    assert [variant["name"] for variant in comparison.variants] == names
    assert [variant["is_right"] for variant in comparison.variants] == [True, True, False, True]
    assert "of 128 items differ, the first at [0]" in comparison.variants[2]["difference"]
    assert all(len(variant["seconds"]) == 3 and min(variant["seconds"]) >= 0 for variant in comparison.variants)
    found = out if isinstance(out, np.ndarray) else out.copy_to_host()
    np.testing.assert_allclose(found, 1 + values.sum(1), rtol=1e-5)  # as after one launch
    text = repr(comparison)
    assert "WRONG" in text and "one_short is wrong: array 2" in text and "time, median" in text
    if is_emulated():
        assert "at least, on T4 (model)" in text and "instructions of warps" in text
        assert "bank conflicts" not in text  # none has any
    assert "one_short" in " ".join(well_formed(comparison)) and "</table>" in comparison._repr_html_()


def test_variants_of_other_data():
    with Comparing() as comparing:
        sums[1, 32](np.ones((32, 4), np.float32), np.zeros(32, np.float32))
        sums[1, 16](np.ones((16, 4), np.float32), np.zeros(16, np.float32))
    assert "float32[16, 4] instead of float32[32, 4]" in comparing.comparison().variants[1]["difference"]
    with raises(ValueError, "unknown GPU 'Z'"):
        Comparing("Z")


@pytest.mark.parametrize("found, wanted, text", [
    ([1.0, np.nan, np.inf], [1.0, np.nan, np.inf], None),
    ([1.0, 2.0 + 1e-12], [1.0, 2.0], None),
    ([1.0, 2.1], [1.0, 2.0], "1 of 2 items differ, the first at [1]: 2.1 instead of 2.0"),
    ([np.nan], [1.0], "nan instead of 1.0"),
    ([1, 3], [1, 2], "3 instead of 2"),
    ([[1, 2], [3, 4]], [[1, 2], [0, 4]], "the first at [1, 0]"),
    ([1j], [1j], None), ([], [], None), ([True], [False], "True instead of False")])
def test_differences(found, wanted, text):
    told = difference(np.array(found), np.array(wanted))
    assert told is None if text is None else text in told


# --- which launches are seen -------------------------------------------------------------------

def test_configurations_that_were_made_before():
    from gridcell.cuda.observing import Observing
    kernel, stream = kernel_of(), cuda.stream()
    before = [kernel[2, 32], kernel[(2, 1), (32, 1), stream], kernel.configure(2, 32), kernel.specialize(np.zeros(64))[2, 32]]
    a = np.zeros(64)
    with Observing() as outer, Observing() as observing:
        for configuration in (*before, kernel[2, 32], kernel.forall(64, tpb=32)):
            configuration(a=a) if configuration is before[0] else configuration(a)
    assert len(observing.results) == 6 and outer.results == [] and (a == 6).all()
    assert {result.lines[0]["requests"] for result in observing.results} == {2}
    before[0](a)
    assert len(observing.results) == 6 and (a == 7).all()
    with raises(TypeError, "missing a required argument"), Observing():
        before[0]()


def test_configurations_that_end_while_somebody_looks():
    import gc

    from gridcell.cuda.observing import Observing
    kernels = [kernel_of() for _ in range(3)]
    with Observing() as observing:
        made = [kernel[1, 32] for kernel in kernels]
        del kernels[1], made[1]
        gc.collect()
        made[1](np.zeros(32))
    assert len(observing.results) == 1
    made[0](np.zeros(32))
