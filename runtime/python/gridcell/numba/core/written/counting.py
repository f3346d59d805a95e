# SPDX-License-Identifier: MIT
"""References on memory that values hold, for code that llvmlite's builder writes: `context.nrt`.

A value that code gives has references of its own: code that puts an argument into it takes one."""
import functools

from llvmlite import ir

from numba.core.written import helpers, text

_ADDRESS, _SIZE = helpers.voidptr_t, helpers.int64_t

_NO_MEMORY = helpers.int32_t(-3)  # STATUS_MEMORY of compiler/types/abi.h


def _checked(make):
    """The method of what may find no memory, with the check: the function fails then."""
    @functools.wraps(make)
    def checked(self, builder, *args, **kwargs):
        made = make(self, builder, *args, **kwargs)
        with builder.if_then(helpers.is_null(builder, made), likely=False):
            self._ways.leave(builder, _NO_MEMORY)
        return made
    checked.__doc__ = f"{make.__doc__[:-1]}; the function fails where there is no memory."
    return checked


class Counting:
    """Takes and gives back references, and makes counted memory; on devices there is none. `ways`: how the function
    fails without memory."""

    def __init__(self, ways):
        self._ways = ways

    def _require_nrt(self):
        """Nothing is to be done: it is there."""

    @staticmethod
    def _call(builder, name, returns, *args):
        kind = ir.FunctionType(returns, [arg.type for arg in args])
        return builder.call(helpers.get_or_insert_function(builder.module, kind, name), args)

    # --- Memory

    def allocate_unchecked(self, builder, size):
        """The address of so many bytes, or null."""
        return self._call(builder, "NRT_Allocate", _ADDRESS, size)

    def free(self, builder, ptr):
        """Gives back what allocate() gave."""
        self._call(builder, "NRT_Free", ir.VoidType(), ptr)

    def meminfo_alloc_unchecked(self, builder, size):
        """New counted memory of so many bytes, or null."""
        return self._call(builder, "gridcell_memory_create", _ADDRESS, size)

    def meminfo_alloc_dtor_unchecked(self, builder, size, dtor):
        """The same; `dtor`, a function of (address, size, null), is called before it is freed."""
        return self._call(builder, "NRT_MemInfo_alloc_dtor", _ADDRESS, size, builder.bitcast(dtor, _ADDRESS))

    def meminfo_alloc_aligned_unchecked(self, builder, size, align):
        """The same; it begins at a multiple of `align`, a number or a value of 32 bits."""
        align = helpers.int32_t(align) if isinstance(align, int) else align
        return self._call(builder, "NRT_MemInfo_alloc_aligned", _ADDRESS, size, align)

    def meminfo_new_varsize_unchecked(self, builder, size):
        """Counted memory that can grow, or null."""
        return self._call(builder, "NRT_MemInfo_new_varsize", _ADDRESS, size)

    def meminfo_new_varsize_dtor_unchecked(self, builder, size, dtor):
        """The same; `dtor`, a function of (address, size, null), is called before it is freed."""
        return self._call(builder, "NRT_MemInfo_new_varsize_dtor", _ADDRESS, size, builder.bitcast(dtor, _ADDRESS))

    def meminfo_varsize_alloc_unchecked(self, builder, meminfo, size):
        """The address of new bytes for memory that can grow, or null; the old ones are the caller's to free."""
        return self._call(builder, "NRT_MemInfo_varsize_alloc", _ADDRESS, meminfo, size)

    def meminfo_varsize_realloc_unchecked(self, builder, meminfo, size):
        """The address of its bytes, so many now, or null."""
        return self._call(builder, "NRT_MemInfo_varsize_realloc", _ADDRESS, meminfo, size)

    def meminfo_varsize_free(self, builder, meminfo, ptr):
        """Frees bytes of memory that can grow."""
        self._call(builder, "NRT_MemInfo_varsize_free", ir.VoidType(), meminfo, ptr)

    allocate = _checked(allocate_unchecked)
    meminfo_alloc = _checked(meminfo_alloc_unchecked)
    meminfo_alloc_dtor = _checked(meminfo_alloc_dtor_unchecked)
    meminfo_alloc_aligned = _checked(meminfo_alloc_aligned_unchecked)
    meminfo_new_varsize = _checked(meminfo_new_varsize_unchecked)
    meminfo_new_varsize_dtor = _checked(meminfo_new_varsize_dtor_unchecked)
    meminfo_varsize_alloc = _checked(meminfo_varsize_alloc_unchecked)
    meminfo_varsize_realloc = _checked(meminfo_varsize_realloc_unchecked)

    @staticmethod
    def meminfo_data(builder, meminfo):
        """The address of its bytes."""
        from gridcell import _gridcell as _extension
        at = builder.gep(meminfo, [helpers.intp_t(_extension.extension_addresses()["memory_data"])])
        return builder.load(builder.bitcast(at, helpers.voidptr_t.as_pointer()))

    def get_nrt_api(self, builder):
        """The address of the table of functions that libraries of C are handed (nrt_external.h)."""
        return self._call(builder, "NRT_get_api", _ADDRESS)

    # --- References

    @staticmethod
    def get_meminfos(builder, ty, val):
        """Pairs of a type and the counted memory of a value of it, for all that a value holds."""
        return text.counted_parts(builder, ty, val)

    def _each(self, builder, kind, value, name):
        for memory in text.counted(builder, kind, value):
            self._call(builder, name, ir.VoidType(), memory)

    def incref(self, builder, typ, value):
        """Takes a reference on all that a value holds."""
        self._each(builder, typ, value, "gridcell_memory_retain")

    def decref(self, builder, typ, value):
        """Gives one back."""
        self._each(builder, typ, value, "gridcell_memory_release")
