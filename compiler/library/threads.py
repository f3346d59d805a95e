# SPDX-License-Identifier: MIT
"""How parallel loops are shared out, asked and set from compiled code."""
import numpy as np

from gridcell.library import compiled, external


@compiled
def set_num_threads(n):
    if external("gridcell_set_thread_count", np.int64, np.int64(int(n))) == 0:
        raise ValueError("The number of threads must be between 1 and the number of processors")


@compiled
def get_parallel_chunksize():
    return external("gridcell_chunk_turns", np.int64)


@compiled
def set_parallel_chunksize(n):
    if n < 0:
        raise ValueError("chunksize must be greater than or equal to zero")
    before = external("gridcell_chunk_turns", np.int64)
    external("gridcell_set_chunk_turns", np.int64, np.int64(int(n)))
    return before
