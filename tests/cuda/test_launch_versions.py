"""Versions of a kernel that launches choose between: for arguments that share memory or do not, and for
grids of many blocks."""
import itertools

import numpy as np
import pytest
from numba import typeof

from common import by_route, cuda, equal, new_adder, ptx_routes, rng

MANY = 5000  # blocks: enough for several of them to run in one
OFTEN = 4  # launches of so many: enough for a version where they do


@cuda.jit
def shift(source, out):
    for i in range(out.size):
        out[i] = source[i] + 1


def test_arguments_that_share_memory():
    apart = cuda.to_device(np.arange(10, dtype=np.float32)), cuda.device_array(10, np.float32)
    memory = cuda.to_device(np.full(11, 5, np.float32))
    for _ in range(2):  # the versions alternate
        shift[1, 1](*apart)
        equal(apart[1], np.arange(10, dtype=np.float32) + 1)
        memory.copy_to_device(np.full(11, 5, np.float32))
        shift[1, 1](memory[:-1], memory[1:])  # each item is the one before it, as it is by then
        equal(memory, np.arange(11, dtype=np.float32) + 5)
        memory.copy_to_device(np.full(11, 5, np.float32))
        shift[1, 1](memory, memory)
        equal(memory, np.full(11, 6, np.float32))


def test_views_that_interleave_or_are_reversed_share_memory():
    memory = cuda.to_device(np.zeros(10, np.int64))
    shift[1, 1](memory[:-1][::-1], memory[1:][::-1])
    equal(memory, [0] + [1] * 9)
    memory.copy_to_device(np.zeros(10, np.int64))
    shift[1, 1](memory[::2], memory[1::2])  # their extents overlap, their items do not
    equal(memory, [0, 1] * 5)


@cuda.jit
def count_up(limits, steps, out):
    cuda.syncthreads()
    for i in range(limits[0]):
        out[i % out.size] += steps[0]
    cuda.syncthreads()
    steps[0] = limits[0]


def test_an_argument_given_twice():
    numbers = cuda.to_device(np.array([6]))
    out = cuda.to_device(np.zeros(4, np.int64))
    count_up[1, 1](numbers, numbers, out)
    equal(out, [12, 12, 6, 6])
    count_up[1, 1](numbers, out[1:2], out)
    assert int(out.copy_to_host()[1]) == 6


def test_empty_arrays_share_nothing():
    empty = cuda.device_array(0, np.float32)
    shift[1, 1](empty, empty)


add = new_adder()


