"""What counting costs by kernel and size: cuda.xray beside the plain launch, without compilation.

Processor time on one core, where no thread waits for another; medians of alternating runs, each of which repeats a
short launch until 2 ms are spent.
usage: GRIDCELL_DEVICE=emulator PYTHONPATH=build/python python bench/insight.py [WORD...]
"""
import os
import pathlib
import statistics
import sys
import time

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "cuda"))
from insight import (by_parity, by_records, by_row, cuda, gather, histogram, np, product, reduction, sequential,
                     shared_histogram, strided, tiled, tiled_product, transposed, zeros)

RUNS, SPENT = 9, 2e-3
rng = np.random.default_rng(1)
SIZES = {"small": 256, "middle": 1 << 16, "large": 1 << 20}  # items, mostly a thread each; blocks of 128
SIDES = {"small": 32, "middle": 128, "large": 1024}  # of square arrays
PRODUCTS = {"small": 32, "middle": 64, "large": 256}
TURNS = {"small": 1000, "middle": 10_000, "large": 100_000}  # of a loop, in 2 blocks of 128


@cuda.jit
def polynomial(a, out, turns):
    i = cuda.grid(1)
    x, total = a[i], np.float32(0)
    for _ in range(turns):
        total = total * x + np.float32(1)
    out[i] = total


@cuda.jit
def walked(a, out, turns):
    i = cuda.grid(1)
    total = np.float32(0)
    for k in range(turns):
        total += a[k]
    out[i] = total


@cuda.jit
def stepped(a, out):
    """A loop that goes over the array by the grid's threads."""
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        out[i] = a[i] * np.float32(2)


def line(kernel, count, *args):
    return kernel, count // 128, 128, args


def square(kernel, side, count):
    return kernel, (side // 32, side // 32), (32, 32), tuple(zeros(side, side) for _ in range(count))


def launches(size):
    """(name, (kernel, grid, block, arguments)) of a size."""
    n, side, turns = SIZES[size], SIDES[size], TURNS[size]
    values = cuda.to_device(rng.integers(0, 40, n))
    points = cuda.to_device(np.zeros(n, [(name, np.float32) for name in "xyzw"]))
    indices = cuda.to_device(rng.integers(0, n, n))
    rows = min(n, 1024)
    yield "copy", line(strided, n, zeros(n), zeros(n), 1, 0)
    yield "copy, stride 8", line(strided, n, zeros(8 * n), zeros(n), 8, 0)
    yield "array of structures", line(by_records, n, points, zeros(n))
    yield "sums of rows", line(by_row, rows, zeros(rows, n // rows + 31), zeros(rows))
    yield "transpose", square(transposed, side, 2)
    yield "transpose, tiled", square(tiled(33), side, 2)
    yield "reduction", (reduction(sequential), n // 256, 256, (zeros(n), zeros(n // 256)))
    yield "histogram", line(histogram, n, values, zeros(40, dtype=np.int32))
    yield "histogram, shared", line(shared_histogram, n, values, zeros(40, dtype=np.int32))
    across = PRODUCTS[size] // 16
    for name, kernel in ("matrix product", product), ("matrix product, tiled", tiled_product):
        yield name, (kernel, (across, across), (16, 16), tuple(zeros(16 * across, 16 * across) for _ in range(3)))
    yield "branch by lane", line(by_parity, n, zeros(n), 1)
    yield "random gather", line(gather, n, zeros(n), indices, zeros(n))
    yield f"loop of {turns:,} turns", line(polynomial, 256, zeros(256), zeros(256), turns)
    yield f"loop of {turns:,} loads", line(walked, 256, zeros(turns), zeros(256), turns)
    yield "loop by the grid", (stepped, 2, 128, (zeros(n), zeros(n)))


def spent(run, times):
    start = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - start) / times


def measure(kernel, grid, block, args):
    """Seconds of a plain launch and of a counted one."""
    runs = [lambda: kernel[grid, block](*args), lambda: cuda.xray(kernel, grid, block, *args)]
    times = []
    for run in runs:
        run()
        first = min(spent(run, 1) for _ in range(3))
        times.append(max(1, int(SPENT / max(first, 1e-6))))
    taken = [[spent(run, often) for run, often in zip(runs, times)] for _ in range(RUNS)]
    return [statistics.median(column) for column in zip(*taken)]


if __name__ == "__main__":
    words = sys.argv[1:]
    print("| launch | plain | counted | ratio |\n|---|---|---|---|")
    for size in SIZES:
        for name, launch in launches(size):
            name = f"{name}, {size}"
            if words and not any(word in name for word in words):
                continue
            plain, counted = measure(*launch)
            print(f"| {name} | {plain * 1e3:.4g} ms | {counted * 1e3:.4g} ms | {counted / plain:.1f} |", flush=True)
