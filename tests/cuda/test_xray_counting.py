"""What an observed kernel calls on a GPU to count: here called on the emulated device, with lanes of our choice."""
import pathlib
import re

import pytest
from common import by_route, cuda, is_emulated, np, ptx_routes

from gridcell.insight.gpus import gpu_called
from gridcell.library import counting

rng = np.random.default_rng()
LOAD, STORE, ATOMIC = range(3)
SPACES = {"global": counting.GLOBAL, "shared": counting.SHARED, "constant": counting.CONSTANT, "local": counting.LOCAL}
SECTORS, EVENTS = 1 << 14, 64
WORDS = ("requests", "lanes", "bytes", "sectors", "ideal", "distinct", "wavefronts", "conflicts", "even", "strides")


@cuda.jit
def drive(memory, masks, kinds, spaces, sizes, addresses):
    """Block i counts at site i."""
    i, lane = cuda.blockIdx.x, cuda.threadIdx.x
    if masks[i] >> lane & 1:
        counting.access(memory, i, kinds[i], spaces[i], sizes[i], 0, addresses[i, lane])


def laid_out(sites):
    memory = np.zeros(16 + sites * counting.ROW_WORDS + 4 * EVENTS + SECTORS, np.int64)
    memory[counting.COPIES], memory[counting.SECTORS], memory[counting.EVENTS] = 1, SECTORS, EVENTS
    memory[counting.AT_ROWS] = 16
    memory[counting.AT_EVENTS] = 16 + sites * counting.ROW_WORDS
    memory[counting.AT_SECTORS] = len(memory) - SECTORS
    return memory


