# SPDX-License-Identifier: MIT
"""numba.core.cgutils: helpers for what writes code with llvmlite's builder; without llvmlite, none of them."""
try:
    from numba.core.written.checks import *
    from numba.core.written.helpers import *
    from numba.core.written.helpers import _Loop as Loop
    from numba.core.written.loops import *
    from numba.core.written.printing import *
    from numba.core.written.structures import *
except ModuleNotFoundError as _error:
    if _error.name != "llvmlite":
        raise
    from gridcell.absent import refuse_all
    __getattr__ = refuse_all(
        "numba.core.cgutils", "writes code with llvmlite, which is not installed: pip install llvmlite, or "
        "implement the function in Python with numba.extending.overload.")
