"""Functions that kernels have besides arithmetic: atomics made of others, hints, float16."""
import math

import pytest
from common import by_route, composed, cuda, equal, np, raises, rng
from numba import float32

fp16 = cuda.fp16


def test_atomic_inc_and_dec():
    @cuda.jit
    def kernel(counts, olds):
        i = cuda.grid(1)
        olds[i] = cuda.atomic.inc(counts, 0, 6)
        cuda.atomic.dec(counts, 1, 5)
        cuda.atomic.dec(counts, (2,), 3)

    for dtype in (np.uint32, np.uint64):
        counts, olds = np.array([0, 0, 9], dtype), np.zeros(64, dtype)
        kernel[2, 32](counts, olds)
        assert counts[:2].tolist() == [64 % 7, (0 - 64) % 6]
        assert sorted(olds.tolist()) == sorted(n % 7 for n in range(64))
        value = 9  # 64 times: to the limit where it is above it or 0, else down
        for _ in range(64):
            value = 3 if value == 0 or value > 3 else value - 1
        assert counts[2] == value

    @cuda.jit
    def signed(counts):
        cuda.atomic.inc(counts, 0, 6)

    with raises(Exception, "unsigned integers"):
        signed[1, 1](np.zeros(1, np.int32))


def test_atomic_nanmax_and_nanmin():
    @cuda.jit
    def kernel(values, out):
        i = cuda.grid(1)
        cuda.atomic.nanmax(out, 0, values[i])
        cuda.atomic.nanmin(out, 1, values[i])

    values = rng.normal(size=64)
    values[::5] = np.nan
    for dtype in (np.float32, np.float64):
        out = np.full(2, np.nan, dtype)
        kernel[2, 32](values.astype(dtype), out)
        equal(out, [np.nanmax(values.astype(dtype)), np.nanmin(values.astype(dtype))] *
              np.ones(2, dtype))
    integers = rng.integers(-99, 99, 64)
    out = np.zeros(2, np.int64)
    kernel[2, 32](integers, out)
    assert out.tolist() == [max(integers.max(), 0), min(integers.min(), 0)]


def test_lanes_below_and_masked_syncwarp():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        out[i] = cuda.lanemask_lt()
        if i % 32 < 8:
            cuda.syncwarp(0xFF)
        cuda.syncwarp()
        cuda.nanosleep(20)

    out = np.zeros(64, np.uint32)
    kernel[1, 64](out)
    equal(out, np.array([(1 << lane % 32) - 1 for lane in range(64)], np.uint32))


def test_cache_hints():
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        total = cuda.ldca(a, i) + cuda.ldcg(a, i) + cuda.ldcs(a, i) + cuda.ldlu(a, i)
        cuda.stwb(out, (0, i), total + cuda.ldcv(a, i))
        cuda.stcg(out, (1, i), a[i])
        cuda.stcs(out, (2, i), a[i])
        cuda.stwt(out, (3, i), 7)

    for dtype in (np.int8, np.int16, np.uint32, np.int64, np.float32, np.float64):
        a = rng.integers(0, 20, 32).astype(dtype)
        out = np.zeros((4, 32), dtype)
        kernel[1, 32](a, out)
        equal(out, np.stack([a * dtype(5), a, a, np.full_like(a, 7)]))


def test_float16_functions():
    @cuda.jit
    def kernel(a, b, out, flags):
        i = cuda.grid(1)
        x, y = a[i], b[i]
        out[0, i] = fp16.hadd(x, y)
        out[1, i] = fp16.hsub(x, y)
        out[2, i] = fp16.hmul(x, y)
        out[3, i] = fp16.hdiv(x, y)
        out[4, i] = fp16.hmax(x, y)
        out[5, i] = fp16.hmin(x, y)
        out[6, i] = fp16.hneg(x)
        out[7, i] = fp16.habs(fp16.hneg(x))
        out[8, i] = fp16.hfloor(x)
        out[9, i] = fp16.hsqrt(x)
        out[10, i] = fp16.hfma(x, y, x)
        out[11, i] = fp16.hrint(x)
        flags[0, i] = fp16.hlt(x, y)
        flags[1, i] = fp16.heq(x, y)
        flags[2, i] = fp16.hge(x, y)

    a, b = rng.uniform(0.5, 4, (2, 32)).astype(np.float16)
    b[:4] = a[:4]
    out, flags = np.zeros((12, 32), np.float16), np.zeros((3, 32), np.bool_)
    kernel[1, 32](a, b, out, flags)
    wide = a.astype(float) * b.astype(float) + a.astype(float)
    equal(out, np.stack([a + b, a - b, a * b, a / b, np.maximum(a, b), np.minimum(a, b), -a, a,
                         np.floor(a), np.sqrt(a), wide.astype(np.float16), np.rint(a)]))
    equal(flags, np.stack([a < b, a == b, a >= b]))


