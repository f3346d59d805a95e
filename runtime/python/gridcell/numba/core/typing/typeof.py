# SPDX-License-Identifier: MIT
"""numba.core.typing.typeof"""
from numba import typeof


def __getattr__(name):
    if name == "typeof_impl":
        from numba.core.extension.registry import typeof_impl
        return typeof_impl
    from gridcell import absent
    absent.refuse_name(__name__, name)
