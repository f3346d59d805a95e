"""Arrays that kernels only add to, which the emulated device may count in apart; and those that look the
same but whose items or the order of additions a thread can see."""
import pytest
from common import cuda, is_emulated, np, raises

VALUES = np.random.default_rng(3).integers(0, 40, 20_000)
COUNTS = np.bincount(VALUES, minlength=40)


@cuda.jit
def histogram(values, counts):
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, values[i], 1)


@cuda.jit
def by_sign(values, counts):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.sub(counts, (values[i] % 2, values[i]), 3)
        if i < counts.shape[0]:
            cuda.atomic.add(counts, (i, 0), len(counts))


@cuda.jit
def tickets(values, counts, seen):
    i = cuda.grid(1)
    if i < values.size:
        seen[i] = cuda.atomic.add(counts, values[i], 1)


@cuda.jit
def looked_at(values, counts, least):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(counts, values[i], 1)
        if counts[values[i]] < 1:
            cuda.atomic.add(least, 0, 1)


@cuda.jit
def shared_histogram(values, counts, wide):
    own = cuda.shared.array(40, np.int32)
    t = cuda.threadIdx.x
    if t < own.size:
        own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(own, values[i], 1)
    cuda.syncthreads()
    if t < own.size:
        cuda.atomic.add(counts, t, own[t])
        cuda.atomic.add(wide, t, own[t])


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_counts(dtype):
    before = np.arange(40).astype(dtype)
    for grid, block in ((1, 1), (3, 64), (40, 256)):
        counts = before.copy()
        histogram[grid, block](VALUES, counts)
        np.testing.assert_array_equal(counts, before + COUNTS.astype(dtype))
        shared, wide = before.copy(), np.zeros(40, np.int64)
        shared_histogram[grid, max(block, 64)](VALUES, shared, wide)
        np.testing.assert_array_equal(shared, counts)
        np.testing.assert_array_equal(wide, COUNTS)


def test_two_axes():
    counts, wanted = np.ones((2, 40), np.int64), np.ones((2, 40), np.int64)
    by_sign[80, 256](VALUES, counts)
    np.subtract.at(wanted, (VALUES % 2, VALUES), 3)
    wanted[:, 0] += 2
    np.testing.assert_array_equal(counts, wanted)


def test_results_that_threads_see():
    counts, seen = np.zeros(40, np.int32), np.full(VALUES.size, -1)
    tickets[80, 256](VALUES, counts, seen)
    np.testing.assert_array_equal(counts, COUNTS)
    for value in range(40):
        np.testing.assert_array_equal(np.sort(seen[VALUES == value]), np.arange(COUNTS[value]))
    counts, least = np.zeros(40, np.int32), np.zeros(1, np.int32)
    looked_at[80, 256](VALUES, counts, least)
    np.testing.assert_array_equal(counts, COUNTS)
    assert least[0] == 0


def test_arguments_that_overlap():
    numbers = cuda.to_device(np.zeros(400, np.int64))
    histogram[20, 32](numbers, numbers)  # counts zeros until it has changed the first of them
    found = numbers.copy_to_host()
    assert found.sum() == 400 and found[0] > 0
    halves = cuda.to_device(np.concatenate([VALUES[:400], np.zeros(40, np.int64)]))
    histogram[20, 32](halves[:400], halves[400:])
    np.testing.assert_array_equal(halves.copy_to_host()[400:], np.bincount(VALUES[:400], minlength=40))


@pytest.mark.skipif(not is_emulated(), reason="a GPU does not check indices without debug")
def test_out_of_range():
    values = VALUES.copy()
    values[500] = 40
    counts = np.zeros(40, np.int32)
    with raises(IndexError, "tid=[0, 0, 244] ctaid=[0, 0, 1]"):
        histogram[40, 256](values, counts)
    histogram[40, 256](VALUES, counts := np.zeros(40, np.int32))
    np.testing.assert_array_equal(counts, COUNTS)
