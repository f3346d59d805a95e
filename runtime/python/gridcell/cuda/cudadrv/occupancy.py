# SPDX-License-Identifier: MIT
"""How many blocks of a kernel a multiprocessor holds at once."""
from gridcell import _gridcell


def version_of(kernel):
    """The compiled version that is meant: itself, or the only one of a kernel."""
    if not isinstance(kernel, _gridcell.Kernel):
        return getattr(kernel, "kernel", kernel)
    versions = list(kernel.overloads.values())
    if len(versions) != 1:
        raise ValueError(f"the kernel has {len(versions)} compiled versions, of which one is meant: "
                         "kernel.overloads[argument types]")
    return versions[0]


def _blocks(version, threads, shared_bytes):
    return version._dispatcher._blocks_at_once(version._index, threads, shared_bytes)


class Occupancy:
    """What a Context says of kernels: compiled versions, or kernels that have one."""

    def get_active_blocks_per_multiprocessor(self, func, blocksize, memsize, flags=None):
        """Blocks of `blocksize` threads with `memsize` bytes of dynamic shared memory that one
        multiprocessor runs at once. ValueError for a size that is none."""
        if blocksize < 1 or memsize < 0:
            raise ValueError(f"no block has {blocksize} threads and {memsize} bytes")
        return _blocks(version_of(func), int(blocksize), int(memsize))

    def get_max_potential_block_size(self, func, b2d_func, memsize, blocksizelimit, flags=None):
        """(blocks, threads of a block) that keep the device busiest, with the fewest blocks.

        b2d_func(threads): the dynamic shared memory of such a block; None: `memsize` bytes.
        blocksizelimit: the most threads, 0 for as many as there can be.
        """
        version = version_of(func)
        warp = self.device.WARP_SIZE
        most = min(version.max_threads_per_block, self.device.MAX_THREADS_PER_BLOCK)
        if blocksizelimit > 0:
            most = min(most, blocksizelimit)
        sizes = [most, *range(most // warp * warp, 0, -warp)]
        best = (0, 0, 0)  # threads at once, threads of a block, blocks at once
        for threads in dict.fromkeys(sizes):
            shared = b2d_func(threads) if callable(b2d_func) else memsize
            blocks = _blocks(version, threads, shared)
            best = max(best, (blocks * threads, threads, blocks))
        return best[2] * self.device.MULTIPROCESSOR_COUNT, best[1]
