"""Generated kernels with barriers, guards, strides and counters: the emulated device gives what a plain
simulation of their threads gives."""
import pathlib
import random
import subprocess
import sys

import pytest

import kernels
from kernel_threads import simulate
from kernel_writer import Writer

FUZZER = pathlib.Path(kernels.__file__)
KERNELS = 15


def passes(*options):
    run = subprocess.run([sys.executable, str(FUZZER), *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "kernels, 0 failures" in run.stdout


@pytest.mark.parametrize("seed", range(2))
def test_kernels(seed):
    passes("--seed", str(seed), "--count", str(KERNELS))


@pytest.mark.skipif(not kernels.PTXAS, reason="ptxas is not installed")
def test_ptx():
    passes("--seed", "0", "--count", "2", "--ptx")


def test_kernels_have_all_that_can_go_wrong():
    sources = "\n".join(Writer(random.Random(f"0 {number}")).source() for number in range(200))
    for feature in ("cuda.syncthreads()", "shfl_down", "shfl_xor", "syncthreads_count", "atomic.add(counts",
                    "cuda.shared.array(160", "cuda.shared.array(0", "cuda.shared.array((8, 20)", "    return", "size):",
                    "T):", "break", "continue", "helper(", "local[", "table[", "while True:", "syncwarp()", "_sync(0xffff,",
                    "ballot_sync", "match_any", "shfl_sync", "meet_sum(", "meet_reversed(", "r[i].a", "c[i] =", "h[i] =",
                    "float16", "complex64", "atomic.inc", "atomic.cas(", "cuda.grid(3)", "if t < 32:"):
        assert feature in sources, feature


KERNEL = f"def kernel({kernels.PARAMETERS}):"
REVERSAL = f"""{KERNEL}
    t = cuda.threadIdx.x
    s = cuda.shared.array(160, int64)
    s[t] = a[t]
    cuda.syncthreads()
    w = cuda.shfl_down_sync(-1, t, 1)
    out[t] = s[cuda.blockDim.x - 1 - t] + w
    cuda.atomic.add(counts, t % 3, t)
"""


def findings(source, threads=40):
    found = set()
    arguments = kernels.make_arguments(40, 1, 5, False, 1)
    simulate(source, (1, 1, 1), (threads, 1, 1), arguments, {}, found)
    return arguments, found


def test_simulation():
    """The simulation itself: threads meet where they should."""
    arguments, found = findings(REVERSAL)
    a, out, counts = arguments[2], arguments[5], arguments[7]
    down = [t + 1 if t % 32 != 31 and t < 39 else t for t in range(40)]
    assert out.tolist() == [int(a[39 - t]) + down[t] for t in range(40)]
    assert counts[:3].tolist() == [sum(range(start, 40, 3)) for start in range(3)]
    assert not found
    with pytest.raises(IndexError):
        findings(REVERSAL, 64)


@pytest.mark.parametrize("finding, before, after", (
    ({"race", "unwritten"}, "s[t] = a[t]", "s[t // 2] = t"),
    ({"race"}, "cuda.syncthreads()", "pass"),
    ({"unwritten"}, "s[t] = a[t]", "if t > 0:\n        s[t] = a[t]"),
    ({"divergent", "race"}, "cuda.syncthreads()", "if t < 39:\n        cuda.syncthreads()"),
    ({"divergent"}, "cuda.syncthreads()", "if t == 7:\n        return\n    cuda.syncthreads()"),
    (set(), "cuda.syncthreads()", "cuda.syncthreads()\n    cuda.syncwarp()\n    w = s[t | 7]"),
))
def test_findings(finding, before, after):
    """The simulation itself: what is wrong with a kernel."""
    assert findings(REVERSAL.replace(before, after, 1))[1] == finding
