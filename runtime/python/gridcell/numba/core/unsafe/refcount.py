# SPDX-License-Identifier: MIT
"""numba.core.unsafe.refcount: how many references there are on the memory of values.

The compiler takes no reference where it knows that one is held: a value has fewer here than with numba."""
from numba.core import cgutils, types
from numba.core.written import text
from numba.extending import intrinsic


def _counts(builder, kind, value):
    """The counts of all memory that a value holds; 0 for what Python counts: arrays that a call was given."""
    for memory in text.counted(builder, types.unliteral(kind), value):
        found = cgutils.alloca_once_value(builder, cgutils.int32_t(0))
        with builder.if_then(cgutils.is_not_null(builder, memory)):
            count = builder.load(builder.bitcast(memory, cgutils.int64_t.as_pointer()))
            builder.store(builder.trunc(count, cgutils.int32_t), found)
        yield memory, builder.load(found)


@intrinsic
def get_refcount(typingctx, obj):
    """The references on the memory of a value, the first that it holds."""
    def write(context, builder, signature, args):
        for _, count in _counts(builder, signature.args[0], args[0]):
            return count
        raise TypeError(f"values of {signature.args[0]} hold no memory whose references are counted")
    return types.int32(obj), write


@intrinsic
def dump_refcount(typingctx, obj):
    """Prints the references on all memory that a value holds; gives whether there is any."""
    def write(context, builder, signature, args):
        counts = list(_counts(builder, signature.args[0], args[0]))
        if counts:
            cgutils.printf(builder, f"dump refct of {signature.args[0]}")
        for memory, count in counts:
            cgutils.printf(builder, f" | {signature.args[0]} refct=%d [%p]", count, memory)
        if counts:
            cgutils.printf(builder, ";\n")
        return cgutils.bool_t(bool(counts))
    return types.boolean(obj), write
