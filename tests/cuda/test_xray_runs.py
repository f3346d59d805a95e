"""Counts of loops by cuda.xray, beside what each lane does turn by turn: regular and irregular ones, in each order."""
import linecache
from collections import defaultdict

import pytest
from common import cuda, is_emulated, np, raises, rng
from xray_model import global_cost, shared_cost

from gridcell.insight.told import events

TURNS, THREADS = 80, 96


def loop(start, stop, step, index, condition="True"):
    """A kernel that loads at an index in each turn, and the same in Python: the index by thread and turn."""
    text = f"""
def kernel(a, out):
    i = cuda.threadIdx.x
    total = np.float32(0)
    for k in range({start}, {stop}, {step}):
        if {condition}:
            total += a[{index}]
    out[i] = total
"""
    names = {"cuda": cuda, "np": np}
    exec(compile(text, f"<loop {start} {stop} {step} {index} {condition}>", "exec"), names)

    def indices(i):
        turns = range(*(eval(str(number), {}, {"i": i}) for number in (start, stop, step)))
        for turn, k in enumerate(turns):
            if eval(condition, {}, {"i": i, "k": k}):
                yield turn, eval(index, {}, {"i": i, "k": k})
    linecache.cache[names["kernel"].__code__.co_filename] = (len(text), None, text.splitlines(True), "")
    return cuda.jit(names["kernel"]), indices


LOOPS = {
    "side by side": (0, TURNS, 1, "i + 96 * k"), "by rows": (0, TURNS, 1, "80 * i + k"),
    "backwards": (0, TURNS, 1, "80 * i + 79 - k"), "one for all": (0, TURNS, 1, "k"),
    "the same": (0, TURNS, 1, "i"), "by odd steps": (0, TURNS, 1, "i + 37 * k"), "far steps": (0, TURNS, 1, "i * 3 + 17 * k"),
    "steps by lane": (0, TURNS, 1, "i * k"), "lanes the other way": (0, TURNS, 1, "95 - i + 8 * k"),
    "fewer turns by lane": (0, "i", 1, "i + k"), "later start by lane": ("i", TURNS, 1, "i + k"),
    "steps of range": ("i % 2", TURNS, 3, "i + k"), "every other": (0, TURNS, 1, "i + 96 * k", "k % 2 == 0"),
    "lanes in turns": (0, TURNS, 1, "i + 96 * k", "(k + i) % 3 == 0"), "late lanes": (0, TURNS, 1, "i + k", "k >= i % 7"),
    "in rings": (0, TURNS, 1, "(i * 5 + k) % 64"), "squares": (0, TURNS, 1, "(i + k * k) % 2048"),
    "one turn": (0, TURNS, 1, "i + k", "k == 95 - i"), "lanes by warp": (0, "i // 32 * 40", 1, "i + 32 * k"),
}


