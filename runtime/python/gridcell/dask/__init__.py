# SPDX-License-Identifier: MIT
"""Compiled functions on Dask's workers.

    import gridcell.dask
    client = distributed.Client(...)     # before or after the import

Every client, of now and of later, gives its cluster what gridcell needs there: the scheduler keeps code that
one worker has compiled for the others of its kind, and workers are made ready before tasks arrive. Jitted
functions, ufuncs, kernels and objects of jitclasses are tasks and blocks like any other.

    active()          for each cluster, what was shared so far
    ClusterError      a cluster that cannot run our functions, and why
"""
try:
    import distributed as _distributed
except ImportError as error:
    raise ImportError('gridcell.dask needs Dask\'s scheduler: pip install "dask[array]" distributed') from error

from gridcell import hook as _hook

_hook.install()

from gridcell.dask.blocks import register as _register
from gridcell.dask.errors import ClusterError
from gridcell.dask.joining import active, join_all as _join_all
from gridcell.dask.notebook import follow_cells as _follow_cells

__all__ = ["ClusterError", "active"]

_register()
_follow_cells()
_join_all(_distributed.Client)
