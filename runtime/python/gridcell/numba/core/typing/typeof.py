# SPDX-License-Identifier: MIT
"""numba.core.typing.typeof"""
from numba import typeof


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
