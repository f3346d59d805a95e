# SPDX-License-Identifier: MIT
"""Text that code which a program writes prints, by C's own functions."""
from llvmlite import ir

from numba.core.written.helpers import (alloca_once, for_range, get_or_insert_function, global_constant, int32_t, int8_t,
                                        intp_t, make_bytearray, voidptr_t)


def _text(builder, text):
    """The address of a text, which may be that already."""
    if isinstance(text, ir.Value):
        return text
    data = make_bytearray(text.encode() + b"\0")
    return builder.bitcast(global_constant(builder, "printf_format", data), voidptr_t)


def _variadic(builder, name, params):
    return get_or_insert_function(builder.module, ir.FunctionType(int32_t, params, var_arg=True), name)


def printf(builder, format, *args):
    """Prints values by a format of C's printf, in the types that it asks for."""
    return builder.call(_variadic(builder, "printf", [voidptr_t]), [_text(builder, format), *args])


def snprintf(builder, buffer, bufsz, format, *args):
    """Writes a text of at most so many bytes to an address, as C's snprintf; gives how many it would take."""
    buffer = builder.bitcast(buffer, voidptr_t)
    size = bufsz if isinstance(bufsz, ir.Value) else intp_t(bufsz)
    function = _variadic(builder, "snprintf", [voidptr_t, intp_t, voidptr_t])
    return builder.call(function, [buffer, size, _text(builder, format), *args])


def snprintf_stackbuffer(builder, bufsz, format, *args):
    """The address of such a text on the stack."""
    if not isinstance(bufsz, int):
        raise TypeError(f"the size of the text is an int, not {bufsz!r}")
    place = builder.bitcast(alloca_once(builder, ir.ArrayType(int8_t, bufsz)), voidptr_t)
    snprintf(builder, place, bufsz, format, *args)
    return place


def hexdump(builder, ptr, nbytes):
    """Prints bytes of memory, sixteen a line."""
    place = builder.bitcast(ptr, voidptr_t)
    count = nbytes if isinstance(nbytes, ir.Value) else intp_t(nbytes)
    printf(builder, "hexdump p=%p n=%zu", place, count)
    with for_range(builder, count) as loop:
        with builder.if_then(builder.icmp_unsigned("==", builder.and_(loop.index, count.type(15)), count.type(0))):
            printf(builder, "\n")
        printf(builder, " %02X", builder.zext(builder.load(builder.gep(place, [loop.index])), int32_t))
    printf(builder, "\n")


def normalize_ir_text(text):
    """The text as LLVM's text may hold it: each byte of UTF-8 a character."""
    return text.encode().decode("latin1")
