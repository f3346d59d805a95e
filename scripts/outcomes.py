"""What test runners share: counting cases, running a command within a time limit, reporting."""
import os
import pathlib
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_TESTS = 5  # pytest's exit status when it found none


@dataclass
class Outcome:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    notes: list = field(default_factory=list)
    seconds: float = None  # where other suites ran beside it

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def say(text):
    print(text, flush=True)


def run(command, log, limit_seconds, env=None):
    """Runs `command` in a session of its own; returns its exit status, or None past the limit."""
    with open(log, "wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return process.wait(limit_seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def tail(path, lines=60):
    return "\n".join(pathlib.Path(path).read_text(errors="replace").splitlines()[-lines:])


def read_junit(path):
    """Counts the cases of a JUnit file, as pytest and meson write them."""
    outcome = Outcome()
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            outcome.failed += 1
            outcome.notes.append(f"{case.get('classname', '')}::{case.get('name', '')}")
        elif "skipped" in kinds:
            outcome.skipped += 1
        else:
            outcome.passed += 1
    return outcome


def one_check(name, commands, reports, limit_seconds, env):
    """A suite that is a single check: passes when every command succeeds."""
    for command in commands:
        log = reports / f"{name}.log"
        if run(command, log, limit_seconds, env) != 0:
            return Outcome(failed=1, notes=[f"{' '.join(map(str, command))}\n{tail(log)}"])
    return Outcome(passed=1)


def meson_suite(name, folder, suites, reports, limit_seconds, env):
    """`meson test` of some suites in a build folder."""
    log, base = reports / f"{name}.log", f"suite-{name}"
    report = folder / "meson-logs" / f"{base}.junit.xml"
    report.unlink(missing_ok=True)
    command = ["meson", "test", "-C", str(folder), "--logbase", base, "--print-errorlogs"]
    for suite in suites:
        command += ["--suite", suite]
    status = run(command, log, limit_seconds, env)
    return judge(status, report, log, limit_seconds)


def pytest_suite(name, folder, options, reports, limit_seconds, env):
    """pytest on a folder of tests, with the Python that runs this."""
    log, report = reports / f"{name}.log", reports / f"{name}.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", folder, "-q", "-ra", "--tb=short",
               "-p", "no:cacheprovider", f"--junitxml={report}", *options]
    status = run(command, log, limit_seconds, env)
    return judge(status, report, log, limit_seconds)


def judge(status, report, log, limit_seconds):
    """The outcome of a runner that should have written a report."""
    if not report.exists():
        reason = f"no result within {limit_seconds} s" if status is None else f"exit status {status}"
        return Outcome(failed=1, notes=[f"{reason}\n{tail(log)}"])
    outcome = read_junit(report)
    if status not in (0, NO_TESTS) and not outcome.failed:
        outcome.failed = 1
    if outcome.failed:
        outcome.notes.append(tail(log, 100))
    return outcome


def report_all(outcomes):
    """Prints each suite as it ends and the total last; returns the exit status."""
    total, started = Outcome(), time.monotonic()
    for name, outcome in outcomes:
        for note in outcome.notes:
            say(f"  {name}: {note}")
        say(f"{name:<12} {outcome}  ({outcome.seconds or time.monotonic() - started:.0f} s)")
        started = time.monotonic()
        total.add(outcome)
    say(str(total))
    return 1 if total.failed else 0
