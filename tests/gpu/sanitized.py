"""Kernels of every kind, each compared with NumPy: what compute-sanitizer watches.

    compute-sanitizer --tool memcheck python3 -m gridcell tests/gpu/sanitized.py
"""
import numpy as np
from numba import cuda, float32, float64, guvectorize, int32, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32


@cuda.jit
def hist(a, out):
    tile = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    if i < 64:
        tile[i] = 0
    cuda.syncthreads()
    for j in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        cuda.atomic.add(tile, a[j] % 64, 1)
    cuda.syncthreads()
    if i < 64:
        cuda.atomic.add(out, i, tile[i])


a = np.random.randint(0, 1000, 5000).astype(np.int32)
out = np.zeros(64, np.int32)
hist[7, 96](a, out)
assert (out == np.bincount(a % 64, minlength=64)).all()


@cuda.jit
def transpose(a, out):
    tile = cuda.shared.array((16, 17), float32)
    x, y = cuda.grid(2)
    if x < a.shape[1] and y < a.shape[0]:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    x2 = cuda.blockIdx.y * 16 + cuda.threadIdx.x
    y2 = cuda.blockIdx.x * 16 + cuda.threadIdx.y
    if x2 < out.shape[1] and y2 < out.shape[0]:
        out[y2, x2] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


m = np.random.rand(37, 53).astype(np.float32)
o = np.zeros((53, 37), np.float32)
transpose[(4, 3), (16, 16)](m, o)
assert (o == m.T).all()
r = cuda.reduce(lambda a, b: a + b)
assert r(np.arange(12345.0)) == 12345 * 12344 / 2


@vectorize(["float64(float64,float64)"], target="cuda")
def v(a, b):
    return a * b + 1


assert np.allclose(v(np.arange(1001.0), 2.0), np.arange(1001) * 2 + 1)


@guvectorize(["void(float64[:],float64[:])"], "(n)->(n)", target="cuda")
def g(x, out):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
        out[i] = s


assert np.allclose(g(np.ones((5, 9))), np.arange(1, 10))


@cuda.jit
def rnd(states, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = xoroshiro128p_uniform_float32(states, i)


out = np.zeros(200, np.float32)
rnd[4, 64](create_xoroshiro128p_states(256, seed=3), out)
assert (out > 0).all()


@cuda.jit
def warp(out):
    i = cuda.grid(1)
    s = i
    for k in (16, 8, 4, 2, 1):
        s += cuda.shfl_xor_sync(0xffffffff, s, k)
    if i < out.size:
        out[i] = s


out = np.zeros(64, np.int64)
warp[2, 32](out)
assert out[0] == 496


@cuda.jit
def strided(a, out):
    i = cuda.grid(1)
    local = cuda.local.array(8, float64)
    for j in range(8):
        local[j] = a[(i + j) % a.size]
    s = 0.0
    for j in range(8):
        s += local[(i + j) % 8]
    if i < out.size:
        out[i] = s


d = cuda.to_device(np.arange(64.0))
out = cuda.to_device(np.zeros(100))[::2]
strided[2, 32](d[::2], out)
out.copy_to_host()
rec = np.zeros(9, dtype=[("a", "i4"), ("b", "f8"), ("c", "u1", 3)])


@cuda.jit
def records(r):
    i = cuda.grid(1)
    if i < r.size:
        r[i].a = i
        r[i].b = i / 2
        r[i].c[1] = i


records[1, 32](rec)
assert rec["c"][8, 1] == 8


@cuda.jit
def rec_fact(out):
    out[cuda.grid(1)] = fact(cuda.grid(1) % 7)


@cuda.jit(device=True)
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


@cuda.jit
def coop(a, out):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    a[i] = i
    grid.sync()
    out[i] = a[(i + 1) % a.size]


out = np.zeros(256)
coop[2, 128](np.zeros(256), out)
assert (out == np.roll(np.arange(256), -1)).all()
s = cuda.stream()
p = cuda.pinned_array(1000)
p[:] = 3
d = cuda.to_device(p, stream=s)


@cuda.jit
def inc(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


inc[4, 256, s](d)
h = d.copy_to_host(stream=s)
s.synchronize()
assert (h == 4).all()
big = np.random.rand(1 << 20)
assert (cuda.to_device(big).copy_to_host() == big).all()
inc[4096, 256](big)
out = np.zeros(32, np.int64)
rec_fact[1, 32](out)
assert out[6] == 720
assert cuda.xray(transpose, (4, 3), (16, 16), m, o.copy()).lines
print("all right")
