# SPDX-License-Identifier: MIT
"""numba.core.cpu: what generators of code for the CPU are called with."""
from numba.core.runtime.nrt import rtsys
from numba.core.written.context import GeneratorContext as CPUContext


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
