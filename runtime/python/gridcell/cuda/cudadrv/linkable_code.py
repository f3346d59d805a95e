# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.linkable_code: code in memory for cuda.jit(link=...)."""
from gridcell.cuda.foreign import (Archive, Cubin, CUSource, Fatbin, LinkableCode, LTOIR, Object,
                                   PTXSource, _BY_SUFFIX)

LIBRARIES_BY_SUFFIX = dict(_BY_SUFFIX)
