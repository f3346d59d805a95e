# SPDX-License-Identifier: MIT
"""numba.cuda.bf16: the type bfloat16 and its functions, for use in kernels.

bfloat16 is the upper half of a float32: its range, with 8 bits of precision. Operators and the
functions of math take it, too. NumPy has such arrays with the package ml_dtypes; without it, keep the
bits in an array of uint16: uint16_as_bfloat16(a[i]), bfloat16_as_uint16(x).

Example:
    from numba import cuda
    from numba.cuda.bf16 import bfloat16, hexp

    @cuda.jit
    def k(out):
        out[0] = hexp(bfloat16(1.0))
"""
from gridcell import _gridcell as _extension
from numba.core.types import bfloat16
from .stubs import _stub

__all__ = ["bfloat16"]
for _name in _extension.builtin_names():
    if _name.startswith("cuda.bf16."):
        _short = _name.rpartition(".")[2]
        globals()[_short] = _stub(f"bf16.{_short}", f"CUDA's function for bfloat16, {_short}.", True)
        __all__.append(_short)
del _extension, _name, _short
