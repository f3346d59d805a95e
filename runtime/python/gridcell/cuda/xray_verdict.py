# SPDX-License-Identifier: MIT
"""What to change first in a kernel, by the figures of cuda.xray.

Each rule looks at one row and gives (cost, text), or None. The cost is a rough number of cycles that
the change would save: what one multiprocessor takes a sector for, and a wavefront of shared memory for.
"""
import re

_SECTOR, _CACHED, _WAVEFRONT, _ATOMIC, _BRANCH, _INSTRUCTION = 2.0, 0.5, 1.0, 2.0, 8.0, 0.5
_MOST, _WARP = 3, 32


def _where(row):
    return f"line {row.line}, {row.access or row.source}"


def _is_field(row):
    """Whether the access reads a field of a record."""
    return bool(re.search(r"\]\s*\.\w+$|\]\[['\"]\w+['\"]\]$|^\w+(\.\w+|\[['\"]\w+['\"]\])\[", row.access))


def _uncoalesced(row, block_width):
    packed = max(row.sectors_ideal, row.bytes / 32)  # lanes at one address may share what they get
    if row.space != "global" or row.op == "atomic" or row.sectors <= 1.1 * packed:
        return None
    figure = (f"each {row.op} of a warp takes {row.sectors / row.requests:.1f} sectors of 32 bytes where "
              f"{row.sectors_ideal / row.requests:.1f} would hold its data ({row.efficiency:.0%} used)")
    apart = f"neighbouring lanes are {_distance(row)} apart"
    if row.is_scattered and block_width * row.item_bytes < 32:
        remedy = (f"a row of the block has {block_width} threads, whose {block_width * row.item_bytes} bytes fill no sector: "
                  "make blocks wider (32 threads along x), and less high")
    elif row.is_scattered:
        remedy = ("the lanes go to scattered addresses: sort the indices, or gather through shared memory "
                  "or a smaller table that stays in the cache")
    elif row.stride is not None and row.stride <= row.item_bytes:
        remedy = ("the rows are misaligned: let each warp begin at a multiple of 32 bytes (shift the start, "
                  "or pad the rows)")
    elif _is_field(row):
        remedy = (f"records of {_distance(row)} lie side by side (array of structures): keep each field "
                  "in an array of its own (structure of arrays)")
    elif "," in row.access:
        remedy = (f"{apart}: let threadIdx.x run along the last axis of the array, or go through a tile in "
                  "shared memory (as a transpose does)")
    else:
        remedy = f"{apart}: let neighbouring lanes take neighbouring items"
    return (row.sectors - row.sectors_ideal) * _SECTOR, f"{_where(row)}: {figure}; {remedy}."


def _reused(row):
    if not row.reuse or row.reuse < 4:
        return None
    return (row.sectors - row.distinct) * _CACHED, (
        f"{_where(row)}: each block loads each of its sectors {row.reuse:.1f} times: load a tile of it into "
        "shared memory once (cuda.shared.array, syncthreads), and read it from there.")


def _banks(row):
    if row.space != "shared" or row.op == "atomic" or row.conflicts <= 0.1 * row.wavefronts:
        return None
    ways = row.wavefronts / (row.wavefronts - row.conflicts)
    return row.conflicts * _WAVEFRONT, (
        f"{_where(row)}: bank conflicts, {ways:.0f}-way: {row.conflicts:,} of {row.wavefronts:,} wavefronts of "
        f"shared memory come of them; lanes are {_distance(row)} apart: pad the rows of the array by one item "
        "((32, 33) for (32, 32)), or let neighbouring lanes take neighbouring items.")


def _distance(row):
    return "different distances" if row.stride is None else f"{row.stride} bytes"


def _atomics(row):
    if row.op != "atomic" or row.conflicts <= 0.1 * row.lanes:
        return None
    depth = row.wavefronts / row.requests
    remedy = ("count in shared memory first, and add each block's sums once" if row.space == "global" else
              "keep several copies in the block, or add up within the warp first (shuffles)")
    return (row.wavefronts - row.requests) * _ATOMIC * (4 if row.space == "global" else 1), (
        f"{_where(row)}: atomic operations on the same address: {row.conflicts:,} of {row.lanes:,} lanes find "
        f"another at theirs, and {depth:.1f} wait in a row; {remedy}.")


def _constant(row):
    if row.space != "constant" or row.conflicts <= 0.1 * row.requests:
        return None
    return row.conflicts * _WAVEFRONT, (
        f"{_where(row)}: lanes read {row.wavefronts / row.requests:.1f} different words of constant memory at "
        "once, which gives one at a time: pass the table as an array, or let all lanes read the same word.")


