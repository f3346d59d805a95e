# SPDX-License-Identifier: MIT
"""numba.core.runtime.nrt: what programs ask of the memory of compiled code."""
from collections import namedtuple

_nrt_mstats = namedtuple("nrt_mstats", ["alloc", "free", "mi_alloc", "mi_free"])


class _Runtime:
    """Memory of compiled code is counted by its references, and freed with the last one."""

    def initialize(self, ctx=None):
        """Nothing is to be done: the memory is ready with the package."""

    def get_allocation_stats(self):
        """Raises RuntimeError, as numba does without NUMBA_NRT_STATS=1: nothing is counted."""
        raise RuntimeError("NRT stats are disabled.")

    @staticmethod
    def memsys_stats_enabled():
        """Whether allocations are counted: no."""
        return False


rtsys = _Runtime()


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
