# SPDX-License-Identifier: MIT
"""numba.core.withcontexts: what `with` takes in compiled functions."""
from gridcell.absent import refuse_all
from numba import parallel_chunksize
from numba.core.objmode import objmode as objmode_context

__all__ = ["objmode_context", "parallel_chunksize"]
__getattr__ = refuse_all(__name__, "works on the intermediate code of numba's compiler, which gridcell does not have")
