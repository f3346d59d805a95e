"""%%gpu_timeline and %%compare_kernels as Python has them: what is noted, drawn and compared."""
import json
import math
import xml.dom.minidom

import pytest
from common import cuda, is_emulated, np, raises

from gridcell.insight.comparing import Comparing, difference
from gridcell.insight.timeline import Recording


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
    rows = {(event["name"], event["pid"], event["tid"]) for event in told.to_trace()["traceEvents"] if event["ph"] == "X"}
    assert rows == {("add_one", 1, 1), ("add_one", 2, 0), ("other", 2, 1), ("host to device", 2, 1), ("stream", 1, 2)}


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
