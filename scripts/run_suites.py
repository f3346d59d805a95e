"""Builds gridcell and runs its test suites, one after the other; the last line is the total.

usage: run_suites.py [--list] [SUITE...]

A suite is a folder of pytest files under tests/, or one of the built-in ones below. Each gets a
time limit; what it leaves running is ended with it. The suites see a home folder of their own and
the kernelspec that the build installed under build/prefix, so they neither read nor write the
user's settings.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
REPORTS = BUILD / "test-reports"
JOBS = str(min(os.cpu_count() or 1, 4))

# Suites that start one kernel process per test, or measure time, run one test at a time.
IN_PROCESS_SUITES = {"language", "cuda"}
NEEDS_HARDWARE = {"gpu"}
LIMIT_SECONDS = {"language": 480, "cuda": 480, "notebooks": 480}
DEFAULT_LIMIT_SECONDS = 300
TEST_LIMIT_SECONDS = 120


@dataclass
class Outcome:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    notes: list = field(default_factory=list)

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


def one_check(name, commands, limit_seconds):
    """A suite that is a single check: passes when every command succeeds."""
    for command in commands:
        log = REPORTS / f"{name}.log"
        if run(command, log, limit_seconds, environment(name)) != 0:
            return Outcome(failed=1, notes=[f"{' '.join(map(str, command))}\n{tail(log)}"])
    return Outcome(passed=1)


def environment(suite):
    home = BUILD / "home"
    home.mkdir(parents=True, exist_ok=True)
    env = dict(os.environ, HOME=str(home), JUPYTER_PATH=str(BUILD / "prefix/share/jupyter"),
               VIRTUAL_ENV=str(ROOT / ".venv"), GRIDCELL_BUILD=str(BUILD),
               GRIDCELL_DEVICE="emulator", PYTHONFAULTHANDLER="1", PYTHONDONTWRITEBYTECODE="1")
    env["PATH"] = f"{ROOT / '.venv/bin'}:{env.get('PATH', '/usr/bin:/bin')}"
    for name in ("PYTHONPATH", "PYTHONHOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
                 "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        env.pop(name, None)
    if suite in IN_PROCESS_SUITES:
        env["PYTHONPATH"] = str(BUILD / "python")
    return env


def meson_suite(name, limit_seconds, folder=BUILD, suites=None, env=None):
    log = REPORTS / f"{name}.log"
    base = f"suite-{name}"
    report = folder / "meson-logs" / f"{base}.junit.xml"
    report.unlink(missing_ok=True)
    command = ["meson", "test", "-C", str(folder), "--logbase", base, "--print-errorlogs"]
    for suite in suites or [name]:
        command += ["--suite", suite]
    status = run(command, log, limit_seconds, {**environment(name), **(env or {})})
    if not report.exists():
        return Outcome(failed=1, notes=[tail(log)])
    outcome = read_junit(report)
    if status != 0 and not outcome.failed:
        outcome.failed = 1
    if outcome.failed:
        outcome.notes.append(tail(log))
    return outcome


def pytest_suite(name, limit_seconds):
    log, report = REPORTS / f"{name}.log", REPORTS / f"{name}.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", f"tests/{name}", "-q", "-ra", "--tb=short",
               "-p", "no:cacheprovider", f"--junitxml={report}", f"--timeout={TEST_LIMIT_SECONDS}"]
    if name in IN_PROCESS_SUITES:
        # a crash in compiled code then fails its own test and not the suite
        command += ["-n", JOBS, "--dist", "loadfile"]
    status = run(command, log, limit_seconds, environment(name))
    if not report.exists():
        reason = f"no result within {limit_seconds} s" if status is None else f"exit status {status}"
        return Outcome(failed=1, notes=[f"{reason}\n{tail(log)}"])
    outcome = read_junit(report)
    if status not in (0, 5) and not outcome.failed:
        outcome.failed = 1
    if outcome.failed:
        outcome.notes.append(tail(log, 100))
    return outcome


def build_folder(folder, *options):
    return ["scripts/build", folder, *options]


def build_checks():
    """The build that the other suites use, with warnings as errors, and its kernelspec."""
    yield "build", one_check("build", [build_folder("build", "-Dwerror=true")], 900)
    yield "kernelspec", one_check("kernelspec", [
        ["build/gridcell", "install", "--prefix", "build/prefix",
         "--python", str(ROOT / ".venv/bin/python")]], 60)


def clang_suite(limit_seconds):
    if not shutil.which("clang"):
        return Outcome(skipped=1, notes=["clang is not installed"])
    return one_check("clang", [["env", "CC=clang", *build_folder("build-clang", "-Dwerror=true")]],
                     limit_seconds)


def sanitizer_suite(limit_seconds):
    """The C unit tests under AddressSanitizer and UBSan; gcc's warnings are less exact there."""
    folder = "build-asan"
    if not (ROOT / folder / "build.ninja").exists():
        setup = one_check("sanitizer", [["meson", "setup", folder, "-Db_lundef=false",
                                         "-Db_sanitize=address,undefined"]],
                          limit_seconds)
        if setup.failed:
            return setup
    return meson_suite("sanitizer", limit_seconds, ROOT / folder, ["unit"],
                       {"UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"})


def install_suite(limit_seconds):
    """`meson install` into an empty prefix, and what it installed runs a program."""
    prefix = BUILD / "installed"
    shutil.rmtree(prefix, ignore_errors=True)
    staging = BUILD / "installed-program.py"
    staging.write_text("from numba import njit\n"
                       "@njit\ndef twice(x):\n    return x + x\n"
                       "assert twice(21) == 42\n")
    usr = prefix / "usr/local"
    return one_check("install", [
        ["meson", "install", "-C", "build", "--no-rebuild", "--destdir", str(prefix)],
        ["test", "-f", str(usr / "share/jupyter/kernels/gridcell/kernel.json")],
        [str(usr / "bin/gridcell"), "run", str(staging)]], limit_seconds)


BUILT_IN = {
    "unit": lambda limit: meson_suite("unit", limit),
    "lint": lambda limit: meson_suite("lint", limit),
    "clang": clang_suite,
    "sanitizer": sanitizer_suite,
    "install": install_suite,
}


def pytest_folders():
    return sorted(folder.name for folder in (ROOT / "tests").iterdir()
                  if folder.name not in NEEDS_HARDWARE and any(folder.rglob("test_*.py")))


def run_suite(name):
    limit = LIMIT_SECONDS.get(name, DEFAULT_LIMIT_SECONDS)
    runner = BUILT_IN.get(name)
    return runner(limit) if runner else pytest_suite(name, limit)


def outcomes(names):
    for name, outcome in build_checks():
        yield name, outcome
        if name == "build" and outcome.failed:
            return
    for name in names:
        yield name, run_suite(name)


def main(arguments):
    known = [*BUILT_IN, *(name for name in pytest_folders() if name not in BUILT_IN)]
    if "--list" in arguments:
        say("\n".join(known))
        return 0
    unknown = [name for name in arguments if name not in known]
    if unknown:
        say(f"no such suite: {' '.join(unknown)}; there are: {' '.join(known)}")
        return 2
    REPORTS.mkdir(parents=True, exist_ok=True)
    total = Outcome()
    started = time.monotonic()
    for name, outcome in outcomes(arguments or known):
        for note in outcome.notes:
            say(f"  {name}: {note}")
        say(f"{name:<12} {outcome}  ({time.monotonic() - started:.0f} s)")
        started = time.monotonic()
        total.add(outcome)
    say(str(total))
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
