"""What cuda.xray says of instructions, operations, loops, barriers and caches, beside what is worked out on paper."""
import collections
import math
from types import SimpleNamespace

import pytest
from common import cuda, is_emulated, np, raises

from gridcell.insight.bound import Bound
from gridcell.insight.gpus import NAMES, gpu_of
from gridcell.insight.memory_model import add_traffic

N, WARPS = 128, 4


def line_of(result, source):
    return next(line for line in result.instructions if line["source"].startswith(source))


# --- instructions and operations ---------------------------------------------------------------

@cuda.jit
def arithmetic(a, n, out):
    i = cuda.grid(1)
    x = a[i]
    y = x * x + x
    y = y - x / y
    y = math.sqrt(y)
    y = -min(y, x)
    k = n * 3 ^ i
    out[i] = y + k
    if x < y:
        out[i] = cuda.fma(x, y, x)


@pytest.mark.parametrize("dtype, own", [(np.float32, "fp32"), (np.float64, "fp64")])
def test_instructions_by_class(dtype, own):
    a = np.full(N, 2, dtype)
    result = cuda.xray(arithmetic, 4, 32, a, 5, np.zeros(N, dtype))
    expected = {  # of each thread: instructions, operations
        "i = cuda.grid": ({"integer": 1}, 0, 2),
        "x = a[i]": ({"memory": 1}, 0, 0),
        "y = x * x + x": ({own: 1}, 2, 0),  # one fused
        "y = y - x / y": ({own: 2}, 2, 0),
        "y = math.sqrt(y)": ({"special": 1}, 1, 0),
        "y = -min(y, x)": ({own: 2}, 0, 0),
        "k = n * 3 ^ i": ({"integer": 2}, 0, 2),
        "if x < y": ({own: 1, "control": 1}, 0, 0),
    }
    for source, (instructions, flops, integers) in expected.items():
        line = line_of(result, source)
        found = {name: line[name] // N for name in ("fp16", "fp32", "fp64", "integer", "special", "conversion",
                                                    "memory", "control") if line[name]}
        assert found == instructions, source
        assert (line["flops"], line["integer_operations"]) == (flops * N, integers * N), source
        assert line["warp_instructions"] == WARPS * sum(instructions.values()) and line["active_lanes"] == 32
    assert line_of(result, "out[i] = y + k")["conversion"] >= N  # of an integer
    total = result.total
    assert total["flops"] == sum(line["flops"] for line in result.instructions)
    assert total["warp_instructions"] == sum(line["warp_instructions"] for line in result.instructions)
    assert total[f"{own}_instructions"] == sum(line[own] for line in result.instructions)


@cuda.jit
def fused(a, b, out):
    i = cuda.grid(1)
    if i % 2:
        out[i] = cuda.fma(a[i], b[i], a[i])


