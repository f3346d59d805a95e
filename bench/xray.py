"""What counting costs: cuda.xray beside the plain launch, minima of alternating runs, wall and processor time.

usage: GRIDCELL_DEVICE=emulator PYTHONPATH=build/python python bench/xray.py
"""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "cuda"))
from insight import cuda, histogram, np, product, strided, tiled, zeros

SIZE, RUNS = 1024, 15
VALUES = cuda.to_device(np.random.default_rng(0).integers(0, 40, SIZE * SIZE))
LAUNCHES = [
    ("copy of 2^20 items", strided, 4096, 256, (zeros(SIZE * SIZE), zeros(SIZE * SIZE), 1, 0)),
    ("tiled transpose, 1024 x 1024", tiled(32), (32, 32), (32, 32), (zeros(SIZE, SIZE), zeros(SIZE, SIZE))),
    ("histogram of 2^20 items", histogram, 4096, 256, (VALUES, zeros(40, dtype=np.int32))),
    ("copy of 64 items", strided, 2, 32, (zeros(64), zeros(64), 1, 0)),
    ("matrix product, 256 x 256", product, (16, 16), (16, 16), (zeros(256, 256), zeros(256, 256), zeros(256, 256))),
]


def spent(run):
    wall, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - processor


for name, kernel, grid, block, args in LAUNCHES:
    runs = [[spent(run) for run in (lambda: kernel[grid, block](*args), lambda: cuda.xray(kernel, grid, block, *args))]
            for _ in range(RUNS)]
    for which, unit in enumerate(("wall", "processor")):
        plain, counted = (min(run[side][which] for run in runs[1:]) for side in (0, 1))
        print(f"{name:30} {unit:9} {plain * 1e3:8.2f} ms {counted * 1e3:8.2f} ms {counted / plain:6.1f}")
