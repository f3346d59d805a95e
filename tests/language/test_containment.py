"""Failures of the machine are exceptions: in every C function that compiled code calls, and by every way into it; and
no value is too large for its frame."""
import os
import pathlib
import signal
import subprocess
import sys

import pytest

BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD", pathlib.Path(__file__).resolve().parent.parent.parent / "build"))


def run(script, *names):
    return subprocess.run([sys.executable, "-m", "gridcell", script, *names], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "PYTHONPATH": str(BUILD / "python"),
                               "GRIDCELL_DEVICE": "emulator"})


@pytest.mark.parametrize("script, least, arguments", [
    ("bad_memory.py", 300, ()), ("every_entry.py", 200, ()), ("every_frame.py", 60, ("1000", str(1 << 24)))])
def test_all_cases(script, least, arguments):
    done = run(pathlib.Path(__file__).with_name(script), *arguments)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.rstrip().endswith(", 0 failures"), done.stderr
    assert int(done.stdout.split()[-4]) > least


def test_python_below_compiled_code_ends_the_process(tmp_path):
    """The limit that docs/errors.md states: NumPy's own code, with the GIL, in an objmode block."""
    script = tmp_path / "script.py"
    script.write_text("import ctypes\nimport numpy as np\nfrom numba import njit, objmode\n"
                      "@njit\ndef f(a):\n    with objmode(y='f8'):\n        y = float(np.sort(a)[0])\n    return y\n"
                      "print(f(np.ones(3)), flush=True)\n"
                      "f(np.frombuffer((ctypes.c_char * 8192).from_address(8192), np.float64))\n")
    done = run(script)
    assert done.returncode == -signal.SIGSEGV and done.stdout == "1.0\n"
