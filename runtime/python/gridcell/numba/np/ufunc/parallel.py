# SPDX-License-Identifier: MIT
"""numba.np.ufunc.parallel: the threads of parallel loops."""
from numba import get_num_threads, get_parallel_chunksize, get_thread_id, set_num_threads, set_parallel_chunksize
from numba import threading_layer
from gridcell import _gridcell as _extension


def get_thread_count():
    """How many threads there can be."""
    return _extension.thread_count()[1]


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
