"""Exchange between the threads of a warp and of a block, and operations on bits."""
import pytest
from numba import int64
from numba.core.errors import TypingError

from common import by_route, cuda, equal, np, ptx_routes, raises

FULL = 0xFFFFFFFF


def shuffled(values, source):
    lanes = np.arange(len(values))
    warp = lanes // 32 * 32
    lane = source(lanes % 32)
    inside = (lane >= 0) & (lane < 32) & (warp + lane < len(values))
    return np.where(inside, values[np.where(inside, warp + lane, lanes)], values)


def test_shuffles_of_every_type():
    @cuda.jit
    def f(a, idx, up, down, xor):
        i = cuda.grid(1)
        v = a[i]
        idx[i] = cuda.shfl_sync(FULL, v, 3)
        up[i] = cuda.shfl_up_sync(FULL, v, 5)
        down[i] = cuda.shfl_down_sync(FULL, v, 2)
        xor[i] = cuda.shfl_xor_sync(FULL, v, 16)

    for dtype in (np.int32, np.int64, np.float32, np.float64):
        a = (np.arange(96) * 1.25e9 - 3e10).astype(dtype) if dtype != np.int32 else \
            np.arange(96, dtype=dtype) * -7
        out = [np.zeros_like(a) for _ in range(4)]
        f[1, 96](a, *out)
        for got, source in zip(out, (lambda n: n * 0 + 3, lambda n: n - 5, lambda n: n + 2,
                                     lambda n: n ^ 16)):
            equal(got, shuffled(a, source))


