"""Counts of cuda.xray beside those worked out on paper by the rules of the CUDA programming guide: sectors of
32 bytes, 32 banks of 4 bytes, warps of 32 lanes."""
from math import gcd

import pytest
from common import cuda, is_emulated, np, raises, rng
from insight import (BLOCK, STEPS, by_parity, by_records, by_row, gather, histogram, interleaved, reduction, sequential,
                     shared_histogram, strided, strided_index, tiled, transposed)

N, WARPS = 512, 16
emulated = pytest.mark.skipif(not is_emulated(), reason="a GPU counts all blocks, and raises under debug only")
DTYPES = (np.int8, np.int16, np.float32, np.float64, np.complex128)


def only(result, op, space="global", access=None):
    found = [row for row in result.lines
             if row["op"] == op and row["space"] == space and access in (None, row["access"])]
    assert len(found) == 1, result
    return found[0]


def counts(row, *names):
    return tuple(row[name] for name in names)


def device(array):
    return cuda.to_device(np.ascontiguousarray(array))


# --- global memory -----------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("stride", [*range(1, 9), 15, 16, 17, 31, 32])
def test_strided_copy(dtype, stride):
    size = np.dtype(dtype).itemsize
    source = np.arange(N * stride).astype(dtype)
    target = device(np.zeros(N, dtype))
    result = cuda.xray(strided, 4, 128, device(source), target, stride, 0)
    np.testing.assert_array_equal(target.copy_to_host(), source[::stride])
    step = stride * size  # up to a sector apart all sectors on the way are touched
    touched = 32 if step >= 32 else 31 * step // 32 + 1
    load, store = only(result, "load"), only(result, "store")
    assert counts(load, "requests", "sectors", "sectors_ideal") == (WARPS, WARPS * touched, WARPS * size)
    assert counts(store, "requests", "sectors", "sectors_ideal") == (WARPS, WARPS * size, WARPS * size)
    assert load["bytes"] == N * size and load["active_lanes"] == 32 and load["stride"] == step
    starts = range(0, N * step, 32 * step)  # of the warps
    assert load["wavefronts"] == sum(
        32 if step >= 128 else (at + 31 * step + size - 1) // 128 - at // 128 + 1 for at in starts)


@pytest.mark.parametrize("start", range(0, 18))
@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.float64])
def test_misaligned_copy(dtype, start):
    size = np.dtype(dtype).itemsize
    source = np.arange(N + start).astype(dtype)
    result = cuda.xray(strided, 4, 128, device(source), device(np.zeros(N, dtype)), 1, start)
    load = only(result, "load")
    assert load["sectors"] == WARPS * (size + (start * size % 32 != 0))
    assert load["sectors_ideal"] == WARPS * size


@pytest.mark.parametrize("fields", [2, 3, 4, 8])
def test_structures(fields):
    names = "xyzuvwst"[:fields]
    points = np.zeros(N, [(name, np.float32) for name in names])
    points["x"] = np.arange(N)
    out = device(np.zeros(N, np.float32))
    load = only(cuda.xray(by_records, 4, 128, device(points), out), "load")
    np.testing.assert_array_equal(out.copy_to_host(), points["x"])
    assert counts(load, "sectors", "sectors_ideal") == (WARPS * 4 * fields, WARPS * 4)
    load = only(cuda.xray(strided, 4, 128, device(points["x"]), out, 1, 0), "load")
    assert counts(load, "sectors", "sectors_ideal") == (WARPS * 4, WARPS * 4)


