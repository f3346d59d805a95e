"""What kernels compute, against NumPy."""
import math

import numpy as np
from numba import float32, float64, int32, njit

from common import cuda, equal, is_emulated, raises, rng

TILE = 16


def test_grid_stride_loops():
    @cuda.jit
    def saxpy(a, x, y, out):
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            out[i] = a * x[i] + y[i]

    x, y = rng.random(10007).astype(np.float32), rng.random(10007).astype(np.float32)
    for grid, block in ((1, 1), (1, 32), (30, 128), (200, 64)):
        out = np.zeros_like(x)
        saxpy[grid, block](np.float32(2.5), x, y, out)
        np.testing.assert_allclose(out, np.float32(2.5) * x + y, rtol=1e-6)


def test_indices_in_two_and_three_dimensions():
    @cuda.jit
    def index2(out):
        x, y = cuda.grid(2)
        if x < out.shape[0] and y < out.shape[1]:
            out[x, y] = x * 1000 + y

    @cuda.jit
    def index3(out, sizes):
        x, y, z = cuda.grid(3)
        if x < out.shape[0] and y < out.shape[1] and z < out.shape[2]:
            out[x, y, z] = x * 10000 + y * 100 + z
        if x == 0 and y == 0 and z == 0:
            sizes[0], sizes[1], sizes[2] = cuda.gridsize(3)

    out = np.zeros((37, 53), np.int64)
    index2[(5, 7), (8, 8)](out)
    x, y = np.indices(out.shape)
    equal(out, x * 1000 + y)
    out, sizes = np.zeros((9, 10, 11), np.int64), np.zeros(3, np.int64)
    index3[(3, 4, 5), (4, 3, 3)](out, sizes)
    x, y, z = np.indices(out.shape)
    equal(out, x * 10000 + y * 100 + z)
    equal(sizes, np.array([12, 12, 15]))


def test_all_indices():
    @cuda.jit
    def places(out):
        block = (cuda.blockIdx.z * cuda.gridDim.y + cuda.blockIdx.y) * cuda.gridDim.x \
            + cuda.blockIdx.x
        thread = (cuda.threadIdx.z * cuda.blockDim.y + cuda.threadIdx.y) * cuda.blockDim.x \
            + cuda.threadIdx.x
        threads = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
        out[block * threads + thread] += 1

    out = np.zeros(2 * 3 * 4 * 5 * 2 * 3, np.int32)
    places[(2, 3, 4), (5, 2, 3)](out)
    assert (out == 1).all()


@cuda.jit
def matmul_tiles(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), dtype=float32)
    row, column = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for start in range(0, a.shape[1], TILE):
        tile_a[x, y] = a[row, start + y] if row < a.shape[0] and start + y < a.shape[1] else 0
        tile_b[x, y] = b[start + x, column] if start + x < b.shape[0] and column < b.shape[1] else 0
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[x, k] * tile_b[k, y]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = total