def test_sum_of_a_warp():
    @cuda.jit
    def f(a, out):
        i = cuda.grid(1)
        v = a[i]
        offset = 16
        while offset > 0:
            v += cuda.shfl_down_sync(FULL, v, offset)
            offset //= 2
        if cuda.laneid == 0:
            out[i // 32] = v

    a = np.arange(256, dtype=np.float64)
    out = np.zeros(8)
    f[2, 128](a, out)
    equal(out, a.reshape(8, 32).sum(axis=1))


def test_votes():
    @cuda.jit
    def f(a, out):
        i = cuda.grid(1)
        p = a[i] > 0
        out[i, 0] = cuda.all_sync(FULL, p)
        out[i, 1] = cuda.any_sync(FULL, p)
        out[i, 2] = cuda.eq_sync(FULL, p)
        out[i, 3] = cuda.ballot_sync(FULL, p)

    a = np.zeros(96, np.int32)
    a[32:64] = 5
    a[64::3] = 1
    out = np.zeros((96, 4), np.int64)
    f[1, 96](a, out)
    for warp in range(3):
        p = a[warp * 32:][:32] > 0
        ballot = np.int32(np.uint32(sum(1 << k for k in range(32) if p[k])).view(np.int32))
        expected = [p.all(), p.any(), p.all() or not p.any(), ballot]
        equal(out[warp * 32:][:32], np.array([expected] * 32, np.int64))


def test_matches():
    @cuda.jit
    def f(a, some, every, agreed):
        i = cuda.grid(1)
        some[i] = cuda.match_any_sync(FULL, a[i])
        every[i], agreed[i] = cuda.match_all_sync(FULL, a[i])

    for dtype in (np.int32, np.int64, np.float32, np.float64):
        a = np.concatenate([np.arange(32) % 5, np.full(32, 7)]).astype(dtype)
        some, every = np.zeros(64, np.uint32), np.zeros(64, np.uint32)
        agreed = np.zeros(64, np.bool_)
        f[1, 64](a, some.view(np.int32), every.view(np.int32), agreed)
        expected = [sum(1 << k for k in range(32) if k % 5 == i % 5) for i in range(32)]
        equal(some, np.array(expected + [FULL] * 32, np.uint32))
        equal(every, np.array([0] * 32 + [FULL] * 32, np.uint32))
        equal(agreed, np.arange(64) >= 32)


def test_part_of_a_warp():
    @cuda.jit
    def f(out):
        i = cuda.grid(1)
        if i % 32 < 8:
            v = cuda.shfl_down_sync(0xFF, i, 4)
            v = cuda.shfl_xor_sync(0xFF, v, 1)
            out[i] = v
        else:
            out[i] = cuda.ballot_sync(0xFFFFFF00, i % 2 == 0)
        out[i] += 1000 * cuda.any_sync(FULL, i == 63)

    out = np.zeros(64, np.int64)
    f[1, 64](out)
    even = np.uint32(sum(1 << k for k in range(8, 32, 2)))
    for i in range(64):
        lane, base = i % 32, i // 32 * 32
        if lane < 8:
            other = lane ^ 1
            expected = base + (other + 4 if other + 4 < 8 else other)
            if other >= 4:
                continue  # comes from a lane outside of the mask: not defined
        else:
            expected = even
        assert out[i] == expected + 1000 * (base == 32), (i, out[i], expected)


def test_active_mask_and_smaller_blocks():
    @cuda.jit
    def f(out):
        i = cuda.grid(1)
        out[i] = cuda.activemask()

    out = np.zeros(32, np.uint32)
    f[1, 32](out)
    equal(out, np.full(32, FULL, np.uint32))
    out = np.zeros(5, np.uint32)
    f[1, 5](out)
    equal(out, np.full(5, 31, np.uint32))


def test_barriers_that_vote():
    @cuda.jit
    def f(a, out):
        i = cuda.grid(1)
        for turn in range(a.shape[0]):
            p = a[turn, i]
            out[turn, i, 0] = cuda.syncthreads_count(p)
            out[turn, i, 1] = cuda.syncthreads_and(p)
            out[turn, i, 2] = cuda.syncthreads_or(p)

    a = np.zeros((4, 200), np.int32)
    a[1, 77] = 3
    a[2] = 1
    a[3, ::2] = -1
    out = np.zeros((4, 200, 3), np.int32)
    f[1, 200](a, out)
    expected = np.array([[0, 0, 0], [1, 0, 1], [200, 1, 1], [100, 0, 1]], np.int32)
    equal(out, np.repeat(expected[:, None], 200, axis=1))


def test_bits_and_selection():
    @cuda.jit
    def f(a, out):
        i = cuda.grid(1)
        out[i, 0] = cuda.popc(a[i])
        out[i, 1] = cuda.clz(a[i])
        out[i, 2] = cuda.ffs(a[i])
        out[i, 3] = cuda.brev(a[i])
        out[i, 4] = cuda.selp(a[i] > 5, i, -i)

    for dtype, bits in ((np.uint32, 32), (np.uint64, 64)):
        values = [0, 1, 2, 12, 2 ** 31, 0xDEADBEEF, 2 ** bits - 1, 2 ** (bits - 1)]
        out = np.zeros((8, 5), np.uint64)
        f[1, 8](np.array(values, dtype), out.view(np.int64) if bits == 32 else out)
        for i, v in enumerate(values):
            text = f"{v:0{bits}b}"
            chosen = i if v > 5 else -i
            expected = [text.count("1"), bits - v.bit_length(), (v & -v).bit_length(),
                        int(text[::-1], 2), chosen % 2 ** 64]
            assert out[i].tolist() == expected, (v, out[i], expected)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_reversed_bits_have_no_sign(dtype):
    @cuda.jit
    def f(a, out):
        i = cuda.grid(1)
        out[i] = cuda.brev(a[i])

    bits = max(32, np.dtype(dtype).itemsize * 8)
    values, out = np.array([1, 0, -1, 6], dtype), np.zeros(4)
    f[1, 4](values, out)
    assert out.tolist() == [float(int(f"{int(v) % 2 ** bits:0{bits}b}"[::-1], 2)) for v in values]


def test_shuffle_of_small_types_is_refused():
    @cuda.jit
    def f(a):
        a[0] = cuda.shfl_sync(FULL, a[0], 1)

    with raises(Exception, "shfl_sync only supports 32- and 64-bit ints and floats"):
        f[1, 32](np.zeros(1, np.int8))


@cuda.jit
def two_shuffles(values, out):
    shared = cuda.shared.array(64, np.int32)
    t = cuda.threadIdx.x
    shared[t] = 0
    cuda.syncthreads()
    x = values[t]
    x = 3 * x + cuda.shfl_xor_sync(-1, x, 16)
    x = 3 * x + cuda.shfl_up_sync(-1, x, 1)
    x = 3 * x + cuda.shfl_xor_sync(-1, x, 2)
    out[t] = x


def test_what_a_shuffle_gives_is_not_what_the_next_one_takes():
    values, out, t = np.arange(64) ** 2 % 101, np.zeros(64, np.int64), np.arange(64)
    two_shuffles[1, 64](values, out)
    expected = values
    for source in (t ^ 16, np.where(t % 32 == 0, t, t - 1), t ^ 2):
        expected = 3 * expected + expected[source]
    assert np.array_equal(out, expected)


def test_active_lanes_of_a_branch():
    """Those that ask at the same place: not those that ask in another branch meanwhile."""
    @cuda.jit
    def branches(first, inner, last):
        i = cuda.threadIdx.x
        if i < 10:
            first[i] = cuda.activemask()
            if i % 2:
                inner[i] = cuda.activemask()
        else:
            first[i] = cuda.activemask()
        cuda.syncwarp()
        last[i] = cuda.activemask()

    first, inner, last = (np.zeros(32, np.uint32) for _ in range(3))
    branches[1, 32](first, inner, last)
    equal(first[:10], np.full(10, 0x3FF, np.uint32))
    equal(first[10:], np.full(22, 0xFFFFFC00, np.uint32))
    equal(inner[1:10:2], np.full(5, 0x2AA, np.uint32))
    equal(last, np.full(32, 0xFFFFFFFF, np.uint32))


@pytest.mark.parametrize("route", ptx_routes())
def test_lanes_that_wait_see_what_each_other_wrote(route):
    """As a barrier promises, and a vote of the same lanes does not."""
    @cuda.jit
    def turned(a, out):
        shared = cuda.shared.array(32, np.int64)
        i = cuda.threadIdx.x
        mask = 0xffff if i < 16 else 0xffff0000
        shared[i] = a[i]
        cuda.syncwarp(mask)
        out[i] = shared[i ^ 15]

    with by_route(route):
        values, out = np.arange(32) ** 2, np.zeros(32, np.int64)
        assert turned[1, 32](values, out) is None
        equal(out, values[np.arange(32) ^ 15])
        ptx = cuda.compile_ptx(turned.py_func, (int64[::1], int64[::1]), cc=(7, 5))[0]
    assert "bar.warp.sync" in ptx and "vote" not in ptx


def test_masks_and_lanes_are_integers():
    for call in (lambda i: cuda.shfl_sync(1.5, i, 0), lambda i: cuda.shfl_up_sync(1.5, i, 1),
                 lambda i: cuda.shfl_down_sync(-1, i, 0.5), lambda i: cuda.shfl_xor_sync(1j, i, 1),
                 lambda i: cuda.all_sync(2.0, True), lambda i: cuda.any_sync(2.0, True),
                 lambda i: cuda.eq_sync(2.0, True), lambda i: cuda.ballot_sync(2.0, True),
                 lambda i: cuda.match_any_sync(2.0, i), lambda i: cuda.match_all_sync(2.0, i),
                 lambda i: cuda.syncwarp(2.0)):
        with raises(TypingError, "integer"):
            cuda.jit(call)[1, 32](1)


def test_unoptimised_code_with_votes():
    """Driver 580's linker faults on what libnvvm makes of this; its loader takes it."""
    @cuda.jit(opt=False)
    def kernel(count, flag, out, ids):
        i = cuda.grid(1)
        quotient = i // (i & 15 | 1)
        step = 16
        while step > 0:
            quotient += cuda.shfl_down_sync(0xffffffff, quotient, step)
            step >>= 1
        out[i] = np.uint8(7)
        votes = np.uint32(cuda.ballot_sync(0xffffffff, flag))
        flags = cuda.shared.array(96, np.bool_)
        flags[cuda.threadIdx.x] = flag
        cuda.syncthreads()
        counts = cuda.local.array(7, np.int32)
        for j in range(7):
            counts[j] = count
        if flags[95 - cuda.threadIdx.x] and votes == 0xffffffff:
            out[i] += counts[6]
        if i < ids.size:
            ids[i] = cuda.threadIdx.x

    out, ids = np.zeros(192, np.uint8), np.zeros(150, np.int32)
    kernel[2, 96](np.int32(5), True, out, ids)
    assert np.all(out == 12)
    assert np.array_equal(ids, np.arange(150) % 96)
