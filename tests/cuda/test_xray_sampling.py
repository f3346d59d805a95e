"""Large grids of which cuda.xray counts some blocks: the first and the last for themselves, the others as a sample."""
import pytest
from common import cuda, is_emulated, np

pytestmark = pytest.mark.skipif(not is_emulated(), reason="a GPU counts all blocks")


@cuda.jit
def ended(a, out):
    i = cuda.grid(1)
    if i == 0:
        out[0] = a[1] * np.float32(3)
    if i < a.size:
        out[i] = a[i] + np.float32(1)


def test_ends_are_counted_for_themselves():
    blocks, threads = 4000, 128
    n = blocks * threads - 77
    result = cuda.xray(ended, blocks, threads, cuda.to_device(np.zeros(n, np.float32)), cuda.device_array(n, np.float32))
    assert result.is_sampled and f"{result.observed_blocks} of {blocks} blocks were counted" in repr(result)
    rows = {(row["op"], row["access"]): row for row in result.lines}
    assert rows["load", "a[1]"]["bytes"] == rows["store", "out[0]"]["bytes"] == 4
    for op, access in (("load", "a[i]"), ("store", "out[i]")):
        row = rows[op, access]
        assert (row["bytes"], row["requests"], row["sectors"]) == (4 * n, -(-n // 32), -(-n // 8))
        assert row["stride"] == 4
    assert result.total["fp32_instructions"] == n + 1
    assert [branch["branches"] for branch in result.branches] == [blocks * 4, blocks * 4]
    assert [branch["divergent"] for branch in result.branches] == [1, 1]


@cuda.jit
def uneven(a, out, turns):
    total = np.float32(0)
    for k in range(turns[cuda.blockIdx.x]):
        total += a[k, cuda.threadIdx.x]
    out[cuda.grid(1)] = total


def test_a_sample_is_near():
    blocks, threads = 3000, 64
    turns = np.random.default_rng(7).integers(0, 60, blocks)
    result = cuda.xray(uneven, blocks, threads, cuda.to_device(np.zeros((60, threads), np.float32)),
                       cuda.device_array(blocks * threads, np.float32), cuda.to_device(turns))
    assert result.is_sampled
    loads = {row["access"]: row for row in result.lines if row["op"] == "load"}
    assert loads["turns[cuda.blockIdx.x]"]["requests"] == 2 * blocks
    assert loads["a[k, cuda.threadIdx.x]"]["requests"] == pytest.approx(2 * turns.sum(), rel=0.2)
    loop = result.loops[0]
    assert loop["entries"] == blocks * threads and loop["max"] <= 59
    assert loop["turns"] == pytest.approx(threads * turns.sum(), rel=0.2)
    assert result.total["fp32_flops"] == loop["turns"]


def test_small_grids_are_counted_whole():
    n = 100 * 128 - 5
    result = cuda.xray(ended, 100, 128, cuda.to_device(np.zeros(n, np.float32)), cuda.device_array(n, np.float32))
    assert not result.is_sampled and result.observed_blocks == 100 and "sampled" not in repr(result)
