# SPDX-License-Identifier: MIT
"""numba.core.unsafe.nrt: what libraries of C are handed, for compiled code."""
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def NRT_get_api(typingctx):
    """The address of the table of functions that count references (nrt_external.h)."""
    def write(context, builder, signature, args):
        return context.nrt.get_nrt_api(builder)
    return types.voidptr(), write
