# SPDX-License-Identifier: MIT
"""numba.core.runtime.nrt: what programs ask of the memory of compiled code."""
from collections import namedtuple

from gridcell import _gridcell
from numba.core.runtime import _nrt_python as _nrt

_nrt_mstats = namedtuple("nrt_mstats", ["alloc", "free", "mi_alloc", "mi_free"])


class _Library:
    """What numba has the functions of its memory in."""

    name = "nrt"

    def get_pointer_to_function(self, name):
        """The address of one, such as NRT_MemInfo_alloc; 0: there is none of the name."""
        return _gridcell.llvm_symbol(name) or 0


class _Runtime:
    """Memory of compiled code is counted by its references, and freed with the last one."""

    def initialize(self, ctx=None):
        """Nothing is to be done: the memory is ready with the package."""

    @property
    def library(self):
        """The functions of the memory, by name."""
        return _Library()

    def shutdown(self):
        """Nothing is to be done either."""

    def meminfo_new(self, data, pyobj):
        """A MemInfo of the memory at an address, which the object keeps."""
        return _gridcell.lend_memory(data, 0, pyobj)

    def meminfo_alloc(self, size, safe=False):
        """A MemInfo of so many new bytes; `safe` fills them, so that what was never written shows."""
        memory = _gridcell.allocate_memory(size)
        if safe:
            memoryview(memory)[:] = b"\xcb" * size
        return memory

    def get_allocation_stats(self):
        """Blocks of memory that compiled code allocated and freed, and counted values it made and
        released. Counted with NUMBA_NRT_STATS=1, or since memsys_enable_stats()."""
        counts = _nrt.counts()
        if counts is None:
            raise RuntimeError("NRT stats are disabled.")
        return _nrt_mstats(*counts)

    memsys_stats_enabled = staticmethod(_nrt.memsys_stats_enabled)


MemInfo = _nrt._MemInfo
rtsys = _Runtime()


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
