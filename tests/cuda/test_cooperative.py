"""Grids whose blocks wait for each other."""
from common import cuda, equal, np, raises


def test_grid_sync():
    @cuda.jit
    def kernel(a, steps, out):
        grid = cuda.cg.this_grid()
        i = cuda.grid(1)
        for _ in range(steps):
            v = a[(i + 1) % a.size]
            grid.sync()
            a[i] = v + 1
            grid.sync()
        if i == 0:
            total = 0
            for j in range(a.size):
                total += a[j]
            out[0] = total

    for blocks, threads, steps in ((8, 32, 5), (1, 7, 3), (3, 96, 1), (2, 64, 0)):
        n = blocks * threads
        a, out = np.arange(n), np.zeros(1, np.int64)
        for _ in range(2):  # the barrier must be as before after a launch
            a[:] = np.arange(n)
            kernel[blocks, threads](a, steps, out)
            equal(a, np.roll(np.arange(n), -steps) + steps)
            assert out[0] == a.sum()


def test_grid_sync_beside_block_barriers_and_in_a_device_function():
    @cuda.jit
    def wait(grid):
        grid.sync()

    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array(32, np.int64)
        t, i = cuda.threadIdx.x, cuda.grid(1)
        tile[t] = a[i]
        cuda.syncthreads()
        if t == 0:
            total = 0
            for j in range(32):
                total += tile[j]
            out[cuda.blockIdx.x] = total
        wait(cuda.cg.this_grid())
        cuda.syncthreads()
        a[i] = out[(cuda.blockIdx.x + 1) % cuda.gridDim.x] + tile[31 - t]

    a = np.arange(128)
    out = np.zeros(4, np.int64)
    kernel[4, 32](a, out)
    sums = np.arange(128).reshape(4, 32).sum(axis=1)
    equal(out, sums)
    equal(a, np.repeat(np.roll(sums, -1), 32) +
          np.arange(128).reshape(4, 32)[:, ::-1].ravel())


def test_too_many_blocks():
    @cuda.jit
    def kernel(a):
        cuda.cg.this_grid().sync()
        a[0] = 1

    a = np.zeros(1)
    with raises(Exception, "COOPERATIVE_LAUNCH_TOO_LARGE"):
        kernel[65535, 1024](a)
    kernel[1, 32](a)
    assert a[0] == 1


def test_host_use():
    with raises(NotImplementedError, "cannot be called from host code"):
        cuda.cg.this_grid()
