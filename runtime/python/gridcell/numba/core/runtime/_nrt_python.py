# SPDX-License-Identifier: MIT
"""numba.core.runtime._nrt_python: counting of what compiled code allocates and frees."""
from gridcell import _gridcell
from numba.core import config

counts = _gridcell.memory_counts
_MemInfo = _gridcell._MemInfo


def memsys_enable_stats():
    """Counts from now on."""
    counts(True)


def memsys_disable_stats():
    """Counts no longer; the counts stay."""
    counts(False)


def memsys_stats_enabled():
    """Whether allocations are counted."""
    return counts() is not None


def _count(index):
    known = counts()
    if known is None:
        raise RuntimeError("NRT stats are disabled.")
    return known[index]


def memsys_get_stats_alloc():
    """How many blocks were allocated."""
    return _count(0)


def memsys_get_stats_free():
    """How many blocks were freed."""
    return _count(1)


def memsys_get_stats_mi_alloc():
    """How many counted values were made."""
    return _count(2)


def memsys_get_stats_mi_free():
    """How many counted values were released."""
    return _count(3)


if config.NRT_STATS:
    memsys_enable_stats()
