# SPDX-License-Identifier: MIT
"""Calls of jitted functions as cProfile, sys.setprofile and sys.monitoring see them."""
import cProfile
import pstats
import sys
import traceback

import pytest
from numba import njit


@njit
def half(x, by=2):
    return x / by


@njit
def failing(x):
    raise ValueError("never")


def both(x):
    try:
        failing(x)
    except ValueError:
        pass
    return half(x, by=4)


def place_of(function):
    code = getattr(function, "py_func", function).__code__
    return code.co_filename, code.co_firstlineno, code.co_name


@pytest.fixture(params=["by itself", "by its flag"])
def seen(request):
    if request.param == "by itself" and sys.version_info >= (3, 12):
        pytest.skip("cProfile is a tool of sys.monitoring")
    half._enable_sysmon = failing._enable_sysmon = request.param == "by its flag"
    yield
    half._enable_sysmon = failing._enable_sysmon = False


def test_cprofile(seen):
    both(1.0)
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(7):
        both(1.0)
    profile.disable()
    stats = pstats.Stats(profile).stats
    assert {place: counts[:2] for place, counts in stats.items() if place[0] != "~"} == {
        place_of(function): (7, 7) for function in (half, failing, both)}


def test_setprofile(seen):
    half(1.0)
    events = []
    sys.setprofile(lambda frame, event, value: events.append((event, frame.f_code.co_name, value)))
    try:
        half(3.0)
    finally:
        sys.setprofile(None)
    assert events[:2] == [("call", "half", None), ("return", "half", 1.5)]
    with pytest.raises(ValueError, match="never") as caught:
        failing(1)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == 'raise ValueError("never")'


@pytest.mark.skipif(sys.version_info < (3, 12), reason="new in Python 3.12")
def test_monitoring():
    monitoring, events = sys.monitoring, []
    half(1.0)
    half._enable_sysmon = True
    monitoring.use_tool_id(monitoring.PROFILER_ID, "test")
    monitoring.register_callback(monitoring.PROFILER_ID, monitoring.events.PY_START,
                                 lambda code, offset: events.append((code.co_filename, code.co_firstlineno, code.co_name)))
    try:
        monitoring.set_events(monitoring.PROFILER_ID, monitoring.events.PY_START)
        half(3.0)
    finally:
        monitoring.set_events(monitoring.PROFILER_ID, 0)
        monitoring.free_tool_id(monitoring.PROFILER_ID)
        half._enable_sysmon = False
    assert place_of(half) in events


@pytest.mark.parametrize("value, is_on", [("1", True), ("0", False), ("", False)])
def test_setting(value, is_on, monkeypatch):
    monkeypatch.setenv("NUMBA_ENABLE_SYS_MONITORING", value)
    assert njit(lambda x: x)._enable_sysmon is is_on
