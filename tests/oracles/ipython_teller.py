"""Runs one file of IPython's tests in the notebook's shell, and tells of each test: a line of JSON, in a file."""
import json
import os
import signal
import sys

import pytest



def name_of(nodeid):
    """test_magic::Class::test, wherever the file is."""
    path, colons, rest = nodeid.partition("::")
    return path.rpartition("/")[2].removesuffix(".py") + colons + rest


class Teller:
    """A plugin of pytest's."""

    def __init__(self, path, seconds, done):
        self.stream, self.seconds, self.done = open(path, "a"), seconds, done
        self.outcome = None

    def tell(self, **fields):
        self.stream.write(json.dumps(fields) + "\n")
        self.stream.flush()

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if name_of(item.nodeid) not in self.done]

    def pytest_runtest_logstart(self, nodeid):
        self.outcome = ("passed", "")
        self.tell(begin=name_of(nodeid))
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def pytest_runtest_logreport(self, report):
        if report.skipped:
            self.outcome = "skipped" if not hasattr(report, "wasxfail") else "passed", str(report.longrepr)[-300:]
        elif report.failed and self.outcome[0] == "passed":
            self.outcome = "failed", report.longreprtext[-3000:]

    def pytest_runtest_logfinish(self, nodeid):
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.tell(test=name_of(nodeid), outcome=self.outcome[0], text=self.outcome[1])

    def pytest_collectreport(self, report):
        if report.failed:
            self.tell(test=name_of(report.nodeid), outcome="failed", text=report.longreprtext[-3000:])


def print_tracebacks():
    """The tests look for plain tracebacks on stdout, where IPython's terminal has them; a notebook's are messages."""
    import _gridcell_kernel as kernel

    def show(etype, evalue, lines):
        print("\n".join(kernel.traceback_lines(evalue) if lines is None else lines))
    kernel.get_ipython()._showtraceback = show
    kernel.switch("colourless", True)


def strike(number, frame):
    raise TimeoutError("took too long")


def main():
    path, log, seconds = sys.argv[1:4]
    teller = Teller(log, float(seconds), set(json.load(open(log + ".done"))))
    signal.signal(signal.SIGALRM, strike)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell runs behind itself has it ignored
    print_tracebacks()
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:nbval", "-o", "addopts=", "-o", "asyncio_mode=auto", path],
                plugins=[teller])
    teller.tell(end=True)
    os._exit(0)

