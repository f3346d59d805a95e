"""Guards and indices at the edges of rows of threads, in blocks that the emulated device may run side
by side as one: what threads inside, outside and across an edge do, and which of them fails first."""
import pytest
from common import cuda, is_emulated, np, raises

GUARDS = {
    "below": (lambda i, n: i < n, lambda at, n: at < n),
    "at most": (lambda i, n: i <= n, lambda at, n: at <= n),
    "bound first": (lambda i, n: n > i, lambda at, n: at < n),
    "from": (lambda i, n: i >= n, lambda at, n: at >= n),
    "above": (lambda i, n: i > n, lambda at, n: at > n),
    "between": (lambda i, n: 3 <= i < n - 2, lambda at, n: (at >= 3) & (at < n - 2)),
    "moved": (lambda i, n: i + 7 < n, lambda at, n: at + 7 < n),
    "subtracted": (lambda i, n: n - i > 5, lambda at, n: n - at > 5),
    "equal": (lambda i, n: i == n, lambda at, n: at == n),
    "not": (lambda i, n: not i < n, lambda at, n: at >= n),
    "few": (lambda i, n: i < 4, lambda at, n: at < 4),
}


@pytest.mark.parametrize("name", GUARDS)
def test_guards(name):
    guard, expected = GUARDS[name]
    holds = cuda.jit(device=True)(guard)

    @cuda.jit
    def whole(n, out):
        i = cuda.grid(1)
        if holds(i, n):
            out[i] += i + 1

    @cuda.jit
    def returning(n, out):
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        if i >= n:
            return
        out[i] += i + 1

    for grid, block in ((1, 1), (3, 7), (5, 32), (9, 96), (40, 100), (2, 1024)):
        at = np.arange(grid * block)
        for n in (0, 1, block, at.size - 1, at.size, at.size + 40, -3, 2**63 - 1, -2**63):
            out = np.zeros(at.size)
            whole[grid, block](n, out)
            with np.errstate(over="ignore"):
                wanted = expected(at, np.int64(n))
            if abs(n) < 2**62:
                np.testing.assert_array_equal(out, np.where(wanted, at + 1, 0), f"{grid} {block} {n}")
            out = np.zeros(at.size)
            returning[grid, block](n, out)
            np.testing.assert_array_equal(out, np.where(at < n, at + 1, 0))


@cuda.jit
def five_points(a, out):
    j, i = cuda.grid(2)
    if 0 < i < a.shape[0] - 1 and 0 < j < a.shape[1] - 1:
        out[i, j] = a[i, j] + a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]


@cuda.jit
def three_axes(a, out):
    x, y, z = cuda.grid(3)
    if x < a.shape[2] and y < a.shape[1] and z < a.shape[0]:
        out[z, y, x] = 2 * a[z, y, x] + cuda.threadIdx.y


@cuda.jit
def turned(a, out):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        out[j, i] = a[i, j]


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (33, 65), (64, 256), (100, 1)])
@pytest.mark.parametrize("block", [(32, 8), (7, 3), (16, 16), (64, 1)])
def test_axes(shape, block):
    a = np.random.default_rng(1).random(shape)
    height, width = shape
    grid = (-(-width // block[0]), -(-height // block[1]))
    out, wanted = np.zeros(shape), np.zeros(shape)
    if min(shape) > 2:
        wanted[1:-1, 1:-1] = a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
    five_points[grid, block](a, out)
    np.testing.assert_array_equal(out, wanted)
    cube, out = np.stack([a, a + 1]), np.zeros((2, *shape))
    three_axes[(*grid, 1), (*block, 2)](cube, out)
    np.testing.assert_array_equal(out, 2 * cube + (np.arange(height) % block[1])[None, :, None])
    out = np.zeros(shape[::-1])
    turned[(-(-height // block[0]), -(-width // block[1])), block](a, out)
    np.testing.assert_array_equal(out, a.T)


@cuda.jit
def strided(first, step, a, out):
    for i in range(first + cuda.grid(1), a.size, step):
        out[i] += 2 * a[i]


@cuda.jit
def downwards(a, out):
    for i in range(a.size - 1 - cuda.grid(1), -1, -cuda.gridsize(1)):
        out[i] += 3 * a[i]


@pytest.mark.parametrize("size", [0, 1, 31, 64, 1000, 5000])
def test_strides(size):
    a = np.arange(size, dtype=np.float64)
    for grid, block in ((1, 1), (2, 32), (7, 50)):
        out = np.zeros(size)
        strided[grid, block](0, grid * block, a, out)
        np.testing.assert_array_equal(out, 2 * a)
        out = np.zeros(size)
        strided[grid, block](5, grid * block, a, out)
        np.testing.assert_array_equal(out, np.where(a >= 5, 2 * a, 0))
        out = np.zeros(size)
        downwards[grid, block](a, out)
        np.testing.assert_array_equal(out, 3 * a)


@cuda.jit
def last_items(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i - 2]


def test_indices_from_the_end():
    a, out = np.arange(100), np.zeros(100, np.int64)
    last_items[4, 32](a, out)
    np.testing.assert_array_equal(out, np.roll(a, 2))


@cuda.jit
def too_far(a, out):
    i = cuda.grid(1)
    out[i] = a[i]


@cuda.jit
def too_far_2d(limit, out):
    x, y = cuda.grid(2)
    out[y, x + limit] = 1


@cuda.jit
def too_far_by_data(a, at, out):
    for i in range(cuda.grid(1), at.size, cuda.gridsize(1)):
        out[i] = a[at[i]]


@pytest.mark.skipif(not is_emulated(), reason="a GPU does not check indices without debug")
def test_which_thread_fails():
    a = np.zeros(1000)
    with raises(IndexError, "tid=[0, 0, 40] ctaid=[0, 0, 10]"):
        too_far[20, 96](a, np.zeros(2000))
    with raises(IndexError, "tid=[0, 0, 0] ctaid=[0, 0, 0]"):
        too_far[20, 96](a[:0], np.zeros(2000))
    # the first block that fails comes first, then its first row
    with raises(IndexError, "tid=[0, 0, 4] ctaid=[0, 0, 2]"):
        too_far_2d[(5, 2), (8, 4)](10, np.zeros((8, 30)))
    with raises(IndexError, "tid=[0, 2, 0] ctaid=[0, 0, 0]"):
        too_far_2d[(5, 2), (8, 4)](0, np.zeros((2, 40)))
    at = np.arange(1000)
    at[700] = 5000
    with raises(IndexError, "tid=[0, 0, 28] ctaid=[0, 0, 0]"):
        too_far_by_data[3, 32](a, at, np.zeros(1000))
    out = np.zeros(1000)
    too_far_by_data[3, 32](np.ones(1000), np.arange(1000), out)
    assert out.all()
