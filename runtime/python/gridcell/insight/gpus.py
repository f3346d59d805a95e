# SPDX-License-Identifier: MIT
"""Known GPUs: what a multiprocessor holds, by NVIDIA's table of compute capabilities, and the peak rates that
NVIDIA publishes. docs/insight.md has the table with its sources."""
import collections
import functools

Limits = collections.namedtuple("Limits", "capability threads blocks shared_bytes block_reserve integer special")
_REGISTERS, _QUARTERS = 64 << 10, 4  # of a multiprocessor: all warps of a quarter share a fourth of its registers
_REGISTER_UNIT = 256  # what a warp gets them by

# integer, special: results a clock and multiprocessor, by the programming guide's table of throughputs
_BY_CAPABILITY = {limits.capability: limits for limits in (
    Limits((7, 0), 2048, 32, 96 << 10, 0, 64, 16),
    Limits((7, 5), 1024, 16, 64 << 10, 0, 64, 16),
    Limits((8, 0), 2048, 32, 164 << 10, 1 << 10, 64, 16),
    Limits((8, 6), 1536, 16, 100 << 10, 1 << 10, 64, 16),
    Limits((8, 9), 1536, 24, 100 << 10, 1 << 10, 64, 16),
    Limits((9, 0), 2048, 32, 228 << 10, 1 << 10, 64, 16),
)}
CAPABILITIES = sorted(_BY_CAPABILITY)

# multiprocessors; boost clock, MHz; memory, GB/s; L2, MB; L1 with shared memory, KB; teraflops of float64,
# float32, float16 and float16 on tensor cores (dense, sums of float32); bytes of L2 a clock, None: not published
_Row = collections.namedtuple("_Row", "name capability multiprocessors clock dram l2 l1 fp64 fp32 fp16 tensor l2_clock")
_ROWS = (
    _Row("V100", (7, 0), 80, 1530, 900, 6, 128, 7.8, 15.7, 31.4, 125, 2048),
    _Row("T4", (7, 5), 40, 1590, 320, 4, 96, 0.254, 8.1, 16.3, 65, None),
    _Row("A100", (8, 0), 108, 1410, 1555, 40, 192, 9.7, 19.5, 78, 312, 5120),
    _Row("A100-80GB", (8, 0), 108, 1410, 2039, 40, 192, 9.7, 19.5, 78, 312, 5120),
    _Row("RTX3090", (8, 6), 82, 1695, 936, 6, 128, 0.556, 35.6, 35.6, 71, None),
    _Row("A10", (8, 6), 72, 1695, 600, 6, 128, 0.488, 31.2, 31.2, 125, None),
    _Row("A40", (8, 6), 84, 1740, 696, 6, 128, 0.585, 37.4, 37.4, 149.7, None),
    _Row("L4", (8, 9), 58, 2040, 300, 48, 128, 0.473, 30.3, 30.3, 121, None),
    _Row("L40S", (8, 9), 142, 2520, 864, 96, 128, 1.43, 91.6, 91.6, 362, None),
    _Row("RTX4090", (8, 9), 128, 2520, 1008, 72, 128, 1.29, 82.6, 82.6, 165.2, None),
    _Row("H100", (9, 0), 132, 1980, 3350, 50, 256, 33.5, 66.9, 133.8, 989.4, None),
    _Row("H200", (9, 0), 132, 1980, 4800, 50, 256, 33.5, 66.9, 133.8, 989.4, None),
)
_L2_BYTES = 32  # a clock and multiprocessor, where no figure is published
DEFAULT = "A100"  # the compute capability of the emulated device


class GPU:
    """Published rates of a GPU, in units a second: bytes, operations, instructions of warps."""

    def __init__(self, row):
        self.name, self.limits = row.name, _BY_CAPABILITY[row.capability]
        self.multiprocessors, self.clock = row.multiprocessors, row.clock * 1e6
        cycles = self.multiprocessors * self.clock
        self.l2_bytes, self.l1_bytes = row.l2 << 20, row.l1 << 10
        self.has_published_l2 = row.l2_clock is not None
        self.dram = row.dram * 1e9
        self.l2 = row.l2_clock * self.clock if self.has_published_l2 else _L2_BYTES * cycles
        self.shared = 128 * cycles  # 32 banks of 4 bytes
        self.flops = {"fp64": row.fp64 * 1e12, "fp32": row.fp32 * 1e12, "fp16": row.fp16 * 1e12,
                      "tensor": row.tensor * 1e12}
        self.integer, self.special = self.limits.integer * cycles, self.limits.special * cycles
        self.issue = 4 * cycles  # of warps: a scheduler for each quarter of a multiprocessor

    def __repr__(self):
        return f"<GPU {self.name}>"


_GPUS = {row.name: row for row in _ROWS}
NAMES = tuple(_GPUS)


def _plain(name):
    text = str(name).lower()
    for letter in " -_":
        text = text.replace(letter, "")
    return text.removeprefix("nvidia").removeprefix("geforce").removeprefix("tesla")


def gpu_of(name=None):
    """A GPU that is known by name; None: an A100, the emulated device's compute capability."""
    return _gpu_of(DEFAULT if name is None else str(name))


@functools.cache
def _gpu_of(name):
    known = {_plain(gpu): gpu for gpu in _GPUS}
    plain = _plain(name)
    if plain not in known:
        raise ValueError(f"unknown GPU {name!r}; known are {', '.join(_GPUS)}")
    return GPU(_GPUS[known[plain]])


def gpu_called(text):
    """The known GPU of a device's own name, as "NVIDIA H100 80GB HBM3"; or None."""
    words = "".join(letter if letter.isalnum() else " " for letter in text.upper()).split()
    joined = " ".join(words).replace("RTX ", "RTX")
    found = [name for name in _GPUS if name.partition("-")[0] in joined.split()]
    larger = [name for name in found if "-" in name and name.partition("-")[2] in joined]
    plain = [name for name in found if "-" not in name]
    return gpu_of((larger or plain)[0]) if larger or plain else None


def _up(number, unit):
    return -(-number // unit) * unit


def _shared_bytes(limits, shared_bytes):
    """What a block takes of a multiprocessor's shared memory."""
    return _up(shared_bytes + limits.block_reserve, 256 if limits.capability < (8, 0) else 128)


def _blocks_by_registers(warps, registers):
    """As NVIDIA's occupancy calculator has it: a launch is checked as if each quarter got as many warps."""
    for_warp = _up(32 * registers, _REGISTER_UNIT)
    if for_warp * _up(warps, _QUARTERS) > _REGISTERS:
        return 0
    return _REGISTERS // _QUARTERS // for_warp * _QUARTERS // warps


def occupancy(limits, threads, shared_bytes, registers=None):
    """(blocks at once on a multiprocessor, share of its warps, what limits it); registers: of a thread, if known."""
    warps = -(-threads // 32)
    room = {"threads": limits.threads // (32 * warps), "blocks": limits.blocks}
    if shared_bytes:
        room["shared memory"] = limits.shared_bytes // _shared_bytes(limits, shared_bytes)
    if registers:
        room["registers"] = _blocks_by_registers(warps, registers)
    limiter = min(room, key=room.get)
    blocks = room[limiter]
    return blocks, min(1.0, blocks * warps * 32 / limits.threads), limiter
