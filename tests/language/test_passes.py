"""GRIDCELL_DUMP: the passes of the compiler, and the code after each."""
import os
import re
import subprocess
import sys

PROGRAM = """
import gridcell
gridcell.activate()
import numpy as np
from numba import cuda, njit

@njit
def double(x):
    return x * 2.0

@njit
def total(n):
    s = 0.0
    for i in range(n):
        s += double(i)
    return s

assert total(4) == 12.0

@cuda.jit
def grow(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1

a = np.zeros(8)
grow[1, 8](a)
assert (a == 1).all()
"""


def dumped(tmp_path, wanted):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    env = dict(os.environ, GRIDCELL_DEVICE="emulator")
    env.pop("GRIDCELL_DUMP", None)
    if wanted is not None:
        env["GRIDCELL_DUMP"] = wanted
    done = subprocess.run([sys.executable, program], env=env, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and not done.stdout, done.stderr
    return done.stderr


def tables_of(text):
    """The passes of each table, in order, with runs, milliseconds and instructions."""
    row = re.compile(r"  (\S+) +(\d+) +(\d+\.\d+)  (\d+) -> (\d+)$")
    tables = []
    for line in text.splitlines():
        if line.startswith("passes of "):
            tables.append((line[len("passes of "):], {}))
        elif match := row.match(line):
            tables[-1][1][match[1]] = (int(match[2]), float(match[3]), int(match[4]), int(match[5]))
    return tables


def test_nothing_is_printed_unasked(tmp_path):
    assert dumped(tmp_path, None) == "" and dumped(tmp_path, "") == ""


def test_passes_with_their_times(tmp_path):
    tables = tables_of(dumped(tmp_path, "passes"))
    name, rows = tables[0]
    assert name == "total"
    order = ["lower", "verify", "types", "annotate", "resolve", "codegen", "flow", "llvm-verify", "optimise",
             "object", "load"]
    assert [row for row in rows if row in order] == order
    assert rows["lower"][0] == rows["resolve"][0] == 2  # its callee, too
    assert rows["lower"][2] == 0 and rows["lower"][3] == rows["verify"][2] > 0
    assert rows["codegen"][2] == 0 and rows["codegen"][3] == rows["optimise"][2] > 0
    assert all(0 <= ms < 60000 for _, ms, _, _ in rows.values())
    kernels = [rows for name, rows in tables if name == "grow"]
    wanted = {"counters", "lanes", "turns", "segments", "frame"}
    assert any(wanted <= rows.keys() for rows in kernels)


def test_code_after_a_pass(tmp_path):
    lowered = dumped(tmp_path, "lower")
    assert lowered.count("--- after lower: ") == 3 and "passes of" not in lowered
    assert "--- after lower: double\n" in lowered and "binary *" in lowered
    both = dumped(tmp_path, "resolve,optimise")
    assert "--- after resolve: total\n" in both and "--- after optimise\n" in both and "define " in both
    assert "--- after lower" not in both


def test_ir_is_what_compilations_start_from(tmp_path):
    text = dumped(tmp_path, "ir")
    assert "--- after" not in text and text.count("grow") >= 1 and "float64" in text
