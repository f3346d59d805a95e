# SPDX-License-Identifier: MIT
"""numba.core.base: what generators of code are called with."""
from numba.core.written.context import GeneratorContext as BaseContext


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
