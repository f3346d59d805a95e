# SPDX-License-Identifier: MIT
"""numba.cpython.charseq: the type of bytes."""
from gridcell.absent import refuse_all
from numba import typeof as _typeof

bytes_type = _typeof(b"")

__getattr__ = refuse_all("numba.cpython.charseq", "is where numba implements bytes for its compiler; gridcell has its own "
                         "implementation, under the names of Python alone.")
