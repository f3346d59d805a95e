"""Kernels whose threads meet at barriers on many ways: the same results as on a GPU."""
import common
import numpy as np
import pytest
from common import cuda
from numba import float32, int32

THREADS = 64


@cuda.jit
def uniform_branch(flag, values, out):
    own = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    own[t] = values[t]
    if flag > 0:
        cuda.syncthreads()
        kept = own[(t + 1) % THREADS]
        cuda.syncthreads()
        own[t] = kept * 2
    else:
        own[t] += 5
    cuda.syncthreads()
    out[t] = own[THREADS - 1 - t]


def test_branch_that_all_threads_take():
    values, out = np.arange(THREADS, dtype=np.int32), np.zeros(THREADS, np.int32)
    uniform_branch[1, THREADS](1, values, out)
    assert np.array_equal(out, (np.roll(values, -1) * 2)[::-1])
    uniform_branch[1, THREADS](0, values, out)
    assert np.array_equal(out, (values + 5)[::-1])


@cuda.jit
def swapping(turns, out):
    shared = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    a, b = t, 1000 + t
    for turn in range(turns):
        shared[t] = a
        cuda.syncthreads()
        if t % 2 == 0:
            extra = shared[t + 1]
        else:
            extra = 0
        cuda.syncthreads()
        a, b = b, a + extra
        if turn % 2 == 1 and t > 3:
            b += 1
    out[t, 0], out[t, 1] = a, b


@pytest.mark.parametrize("turns", [0, 1, 2, 5])
def test_values_of_loops_go_on_behind_barriers(turns):
    out = np.zeros((THREADS, 2), np.int64)
    swapping[1, THREADS](turns, out)
    t = np.arange(THREADS)
    a, b = t.copy(), 1000 + t
    for turn in range(turns):
        extra = np.where(t % 2 == 0, np.roll(a, -1), 0)
        a, b = b, a + extra
        if turn % 2:
            b = b + (t > 3)
    assert np.array_equal(out, np.stack([a, b], axis=1))


