"""Runs one module of the peer's tests over gridcell and tells of each: a line of JSON, on the first stream.

usage: child.py PEER MODULE SECONDS < [names of tests that are not run again]
"""
import json
import os
import pathlib
import signal
import sys
import traceback
import unittest

HERE = pathlib.Path(__file__).resolve().parent


class TooLong(BaseException):
    pass


def strike(number, frame):
    raise TooLong("took too long")


class Teller(unittest.TestResult):
    """Writes what becomes of each test at once, for a child that does not live to the end."""

    def __init__(self, stream, seconds):
        super().__init__()
        self.stream, self.seconds, self.outcome = stream, seconds, None

    def tell(self, **fields):
        self.stream.write(json.dumps(fields) + "\n")
        self.stream.flush()

    def startTest(self, test):
        super().startTest(test)
        self.outcome = ("passed", "")
        self.tell(begin=test.id())
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def stopTest(self, test):
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.tell(test=test.id(), outcome=self.outcome[0], text=self.outcome[1])
        super().stopTest(test)

    def note(self, outcome, error):
        if type(error[1]).__name__ == "Skipped":  # by pytest
            self.outcome = "skipped", str(error[1])
        elif isinstance(error[1], ModuleNotFoundError) and not (error[1].name or "numba").startswith("numba"):
            self.outcome = "skipped", f"needs {error[1].name}"
        elif self.outcome is None or self.outcome[0] == "passed":
            lines = traceback.format_exception(*error)
            self.outcome = outcome, "".join(lines[-6:])[-3000:]

    def addError(self, test, error):
        self.note("failed", error)
        if not isinstance(test, unittest.TestCase):  # the set-up of a class or module
            self.tell(test=test.id(), outcome="failed", text=self.outcome[1] if self.outcome else "")

    def addFailure(self, test, error):
        self.note("failed", error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.note("failed", error)

    def addSkip(self, test, reason):
        self.outcome = "skipped", reason

    def addExpectedFailure(self, test, error):
        self.outcome = "passed", ""

    def addUnexpectedSuccess(self, test):
        self.outcome = "passed", "which its authors did not expect"


def each(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from each(part)
        else:
            yield part


def main():
    peer, name, seconds = sys.argv[1:4]
    done = set(json.load(sys.stdin))
    stream = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.path.insert(0, str(HERE))
    import lenient
    lenient.install(peer, name.partition(".tests.")[0])
    signal.signal(signal.SIGALRM, strike)
    teller = Teller(stream, float(seconds))
    try:
        module = __import__(name, fromlist=["_"])
    except BaseException as error:
        is_skipped = type(error).__name__ == "Skipped"  # by pytest
        teller.tell(test=name, outcome="skipped" if is_skipped else "failed", text=f"{type(error).__name__}: {error}")
        return
    for test, reason in module._lost:
        if f"{name}.{test}" not in done:
            teller.tell(test=f"{name}.{test}", outcome="failed", text=reason)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    unittest.TestSuite(test for test in each(suite) if test.id() not in done).run(teller)
    teller.tell(end=True)
    os._exit(0)


if __name__ == "__main__":  # not in processes that its tests spawn
    main()