@cuda.jit
def add_or_return(a, b, out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    out[i] = a[i] + b[i]


def test_many_blocks():
    for threads, surplus in (32, 0), (32, -1), (32, -33), (33, 5 - 33), (64, -64 * 3), (64, -64 * 900):
        n = MANY * threads + surplus
        a, b = rng.random(n), rng.random(n)
        for kernel in add, add_or_return:
            for _ in range(OFTEN):
                out = cuda.to_device(np.zeros(n + 100))
                kernel[MANY, threads](cuda.to_device(a), cuda.to_device(b), out[:n])
                equal(out, np.concatenate([a + b, np.zeros(100)]))


def test_every_number_of_blocks_left_over():
    for blocks in [MANY] * OFTEN + [MANY + 1, MANY + 2, MANY + 3, 4095, 4096]:
        out = cuda.to_device(np.zeros(blocks * 32 + 64, np.int32))
        place[blocks, 32](out[:blocks * 32])
        expected = np.repeat(np.arange(blocks), 32) * 100000 + blocks
        equal(out, np.concatenate([expected, np.zeros(64)]).astype(np.int32))


@cuda.jit
def place(out):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    out[i] = cuda.blockIdx.x * 100000 + cuda.gridDim.x


@cuda.jit
def two_outputs(a, b, low, high):
    i = cuda.grid(1)
    if i < a.size:
        low[i] = min(a[i], b[i])
        high[i] = max(a[i], b[i]) / 2


def test_many_blocks_with_two_outputs_in_place():
    n = MANY * 64 - 7
    a, b = rng.random(n), rng.random(n)
    for _ in range(OFTEN):
        low, high = cuda.to_device(a), cuda.to_device(b)
        two_outputs[MANY, 64](low, high, low, high)
        equal(low, np.minimum(a, b))
        equal(high, b / 2)  # of a's items as they are by then


@cuda.jit
def by_blocks_of_two_axes(out):
    x, y = cuda.grid(2)
    if x < out.shape[0] and y < out.shape[1]:
        out[x, y] = cuda.blockIdx.x + 10000 * cuda.blockIdx.y


def test_many_blocks_along_two_axes():
    for grid in [(MANY, 1), (MANY, 2)] * OFTEN:
        out = cuda.to_device(np.zeros((MANY * 8 - 3, grid[1] * 2), np.int32))
        by_blocks_of_two_axes[grid, (8, 2)](out)
        x, y = np.indices(out.shape)
        equal(out, (x // 8 + 10000 * (y // 2)).astype(np.int32))


@cuda.jit
def gather(values, indices, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = values[indices[i]] if indices[i] % 3 else -values[indices[i]]


def test_many_blocks_that_choose():
    n = MANY * 32 - 100
    values, indices = rng.random(1000), rng.integers(-1000, 1000, n)
    for _ in range(OFTEN):
        out = cuda.device_array(n)
        gather[MANY, 32](cuda.to_device(values), cuda.to_device(indices), out)
        equal(out, np.where(indices % 3, values[indices], -values[indices]))


@cuda.jit
def stride_through(values, totals):
    total = np.float32(0)
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        total += values[i]
    totals[cuda.grid(1)] = total


def test_loops_end_where_they_should_however_far_they_are_unrolled():
    # what lies behind the array would show in the sum
    memory = cuda.to_device(np.full(200 * 32, np.nan, np.float32))
    totals = cuda.device_array(32, np.float32)
    for turns in (*range(12), 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 49, 56, 63, 64, 65, 100, 128, 160):
        values = memory[:turns * 32]
        values[:] = 1
        stride_through[1, 32](values, totals)
        equal(totals, np.full(32, turns, np.float32))


BODY = np.dtype([("x", np.float32), ("mass", np.float64), ("id", np.int32), ("flags", np.uint8, 5)])  # of 21 bytes
POINT = np.dtype([("x", np.float32), ("y", np.float32), ("id", np.int32), ("flags", np.uint16, 2)])
PAIR = np.dtype([("first", POINT), ("value", np.int64)])
TAGGED = np.dtype([("tag", np.uint8), ("point", POINT)])


@cuda.jit
def advance(step, points):
    i = cuda.grid(1)
    if i < points.size:
        point = points[i]
        point.x += step * point.y
        point.id += 1
        point.flags[1] = point.id


def points(dtype, shape):
    made = np.zeros(shape, dtype)
    inner = made if dtype is POINT else made["first" if dtype is PAIR else "point"]
    inner["x"], inner["y"] = rng.random(shape, np.float32), rng.random(shape, np.float32)
    inner["id"] = np.arange(made.size).reshape(shape)
    return made, inner


def advanced(inner):
    want = inner.copy()
    want["x"] += np.float32(2) * inner["y"]
    want["id"] += 1
    want["flags"][..., 1] = want["id"]
    return want


def test_packed_records_wherever_they_lie():
    """Where they lie at multiples of their size they are read whole; a launch sees whether they do."""
    for dtype, name in (POINT, None), (PAIR, "first"), (TAGGED, "point"), (POINT, None):
        for part in slice(None), slice(1, None), slice(None, None, 3), slice(None, None, -1):
            made, inner = points(dtype, 40)
            want = inner.copy()
            want[part] = advanced(inner[part])
            memory = cuda.to_device(made)
            of_points = memory if name is None else memory[name]
            advance[2, 32](np.float32(2), of_points[part])
            back = memory.copy_to_host()
            equal(back if name is None else back[name], want)


def test_packed_records_are_read_whole():
    for route, (dtype, widths) in itertools.product(ptx_routes(), [(POINT, ["f32", "u32"]), (BODY, ["u8"])]):
        @cuda.jit
        def double(items):
            item = items[cuda.grid(1)]
            item.x *= np.float32(2)
            item.id += 1
        with by_route(route):
            double[1, 8](cuda.to_device(np.zeros(8, dtype)))
            (ptx,) = double.inspect_asm().values()
            assert {w for w in ("f32", "u32", "u8") if f"ld.global.{w}" in ptx} == set(widths), (route, dtype, ptx)


@cuda.jit
def multiply_add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] += x[i] * y[i]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers_wherever_they_lie(dtype):
    """Whole numbers are read at once; a field of a packed record is not aligned for that."""
    for fields in [("value", dtype)], [("tag", np.float32), ("value", dtype)], [("value", dtype), ("tag", np.uint64)]:
        memory = np.zeros((3, 50), fields)
        memory["value"] = rng.random((3, 50)) + 1j * rng.random((3, 50))
        for part in slice(None), slice(1, None, 2), slice(None, None, -1):
            on_device = cuda.to_device(memory)
            x, y, out = (on_device["value"][i][part] for i in range(3))
            multiply_add[2, 32](x, y, out)
            x, y, out = (memory["value"][i][part] for i in range(3))
            want = memory["value"].copy()
            want[2][part] += x * y
            np.testing.assert_allclose(on_device.copy_to_host()["value"], want, rtol=1e-6)


@cuda.jit
def increment(items):
    for i in range(cuda.threadIdx.x, items.size, cuda.blockDim.x):
        items[i] += 1


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.uint64, np.float16, np.float32, np.float64, np.complex64,
                                   np.complex128])
def test_fields_at_odd_places(dtype):
    """A GPU ends the context at an access that is not aligned; NumPy knows which views are."""
    for tag in "u1", "u2", "u4", "u8", "S3":
        memory = np.zeros((3, 7), [("tag", tag), ("value", dtype), ("more", dtype)])
        on_device = cuda.to_device(memory)
        for name in "value", "more":
            for part in (slice(None), slice(None)), (1, slice(None)), (slice(None, None, 2), 3):
                host, device = memory[name][part], on_device[name][part]
                assert typeof(device).aligned == host.flags.aligned, (tag, name, part)
                if host.ndim == 1:
                    host += 1
                    increment[1, 4](device)
        for name in "value", "more":
            equal(on_device[name].copy_to_host(), memory[name])


def test_bytes_of_float16():
    """What a sum's lower byte is, and not the sum as an integer."""
    @cuda.jit
    def kernel(a, low, high):
        i = cuda.grid(1)
        if i < a.size:
            bits = np.float16(a[i] + a[i]).view(np.uint16)
            low[i], high[i] = bits & 255, bits >> 8

    a = np.random.default_rng(2).normal(size=200).astype(np.float16)
    for route in ptx_routes():
        low, high = np.zeros(200, np.uint8), np.zeros(200, np.uint8)
        with by_route(route):
            cuda.jit(kernel.py_func)[4, 64](a, low, high)
        assert ((low + 256 * high.astype(int)) == (a + a).view(np.uint16)).all(), route


def test_complex_numbers_are_read_at_once():
    loads = [(np.complex64, "ld.global.v2.f32"), (np.complex128, "ld.global.v2.f64")]
    for route, (dtype, load) in itertools.product(ptx_routes(), loads):
        kernel = cuda.jit(multiply_add.py_func)
        with by_route(route):
            kernel[1, 8](*(cuda.to_device(np.ones(8, dtype)) for _ in range(3)))
            (ptx,) = kernel.inspect_asm().values()
            assert ptx.count(load) == 3, ptx


def test_code_for_others_assumes_no_alignment():
    from numba import from_dtype, types
    ptx, _ = cuda.compile_ptx(advance.py_func, (types.float32, from_dtype(POINT)[::1]), cc=(9, 0))
    assert "ld.global.f32" not in ptx and ".u8" in ptx
