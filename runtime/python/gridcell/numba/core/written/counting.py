# SPDX-License-Identifier: MIT
"""References on memory that values hold, for code that llvmlite's builder writes: `context.nrt`.

A value that code gives has references of its own: code that puts an argument into it takes one."""
from llvmlite import ir

from numba.core.written import helpers, text


class Counting:
    """Takes and gives back references; on devices there are none."""

    @staticmethod
    def _each(builder, kind, value, name):
        kind_of = ir.FunctionType(ir.VoidType(), [helpers.voidptr_t])
        for memory in text.counted(builder, kind, value):
            builder.call(helpers.get_or_insert_function(builder.module, kind_of, name), [memory])

    @classmethod
    def incref(cls, builder, typ, value):
        """Takes a reference on all that a value holds."""
        cls._each(builder, typ, value, "gridcell_memory_retain")

    @classmethod
    def decref(cls, builder, typ, value):
        """Gives one back."""
        cls._each(builder, typ, value, "gridcell_memory_release")