def test_float16_transcendentals():
    a = rng.uniform(0.5, 4, 32).astype(np.float16)
    x = a.astype(np.float64)
    for name, expected in dict(
            hsin=np.sin(x), hcos=np.cos(x), hlog=np.log(x), hlog2=np.log2(x), hlog10=np.log10(x), hexp=np.exp(x),
            hexp2=np.exp2(x), hexp10=10 ** x, hrsqrt=1 / np.sqrt(x), hrcp=1 / x).items():
        found = composed(np.float16, getattr(fp16, name), a, np.float16)
        np.testing.assert_allclose(found.astype(float), expected, rtol=1.5e-3, atol=1e-3, err_msg=name)


def test_overloads_for_targets():
    from numba import njit
    from numba.extending import overload

    def inner(x):
        raise NotImplementedError

    def outer(x):
        raise NotImplementedError

    def add(function, target, implementation):
        overload(function, **({"target": target} if target else {}))(lambda x: implementation)

    add(inner, "cuda", lambda x: x * 3)
    add(inner, "generic", lambda x: x * 2)
    add(outer, None, lambda x: inner(x) * 5)
    add(outer, "cuda", lambda x: inner(x) * 7)

    def call(x):
        x[0] = outer(x[0])

    for _ in range(2):
        for compiled, expected in ((njit(call), 10), (cuda.jit(call)[1, 1], 21)):
            x = np.ones(1, np.int64)
            compiled(x)
            assert x[0] == expected


def test_fastmath_reaches_device_functions():
    @cuda.jit(device=True)
    def length(x, y):
        return math.sqrt(x * x + y * y)

    @cuda.jit(device=True)
    def share(x, y):
        return x / length(x, y)

    def kernel(x, y, out):
        i = cuda.grid(1)
        out[i] = share(x[i], y[i])

    def own(x, y, out):
        i = cuda.grid(1)
        out[i] = x[i] / math.sqrt(x[i] * x[i] + y[i] * y[i])

    for function in kernel, own:
        with by_route("nvptx"):
            fast, exact = (cuda.jit(fastmath=is_fast)(function)._ptx((float32[::1],) * 3, 9, 0)
                           for is_fast in (True, False))
        assert "sqrt.approx.ftz.f32" in fast and ".rn.f32" not in fast  # rsqrt, in one
        assert "sqrt.rn.f32" in exact and "div.rn.f32" in exact and ".approx" not in exact


@cuda.jit(device=True)
def early(x, q):
    if x < 3:
        if q:
            return x
        turns = 0
        while turns < 6 and x < 3:
            turns += 1
    return x


@pytest.mark.parametrize("opt", [True, False])
def test_some_threads_of_a_warp_return_early(opt):
    @cuda.jit(opt=opt)
    def kernel(q, out):
        t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
        tile = cuda.shared.array(32, np.int64)
        total = 0
        for i in range(q.shape[0] - 4):
            tile[t] = cuda.blockIdx.y if q.shape[0] < 3 else early(total, np.uint64(2))
            cuda.syncthreads()
            total += tile[early(cuda.threadIdx.x, np.uint64(2**63)) % 32] + early(t, np.uint64(i))
            cuda.syncthreads()
        out[cuda.blockIdx.y, t] = total

    out = np.zeros((2, 32), np.int64)
    kernel[(1, 2), (8, 4)](np.ones(5), out)
    assert (out == np.arange(32)).all()
