# SPDX-License-Identifier: MIT
"""numba.core.runtime._nrt_python: counting of what compiled code allocates and frees."""
from gridcell import _gridcell
from numba.core import config

counts = _gridcell.memory_counts
_NAMES = """
    Allocate Allocate_External Free Reallocate get_api MemInfo_new MemInfo_alloc MemInfo_alloc_external
    MemInfo_alloc_safe MemInfo_alloc_dtor MemInfo_alloc_dtor_safe MemInfo_alloc_aligned MemInfo_alloc_safe_aligned
    MemInfo_alloc_safe_aligned_external MemInfo_new_varsize MemInfo_new_varsize_dtor MemInfo_varsize_alloc
    MemInfo_varsize_realloc MemInfo_varsize_free MemInfo_call_dtor MemInfo_release MemInfo_data MemInfo_size"""
# Addresses of functions of C, by their names without "NRT_"
c_helpers = {name: _gridcell.llvm_symbol(f"NRT_{name}") for name in _NAMES.split()}
c_helpers["_nrt_get_sample_external_allocator"] = _gridcell.llvm_symbol("_nrt_get_sample_external_allocator")
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
