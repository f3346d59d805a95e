# SPDX-License-Identifier: MIT
"""Texts by their parts, as code that a program writes passes them to functions of C."""
from numba.core.written.helpers import alloca_once_value, for_range, int32_t, int64_t, int8_t, intp_t, voidptr_t

_WIDE, _NARROW = 4, 1  # bytes of a character
_NARROW_END, _ASCII_END = 256, 128


class TextParts:
    """A text by its parts, which are read: `data`, the address of its characters, `length`, how many there are, and `kind`, of
    how many bytes each is: one, in a copy for as long as the function runs, where all are below 256, or four."""

    def __init__(self, context, builder, value=None, ref=None):
        if value is None and ref is None:
            raise NotImplementedError("a text is made by a compiled function that code calls: context.compile_internal")
        whole = value if ref is None else builder.load(ref)
        meminfo, wide, length = (builder.extract_value(whole, place) for place in range(3))
        characters = builder.bitcast(wide, int32_t.as_pointer())
        all_bits = alloca_once_value(builder, int32_t(0))
        with for_range(builder, length) as loop:
            character = builder.load(builder.gep(characters, [loop.index]))
            builder.store(builder.or_(builder.load(all_bits), character), all_bits)
        found = builder.load(all_bits)
        is_narrow = builder.icmp_unsigned("<", found, int32_t(_NARROW_END))
        is_ascii = builder.zext(builder.icmp_unsigned("<", found, int32_t(_ASCII_END)), int32_t)
        kind = builder.select(is_narrow, int32_t(_NARROW), int32_t(_WIDE))
        size = builder.select(is_narrow, builder.add(length, intp_t(1)), intp_t(1))
        copy = builder.alloca(int8_t, size=size)
        with builder.if_then(is_narrow):
            with for_range(builder, length) as loop:
                character = builder.load(builder.gep(characters, [loop.index]))
                builder.store(builder.trunc(character, int8_t), builder.gep(copy, [loop.index]))
            builder.store(int8_t(0), builder.gep(copy, [length]))
        vars(self).update(_whole=whole, meminfo=meminfo, data=builder.select(is_narrow, copy, wide), length=length, kind=kind,
                          is_ascii=is_ascii, hash=int64_t(-1), parent=voidptr_t(None))

    def __setattr__(self, name, value):
        raise TypeError(f"{name!r} of a text is read, and not set: a compiled function that code calls makes texts")

    def _getvalue(self):
        return self._whole