def _branch(row):
    share = row.divergent / row.requests if row.requests else 0
    if share <= 0.1 or row.divergent == 1:  # one may be the guard of what is left over
        return None
    return row.divergent * _BRANCH, (
        f"line {row.line}, {row.source.rstrip(':')}: {row.divergent:,} of {row.requests:,} branches are divergent "
        f"({share:.0%}): lanes of one warp go both ways, one after the other; let whole warps decide alike "
        "(by threadIdx.x // 32, or by data that is sorted).")


def _waits(row):
    if not row.imbalance or row.imbalance < 1.5:
        return None
    return (row.work_most - row.work_sum) * _INSTRUCTION, (
        f"line {row.line}, {row.source}: the busiest warp does {row.imbalance:.1f} times the work of a warp on average "
        "before this barrier, and the others wait: give all warps of the block as much to do.")


def _doubles(line, total, gpu):
    """float64 where nothing that is loaded or stored has it."""
    if not line.lanes["fp64"] or total["widest_item"] > 4 or line.lanes["fp64"] * 20 < total["instructions"]:
        return None
    slower = gpu.flops["fp32"] / gpu.flops["fp64"]
    return line.warps["fp64"] * (slower - 1) * _INSTRUCTION, (
        f"line {line.line}, {line.source}: {line.lanes['fp64']:,} instructions in float64, which {gpu.name} does "
        f"{slower:.0f} times slower than float32, and no array here has it: make the numbers float32 "
        "(np.float32(2), a float32 sum).")


def _lanes(total):
    threads = total["block_threads"]
    if threads % 32 == 0:
        return None
    warps = -(-threads // 32)
    idle = 1 - threads / (32 * warps)
    return idle * total["global_sectors"], (
        f"a block of {threads} threads fills {warps} warps by {1 - idle:.0%}: make it a multiple of 32.")


def _spills(total):
    """A spilled value is stored and loaded at least once, by each warp, a line of local memory each."""
    bytes_each = total["spill_bytes_a_thread"]
    if not bytes_each:
        return None
    warps = total["blocks"] * -(-total["block_threads"] // 32)
    return bytes_each / 4 * 2 * 4 * warps * _CACHED, (
        f"each thread spills {bytes_each} bytes of its variables to local memory, as it has {total['registers']} registers: "
        "allow more of them (max_registers, launch_bounds), or keep fewer values at a time.")


_REMEDIES = {
    "blocks": "make blocks larger: 128 to 256 threads",
    "threads": "take a size of block of which several fill a multiprocessor",
    "registers": "keep fewer values at a time, or limit registers (max_registers, launch_bounds)",
    "shared memory": "use smaller tiles, or larger blocks for a tile",
}


def _occupied(total, gpu):
    """Where at most half of the warps are there that a multiprocessor can hold, and the grid has more."""
    share, blocks = total["occupancy"], total["occupancy_blocks"]
    if share > 0.5 or total["blocks"] < gpu.multiprocessors * max(1, blocks):
        return None
    return (1 - share) * (total["global_sectors"] + total["shared_wavefronts"]), (
        f"blocks of {total['block_threads']} threads fill {share:.0%} of {gpu.name}'s warps ({blocks} block{'s' * (blocks != 1)} "
        f"a multiprocessor, limited by {total['occupancy_limiter']}), and little is under way while they wait for memory: "
        f"{_REMEDIES[total['occupancy_limiter']]}.")


def _worth(accesses, branches):
    """The cost of all that the kernel does: what is a twentieth of it at least is worth a word."""
    return (sum(row.sectors for row in accesses) * _SECTOR + sum(row.wavefronts for row in accesses) * _WAVEFRONT
            + sum(row.requests for row in branches)) / 20


def verdict(accesses, branches, barriers, instructions, total, gpu):
    """At most three texts, the costliest first; accesses of a line that have the same fault are one."""
    faults = {}
    width = total["block_width"] if total["block_threads"] > total["block_width"] else _WARP  # of a row, if there are several
    rows_of = {_branch: branches, _waits: barriers}
    for rule in (_uncoalesced, _reused, _banks, _atomics, _constant, _branch, _waits):
        for row in rows_of.get(rule, accesses):
            found = rule(row, width) if rule is _uncoalesced else rule(row)
            if found:
                faults.setdefault((rule, row.file, row.line), []).append(found)
    for line in instructions:
        found = _doubles(line, total, gpu)
        if found:
            faults[_doubles, line.file, line.line] = [found]
    costs = [(sum(cost for cost, _ in found), max(found)[1]) for found in faults.values()]
    costs += filter(None, (_lanes(total), _spills(total), _occupied(total, gpu)))
    least = _worth(accesses, branches)
    costs = sorted((entry for entry in costs if entry[0] > least), key=lambda entry: -entry[0])
    return [text[0].upper() + text[1:] for _, text in costs[:_MOST]]
