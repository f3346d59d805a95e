"""Races on arrays, found by running a kernel's threads one after the other and noting what each touches."""
import threading

import numpy as np
import pytest

import gridcell

gridcell.activate()
from gridcell.course import NotRight, launching, tracing
from numba import cuda


@cuda.jit(device=True)
def bump(values, i):
    values[i] += 1


@cuda.jit
def separate(a):
    bump(a, cuda.grid(1))


@cuda.jit
def to_the_left(a):
    i = cuda.grid(1)
    if i < a.size - 1:
        a[i] = a[i + 1]


@cuda.jit
def all_add(a):
    a[0] += 1


@cuda.jit
def all_write_the_same(a):
    a[0] = 7


@cuda.jit
def all_add_atomically(a):
    cuda.atomic.add(a, 0, 1)


@cuda.jit
def read_beside_atomics(a):
    cuda.atomic.max(a, 0, cuda.grid(1))
    if cuda.grid(1) == 3:
        a[3] = a[0]


@cuda.jit
def after_a_barrier(a):
    i = cuda.grid(1)
    value = a[a.size - 1 - i]
    cuda.syncthreads()
    a[i] = value


@cuda.jit
def through_shared_memory(a):
    tile = cuda.shared.array(8, np.int64)
    other = cuda.shared.array((2, 8), np.int64)
    t = cuda.threadIdx.x
    tile[t] = other[1, t] = a[cuda.grid(1)]
    cuda.syncthreads()
    a[cuda.grid(1)] = tile[7 - t] + other[1, 7 - t]


@cuda.jit
def through_shared_memory_at_once(a):
    tile = cuda.shared.array(8, np.int64)
    t = cuda.threadIdx.x
    tile[t] = a[cuda.grid(1)]
    a[cuda.grid(1)] = tile[7 - t]


@cuda.jit
def rows(a):
    x, y = cuda.grid(2)
    row = a[y]
    row[x] += 1


@cuda.jit
def a_row_for_two(a):
    x, y = cuda.grid(2)
    a[y // 2, x] += y


@cuda.jit
def shuffled(a):
    a[cuda.grid(1)] = cuda.shfl_sync(0xffffffff, a[cuda.grid(1)], 0)


def conflict(kernel, grid, block, *shape, **options):
    return tracing.Run(kernel, grid, block, np.arange(np.prod(shape)).reshape(shape)).conflict(**options)


@pytest.mark.parametrize("kernel, grid, block, shape", [
    (separate, 2, 8, (16,)), (all_write_the_same, 2, 8, (16,)), (all_add_atomically, 2, 8, (16,)),
    (after_a_barrier, 1, 8, (8,)), (through_shared_memory, 2, 8, (16,)), (rows, (2, 3), (4, 2), (6, 8))])
def test_in_order(kernel, grid, block, shape):
    assert conflict(kernel, grid, block, *shape) is None


@pytest.mark.parametrize("kernel, grid, block, shape, text", [
    (to_the_left, 2, 8, (16,), "thread 0 of block 0 reads a[1], thread 1 of block 0 writes it"),
    (all_add, 1, 2, (4,), "thread 0 of block 0 writes a[0], thread 1 of block 0 reads it"),
    (read_beside_atomics, 1, 4, (4,), "atomically changes a[0], thread 3 of block 0 reads it"),
    (after_a_barrier, 2, 8, (16,), "thread 7 of block 0 writes a[7], thread 0 of block 1 reads it"),
    (through_shared_memory_at_once, 2, 8, (16,), "thread 3 of block 0 reads shared[4], thread 4 of block 0 writes it"),
    (a_row_for_two, (1, 1), (2, 4), (4, 2), "thread 0 of block 0 writes a[0, 0], thread (0, 1) of block 0 reads it")])
def test_races(kernel, grid, block, shape, text):
    assert text in str(conflict(kernel, grid, block, *shape)) and "in line" in str(conflict(kernel, grid, block, *shape))


def test_the_same_value_counts_if_strict():
    assert "writes a[0]" in str(conflict(all_write_the_same, 1, 2, 4, strict=True))


def test_results_are_those_of_the_device():
    for kernel, grid, block in ((separate, 2, 8), (through_shared_memory, 2, 8), (all_add_atomically, 2, 8)):
        values = np.arange(16)
        result, = tracing.Run(kernel, grid, block, values).results
        assert np.array_equal(values, np.arange(16))
        kernel[grid, block](values)
        assert np.array_equal(result, values)


def test_what_is_not_followed():
    with pytest.raises(tracing.CannotFollow, match="shfl_sync"):
        conflict(shuffled, 1, 32, 32)
    assert launching.conflict_of(shuffled, 1, 32, np.arange(32)) is None
    with pytest.raises(IndexError):
        conflict(separate, 2, 8, 15)


def test_no_thread_is_left_when_one_fails():
    @cuda.jit
    def fails_after_a_barrier(a):
        cuda.syncthreads()
        if cuda.threadIdx.x == 5:
            a[a.size] = 1
        cuda.syncthreads()

    before = threading.active_count()
    with pytest.raises(IndexError):
        conflict(fails_after_a_barrier, 2, 8, 16)
    assert threading.active_count() == before


def test_what_is_written_beside_an_array_is_seen():
    guarded = launching._Guarded(np.arange(6.0).reshape(2, 3))
    assert np.array_equal(guarded.taken_back("the launch"), np.arange(6.0).reshape(2, 3))
    guarded.whole[launching._MARGIN + 6] = 1
    with pytest.raises(NotRight, match="the launch: a thread wrote beside an array"):
        guarded.taken_back("the launch")


def test_errors_of_a_device_are_told():
    @cuda.jit(debug=True, opt=False)
    def missing_barrier(a):
        tile = cuda.shared.array(64, np.int64)
        tile[cuda.threadIdx.x] = a[cuda.grid(1)]
        a[cuda.grid(1)] = tile[63 - cuda.threadIdx.x]

    if cuda.get_current_device().is_emulated:
        with pytest.raises(NotRight, match="shared memory is read here that no thread of the block has written"):
            launching.launched(missing_barrier, 1, 64, np.arange(64))


def test_a_long_run_is_not_followed():
    @cuda.jit
    def reads_all(a, out):
        for i in range(a.size):
            out[cuda.grid(1)] += a[i]

    arrays = np.ones(50), np.zeros(8)
    with pytest.raises(tracing.CannotFollow, match="a long run"):
        tracing.Run(reads_all, 1, 8, *arrays, limit=8 * 50 * 3 - 1)
    assert len(tracing.Run(reads_all, 1, 8, *arrays, limit=8 * 50 * 3).accesses) == 8 * 50 * 3
