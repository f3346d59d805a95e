# SPDX-License-Identifier: MIT
"""What a multiprocessor of known GPUs holds, by NVIDIA's table of compute capabilities."""
import collections

Limits = collections.namedtuple("Limits", "capability threads blocks shared_bytes block_reserve")

_BY_CAPABILITY = {limits.capability: limits for limits in (
    Limits((7, 0), 2048, 32, 96 << 10, 0),
    Limits((7, 5), 1024, 16, 64 << 10, 0),
    Limits((8, 0), 2048, 32, 164 << 10, 1 << 10),
    Limits((8, 6), 1536, 16, 100 << 10, 1 << 10),
    Limits((8, 9), 1536, 24, 100 << 10, 1 << 10),
    Limits((9, 0), 2048, 32, 228 << 10, 1 << 10),
)}

_GPUS = {"V100": (7, 0), "T4": (7, 5), "A100": (8, 0), "RTX3090": (8, 6), "A10": (8, 6), "L4": (8, 9),
         "RTX4090": (8, 9), "H100": (9, 0), "H200": (9, 0)}


def limits_of(name):
    """(name, limits) of a GPU that is known by name; None: an A100, the emulated device's capability."""
    if name is None:
        name = "A100"
    known = {gpu.lower(): gpu for gpu in _GPUS}
    plain = str(name).lower().replace(" ", "").replace("-", "")
    if plain not in known:
        raise ValueError(f"unknown GPU {name!r}; known are {', '.join(_GPUS)}")
    return known[plain], _BY_CAPABILITY[_GPUS[known[plain]]]


def occupancy(limits, threads, shared_bytes):
    """(blocks at once on a multiprocessor, share of its threads, what limits it); registers not counted."""
    warps = -(-threads // 32)
    room = {"threads": limits.threads // (32 * warps), "blocks": limits.blocks}
    if shared_bytes:
        room["shared memory"] = limits.shared_bytes // (shared_bytes + limits.block_reserve)
    limiter = min(room, key=room.get)
    blocks = room[limiter]
    return blocks, min(1.0, blocks * threads / limits.threads), limiter