def test_shared_tiles_with_barriers_in_a_loop():
    a = rng.random((45, 70)).astype(np.float32)
    b = rng.random((70, 33)).astype(np.float32)
    c = np.zeros((45, 33), np.float32)
    matmul_tiles[(3, 3), (TILE, TILE)](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


def test_transpose_through_shared_memory():
    @cuda.jit
    def transpose(a_in, a_out):
        tile = cuda.shared.array((32, 33), int32)
        x = cuda.blockIdx.x * 32 + cuda.threadIdx.x
        y = cuda.blockIdx.y * 32 + cuda.threadIdx.y
        for j in range(0, 32, 8):
            tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = a_in[y + j, x]
        cuda.syncthreads()
        x = cuda.blockIdx.y * 32 + cuda.threadIdx.x
        y = cuda.blockIdx.x * 32 + cuda.threadIdx.y
        for j in range(0, 32, 8):
            a_out[y + j, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]

    a = np.arange(128 * 128, dtype=np.int32).reshape(128, 128)
    out = cuda.device_array_like(a)
    transpose[(4, 4), (32, 8)](cuda.to_device(a), out)
    equal(out, a.T)


def test_barrier_after_early_return():
    @cuda.jit
    def reverse_within_blocks(x):
        buffer = cuda.shared.array(64, float64)
        i = cuda.grid(1)
        if i >= x.size:
            return
        buffer[cuda.threadIdx.x] = x[i]
        cuda.syncthreads()
        last = min(cuda.blockDim.x, x.size - cuda.blockIdx.x * cuda.blockDim.x) - 1
        x[i] = buffer[last - cuda.threadIdx.x]

    x = rng.random(150)
    expected = np.concatenate([x[:64][::-1], x[64:128][::-1], x[128:][::-1]])
    reverse_within_blocks[3, 64](x)
    equal(x, expected)


def test_tree_reduction_with_a_barrier_in_a_while_loop():
    @cuda.jit
    def block_sums(x, out):
        buffer = cuda.shared.array(128, float64)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        buffer[t] = x[i] if i < x.size else 0.0
        cuda.syncthreads()
        step = cuda.blockDim.x // 2
        while step > 0:
            if t < step:
                buffer[t] += buffer[t + step]
            cuda.syncthreads()
            step //= 2
        if t == 0:
            out[cuda.blockIdx.x] = buffer[0]

    x = rng.random(1000)
    out = np.zeros(8)
    block_sums[8, 128](x, out)
    np.testing.assert_allclose(out, np.add.reduceat(x, range(0, 1000, 128)))


def test_dynamic_shared_memory():
    @cuda.jit
    def rotate(x):
        buffer = cuda.shared.array(0, int32)
        t = cuda.threadIdx.x
        buffer[t] = x[t]
        cuda.syncthreads()
        x[t] = buffer[(t + 1) % buffer.size]

    x = np.arange(64, dtype=np.int32)
    rotate[1, 64, 0, 256](x)
    equal(x, np.roll(np.arange(64, dtype=np.int32), -1))


def test_local_arrays():
    @cuda.jit
    def squares(out):
        scratch = cuda.local.array(8, float64)
        i = cuda.grid(1)
        for k in range(8):
            scratch[k] = i * k
        total = 0.0
        for k in range(8):
            total += scratch[k] * scratch[k]
        out[i] = total

    out = np.zeros(64)
    squares[2, 32](out)
    equal(out, np.arange(64.0) ** 2 * 140)


def test_numpy_arrays_of_a_thread_may_be_empty():
    @cuda.jit
    def empty(out):
        out[0] = np.zeros(0).size + np.empty((2, 0)).sum() + np.ones((0, 3), np.int32).sum()
        out[1] = np.full((2, 0, 3), 1.5).shape[2]
        for value in np.zeros(0):
            out[0] += 1 + value

    @cuda.jit
    def negative(out):
        out[0] = np.zeros((2, -1)).size

    out = np.ones(2)
    empty[1, 2](out)
    equal(out, [0.0, 3.0])
    with raises(ValueError, "negative dimensions are not allowed"):
        negative[1, 1](out)


def test_atomic_add_of_every_dtype():
    @cuda.jit
    def count(out, value):
        cuda.atomic.add(out, cuda.grid(1) % out.size, value)

    for dtype in (np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64):
        out = np.zeros(3, dtype)
        count[32, 96](out, dtype(2))
        equal(out, np.full(3, 2048, dtype))


def test_atomics_give_the_old_value():
    @cuda.jit
    def take_numbers(counter, taken):
        taken[cuda.grid(1)] = cuda.atomic.add(counter, 0, 1)

    counter, taken = np.zeros(1, np.int32), np.zeros(1024, np.int32)
    take_numbers[8, 128](counter, taken)
    assert counter[0] == 1024
    equal(np.sort(taken), np.arange(1024, dtype=np.int32))


def test_atomic_max_min_sub_cas():
    @cuda.jit
    def extremes(x, out):
        i = cuda.grid(1)
        if i < x.size:
            cuda.atomic.max(out, 0, x[i])
            cuda.atomic.min(out, 1, x[i])
            cuda.atomic.sub(out, 2, x[i])

    for dtype in (np.int32, np.int64, np.float32, np.float64):
        x = (rng.random(1000) * 2000 - 1000).astype(np.int64).astype(dtype)
        out = np.zeros(3, dtype)
        extremes[8, 128](x, out)
        assert out[0] == x.max() and out[1] == x.min() and out[2] == -x.sum()

    @cuda.jit
    def first_wins(out):
        cuda.atomic.cas(out, 0, -1, cuda.grid(1))

    out = np.array([-1], np.int64)
    first_wins[4, 32](out)
    assert 0 <= out[0] < 128


def test_histogram():
    @cuda.jit
    def histogram(x, xmin, xmax, out):
        nbins = out.shape[0]
        width = (xmax - xmin) / nbins
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            number = np.int32((x[i] - xmin) / width)
            if number >= 0 and number < out.shape[0]:
                cuda.atomic.add(out, number, 1)

    x = rng.normal(size=10000).clip(-3.9, 3.9).astype(np.float32)
    out = np.zeros(20, np.int32)
    histogram[64, 64](x, np.float32(-4), np.float32(4), out)
    expected = np.histogram(x, bins=20, range=(-4, 4))[0]
    assert abs(out - expected).sum() <= 4 and out.sum() == expected.sum()


def test_atomics_on_two_dimensional_and_shared_arrays():
    @cuda.jit
    def count(out):
        counts = cuda.shared.array(4, int32)
        t = cuda.threadIdx.x
        counts[t % 4] = 0
        cuda.syncthreads()
        cuda.atomic.add(counts, t % 4, 1)
        cuda.syncthreads()
        if t < 4:
            cuda.atomic.add(out, (t // 2, t % 2), counts[t])

    out = np.zeros((2, 2), np.int32)
    count[5, 64](out)
    equal(out, np.full((2, 2), 80, np.int32))


@cuda.jit(device=True)
def polar_to_cartesian(rho, theta):
    return rho * math.cos(theta), rho * math.sin(theta)


@cuda.jit
def square(x):
    return x * x


@njit
def half(x):
    return x / 2


def test_device_functions():
    @cuda.jit
    def distances(rho, theta, out):
        i = cuda.grid(1)
        if i < out.size:
            x, y = polar_to_cartesian(rho[i], theta[i])
            out[i] = half(math.sqrt(square(x) + square(y)))

    rho, theta, out = rng.random(500), rng.random(500) * 6, np.zeros(500)
    distances[4, 128](rho, theta, out)
    np.testing.assert_allclose(out, rho / 2, rtol=1e-12)
    with raises(ValueError, "Kernel launch configuration was not specified"):
        polar_to_cartesian(1.0, 2.0)


def test_math_functions():
    names = ["sin", "cos", "tan", "exp", "log", "sqrt", "fabs", "floor", "ceil", "atan", "tanh",
             "erf", "log1p", "expm1"]
    for name in names:
        function = getattr(math, name)

        @cuda.jit
        def apply(x, out):
            i = cuda.grid(1)
            if i < x.size:
                out[i] = function(x[i])

        for dtype, tolerance in ((np.float64, 1e-12), (np.float32, 3e-6)):
            x = (rng.random(100) + 0.1).astype(dtype)
            out = np.zeros_like(x)
            apply[1, 128](x, out)
            np.testing.assert_allclose(out, [function(v) for v in x], rtol=tolerance, err_msg=name)


def test_mandelbrot_with_complex_numbers():
    @cuda.jit
    def mandel(out, limit):
        x, y = cuda.grid(2)
        if x < out.shape[0] and y < out.shape[1]:
            c = complex(x / 16 - 2, y / 16 - 1)
            z = 0j
            count = 0
            for i in range(limit):
                z = z * z + c
                if z.real * z.real + z.imag * z.imag > 4:
                    break
                count += 1
            out[x, y] = count

    def expected(x, y, limit):
        c, z = complex(x / 16 - 2, y / 16 - 1), 0j
        for i in range(limit):
            z = z * z + c
            if z.real * z.real + z.imag * z.imag > 4:
                return i
        return limit

    out = np.zeros((48, 32), np.int32)
    mandel[(6, 4), (8, 8)](out, 50)
    equal(out, np.array([[expected(x, y, 50) for y in range(32)] for x in range(48)], np.int32))


def test_views_and_negative_indices_in_kernels():
    @cuda.jit
    def rows(a, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            row = a[i]
            total = 0.0
            for value in row[1:]:
                total += value
            out[i] = total + row[-1] + a[i, -2]

    a = rng.random((20, 7))
    out = np.zeros(20)
    rows[1, 32](a, out)
    np.testing.assert_allclose(out, a[:, 1:].sum(1) + a[:, -1] + a[:, -2])


def test_closures_and_globals_are_constants():
    def make(factor, offsets):
        @cuda.jit
        def kernel(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] = x[i] * factor + offsets[i % 3]
        return kernel

    x = np.arange(9.0)
    make(2, (1, 2, 3))[1, 32](x)
    equal(x, np.arange(9.0) * 2 + np.array([1.0, 2, 3] * 3))
    make(1, np.array([5.0, 6, 7]))[1, 32](x)
    equal(x, np.arange(9.0) * 2 + np.array([6.0, 8, 10] * 3))


def test_division_by_zero_gives_infinity():
    @cuda.jit
    def divide(a, b, out):
        out[0] = a[0] / b[0]

    out = np.zeros(1)
    divide[1, 1](np.ones(1), np.zeros(1), out)
    assert np.isinf(out[0])


def test_exceptions_name_the_thread():
    @cuda.jit(debug=True, opt=False)
    def check(x):
        i = cuda.grid(1)
        if x[i] < 0:
            raise ValueError("negative")

    x = np.ones(64)
    check[2, 32](x)
    if not is_emulated():
        return
    x[37] = -1
    with raises(ValueError, "In function", "tid=[0, 0, 5] ctaid=[0, 0, 1]: negative"):
        check[2, 32](x)


def test_race_free_counter_and_large_grids():
    @cuda.jit
    def touch(counter):
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(counter, 0, 1)

    counter = cuda.to_device(np.zeros(1, np.int64))
    touch[100000, 4](counter)
    assert counter.copy_to_host()[0] == 100000


def test_out_of_bounds_is_an_exception_on_the_emulated_device():
    @cuda.jit
    def past_the_end(x):
        x[cuda.grid(1)] = 1

    x = cuda.to_device(np.zeros(40))
    if not is_emulated():
        return
    with raises(IndexError, "In function 'past_the_end', file", "tid=[0, 0, 8] ctaid=[0, 0, 1]: index is out of bounds"):
        past_the_end[2, 32](x)
    past_the_end[5, 8](x)
    equal(x, np.ones(40))


def test_print_from_a_kernel():
    import contextlib
    import io

    @cuda.jit
    def show(x):
        i = cuda.grid(1)
        if i == 1:
            print(i, "of", x[i], True, (i, 2), cuda.threadIdx, cuda.blockDim)

    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        show[1, 4](np.array([1.5, 2.5]))
        cuda.synchronize()
    if is_emulated():
        assert output.getvalue() == "1 of 2.500000 True (1, 2) (1, 0, 0) (4, 1, 1)\n", output.getvalue()


def test_typeof_a_device_array():
    import numba
    assert str(numba.typeof(cuda.to_device(np.zeros((2, 3))))) == "array(float64, 2d, C)"


def test_device_arrays_of_the_enclosing_scope():
    weights = cuda.to_device(np.arange(12.0).reshape(3, 4))
    column = weights[:, 1]
    counts = cuda.to_device(np.zeros(3, np.int32))

    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        out[i] = weights[i, 2] + column[i]
        cuda.atomic.add(counts, i, 1)

    out = np.zeros(3)
    kernel[1, 3](out)
    equal(out, [3.0, 11.0, 19.0])
    weights.copy_to_device(np.ones((3, 4)))
    kernel[1, 3](out)
    equal(out, [2.0, 2.0, 2.0])  # where it lies, not a frozen copy
    equal(counts, np.full(3, 2, np.int32))