@pytest.mark.skipif(not is_emulated(), reason="a GPU may bring lanes together later")
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop(name):
    kernel, indices = loop(*LOOPS[name])
    result = cuda.xray(kernel, 1, THREADS, cuda.to_device(np.zeros(96 * TURNS, np.float32)),
                       cuda.to_device(np.zeros(THREADS, np.float32)))
    load = next(row for row in result.lines if row["op"] == "load")
    requests, touched = defaultdict(dict), set()
    for i in range(THREADS):
        for turn, index in indices(i):
            requests[i // 32, turn][i % 32] = 4 * index
            touched.add(index // 8)
    wanted = {"requests": len(requests), "sectors": 0, "sectors_ideal": 0, "wavefronts": 0}
    for lanes in requests.values():
        for figure, count in global_cost(4, lanes).items():
            wanted[figure] += count
    assert {figure: load[figure] for figure in wanted} == wanted
    assert load["reuse"] == pytest.approx(wanted["sectors"] / len(touched))
    told = [(thread, what) for row, thread, _, what in events(result._told) if row.op == "load"]
    start = min(what for _, what in told) - 4 * min(index for i in range(THREADS) for _, index in indices(i))
    assert told == [(i, start + 4 * index) for i in range(THREADS) for _, index in indices(i)]


@cuda.jit
def tiles(a, out, turns):
    own = cuda.shared.array(256, np.float32)
    i = cuda.threadIdx.x
    total = np.float32(0)
    for first in range(turns):
        own[i] = a[first * 64 + i]
        cuda.syncthreads()
        for k in range(16):
            total += own[(i * 3 + k * first) % 256]
        cuda.syncthreads()
    out[i] = total


@pytest.mark.skipif(not is_emulated(), reason="a GPU may bring lanes together later")
def test_loops_between_barriers():
    turns = 9
    result = cuda.xray(tiles, 1, 64, cuda.to_device(np.zeros(64 * turns, np.float32)), cuda.to_device(np.zeros(64)), turns)
    load = next(row for row in result.lines if row["op"] == "load" and row["space"] == "shared")
    cost = [shared_cost(4, {lane: 4 * (((32 * warp + lane) * 3 + k * first) % 256) for lane in range(32)})
            for first in range(turns) for k in range(16) for warp in range(2)]
    assert load["requests"] == len(cost) == 2 * 16 * turns
    assert load["wavefronts"] == sum(one["wavefronts"] for one in cost)
    assert load["conflicts"] == sum(one["conflicts"] for one in cost)


@cuda.jit
def irregular(a, order, n):
    i = cuda.grid(1)
    for k in range(n):
        a[order[i, k]] += 1


@cuda.jit
def regular(a, n):
    i = cuda.grid(1)
    for k in range(n):
        a[i] += k


@pytest.mark.skipif(not is_emulated(), reason="a GPU counts all turns")
def test_long_loops():
    """Of irregular loops of warps behind the first, the first turns are counted, and the figures multiplied; of regular
    ones all."""
    n = 6000
    result = cuda.xray(regular, 1, 256, np.zeros(256, np.float32), 100_000)
    assert not result.is_partial and [row["requests"] for row in result.lines] == [8 * 100_000] * 2
    assert [row["sectors"] for row in result.lines] == [8 * 100_000 * 4] * 2
    order = cuda.to_device(np.tile(rng.permutation(n), (256, 1)))
    result = cuda.xray(irregular, 1, 256, np.zeros(n, np.float32), order, n)
    assert result.is_partial and "long loops were counted in part" in repr(result)
    assert [row["requests"] for row in result.lines] == [8 * n] * 3
    assert {row["sectors"] for row in result.lines if row["access"].startswith("a[")} == {8 * n}
    with raises(ValueError, "warp 7 of the first block told nothing among the first 65,536", "those that did are 0"):
        result.mask_picture(warp=7)
    assert result.loops[0]["turns"] == 256 * n and result.branches[0]["branches"] == 8 * (n + 1)
    short = cuda.xray(irregular, 1, 256, np.zeros(n, np.float32), order, 100)
    assert not short.is_partial


@cuda.jit(device=True)
def twice(a, i):
    return a[i] + a[i + 32]


@cuda.jit
def same_places(a, out):
    i = cuda.threadIdx.x
    out[i] = twice(a, i) + twice(a, 2 * i) if i % 3 else twice(a, i)


@pytest.mark.skipif(not is_emulated(), reason="a GPU may bring lanes together later")
def test_one_place_by_several_ways():
    result = cuda.xray(same_places, 1, 64, cuda.to_device(np.zeros(256)), cuda.to_device(np.zeros(64)))
    loads = [row for row in result.lines if row["op"] == "load"]
    assert sum(row["requests"] for row in loads) == 2 * 2 * 3
    many = cuda.xray(same_places, 40, 64, cuda.to_device(np.zeros(256)), cuda.to_device(np.zeros(64)))
    assert [row["requests"] for row in many.lines] == [40 * row["requests"] for row in result.lines]