def pieces(addresses, size, piece):
    return len({byte // piece for address in addresses for byte in range(address, address + size)})


def on_paper(mask, kind, space, size, addresses):
    """The rules of runtime/emulator/warp_access.c, byte by byte."""
    lanes = [lane for lane in range(32) if mask >> lane & 1]
    found = dict.fromkeys(WORDS, 0)
    own = [int(addresses[lane]) for lane in lanes]
    found.update(requests=1, lanes=len(lanes), bytes=len(lanes) * size)
    steps = {int(addresses[lane + 1] - addresses[lane]) for lane in lanes if lane + 1 in lanes}
    if len(steps) == 1:
        found.update(even=1, strides=abs(steps.pop()))
    if space == "global":
        sectors = pieces(own, size, 32)
        found.update(sectors=sectors, distinct=sectors, ideal=-(-pieces(own, size, 1) // 32))
        if kind != ATOMIC:
            found.update(wavefronts=pieces(own, size, 128))
    if kind == ATOMIC:
        found.update(conflicts=len(own) - len(set(own)), wavefronts=max(own.count(address) for address in own))
    elif space == "shared":
        width = 32 if size <= 4 else 16 if size <= 8 else 8
        for first in range(0, 32, width):
            group = [int(addresses[lane]) for lane in lanes if first <= lane < first + width]
            words = {byte // 4 for address in group for byte in range(address, address + size)}
            fullest = max((sum(word % 32 == bank for word in words) for bank in range(32)), default=0)
            found["wavefronts"] += fullest
            found["conflicts"] += max(0, fullest - 1)
    elif space == "constant":
        found.update(wavefronts=len(set(own)), conflicts=len(set(own)) - 1)
    elif space == "local":
        words = [[((address // 4 + word) * 32 + lane) * 4 for lane, address in zip(lanes, own)]
                 for word in range(-(-size // 4))]
        found.update(sectors=sum(pieces(word, 4, 32) for word in words), ideal=-(-len(own) * size // 32),
                     wavefronts=sum(pieces(word, 4, 128) for word in words))
    return found


def random_case(number):
    """Lanes at even distances, in few places, anywhere; aligned or not; all, some, one of them."""
    size = int(rng.choice([1, 2, 4, 8, 12, 16, 40]))
    base, lanes = int(rng.integers(1 << 20, 1 << 40)) // 256 * 256, np.arange(32)
    places = [lanes * int(rng.integers(-9, 9)) * size, rng.integers(0, 5, 32) * size, rng.integers(0, 999, 32) * size,
              rng.integers(0, 999, 32), lanes * 0, lanes * size + size // 2][number % 6]
    mask = int(rng.choice([0xffffffff, 1 << int(rng.integers(32)), int(rng.integers(1, 1 << 32)), 0x55555555]))
    return mask, int(rng.integers(3)), str(rng.choice(list(SPACES))), size, base + 4096 * 16 + places


def test_accesses():
    cases = [random_case(number) for number in range(300)]
    masks, kinds, spaces, sizes, addresses = zip(*cases)
    memory = laid_out(len(cases))
    drive[len(cases), 32](memory, np.array(masks, np.int64), np.array(kinds), np.array([SPACES[space] for space in spaces]),
                          np.array(sizes), np.array(addresses))
    rows = memory[16:16 + len(cases) * counting.ROW_WORDS].reshape(-1, counting.ROW_WORDS)
    for case, row in zip(cases, rows):
        wanted = on_paper(*case)
        assert dict(zip(WORDS, row.tolist())) == wanted, case
        own = [int(case[4][lane]) for lane in range(32) if case[0] >> lane & 1]
        if case[2] == "global":
            assert counting.FAR - row[counting.LOW] == min(own) and row[counting.HIGH] == max(own) + case[3]
    assert memory[counting.TOLD] == bin(masks[0]).count("1")


def test_names_agree():
    """The words that Python and C give names to are the same."""
    header = (pathlib.Path(__file__).parents[2] / "compiler/types/observed.h").read_text()
    names = re.findall(r"COUNTED_(\w+)[,;]", header.partition("enum counted_header")[2].partition("};")[0])
    assert [getattr(counting, name) for name in names[:-1]] == list(range(len(names) - 1)), names
    for name in ("ROW_WORDS", "PHASE_WORDS", "EVENT_WORDS", "LOW"):
        assert int(re.search(rf"COUNTED_{name} = (\d+)", header)[1]) == getattr(counting, name)


@cuda.jit(device=True)
def halved(a, i):
    while a[i] > 1:
        a[i] //= 2
    return a[i]


@cuda.jit
def several(a, out):
    own = cuda.shared.array(64, np.int32)
    i = cuda.threadIdx.x
    own[i] = halved(a, i)
    cuda.syncthreads()
    if i < 32:
        cuda.atomic.add(out, 0, own[i + 32])


@pytest.mark.parametrize("route", ptx_routes())
def test_the_same_sites_on_a_gpu(route):
    """Of each site that the emulated device has, one call in the kernel's PTX, which others do not have."""
    with by_route(route):
        found = cuda.xray(several, 1, 64, cuda.to_device(np.arange(64)), cuda.to_device(np.zeros(1, np.int64)))
        several[1, 64](cuda.to_device(np.arange(64)), cuda.to_device(np.zeros(1, np.int64)))
        ptx, plain = several.observed()._gpu_code(0, 7, 5)[0], several._gpu_code(0, 7, 5)[0]
    calls = {name: len(re.findall(rf"^\s*{name}_\d+,", ptx, re.M)) for name in ("access", "branch", "barrier", "loop")}
    assert calls == {"access": len(found.lines), "branch": len(found.branches), "barrier": 1, "loop": 2}
    assert "gridcell_observed" in ptx and "gridcell_observed" not in plain and "access_" not in plain
    assert (found.counted_on is None) == is_emulated()


@pytest.mark.parametrize("text, name", [
    ("NVIDIA H100 80GB HBM3", "H100"), ("Tesla T4", "T4"), ("NVIDIA A100-SXM4-40GB", "A100"),
    ("NVIDIA A100-SXM4-80GB", "A100-80GB"), ("NVIDIA GeForce RTX 4090", "RTX4090"), ("NVIDIA L40S", "L40S"),
    ("Quadro P400", None), ("NVIDIA A10", "A10"), ("NVIDIA H200", "H200"), ("Tesla V100-SXM2-16GB", "V100")])
def test_names_of_devices(text, name):
    found = gpu_called(text)
    assert (found and found.name) == name