def test_fma_is_two_operations():
    result = cuda.xray(fused, 4, 32, *(np.ones(N, np.float32) for _ in range(3)))
    line = line_of(result, "out[i] = cuda.fma")
    assert (line["fp32"], line["flops"], line["memory"]) == (N // 2, N, N // 2 * 4)
    assert line["active_lanes"] == 16
    assert result.total["arithmetic_intensity"] == N / (3 * 4 * N)


@cuda.jit
def complex_product(a, out):
    i = cuda.grid(1)
    out[i] = a[i] * a[i] + a[i]


def test_complex_numbers():
    result = cuda.xray(complex_product, 4, 32, np.ones(N, np.complex64), np.ones(N, np.complex64))
    assert result.total["fp32_flops"] == result.total["flops"] == N * (6 + 2)


@cuda.jit(device=True)
def square(x):
    return x * x


@cuda.jit
def through_calls(a, out):
    i = cuda.grid(1)
    if i < 40:
        out[i] = square(a[i]) + square(out[i])
    total = a[:4].sum()
    out[i] += total


def test_device_functions_and_the_library():
    """A device function's work stands at its own lines, the library's at those of its callers."""
    result = cuda.xray(through_calls, 4, 32, np.ones(N, np.float32), np.ones(N, np.float32))
    line = line_of(result, "return x * x")
    assert (line["flops"], line["active_lanes"]) == (2 * 40, pytest.approx(20))
    # three among the items, where the function that calls itself is counted, and a zero that is 0 + 0
    assert line_of(result, "total = a[:4].sum()")["fp32"] == (5 if is_emulated() else 2) * N
    assert [loop["source"] for loop in result.loops] == []


# --- loops and barriers ------------------------------------------------------------------------

@cuda.jit
def triangle(out):
    i = cuda.threadIdx.x
    total = 0
    for j in range(3):
        for k in range(i):
            if k == 50:
                break
            total += k
    while total > 7:
        total -= 7
    out[i] = total


def test_turns_of_loops():
    result = cuda.xray(triangle, 2, 64, np.zeros(64, np.int64))
    outer, inner, last = result.loops
    assert (outer["entries"], outer["turns"], outer["min"], outer["max"]) == (128, 3 * 128, 3, 3)
    turns = [min(i, 51) for i in range(64)]  # the turn that breaks off is one
    assert (inner["entries"], inner["turns"]) == (3 * 128, 3 * 2 * sum(turns))
    assert (inner["min"], inner["max"], inner["mean"]) == (0, 51, sum(turns) / 64)
    sums = [3 * sum(range(min(i, 50))) for i in range(64)]
    turns = [max(0, -(-(total - 7) // 7)) for total in sums]
    assert (last["turns"], last["max"]) == (2 * sum(turns), max(turns))


@cuda.jit
def uneven(out, turns):
    own = cuda.shared.array(128, np.float32)
    i = cuda.threadIdx.x
    total = np.float32(0)
    if i < 32:
        for k in range(turns):
            total += k
    own[i] = total
    cuda.syncthreads()
    out[i] = own[127 - i]


def test_work_before_barriers():
    even, = cuda.xray(uneven, 3, 128, np.zeros(128, np.float32), 0).barriers
    busy, = (result := cuda.xray(uneven, 3, 128, np.zeros(128, np.float32), 1000)).barriers
    assert all(line["active_lanes"] == 32 for line in result.instructions)  # also of what a barrier is amid
    assert 1 <= even["imbalance"] < 1.5
    assert 3.9 < busy["imbalance"] <= 4  # one warp of four does all of it
    assert any("the busiest warp does" in text for text in result.verdict)


@cuda.jit
def in_parts(out):
    own = cuda.shared.array(64, np.int64)
    i, total = cuda.threadIdx.x, 0
    for k in range(5):
        own[i] = i * 3
        cuda.syncthreads()
        total += own[63 - i] + 1
        cuda.syncthreads()
    out[i] = total + i


def test_parts_that_barriers_cut():
    result = cuda.xray(in_parts, 2, 64, np.zeros(64, np.int64))
    found = {line["source"]: (line["warp_instructions"], line["active_lanes"]) for line in result.instructions}
    warps = 2 * 2
    assert found["own[i] = i * 3"] == (5 * warps * 2, 32)  # a product and a store
    assert found["total += own[63 - i] + 1"] == (5 * warps * 4, 32)
    assert found["cuda.syncthreads()"] == (5 * warps, 32) and found["out[i] = total + i"] == (2 * warps, 32)


@cuda.jit
def counting(values, bins):
    cuda.atomic.add(bins, values[cuda.grid(1)], 1)


def test_depth_of_atomics():
    values = np.repeat(np.arange(N // 4), 4)
    result = cuda.xray(counting, 4, 32, values, np.zeros(N, np.int32))
    atomic = next(row for row in result.lines if row["op"] == "atomic")
    assert (atomic["depth"], atomic["conflicts"], result.total["integer_operations"]) == (4, N // 4 * 3, 3 * N)


# --- caches ------------------------------------------------------------------------------------

@cuda.jit
def copied(a, out, shift):
    i = cuda.grid(1)
    out[i] = a[i] + a[i + shift]


def test_bytes_of_caches():
    a, out = cuda.to_device(np.zeros(4096 + 32, np.float32)), cuda.to_device(np.zeros(4096, np.float32))
    result = cuda.xray(copied, 16, 256, a, out, 0)
    total = result.total
    assert (total["dram_read_bytes"], total["dram_written_bytes"], total["fits_l2"]) == (4 * 4096, 4 * 4096, True)
    assert total["l2_bytes"] == 3 * 4 * 4096
    total = cuda.xray(copied, 16, 256, a, out, 32).total  # rows that overlap, each byte once
    assert total["dram_read_bytes"] == 4 * (4096 + 32)


def rows(*ranges):
    return [SimpleNamespace(space="global", op=op, requests=1, sectors=sectors, distinct=distinct, low=low, high=high)
            for op, low, high, sectors, distinct in ranges]


def test_the_cache_model():
    gpu = gpu_of("T4")  # 4 MB of L2
    size = 16 << 20
    # 8 blocks that each load all of an array four times as large as L2, twice
    asked = rows(("load", 1 << 30, (1 << 30) + size, 16 * size // 32, 8 * size // 32))
    traffic = add_traffic(asked, gpu, 8, [1])
    assert traffic["footprint_bytes"] == size and not traffic["fits_l2"]
    assert traffic["l2_bytes"] == 16 * size  # nor does it fit in L1
    assert traffic["dram_bytes"] == size + (16 - 1) * size * 3 // 4
    traffic = add_traffic(asked, gpu_of("H100"), 8, [1])
    assert traffic["fits_l2"] and traffic["dram_bytes"] == size == asked[0].dram_bytes
    # loads that L1 has; atomic operations read and write
    small = rows(("load", 4096, 8192, 1024, 128), ("atomic", 16384, 16384 + 64, 500, 2))
    traffic = add_traffic(small, gpu, 1, [2])
    assert (small[0].l2_bytes, small[1].l2_bytes) == (4096, 500 * 32)
    assert (traffic["dram_read_bytes"], traffic["dram_written_bytes"]) == (4096 + 64, 64)
    assert add_traffic([], gpu, 1, [1])["dram_bytes"] == 0


# --- known GPUs --------------------------------------------------------------------------------

@pytest.mark.parametrize("name", NAMES)
def test_published_rates_agree(name):
    """Two operations a clock of each float32 unit are what the tables say, and memory is behind the caches."""
    gpu = gpu_of(name)
    units = 128 if gpu.limits.capability in ((8, 6), (8, 9), (9, 0)) else 64
    assert gpu.flops["fp32"] == pytest.approx(2 * units * gpu.multiprocessors * gpu.clock, rel=0.02)
    assert gpu.flops["fp64"] < gpu.flops["fp32"] <= gpu.flops["fp16"] < gpu.flops["tensor"]
    assert gpu.dram < gpu.l2 < gpu.shared


@cuda.jit
def scaled(a, out):
    i = cuda.grid(1)
    out[i] = math.sin(a[i] * 2.0) + 0.5


def test_float64_where_no_array_has_it():
    a, out = np.ones(4096, np.float32), np.zeros(4096, np.float32)
    text = cuda.xray(scaled, 16, 256, a, out, device="T4").verdict[0]
    assert "instructions in float64, which T4 does 32 times slower" in text and "np.float32" in text
    assert cuda.xray(scaled, 16, 256, a.astype(float), out.astype(float), device="T4").verdict == []


def test_names_of_gpus():
    assert gpu_of("nvidia geforce rtx 4090").name == "RTX4090" and gpu_of("Tesla T4").name == "T4"
    with raises(ValueError, "unknown GPU 'GTX1'", "L40S", "H200"):
        gpu_of("GTX1")
    with raises(ValueError, "unknown GPU"):
        gpu_of([])
    bound = cuda.xray(scaled, 1, 32, np.ones(32, np.float32), np.ones(32, np.float32), device="H200").bound
    assert bound.seconds == max(bound.times.values()) and bound.times[bound.limiter] == bound.seconds
    assert f"s on H200, bound by {bound.limiter} (a model)" in repr(bound)


def test_the_roof_of_integers():
    """Is reached where each instruction is a multiplication and an addition, and by nothing else."""
    instructions = collections.defaultdict(int, blocks=1000, integer_warp_instructions=1000, warp_instructions=1000)
    for operations, share in ((64_000, 1), (32_000, 0.5)):
        instructions["integer_operations"] = operations
        assert Bound(instructions, gpu_of("T4")).share == share


@cuda.jit
def added(a):
    x, y, z = cuda.grid(3)
    if x < a.shape[2]:
        a[z, y, x] += 1


def test_verdicts_of_blocks_that_are_narrow():
    a = np.zeros((16, 16, 16), np.float16)
    text, = cuda.xray(added, (4, 4, 4), (4, 4, 4), a).verdict[:1]
    assert "8.0 sectors" in text and "a row of the block has 4 threads, whose 8 bytes fill no sector: make blocks wider" in text
    assert not any("block has" in text for text in cuda.xray(added, (1, 16, 16), (16, 1, 1), a).verdict)


def test_a_guard_of_what_is_left_over_is_no_fault():
    a = np.zeros((1, 1, 100), np.float32)
    result = cuda.xray(added, 1, 128, a)
    assert result.branches[0]["divergent"] == 1 and result.verdict == []


def test_pictures_of_a_kernel_that_does_nothing():
    nothing = cuda.xray(cuda.jit(lambda: None), 1, 32)
    for picture in (nothing.access_picture, nothing.tile_picture):
        with raises(ValueError, "the kernel has accessed no memory"):
            picture()
    with raises(ValueError, "neither accessed memory nor come to a branch"):
        nothing.mask_picture()
