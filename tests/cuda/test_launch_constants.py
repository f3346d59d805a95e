"""Shapes of shared and local arrays that the launch decides."""
from common import cuda, equal, np, raises
from numba import float32, float64


def test_shapes_from_parameters_and_launch():
    @cuda.jit
    def kernel(out, n, m):
        rows = cuda.blockDim.x + 1
        tile = cuda.shared.array((rows, n), float64)
        own = cuda.local.array(m * 2, float32)
        t = cuda.threadIdx.x
        own[m] = t
        for j in range(n):
            tile[t, j] = t * j
        cuda.syncthreads()
        out[cuda.grid(1)] = tile[cuda.blockDim.x - 1 - t, n - 1] + own[m] * 1000
        if t == 0:
            out[0] = tile.shape[0] * 100 + tile.shape[1] * 10 + own.size

    for threads, n, m in ((8, 3, 2), (16, 4, np.int32(5)), (8, 3, 2), (32, 1, 1)):
        out = np.zeros(threads)
        kernel[1, threads](out, n, m)
        t = np.arange(threads)
        expected = (threads - 1 - t) * (n - 1) + t * 1000.
        expected[0] = (threads + 1) * 100 + n * 10 + m * 2
        equal(out, expected)
    assert len(kernel.overloads) >= 1


def test_shapes_from_the_grid():
    @cuda.jit
    def kernel(out):
        row = cuda.shared.array(cuda.gridDim.x * cuda.blockDim.y, np.int32)
        if cuda.threadIdx.y == 0:
            out[cuda.blockIdx.x] = row.size

    for grid, threads in ((3, 4), (5, 2)):
        out = np.zeros(grid, np.int64)
        kernel[grid, (1, threads)](out)
        equal(out, np.full(grid, grid * threads))


def test_what_a_launch_cannot_tell():
    @cuda.jit
    def from_shape(a):
        s = cuda.shared.array(a.shape[0], float64)
        a[0] = s.size

    @cuda.jit
    def empty(a, n):
        s = cuda.shared.array((n, 2), float64)
        a[0] = s.size

    @cuda.jit
    def from_float(a, n):
        s = cuda.shared.array(n, float64)
        a[0] = s.size

    with raises(Exception, "must be known when the kernel is compiled", "cuda.blockDim"):
        from_shape[1, 1](np.zeros(3))
    with raises(ValueError, "array length <= 0"):
        empty[1, 1](np.zeros(3), 0)
    with raises(Exception, "must be known"):
        from_float[1, 1](np.zeros(3), 2.5)
