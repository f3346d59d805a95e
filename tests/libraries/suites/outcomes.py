"""A plugin of pytest for tests/libraries/run --tests: writes down each test as it begins and as it ends.

A line is a word and the test's name, with tabs between: `begins`, then `passed`, `failed`, `skipped` or `slow`, and why.
So what a crash or the limit of time leaves is known. SUITE_ORDER names a file of lines `only NAME`, `not NAME`: which
tests are run, in that order, or which are not.
"""
import os
import signal

import pytest

SECONDS_OF_A_TEST = 120
lines = open(os.environ["SUITE_OUTCOMES"], "a", buffering=1)
if os.environ["SUITE_SIDE"] == "gridcell":
    import gridcell
    gridcell.activate()
try:
    import hypothesis
except ImportError:
    pass
else:
    hypothesis.settings.register_profile("suites", derandomize=True, deadline=None)
    hypothesis.settings.load_profile("suites")


class Slow(BaseException):
    pass


def tell(word, name, why=""):
    lines.write("\t".join([word, name, " ".join(why.split())[-300:]]) + "\n")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """The tests that are asked for alone, in their order, or all but some."""
    if "SUITE_ORDER" not in os.environ:
        return
    with open(os.environ["SUITE_ORDER"]) as file:
        asked = [line.rstrip("\n").partition(" ") for line in file]
    only = {name: place for place, (word, _, name) in enumerate(asked) if word == "only"}
    never = {name for word, _, name in asked if word == "not"}
    items[:] = [item for item in items if item.nodeid not in never and (not only or item.nodeid in only)]
    items.sort(key=lambda item: only.get(item.nodeid, 0))


def pytest_runtest_logstart(nodeid):
    tell("begins", nodeid)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    def too_long(number, frame):
        raise Slow(f"runs for more than {SECONDS_OF_A_TEST} s")

    previous = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS_OF_A_TEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed" and report.when == "setup":
        why = str(report.longrepr or "")
        outcome = "slow" if report.outcome == "failed" and "Slow: runs for more" in why else report.outcome
        tell(outcome, report.nodeid, why)
    elif report.outcome == "failed":
        tell("failed", report.nodeid, str(report.longrepr))


def pytest_collectreport(report):
    if report.outcome == "failed":
        tell("failed", report.nodeid, str(report.longrepr))