def test_sums_by_row_and_column():
    a = rng.random((128, 128)).astype(np.float32)
    out = device(np.zeros(128, np.float32))
    load = only(cuda.xray(by_row, 2, 64, device(a), out), "load")
    assert counts(load, "requests", "sectors") == (4 * 128, 4 * 128 * 32)
    np.testing.assert_allclose(out.copy_to_host(), a.sum(1), rtol=1e-5)
    load = only(cuda.xray(by_row, 2, 64, cuda.to_device(a.T), out), "load")
    assert counts(load, "requests", "sectors") == (4 * 128, 4 * 128 * 4)
    np.testing.assert_allclose(out.copy_to_host(), a.sum(0), rtol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
def test_random_gather(dtype):
    size, n = np.dtype(dtype).itemsize, 1000
    source = np.arange(700).astype(dtype)
    indices = rng.integers(0, 700, n)
    indices[96:128] = 5  # all lanes at one address
    result = cuda.xray(gather, 4, 256, device(source), device(indices), device(np.zeros(n, dtype)))
    warps = [indices[at:at + 32] for at in range(0, n, 32)]
    load = only(result, "load", access="source[indices[i]]")
    assert load["requests"] == len(warps)
    assert load["sectors"] == sum(np.unique(warp * size // 32).size for warp in warps)
    assert load["sectors_ideal"] == sum(-(-np.unique(warp).size * size // 32) for warp in warps)
    assert load["wavefronts"] == sum(np.unique(warp * size // 128).size for warp in warps)
    assert load["active_lanes"] == pytest.approx(n / len(warps))
    assert only(result, "load", access="indices[i]")["sectors"] == -(-n * 8 // 32)
    guard, = result.branches
    assert (guard["branches"], guard["divergent"]) == (32, 1)


# --- shared memory -----------------------------------------------------------------------------

def test_transpose():
    a, warps = rng.random((96, 96)).astype(np.float32), 9 * 32
    out = device(np.zeros((96, 96), np.float32))
    result = cuda.xray(transposed, (3, 3), (32, 32), device(a), out)
    assert counts(only(result, "load"), "requests", "sectors") == (warps, 4 * warps)
    assert counts(only(result, "store"), "requests", "sectors") == (warps, 32 * warps)
    for columns, ways in ((32, 32), (33, 1), (34, 2), (36, 4), (40, 8)):
        out = device(np.zeros((96, 96), np.float32))
        result = cuda.xray(tiled(columns), (3, 3), (32, 32), device(a), out)
        np.testing.assert_array_equal(out.copy_to_host(), a.T)
        assert result.total["global_sectors"] == result.total["global_sectors_ideal"] == 8 * warps
        assert counts(only(result, "store", "shared"), "wavefronts", "conflicts") == (warps, 0)
        load = only(result, "load", "shared")
        assert counts(load, "wavefronts", "conflicts") == (ways * warps, (ways - 1) * warps)
        assert result.barriers[0]["arrivals"] == warps


def strided_shared(dtype, stride):
    items = 32 * stride

    @cuda.jit
    def kernel(out):
        own = cuda.shared.array(items, dtype)
        i = cuda.threadIdx.x
        own[i * stride] = i
        out[i] = own[i * stride]
    return kernel


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("stride", [1, 2, 3, 4, 6, 8, 16, 24, 32])
def test_banks(dtype, stride):
    size = np.dtype(dtype).itemsize
    result = cuda.xray(strided_shared(dtype, stride), 1, 32, device(np.zeros(32, dtype)))
    passes = {8: 2, 16: 4}.get(size, 1)
    if size >= 4:  # of 32, 16 or 8 lanes
        wanted = passes * gcd(stride, 32 // passes)
    else:
        words = np.unique(np.arange(32) * stride * size // 4)
        wanted = np.bincount(words % 32).max()
    for op in ("load", "store"):
        assert counts(only(result, op, "shared"), "requests", "wavefronts", "conflicts") \
            == (1, wanted, wanted - passes)


@cuda.jit
def broadcast(out):
    own = cuda.shared.array(64, np.float32)
    i = cuda.threadIdx.x
    own[i] = i
    cuda.syncthreads()
    out[i] = own[7] + own[i // 2] + own[63 - i]


def test_broadcast():
    result = cuda.xray(broadcast, 1, 64, device(np.zeros(64, np.float32)))
    for access in ("own[7]", "own[i // 2]", "own[63 - i]"):
        assert counts(only(result, "load", "shared", access), "requests", "wavefronts") == (2, 2)


def branch_at(result, source):
    return next(row for row in result.branches if row["source"].startswith(source))


def reduced(step):
    kernel = reduction(step)
    a, out = rng.integers(0, 9, 4 * BLOCK).astype(np.float32), device(np.zeros(4, np.float32))
    result = cuda.xray(kernel, 4, BLOCK, device(a), out)
    np.testing.assert_array_equal(out.copy_to_host(), a.reshape(4, BLOCK).sum(1))
    return result


def test_reduction_interleaved():
    result = reduced(interleaved)
    # up to 16 each of the 8 warps has a lane in 2 s; beyond, one warp in s / 16
    divergent = sum(8 if s <= 16 else BLOCK // (2 * s) for s in STEPS)
    branch = branch_at(result, "if i % ")
    assert (branch["branches"], branch["divergent"]) == (4 * 8 * 8, 4 * divergent)
    load = only(result, "load", "shared", "own[i + s]")
    assert (load["requests"], load["conflicts"]) == (4 * divergent, 0)


def test_reduction_with_strided_index():
    result = reduced(strided_index)
    requests = wavefronts = divergent = 0
    for s in STEPS:
        active = BLOCK // (2 * s)  # lanes in a row, 2 s words apart
        for lanes in [32] * (active // 32) + [active % 32] * (active % 32 > 0):
            requests += 1
            divergent += lanes < 32
            wavefronts += -(-lanes // max(1, 32 // (2 * s)))
    branch = branch_at(result, "if k < ")
    assert branch["divergent"] == 4 * divergent
    load = only(result, "load", "shared", "own[k + s]")
    assert counts(load, "requests", "wavefronts", "conflicts") \
        == (4 * requests, 4 * wavefronts, 4 * (wavefronts - requests))


def test_reduction_sequential():
    result = reduced(sequential)
    branch = branch_at(result, "if i < BLOCK")
    assert branch["divergent"] == 4 * 5  # 16, 8, 4, 2, 1, in the first warp
    load = only(result, "load", "shared", "own[i + BLOCK // 2 // s]")
    assert counts(load, "requests", "conflicts") == (4 * sum(-(-s // 32) for s in STEPS), 0)


# --- other memories ----------------------------------------------------------------------------

TABLE = np.arange(64, dtype=np.float32)


@cuda.jit
def from_tables(out):
    table = cuda.const.array_like(TABLE)
    own = cuda.local.array(8, np.float32)
    wide = cuda.local.array(8, np.float64)
    i = cuda.threadIdx.x
    for k in range(8):
        own[(k + i) % 8] = k
        wide[k] = k
    out[i] = table[5] + table[i] + own[i % 8] + wide[3]


def test_constant_and_local():
    result = cuda.xray(from_tables, 1, 64, device(np.zeros(64, np.float32)))
    assert counts(only(result, "load", "constant", "table[5]"), "requests", "wavefronts") == (2, 2)
    assert counts(only(result, "load", "constant", "table[i]"), "wavefronts", "conflicts") == (64, 62)
    # a word of all 32 lanes lies in one line; lanes at 8 different words touch 8 lines by a lane a sector
    assert counts(only(result, "store", "local", "wide[k]"), "requests", "sectors") == (16, 16 * 8)
    own = only(result, "store", "local", "own[(k + i) % 8]")
    assert counts(own, "requests", "sectors", "wavefronts") == (16, 16 * 32, 16 * 8)


@cuda.jit(device=True)
def item_of(table, i):
    return table[i]


@cuda.jit("float32(float32[::1], int64)", device=True)
def declared_item(table, i):
    return table[i]


@cuda.jit
def from_functions(out, a):
    table, own, shared = cuda.const.array_like(TABLE), cuda.local.array(64, np.float32), cuda.shared.array(64, np.float32)
    i = cuda.threadIdx.x
    shared[i] = i
    for k in range(64):
        own[k] = k
    out[i] = item_of(table, i) + item_of(own, i) + item_of(shared, i) + item_of(a, i)
    out[i] += declared_item(table, i) + declared_item(own, i) + declared_item(shared, i) + declared_item(a, i)


def test_functions_know_the_memory_of_what_they_take():
    a = np.ones(64, np.float32)
    found = [(row["source"], row["space"]) for row in cuda.xray(from_functions, 1, 64, np.zeros(64), a).lines
             if row["access"] == "table[i]"]
    assert sorted(space for _, space in found) == sorted(2 * ["constant", "local", "shared", "global"]), found


# --- atomics -----------------------------------------------------------------------------------

def test_histograms():
    values = rng.integers(0, 40, 2000)
    warps = [np.bincount(values[at:at + 32], minlength=40) for at in range(0, 2000, 32)]
    clashes, depth = sum((w[w > 0] - 1).sum() for w in warps), sum(w.max() for w in warps)
    for kernel, space in ((histogram, "global"), (shared_histogram, "shared")):
        bins = device(np.zeros(40, np.int32))
        result = cuda.xray(kernel, 16, 128, device(values), bins)
        np.testing.assert_array_equal(bins.copy_to_host(), np.bincount(values, minlength=40))
        access = only(result, "atomic", space)
        assert counts(access, "requests", "conflicts", "wavefronts") == (len(warps), clashes, depth)
    last = only(result, "atomic", "global")
    assert counts(last, "requests", "sectors", "conflicts") == (16 * 2, 16 * 5, 0)


# --- every form of access ----------------------------------------------------------------------

PAIR = np.dtype([("x", np.float32), ("y", np.float64)], align=True)


@cuda.jit
def forms(a, b, pairs, other):
    i = cuda.grid(1)
    tile = cuda.shared.array((2, 64), np.float32)
    tile[:, i] = a[i]
    b[i, :] = a[i]
    b[i, :] = tile[:, i]
    other[i] = pairs[i]
    pairs[i].y = 3
    cuda.stcs(a, i, cuda.ldcg(a, i) + 1)
    for x in tile[0, :2]:
        a[i] = x
    cuda.atomic.max(a, i, 2)
    cuda.atomic.compare_and_swap(a[i:], 5, 6)


def test_forms_of_access():
    a, b = device(np.arange(64, dtype=np.float32)), device(np.zeros((64, 2), np.float32))
    pairs, other = device(np.zeros(64, PAIR)), device(np.zeros(64, PAIR))
    result = cuda.xray(forms, 1, 64, a, b, pairs, other)
    found = [(row["op"], row["space"], row["source"], row["requests"], row["item_bytes"]) for row in result.lines]
    assert found == [
        ("load", "global", "tile[:, i] = a[i]", 2, 4), ("store", "shared", "tile[:, i] = a[i]", 4, 4),
        ("load", "global", "b[i, :] = a[i]", 2, 4), ("store", "global", "b[i, :] = a[i]", 4, 4),
        ("load", "shared", "b[i, :] = tile[:, i]", 4, 4), ("store", "global", "b[i, :] = tile[:, i]", 4, 4),
        ("load", "global", "other[i] = pairs[i]", 2, 16), ("store", "global", "other[i] = pairs[i]", 2, 16),
        ("store", "global", "pairs[i].y = 3", 2, 8),
        ("load", "global", "cuda.stcs(a, i, cuda.ldcg(a, i) + 1)", 2, 4),
        ("store", "global", "cuda.stcs(a, i, cuda.ldcg(a, i) + 1)", 2, 4),
        ("load", "shared", "for x in tile[0, :2]:", 4, 4), ("store", "global", "a[i] = x", 4, 4),
        ("atomic", "global", "cuda.atomic.max(a, i, 2)", 2, 4),
        ("atomic", "global", "cuda.atomic.compare_and_swap(a[i:], 5, 6)", 2, 4)], found
    np.testing.assert_array_equal(b.copy_to_host(), np.repeat(np.arange(64)[:, None], 2, 1))


@cuda.jit(debug=True, opt=False)
def checked(out):
    own = cuda.shared.array(64, np.float32)
    i = cuda.threadIdx.x
    own[i] = i
    cuda.syncthreads()
    out[i] = own[63 - i]


def test_kernels_under_debug():
    assert only(cuda.xray(checked, 1, 64, np.zeros(64)), "load", "shared")["wavefronts"] == 2


def test_threads_that_count_at_once():
    import concurrent.futures
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda n: cuda.xray(fill, n, 32, np.zeros(32 * n)), range(1, 30)))
    assert [only(result, "store")["requests"] for result in results] == list(range(1, 30))


# --- divergence --------------------------------------------------------------------------------

@pytest.mark.parametrize("width", [1, 2, 8, 16, 32, 64])
def test_divergent_branch(width):
    result = cuda.xray(by_parity, 4, 128, device(np.zeros(N, np.int32)), width)
    branch, = result.branches
    is_split = width < 32
    assert (branch["branches"], branch["divergent"]) == (WARPS, WARPS * is_split)
    stores = [row for row in result.lines if row["op"] == "store"]
    assert sum(row["requests"] for row in stores) == WARPS * (1 + is_split)
    assert {row["active_lanes"] for row in stores} == {16 if is_split else 32}


@cuda.jit
def triangle(a, out):
    i = cuda.threadIdx.x
    total = 0
    for j in range(3):
        for k in range(i % 32):
            total += a[k]
            if k == 20:
                continue
            total += a[j]
    out[i] = total


def test_lanes_come_together_behind_loops():
    """Lane n makes n turns, three times: 31 turns each time for the warp, not 93 in a row."""
    result = cuda.xray(triangle, 1, 64, device(np.ones(64, np.int64)), device(np.zeros(64, np.int64)))
    load = only(result, "load", access="a[k]")
    assert (load["requests"], load["active_lanes"]) == (2 * 3 * 31, 16)
    assert only(result, "load", access="a[j]")["requests"] == 2 * 3 * 30
    inner = branch_at(result, "for k in")
    assert (inner["branches"], inner["divergent"]) == (2 * 3 * 32, 2 * 3 * 31)


@cuda.jit(device=True)
def item(a, i):
    return a[i]


@cuda.jit
def calls(a, out):
    i = cuda.threadIdx.x
    if i % 2:
        out[i] = item(a, i) + item(a, i)
    else:
        out[i] = item(a, i)


def test_calls_are_apart():
    result = cuda.xray(calls, 1, 32, device(np.arange(32)), device(np.zeros(32, np.int64)))
    load = only(result, "load")
    assert (load["requests"], load["active_lanes"]) == (3, 16) and load["source"] == "return a[i]"


@cuda.jit
def fill(out):
    i = cuda.grid(1)
    out[i] = i


@pytest.mark.parametrize("threads", [1, 31, 33, 48])
def test_blocks_of_odd_sizes(threads):
    result = cuda.xray(fill, 3, threads, device(np.zeros(3 * threads, np.float32)))
    store = only(result, "store")
    warps = -(-threads // 32)
    assert store["requests"] == 3 * warps and store["active_lanes"] == threads / warps
    sectors = 0
    for block in range(3):
        for first in range(0, threads, 32):
            at = (block * threads + first) * 4, (block * threads + min(first + 32, threads)) * 4 - 1
            sectors += at[1] // 32 - at[0] // 32 + 1
    assert store["sectors"] == sectors


# --- what it is asked --------------------------------------------------------------------------

def test_host_arrays_are_as_on_the_device():
    source, target = np.arange(N + 1.0)[1:], np.zeros(N)
    load = only(cuda.xray(strided, 4, 128, source, target, 1, 0), "load")
    assert load["sectors"] == load["sectors_ideal"]
    np.testing.assert_array_equal(target, source)


@emulated
def test_large_grids_are_sampled():
    threads, blocks = 256, 8192
    out = cuda.device_array(threads * blocks, np.float32)
    result = cuda.xray(fill, blocks, threads, out)
    assert result.is_sampled and 8 <= result.observed_blocks < blocks
    assert f"sampled: {result.observed_blocks} of {blocks}" in repr(result)
    assert only(result, "store")["requests"] == threads * blocks // 32
    np.testing.assert_array_equal(out.copy_to_host(), np.arange(threads * blocks, dtype=np.float32))


@cuda.jit
def failing(out):
    i = cuda.grid(1)
    if i == out[0]:
        raise ValueError("no")
    out[i + 1] = 1


@emulated
@pytest.mark.parametrize("thread", [3, 128 * 7 + 5])
def test_kernels_that_raise(thread):
    with raises(ValueError, "no", f"tid=[0, 0, {thread % 128}] ctaid=[0, 0, {thread // 128}]"):
        cuda.xray(failing, 8, 128, device(np.full(2000, thread)))
    assert only(cuda.xray(failing, 8, 128, device(np.full(2000, -1))), "store")["requests"] == 32


@emulated
def test_kernels_that_raise_where_nobody_counts():
    """Of a large grid, a block that runs as it is without counting."""
    with raises(ValueError, "no", "ctaid=[0, 0, 8190]"):
        cuda.xray(failing, 8192, 256, device(np.full(8192 * 256 + 1, 8190 * 256 + 9)))


def test_bad_input():
    out = np.zeros(32)
    with raises(ValueError, "unknown GPU 'H900'", "known are", "T4"):
        cuda.xray(fill, 1, 32, out, device="H900")
    with raises(TypeError, "cuda.xray takes a kernel (@cuda.jit)"):
        cuda.xray(print, 1, 32, out)
    with raises(TypeError, "item is a device function"):
        cuda.xray(item, 1, 32, out)
    with raises(TypeError, "missing a required argument: 'out'"):
        cuda.xray(fill, 1, 32)
    with raises(ValueError, "griddim"):
        cuda.xray(fill, (1, 1, 1, 1), 32, out)
    assert cuda.xray(fill, 1, 32, out, device="rtx 4090").device == "RTX4090"


@cuda.jit("void(float64[:])")
def declared(out):
    out[cuda.grid(1)] = 1


@cuda.jit
def dynamic(out):
    own = cuda.shared.array(0, np.float32)
    own[cuda.threadIdx.x] = 1
    out[cuda.grid(1)] = own[cuda.threadIdx.x]


@cuda.jit
def meeting(out):
    i = cuda.grid(1)
    out[i] += 1
    cuda.cg.this_grid().sync()
    out[i] += out[(i + 1) % out.size]


def test_forms_of_kernels():
    assert only(cuda.xray(declared, 2, 64, np.zeros(128)), "store")["requests"] == 4
    stream = cuda.stream()
    result = cuda.xray(dynamic, 2, 64, np.zeros(128), stream=stream, shared=256)
    assert only(result, "load", "shared")["wavefronts"] == 4 and result.total["block_shared_bytes"] == 256
    assert cuda.xray(meeting, 2, 64, np.zeros(128)).barriers[0]["arrivals"] == 4


@emulated
def test_plain_launches_know_nothing_of_it():
    cuda.xray(fill, 1, 32, np.zeros(32))
    fill[1, 32](np.zeros(32))
    assert all("observe" not in text for text in fill.inspect_llvm(host=True).values())


def test_texts():
    result = cuda.xray(gather, 1, 64, np.arange(9.0), np.array([0, 8] * 16), np.zeros(32), device="A100")
    page = result._repr_html_()
    assert "if i &lt; indices.size" in page and "i < indices" not in page and "<li>" not in page
    assert result._repr_mimebundle_() == {"text/plain": repr(result), "text/html": page}
    text = repr(result)
    assert text.splitlines()[0] == "gather[1, 64]" and "Nothing stands out." in text
    assert "occupancy on A100: 100%, 32 blocks a multiprocessor, limited by threads" in text
    marked = cuda.xray(transposed, (1, 1), (32, 32), device(np.zeros((32, 32))), device(np.zeros((32, 32))))
    page = marked._repr_html_()
    assert '<tr class="marked">' in page and page.count("<details>") == 1 and "1. Line " in repr(marked)
    assert marked.total["occupancy"] == 1 and cuda.xray(fill, 1, 32, np.zeros(32), device="T4").total["occupancy"] == 0.5


def test_tables():
    result = cuda.xray(fill, 2, 32, np.zeros(64))
    columns = ["line", "source", "space", "op", "requests", "sectors", "sectors_ideal", "wavefronts",
               "conflicts", "bytes", "active_lanes"]
    assert list(result.lines[0])[:11] == columns and result.lines[0]["source"] == "out[i] = i"
    plain = result.to_dict()
    assert plain["lines"] == result.lines and plain["total"]["global_bytes"] == 64 * 8
    assert plain["grid"] == [2, 1, 1] and plain["verdict"] == result.verdict
    assert result.uncounted == plain["uncounted"] == [] and "not counted:" not in repr(result)
    counted = (result.blocks, result.observed_blocks, 0, True, True, *result._counted)  # as a GPU says
    other = type(result)(fill, fill[2, 32], {}, counted, result.gpu, False)
    assert "not counted: what functions that call themselves do and what linked CUDA C does" in repr(other)
    pandas = pytest.importorskip("pandas")
    frame = result.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns)[:11] == columns
    assert int(frame.requests.sum()) == 2
