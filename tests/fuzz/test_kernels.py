"""Generated kernels with barriers, guards, strides and counters: the emulated device gives what a plain
simulation of their threads gives."""
import pathlib
import random
import subprocess
import sys

import pytest

import kernels

FUZZER = pathlib.Path(kernels.__file__)
KERNELS = 20


@pytest.mark.parametrize("seed", range(2))
def test_kernels(seed):
    run = subprocess.run([sys.executable, str(FUZZER), "--seed", str(seed), "--count", str(KERNELS)],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{KERNELS} kernels, 0 failures" in run.stdout


def test_kernels_have_all_that_can_go_wrong():
    sources = "\n".join(kernels.make_source(random.Random(f"0 {number}")) for number in range(100))
    for feature in ("cuda.syncthreads()", "shfl_down", "shfl_xor", "syncthreads_count", "atomic.add(counts",
                    "cuda.shared.array", "    return", "size):", "T):", "break", "continue", "helper(", "local["):
        assert feature in sources, feature


REVERSAL = """def kernel(n, k, a, f, m, out, outf, counts, most):
    t = cuda.threadIdx.x
    s = cuda.shared.array(160, int64)
    s[t] = a[t]
    cuda.syncthreads()
    w = cuda.shfl_down_sync(-1, t, 1)
    out[t] = s[cuda.blockDim.x - 1 - t] + w
    cuda.atomic.add(counts, t % 3, t)
"""


def test_simulation():
    """The simulation itself: threads meet where they should."""
    arguments = kernels.make_arguments(40, 1, 5, False, 1)
    kernels.simulate(REVERSAL, (1, 1), (40, 1), arguments)
    a, out, counts = arguments[2], arguments[5], arguments[7]
    down = [t + 1 if t % 32 != 31 and t < 39 else t for t in range(40)]
    assert out.tolist() == [int(a[39 - t]) + down[t] for t in range(40)]
    assert counts[:3].tolist() == [sum(range(start, 40, 3)) for start in range(3)]
    with pytest.raises(IndexError):
        kernels.simulate(REVERSAL, (1, 1), (64, 1), kernels.make_arguments(40, 1, 5, False, 1))
