"""Builds gridcell and runs its test suites; the last line is the total.

usage: run_suites.py [--list] [SUITE...]

A suite is a folder of pytest files under tests/, or one of the built-in ones below. Each gets a
time limit; what it leaves running is ended with it. The suites see a home folder of their own and
the kernelspec that the build installed under build/prefix, so they neither read nor write the
user's settings.
"""
import concurrent.futures
import os
import shutil
import signal
import sys
import tempfile
import time

from outcomes import ROOT, Outcome, meson_suite, one_check, pytest_suite, report_all, say

# another build folder, of the Python that runs this, for what scripts/versions tries
BUILD = ROOT / os.environ.get("GRIDCELL_BUILD", "build")
REPORTS = BUILD / "test-reports"

# These run compiled code in the test process; the others start kernels.
IN_PROCESS_SUITES = {"language", "cluster", "cuda", "course", "exhaustive"}
NEEDS_HARDWARE = {"gpu"}
# Each keeps one core busy, and no test of theirs measures time closely. They come last, two at a
# time, the longest first; the others run one after the other.
SIDE_BY_SIDE = ("language", "notebooks", "browser", "protocol", "sanitizer", "cuda", "kernel", "wheel", "clang", "course",
                "installation", "exhaustive", "fuzz", "differential", "cluster")
# Limits end what hangs. A machine may be four times as slow as usual without failing for that.
LIMIT_SECONDS = {"build": 900, "kernel": 900, "language": 1800, "notebooks": 1800, "protocol": 900}
DEFAULT_LIMIT_SECONDS = 600
TEST_LIMIT_SECONDS = 240

# What a user's settings would change.
FORGOTTEN = ("PYTHONPATH", "PYTHONHOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
             "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")


def environment(suite):
    home = BUILD / "home"
    home.mkdir(parents=True, exist_ok=True)
    env = {name: value for name, value in os.environ.items() if name not in FORGOTTEN}
    env.update(HOME=str(home), JUPYTER_PATH=str(BUILD / "prefix/share/jupyter"),
               VIRTUAL_ENV=sys.prefix, GRIDCELL_BUILD=str(BUILD),
               GRIDCELL_DEVICE="emulator", PYTHONFAULTHANDLER="1", PYTHONDONTWRITEBYTECODE="1",
               PATH=f"{sys.prefix}/bin:{os.environ.get('PATH', '/usr/bin:/bin')}")
    if suite in IN_PROCESS_SUITES:
        env["PYTHONPATH"] = str(BUILD / "python")
    return env


def check(name, *commands):
    return one_check(name, commands, REPORTS, limit_of(name), environment(name))


def limit_of(name):
    return LIMIT_SECONDS.get(name, DEFAULT_LIMIT_SECONDS)


def build_suite():
    """The build that the other suites use, with warnings as errors."""
    return check("build", ["scripts/build", str(BUILD), "-Dwerror=true",
                           f"-Dpackage_python={sys.executable}"])


def kernelspec_suite():
    """The kernelspec that the other suites start kernels by."""
    return check("kernelspec", [str(BUILD / "gridcell"), "install", "--prefix", str(BUILD / "prefix"),
                                "--python", sys.executable])


def clang_suite():
    if not shutil.which("clang"):
        return Outcome(skipped=1, notes=["clang is not installed"])
    # what clang warns of does not depend on how much it optimises
    return check("clang", ["env", "CC=clang", "scripts/build", "build-clang", "-Dwerror=true", "-Doptimization=0"])


def sanitizer_suite():
    """The C unit tests under AddressSanitizer and UBSan; gcc's warnings are less exact there, and optimised code takes it
    four times as long to compile."""
    folder = ROOT / "build-asan"
    if not (folder / "build.ninja").exists():
        setup = check("sanitizer", ["meson", "setup", str(folder), "-Db_lundef=false",
                                    "-Db_sanitize=address,undefined", "-Doptimization=0"])
        if setup.failed:
            return setup
    # intercept_tls_get_addr: the sanitizer guesses where the thread-local memory of loaded libraries
    # lies, and faults where the memory before it happens to look like what it looks for.
    env = {**environment("sanitizer"), "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
           "ASAN_OPTIONS": "halt_on_error=1:intercept_tls_get_addr=0",
           "LSAN_OPTIONS": f"print_suppressions=0:suppressions={ROOT / 'tests/unit/leaks.supp'}"}
    return meson_suite("sanitizer", folder, ["unit"], REPORTS, limit_of("sanitizer"), env)


def wheel_suite():
    """The wheel for the Python of .venv, of what the build compiled, in an environment of its own."""
    return check("wheel", ["scripts/release", "--here", "--no-sdist", "--python", sys.executable,
                           "--packages-of", sys.executable])


def meson_tests(name):
    return meson_suite(name, BUILD, [name], REPORTS, limit_of(name), environment(name))


BUILT_IN = {
    "unit": lambda: meson_tests("unit"),
    "lint": lambda: meson_tests("lint"),
    "clang": clang_suite,
    "sanitizer": sanitizer_suite,
    "wheel": wheel_suite,
}


def pytest_folders():
    return sorted(folder.name for folder in (ROOT / "tests").iterdir()
                  if folder.name not in {*NEEDS_HARDWARE, *BUILT_IN} and any(folder.rglob("test_*.py")))


def run_suite(name):
    if name in BUILT_IN:
        return BUILT_IN[name]()
    options = [f"--timeout={TEST_LIMIT_SECONDS}"]
    if name in IN_PROCESS_SUITES:
        # an endless loop in compiled code ends the run, with every thread's stack in the log
        options.append("--timeout-method=thread")
    return pytest_suite(name, f"tests/{name}", options, REPORTS, limit_of(name), environment(name))


def timed_suite(name):
    started = time.monotonic()
    outcome = run_suite(name)
    outcome.seconds = time.monotonic() - started
    return outcome


def outcomes(names):
    build = build_suite()
    yield "build", build
    if build.failed:
        return
    yield "kernelspec", kernelspec_suite()
    for name in names:
        if name not in SIDE_BY_SIDE:
            yield name, run_suite(name)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        running = {pool.submit(timed_suite, name): name for name in SIDE_BY_SIDE if name in names}
        for suite in concurrent.futures.as_completed(running):
            yield running[suite], suite.result()


def main(arguments):
    # in the background of a shell it is ignored, and so it would be in the suites
    signal.signal(signal.SIGINT, signal.default_int_handler)
    known = [*BUILT_IN, *(name for name in pytest_folders() if name not in BUILT_IN)]
    if "--list" in arguments:
        say("\n".join(known))
        return 0
    unknown = [name for name in arguments if name not in known]
    if unknown:
        say(f"no such suite: {' '.join(unknown)}; there are: {' '.join(known)}")
        return 2
    REPORTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gridcell-", ignore_cleanup_errors=True) as scratch:
        os.environ["TMPDIR"] = scratch
        return report_all(outcomes(arguments or known))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