@cuda.jit
def nested(n, out):
    shared = cuda.shared.array((4, 8), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    outer = 0
    while True:
        inner = 0
        while inner < 2:
            shared[y, x] = x + 10 * y + outer
            cuda.syncthreads()
            for k in range(8):
                if k == x:
                    continue
                total += shared[y, k]
            cuda.syncthreads()
            inner += 1
        outer += 1
        if outer >= n:
            break
    out[y, x] = total


def test_loops_in_loops():
    out = np.zeros((4, 8), np.float32)
    nested[1, (8, 4)](3, out)
    expected = np.zeros((4, 8))
    for outer in range(3):
        tile = np.arange(8) + 10 * np.arange(4)[:, None] + outer
        expected += 2 * (tile.sum(axis=1, keepdims=True) - tile)
    assert np.array_equal(out, expected)


@cuda.jit
def shuffles(values, out):
    i = cuda.threadIdx.x
    v = values[i]
    out[0, i] = cuda.shfl_up_sync(0xffffffff, v, 3)
    out[1, i] = cuda.shfl_down_sync(0xffffffff, v, 5)
    out[2, i] = cuda.shfl_xor_sync(0xffffffff, v, 9)
    out[3, i] = cuda.shfl_sync(0xffffffff, v, 7)
    for step in range(1, 4):
        v = cuda.shfl_up_sync(0xffffffff, v, step)
    out[4, i] = v


def test_shuffles_without_divergence():
    values, out = common.rng.random(64), np.zeros((5, 64))
    shuffles[1, 64](values, out)
    warps = values.reshape(2, 32)
    lane = np.arange(32)

    def up(rows, step):
        return np.where(lane >= step, np.roll(rows, step, axis=1), rows)
    assert np.array_equal(out[0], up(warps, 3).ravel())
    assert np.array_equal(out[1], np.where(lane < 27, np.roll(warps, -5, axis=1), warps).ravel())
    assert np.array_equal(out[2], warps[:, lane ^ 9].ravel())
    assert np.array_equal(out[3], np.repeat(warps[:, 7], 32))
    assert np.array_equal(out[4], up(up(up(warps, 1), 2), 3).ravel())


@cuda.jit
def leaving_early(n, values, out):
    shared = cuda.shared.array(THREADS, int32)
    i = cuda.grid(1)
    if i >= n:
        return
    shared[cuda.threadIdx.x] = values[i]
    cuda.syncthreads()
    out[i] = shared[0]


def test_threads_that_leave_before_the_barrier():
    values, out = np.arange(100, dtype=np.int32), np.zeros(100, np.int32)
    leaving_early[2, THREADS](100, values, out)
    assert np.array_equal(out, np.where(np.arange(100) < THREADS, 0, THREADS))


@cuda.jit
def ends_in_a_loop(n, out):
    t = cuda.threadIdx.x
    shared = cuda.shared.array(THREADS, int32)
    shared[t] = t
    cuda.syncthreads()
    count = 0
    while True:
        count += shared[(t + count) % THREADS] + 1
        if count > n:
            break
    cuda.syncthreads()
    last = count
    for k in range(t):
        last += k
    shared[t] = last
    cuda.syncthreads()
    out[t] = shared[t ^ 1]


def test_loops_of_each_thread_between_barriers():
    out = np.zeros(THREADS, np.int64)
    ends_in_a_loop[1, THREADS](50, out)
    counts = []
    for t in range(THREADS):
        count = 0
        while True:
            count += (t + count) % THREADS + 1
            if count > 50:
                break
        counts.append(count + t * (t - 1) // 2)
    assert np.array_equal(out, np.array(counts)[np.arange(THREADS) ^ 1])


@cuda.jit
def too_far(turns, out):
    t = cuda.threadIdx.x
    for turn in range(turns):
        cuda.syncthreads()
        if t == 5 and turn == 2:
            out[1000 + t] = 1
        cuda.syncthreads()
    out[t] = turns


@pytest.mark.skipif(not common.is_emulated(), reason="a GPU checks no indices")
def test_error_behind_a_barrier_names_its_thread():
    out = np.zeros(THREADS, np.int32)
    too_far[1, THREADS](2, out)
    assert (out == 2).all()
    with common.raises(IndexError, "index is out of bounds", "tid=[0, 0, 5]"):
        too_far[1, THREADS](3, out)


@cuda.jit
def strided_between_barriers(values, rounds, sums, pairs):
    own = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    total, last, before = float32(0), -1, -2
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        if values[i] < 0:
            continue
        total += values[i]
        last, before = i, last
    for turn in range(rounds):
        own[t] = total
        cuda.syncthreads()
        for k in range(t, THREADS, cuda.blockDim.x):
            own[k] += turn
        cuda.syncthreads()
        total = own[(t + 1) % cuda.blockDim.x]
        cuda.syncthreads()
    place = cuda.grid(1)
    sums[place] = total
    pairs[place, 0], pairs[place, 1] = last, before


@pytest.mark.parametrize("size", [0, 1, 63, 64, 1000, 4096])
@pytest.mark.parametrize("grid", [1, 3])
def test_strided_loops_between_barriers(size, grid):
    values = np.random.default_rng(size).integers(-2, 9, size).astype(np.float32)
    sums, pairs = np.zeros(grid * THREADS, np.float32), np.zeros((grid * THREADS, 2), np.int64)
    strided_between_barriers[grid, THREADS](values, 3, sums, pairs)
    wanted, ends = [], []
    for place in range(grid * THREADS):
        chosen = [i for i in range(place, size, grid * THREADS) if values[i] >= 0]
        wanted.append(values[chosen].sum())
        last, before = -1, -2
        for i in chosen:
            last, before = i, last
        ends.append((last, before))
    wanted = np.roll(np.array(wanted).reshape(grid, THREADS), -3, axis=1).ravel() + 3
    np.testing.assert_array_equal(sums, wanted.astype(np.float32))
    np.testing.assert_array_equal(pairs, ends)


@cuda.jit
def strided_too_far(values, at, out):
    own = cuda.shared.array(THREADS, int32)
    total = 0
    for i in range(cuda.grid(1), at.size, cuda.gridsize(1)):
        total += values[at[i]]
    own[cuda.threadIdx.x] = total
    cuda.syncthreads()
    out[cuda.grid(1)] = own[THREADS - 1 - cuda.threadIdx.x]


@pytest.mark.skipif(not common.is_emulated(), reason="a GPU does not check indices without debug")
def test_strided_loop_that_fails():
    at = np.zeros(1000, np.int64)
    at[700] = 5
    with common.raises(IndexError, "tid=[0, 0, 60] ctaid=[0, 0, 0]"):
        strided_too_far[2, THREADS](np.zeros(5, np.int32), at, np.zeros(128, np.int32))
    out = np.zeros(128, np.int32)
    strided_too_far[2, THREADS](np.full(6, 2, np.int32), at, out)
    assert out.sum() == 2000
