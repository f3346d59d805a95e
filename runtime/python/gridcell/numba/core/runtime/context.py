# SPDX-License-Identifier: MIT
"""numba.core.runtime.context: references on memory, for generators of code: `context.nrt`."""
from numba.core.written.counting import Counting as NRTContext


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
