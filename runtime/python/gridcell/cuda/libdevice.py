# SPDX-License-Identifier: MIT
"""numba.cuda.libdevice: NVIDIA's math functions under their own names, for use in kernels.

Each takes and gives numbers of fixed types: int32, int64, float32 (names that end in f) or float64.
What the C function stores through a pointer is part of the result: sincos(x) gives (sin, cos).
"""
from gridcell import _gridcell as _extension
from .stubs import _stub

for _name in _extension.builtin_names():
    if _name.startswith("cuda.libdevice."):
        _short = _name.rpartition(".")[2]
        globals()[_short] = _stub(f"libdevice.{_short}", f"libdevice's __nv_{_short}.", True)
del _extension, _name, _short
