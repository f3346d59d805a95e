# SPDX-License-Identifier: MIT
"""References on memory that values hold, for code that llvmlite's builder writes: `context.nrt`.

A value that code gives has references of its own: code that puts an argument into it takes one."""
from llvmlite import ir

from numba.core.written import helpers, text


_NO_MEMORY = helpers.int32_t(-3)  # STATUS_MEMORY of compiler/types/abi.h


class Counting:
    """Takes and gives back references; on devices there are none. `ways`: how the function fails without memory."""

    def __init__(self, ways):
        self._ways = ways

    @staticmethod
    def _each(builder, kind, value, name):
        kind_of = ir.FunctionType(ir.VoidType(), [helpers.voidptr_t])
        for memory in text.counted(builder, kind, value):
            builder.call(helpers.get_or_insert_function(builder.module, kind_of, name), [memory])

    def meminfo_alloc(self, builder, size):
        """New counted memory of so many bytes; the function fails where there is none."""
        kind = ir.FunctionType(helpers.voidptr_t, [helpers.int64_t])
        create = helpers.get_or_insert_function(builder.module, kind, "gridcell_memory_create")
        made = builder.call(create, [size])
        with builder.if_then(helpers.is_null(builder, made), likely=False):
            self._ways.leave(builder, _NO_MEMORY)
        return made

    @staticmethod
    def meminfo_data(builder, meminfo):
        """The address of its bytes."""
        from gridcell import _gridcell as _extension
        at = builder.gep(meminfo, [helpers.intp_t(_extension.extension_addresses()["memory_data"])])
        return builder.load(builder.bitcast(at, helpers.voidptr_t.as_pointer()))

    @classmethod
    def incref(cls, builder, typ, value):
        """Takes a reference on all that a value holds."""
        cls._each(builder, typ, value, "gridcell_memory_retain")

    @classmethod
    def decref(cls, builder, typ, value):
        """Gives one back."""
        cls._each(builder, typ, value, "gridcell_memory_release")
