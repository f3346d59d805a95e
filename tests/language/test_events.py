# SPDX-License-Identifier: MIT
"""numba.core.event: listeners are told of compilations, and of events of a program's own; and the names of targets."""
import pytest

from numba import cuda, njit
from numba.core import event, target_extension
from numba.core.errors import NonexistentTargetError, TypingError
from numba.core.registry import DelayedRegistry


def test_compilations_are_told_once_for_types():
    @njit
    def double(x):
        return x * 2

    @njit
    def fails(x):
        return x.nothing

    @cuda.jit
    def fill(out):
        out[0] = 1
    with event.install_recorder("numba:compile") as recorder:
        double(1), double(2), double(1.5)
        with pytest.raises(TypingError):
            fails(1)
        fill[1, 1](cuda.device_array(1))
    double(True)  # nobody listens any longer
    told = [(e.data["dispatcher"], str(e.data["args"][0])[:8], e.is_start, e.is_failed) for _, e in recorder.buffer]
    assert told == [(function, args, is_start, is_failed and not is_start) for function, args, is_failed in
                    ((double, "int64", False), (double, "float64", False), (fails, "int64", True), (fill, "array(fl", False))
                    for is_start in (True, False)]
    times = [time for time, _ in recorder.buffer]
    assert times == sorted(times)


def test_compilations_are_timed():
    seconds = []
    with event.install_timer("numba:compile", seconds.append) as timer:
        njit(lambda x: x - 1)(1)
    assert timer.done and seconds == [timer.duration] and timer.duration > 0
    with event.install_timer("numba:compile", seconds.append) as timer:
        pass
    assert not timer.done and len(seconds) == 1


class Failing(event.Listener):
    def __init__(self, when):
        self.when = when

    def on_start(self, told):
        self.fail("start")

    def on_end(self, told):
        self.fail("end")

    def fail(self, now):
        if now == self.when:
            raise KeyError(now)


def test_the_lock_and_the_pass_are_told_around_it():
    order = []

    class Keeping(event.Listener):
        def on_start(self, told):
            order.append(("start", told.kind, told.data))

        def on_end(self, told):
            order.append(("end", told.kind, told.data))
    listener = Keeping()
    kinds = ["numba:compiler_lock", "numba:compile", "numba:run_pass"]
    for kind in kinds:
        event.register(kind, listener)
    njit(lambda x: x * 3)(1)
    for kind in kinds:
        event.unregister(kind, listener)
    assert [entry[:2] for entry in order] == [("start", kind) for kind in kinds] + [("end", kind) for kind in kinds[::-1]]
    data = order[2][2]
    assert "<lambda>" in data["qualname"] and data["args"] == "(int64,)" and str(data["flags"]).startswith("{")


@pytest.mark.parametrize("when", ["start", "end"])
def test_what_listeners_raise_ends_the_call(when):
    f = njit(lambda x: x + 1)
    with event.install_listener("numba:compile", Failing(when)), pytest.raises(KeyError, match=when):
        f(1)
    assert f(1) == 2


def test_events_of_a_programs_own():
    told = []

    class Keeping(event.Listener):
        def on_start(self, told_event):
            told.append(("start", told_event.data))

        def on_end(self, told_event):
            told.append(("end", told_event.data, told_event.is_failed))
    listener = Keeping()
    event.register("mine", listener)
    with event.trigger_event("mine", data=5):
        pass
    with pytest.raises(ZeroDivisionError), event.trigger_event("mine", data=6):
        1 // 0
    event.unregister("mine", listener)
    event.start_event("mine")
    assert told == [("start", 5), ("end", 5, False), ("start", 6), ("end", 6, True)]
    with pytest.raises(ValueError, match="reserved prefix 'numba:'"):
        event.start_event("numba:mine")
    with pytest.raises(TypeError, match="derives from numba.core.event.Listener"):
        event.register("mine", told.append)
    assert str(event.Event("mine", event.EventStatus.END)) == "Event(mine, EventStatus.END, data: NoneType)"


# --- Targets

def test_targets_by_name():
    cuda_target, cpu = target_extension.resolve_target_str("cuda"), target_extension.resolve_target_str("cpu")
    assert cuda_target.inherits_from(target_extension.GPU) and not cpu.inherits_from(target_extension.GPU)
    assert target_extension.current_target() == "cpu"
    with target_extension.target_override("cuda"):
        assert target_extension.current_target() == "cuda" and target_extension.get_local_target(None) is cuda_target
    assert target_extension.get_local_target(None) is cpu
    assert target_extension.jit_registry[cpu](lambda x: x + 1)(1) == 2
    assert isinstance(njit(lambda x: x), target_extension.resolve_dispatcher_from_str("cpu"))
    assert isinstance(cuda.jit(lambda x: None), target_extension.resolve_dispatcher_from_str("cuda"))
    with pytest.raises(NonexistentTargetError, match="No target is registered against 'fpga', known targets:\ngeneric"):
        target_extension.resolve_target_str("fpga")


def test_targets_of_a_programs_own():
    class Near(target_extension.CPU):
        pass
    target_extension.target_registry["near"] = Near
    target_extension.jit_registry[Near] = njit
    assert target_extension.jit_registry[target_extension.resolve_target_str("near")] is njit
    with target_extension.target_override("near"):
        assert target_extension.get_local_target(None) is Near
    with pytest.raises(AssertionError, match="key already in dictionary: 'near'"):
        target_extension.target_registry["near"] = Near
    with target_extension.target_override("nowhere"), pytest.raises(ValueError, match="nowhere"):
        target_extension.get_local_target(None)


def test_registries_make_values_when_they_are_asked_for():
    registry = DelayedRegistry(key_type=str)
    registry.ondemand["a"] = lambda: 3
    assert not dict(registry) and registry["a"] == 3 and dict(registry) == {"a": 3}
    with pytest.raises(AssertionError, match="1 is no str"):
        registry[1] = 2
