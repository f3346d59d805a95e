# SPDX-License-Identifier: MIT
"""What of a kernel's accesses to global memory reaches L2 and DRAM: a model, said in docs/insight.md.

Caches hold sectors of 32 bytes in lines of 128. A block's loads find in L1 what the block has loaded before, if
what it touches fits into its share of L1; stores and atomic operations go through to L2. In L2 the sectors of
all blocks meet. What fits there comes from DRAM once and is written back once; of what does not, the part that
is larger than L2 comes again each time that a block asks.
"""
SECTOR = 32


def _merged(rows):
    """Groups of rows whose ranges of addresses overlap: the accesses of one array."""
    groups, end = [], None
    for row in sorted((row for row in rows if row.high), key=lambda row: row.low):
        if end is None or row.low >= end:
            groups.append([])
            end = row.high
        groups[-1].append(row)
        end = max(end, row.high)
    return groups


def _touched(group):
    """Sectors of an array that the grid touches: what its blocks do, but none twice."""
    low, high = min(row.low for row in group), max(row.high for row in group)
    extent = (high - 1) // SECTOR - low // SECTOR + 1
    return min(sum(row.distinct for row in group), extent)


def _l2_sectors(row, fits):
    return row.distinct if row.op == "load" and fits else row.sectors


def _ways(rows):
    """The rows that read, and the rows that write; atomic operations do both."""
    return ([row for row in rows if row.op != "store"], [row for row in rows if row.op != "load"])


def add_traffic(accesses, gpu, blocks, blocks_at_once):
    """Gives each row of global memory its l2_bytes and dram_bytes; returns the sums of both, read and written,
    and whether the grid's data fits in L2. blocks_at_once: of a multiprocessor, bounds, the larger and cheaper first."""
    rows = [row for row in accesses if row.space == "global" and row.sectors]
    block_bytes = SECTOR * sum(row.distinct for row in rows if row.op == "load") / max(1, blocks)
    fits_l1 = any(block_bytes * max(1, bound) <= gpu.l1_bytes for bound in blocks_at_once)
    groups = [group for way in _ways(rows) for group in _merged(way)]
    footprint = SECTOR * sum(_touched(group) for group in _merged(rows))
    fits = footprint <= gpu.l2_bytes
    again = 0 if fits else 1 - gpu.l2_bytes / footprint
    for row in accesses:
        row.l2_bytes = row.dram_bytes = 0
    for row in rows:
        row.l2_bytes = SECTOR * _l2_sectors(row, fits_l1)
    read_bytes = written_bytes = 0
    readers, _ = _ways(rows)
    first_written = len(_merged(readers))
    for number, group in enumerate(groups):
        asked = sum(_l2_sectors(row, fits_l1) for row in group)
        touched = min(_touched(group), asked)
        sectors = touched + (asked - touched) * again
        for row in group:
            row.dram_bytes += round(SECTOR * sectors * _l2_sectors(row, fits_l1) / asked)
        if number < first_written:
            read_bytes += SECTOR * sectors
        else:
            written_bytes += SECTOR * sectors
    return {"l2_bytes": sum(row.l2_bytes for row in rows), "dram_read_bytes": round(read_bytes),
            "dram_written_bytes": round(written_bytes), "dram_bytes": round(read_bytes + written_bytes),
            "footprint_bytes": footprint, "fits_l2": fits}
