"""Debuggers see compiled functions under debug=True: their names, and the lines of the user's source."""
import os
import shutil
import subprocess
import sys

import pytest

from conftest import BUILD

SCRIPT = """\
import gridcell; gridcell.activate()
import numpy as np
from numba import njit

@njit{options}
def total_of(a, n):
    total = 0.0
    for i in range(n):
        total += a[i]
    return total

@njit{options}
def reads_far(a, n):
    return a[n] + 1

far = np.lib.stride_tricks.as_strided(np.zeros(1), (1 << 44,), (8,))
print(total_of(np.arange(4.0), 4))
try:
    reads_far(far, 1 << 43)
except SystemError as error:
    print("not there" in str(error))
"""
FAULTS_AT = 1 + SCRIPT.splitlines().index("    return a[n] + 1")
SUM_STARTS_AT = 1 + SCRIPT.splitlines().index("    total = 0.0")
DEBUG = "(debug=True, boundscheck=False)"


@pytest.fixture
def gdb(tmp_path):
    """What gdb prints while it runs the script under some commands."""
    if not shutil.which("gdb"):
        pytest.skip("gdb is not installed")

    def run(options, *commands, env=None):
        (tmp_path / "script.py").write_text(SCRIPT.format(options=options))
        asked = [word for command in ("set debuginfod enabled off", "set breakpoint pending on", *commands)
                 for word in ("-ex", command)]
        environment = {**os.environ, "PYTHONPATH": str(BUILD / "python"), **(env or {})}
        done = subprocess.run(["gdb", "-nx", "-batch", *asked, "--args", sys.executable, "script.py"],
                              cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        if "ptrace: Operation not permitted" in done.stderr:
            pytest.skip("processes cannot be traced here")
        return done.stdout

    return run


def test_breakpoint_and_fault(gdb):
    shown = gdb(DEBUG, f"break script.py:{SUM_STARTS_AT}", "run", "backtrace 1", "continue", "backtrace 2", "continue")
    assert "Breakpoint 1, total_of () at" in shown, shown
    assert "reads_far () at" in shown and f"script.py:{FAULTS_AT}\n" in shown, shown
    assert "6.0\n" in shown and "True\n" in shown, "the call fails as without a debugger"


def test_all_functions_by_the_environment(gdb):
    shown = gdb("(boundscheck=False)", "run", "backtrace 1", "kill", env={"NUMBA_DEBUGINFO": "1"})
    assert "reads_far () at" in shown and f"script.py:{FAULTS_AT}\n" in shown, shown


def test_without_debug_nothing_is_told(gdb):
    shown = gdb("(boundscheck=False)", "run", "backtrace 1", "kill")
    assert "received signal SIGSEGV" in shown and "reads_far" not in shown, shown


def test_code_from_the_cache(gdb, run_python, tmp_path):
    options = "(debug=True, boundscheck=False, cache=True)"
    assert run_python(code=SCRIPT.format(options=options)).stdout == "6.0\nTrue\n"
    assert list(tmp_path.rglob("*.gco"))
    shown = gdb(options, "run", "backtrace 1", "kill")
    assert "reads_far () at" in shown and f"script.py:{FAULTS_AT}\n" in shown, shown
