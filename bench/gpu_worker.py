"""What bench/gpu measures, in one process: prints a JSON object of row -> [unit, value] as its last
line. Runs under gridcell and under numba-cuda alike."""
import functools
import json
import math
import time
import warnings

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda asks for a name that NumPy 2.5 dropped

from numba import cuda, vectorize

import clock
import kernel_worker
from kernel_worker import event_seconds

warnings.simplefilter("ignore")
rows = {}


seconds = functools.partial(clock.seconds, wait=cuda.synchronize)
issue_seconds = functools.partial(clock.issue_seconds, wait=cuda.synchronize)


def once(row, action):
    start = time.perf_counter()
    action()
    cuda.synchronize()
    rows[row] = ["s", time.perf_counter() - start]


cuda.current_context()
cuda.synchronize()
x = cuda.to_device(np.arange(1000, dtype=np.float32))
y, out = cuda.to_device(np.ones(1000, np.float32)), cuda.device_array(1000, np.float32)


@cuda.jit
def empty():
    pass


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


once("compile and first launch of a kernel", lambda: add[8, 128](x, y, out))
empty[1, 32]()
rows["launch of an empty kernel"] = ["s", issue_seconds(lambda: empty[1, 32]())]
launch = add[8, 128]
rows["launch with 3 device arrays"] = ["s", issue_seconds(lambda: launch(x, y, out))]
rows["launch and synchronize"] = ["s", seconds(lambda: (launch(x, y, out), cuda.synchronize()))]


def make_ufunc():
    @vectorize(["float32(float32, float32)"], target="cuda")
    def add_ufunc(a, b):
        return a + b
    return add_ufunc


ufuncs = []
once("cuda ufunc: compile", lambda: ufuncs.append(make_ufunc()))
add_ufunc = ufuncs[0]
n = 1_000_000
dx = cuda.to_device(np.arange(n, dtype=np.float32))
dy, dout = cuda.to_device(np.ones(n, np.float32)), cuda.device_array(n, np.float32)
once("cuda ufunc: first call", lambda: add_ufunc(dx, dy, out=dout))
rows["ufunc on 1e6 float32, device, out="] = ["s", seconds(lambda: add_ufunc(dx, dy, out=dout), inner=50)]
rows["ufunc on 1e6 float32, device, allocated"] = ["s", seconds(lambda: add_ufunc(dx, dy), inner=50)]
hx, hy = np.arange(n, dtype=np.float32), np.ones(n, np.float32)
rows["ufunc on 1e6 float32, host"] = ["s", seconds(lambda: add_ufunc(hx, hy))]


@vectorize(["int64(int64, int64)"], target="cuda")
def multiply(a, b):
    return a * b


small = np.arange(6)
multiply(small, small)
rows["ufunc on 6 int64, host"] = ["s", seconds(lambda: multiply(small, small))]

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)


@vectorize(["float32(float32, float32, float32)"], target="cuda")
def gaussian(v, mean, sigma):
    return math.exp(-0.5 * ((v - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


big = np.random.default_rng(0).uniform(-3, 3, 100_000_000).astype(np.float32)
zero, one = np.float32(0), np.float32(1)
gaussian(big, zero, one)
rows["gaussian ufunc on 1e8 float32, host"] = ["s", seconds(lambda: gaussian(big, zero, one), repeats=3)]
dbig, dres = cuda.to_device(big), cuda.device_array_like(big)
gaussian(dbig, zero, one, out=dres)
rows["gaussian ufunc on 1e8 float32, device"] = ["s", seconds(lambda: gaussian(dbig, zero, one, out=dres))]
rows["to_device of 400 MB"] = ["s", seconds(lambda: dbig.copy_to_device(big), repeats=5)]
back = np.empty_like(big)
rows["copy_to_host of 400 MB"] = ["s", seconds(lambda: dbig.copy_to_host(back), repeats=5)]
del dbig, dres, big, back

add_up = cuda.reduce(lambda a, b: a + b)
many = cuda.to_device(np.random.default_rng(1).random(4_000_000))
add_up(many)
rows["reduction of 4e6 float64, on the device"] = ["s", seconds(lambda: add_up(many))]
del many

m = 1 << 28
a, b, c = (cuda.device_array(m, np.float32) for _ in range(3))
wide = add[(m + 255) // 256, 256]
wide(a, b, c)
rows["add of 2^28 float32, on the device"] = ["s", event_seconds(lambda: wide(a, b, c))]
del a, b, c
TILE = 32


@cuda.jit
def transpose(source, target):
    i, j = cuda.grid(2)
    if i < source.shape[0] and j < source.shape[1]:
        target[j, i] = source[i, j]


@cuda.jit
def transpose_tiled(source, target):
    tile = cuda.shared.array((32, 33), np.int32)
    column = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, 8):
        tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = source[row + j, column]
    cuda.syncthreads()
    column = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    for j in range(0, TILE, 8):
        target[row + j, column] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]


side = 8192
source = cuda.to_device(np.arange(side * side, dtype=np.int32).reshape(side, side))
target = cuda.device_array_like(source)
naive, tiled = transpose[(side // 16, side // 16), (16, 16)], transpose_tiled[(side // TILE, side // TILE), (TILE, 8)]
naive(source, target)
rows["transpose 8192x8192 int32, naive"] = ["s", event_seconds(lambda: naive(source, target))]
tiled(source, target)
rows["transpose 8192x8192 int32, tiled"] = ["s", event_seconds(lambda: tiled(source, target))]
assert np.array_equal(target.copy_to_host()[:64, :64], source.copy_to_host()[:64, :64].T)
del source, target
rows.update(kernel_worker.gpu_rows())
print(json.dumps(rows))
