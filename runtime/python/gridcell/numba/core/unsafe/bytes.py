# SPDX-License-Identifier: MIT
"""numba.core.unsafe.bytes: bytes of memory at addresses."""
from llvmlite import ir

from numba.core import cgutils, types
from numba.extending import intrinsic


def _load(width):
    def write(context, builder, signature, args):
        data = builder.bitcast(args[0], ir.IntType(width).as_pointer())
        return builder.load(builder.gep(data, [args[1]]))
    return write


@intrinsic
def grab_byte(typingctx, data, offset):
    """The byte of a number, of those at an address."""
    return types.uint8(types.voidptr, types.intp), _load(8)


@intrinsic
def grab_uint64_t(typingctx, data, offset):
    """The 64 bits of a number, of those at an address."""
    return types.uint64(types.voidptr, types.intp), _load(64)


@intrinsic
def memcpy_region(typingctx, dst, dst_offset, src, src_offset, nbytes, align):
    """Copies so many bytes from one address and offset to another; `align`: a constant that both are multiples of."""
    def write(context, builder, signature, args):
        target, source = (cgutils.pointer_add(builder, args[first], args[first + 1]) for first in (0, 2))
        cgutils.raw_memcpy(builder, target, source, args[4], 1)
        return context.get_dummy_value()
    return types.void(types.voidptr, types.intp, types.voidptr, types.intp, types.intp, types.intp), write
