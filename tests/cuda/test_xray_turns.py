"""What cuda.xray tells of loops with ways out, in each other and in functions: beside the same kernel in Python, whose
arrays note who touches them."""
import types
from collections import defaultdict

import pytest
from common import cuda, is_emulated, np

from gridcell.insight.told import events

pytestmark = pytest.mark.skipif(not is_emulated(), reason="a GPU tells in another order")
THREADS, KEPT = 70, 512


@cuda.jit
def leaves(a, out):
    i = cuda.grid(1)
    for k in range(2500):
        if a[(i * 7 + k) % 97] == 96:
            break
        out[i] += 1


@cuda.jit
def leaves_late(a, out):
    i = cuda.grid(1)
    for k in range(a.size):
        if k > 1022 + i % 4:
            return
        out[i] = a[k if k < 700 else 0]
    out[i] = 0


@cuda.jit
def goes_on(a, out):
    i = cuda.grid(1)
    k = 0
    while k < 2 * i:
        k += 1
        if k % 3 == 0:
            continue
        out[i] = a[k]
    out[i] = k


@cuda.jit
def nested(a, out):
    i = cuda.grid(1)
    for j in range(3):
        out[i] += a[j]
        for k in range(j * i % 5):
            out[i] += a[k + j]
        k = 0
        while a[k] < i % 7:
            k += 1


def follow(a, i):
    found = 0
    for k in range(i % 6):
        found += a[(i + k) % 9]
    return found


device_follow = cuda.jit(device=True)(follow)


@cuda.jit
def calls(a, out):
    i = cuda.grid(1)
    for k in range(4):
        out[i] += device_follow(a, i + k)
    for value in a[:i % 4]:
        out[i] += value


class Noted:
    """An array that notes each access: (thread, array, index)."""

    def __init__(self, name, values, noted):
        self.name, self.values, self.noted = name, values, noted
        self.thread, self.size = 0, len(values)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return (self[i] for i in range(*index.indices(self.size)))
        self.noted.append((self.thread, self.name, index))
        return self.values[index]

    def __setitem__(self, index, value):
        self.noted.append((self.thread, self.name, index))
        self.values[index] = value


def in_python(kernel, a, out):
    noted = []
    arrays = [Noted(name, values.copy(), noted) for name, values in (("a", a), ("out", out))]
    for thread in range(THREADS):
        for array in arrays:
            array.thread = thread
        scope = {**kernel.py_func.__globals__, "device_follow": follow,
                 "cuda": types.SimpleNamespace(grid=lambda axes, thread=thread: thread)}
        types.FunctionType(kernel.py_func.__code__, scope)(*arrays)
    return noted, arrays[1].values


@pytest.mark.parametrize("kernel", [leaves, leaves_late, goes_on, nested, calls], ids=lambda kernel: kernel.py_func.__name__)
def test_loops(kernel):
    a, out = np.arange(97.0) if kernel is leaves else np.arange(1400.0), np.zeros(THREADS)
    noted, wanted = in_python(kernel, a, out)
    arrays = cuda.to_device(a), cuda.to_device(out)
    result = cuda.xray(kernel, 1, THREADS, *arrays)
    np.testing.assert_array_equal(arrays[1].copy_to_host(), wanted)
    assert sum(line["bytes"] for line in result.lines) == 8 * len(noted)
    starts = {array.__cuda_array_interface__["data"][0]: name for array, name in zip(arrays, ("a", "out"))}
    told, times = defaultdict(list), defaultdict(int)
    for row, thread, _, what in events(result._told):
        times[id(row), thread] += 1
        if row.op in ("load", "store"):
            start = max(start for start in starts if start <= what)
            told[thread].append((starts[start], (what - start) // 8))
    by_thread = defaultdict(list)
    for thread, name, index in noted:
        by_thread[thread].append((name, index))
    is_whole = {thread for thread in told if all(count < KEPT for (_, of), count in times.items() if of == thread)}
    assert bool(is_whole) == (kernel is not leaves_late)
    for thread in is_whole:
        assert told[thread] == by_thread[thread], thread
    assert all(count <= KEPT for count in times.values())


@cuda.jit
def long(a, out):
    i = cuda.grid(1)
    for k in range(100_000):
        out[i] += a[k]


def test_long_runs_are_one():
    """What is told every so many turns goes on as it was."""
    a = cuda.to_device(np.zeros(100_000, np.float32))
    result = cuda.xray(long, 1, 64, a, cuda.to_device(np.zeros(64, np.float32)))
    assert len(result._told[1]) == 0 and len(result._told[2]) // 568 == 4  # one of each place, of the first warp
    load = next(line for line in result.lines if line["access"] == "a[k]")
    assert load["requests"] == 200_000 and load["reuse"] == 16
    assert [(loop["entries"], loop["min"], loop["max"]) for loop in result.loops] == [(64, 100_000, 100_000)]
    assert result.branches[0]["branches"] == 2 * 100_001
