# SPDX-License-Identifier: MIT
"""Structs in memory that programs declare themselves, and copies between them."""
from llvmlite import ir

from numba.core.written.helpers import (_Parts as ValueStructProxy, get_or_insert_function, gep_inbounds, intp_t, is_pointer,
                                        is_struct, memset, sizeof, voidptr_t, false_bit)


class Structure(ValueStructProxy):
    """A struct by its parts, in memory. A class below says which, as pairs of name and numba's type: _fields."""

    _fields = ()

    def __init__(self, context, builder, value=None, ref=None, cast_ref=False):
        made = self.type_of(context)
        if ref is not None:
            if not is_pointer(ref.type):
                raise TypeError(f"ref is an address, not a value of {ref.type}")
            if cast_ref:
                ref = builder.bitcast(ref, made.as_pointer())
            elif ref.type.pointee != made:
                raise TypeError(f"ref is the address of {ref.type.pointee}, where {type(self).__name__} is {made}: cast_ref=True "
                                "takes it all the same")
        super().__init__(type(self).__name__, made, tuple(name for name, _ in self._fields), builder, value, ref)

    @classmethod
    def type_of(cls, context):
        """llvmlite's type of the struct."""
        return ir.LiteralStructType([context.get_value_type(kind) if not isinstance(kind, ir.Type) else kind
                                     for _, kind in cls._fields])

    def _get_ptr_by_index(self, index):
        return gep_inbounds(self._builder, self._slot, 0, index)

    @property
    def _value(self):
        return self._slot


def copy_struct(dst, src, repl=None):
    """Sets the parts of one struct to those of another, but for those of a dict, by name, to its values. Gives the first."""
    repl = {} if repl is None else repl
    for name in src._names:
        setattr(dst, name, repl[name] if name in repl else getattr(src, name))
    return dst


def get_record_member(builder, record, offset, typ):
    """The address of a member of a record (the address of an array of bytes), of llvmlite's type `typ`."""
    place = gep_inbounds(builder, record, 0, offset)
    return builder.bitcast(place, typ.as_pointer())


def memset_padding(builder, ptr):
    """Sets the bytes to zero that lie between the members of the struct at an address."""
    value = builder.load(ptr)
    memset(builder, ptr, sizeof(value.type), 0)
    builder.store(value, ptr)


def raw_memmove(builder, dst, src, count, itemsize, align=1):
    """Copies so many items of so many bytes, which may lie over one another."""
    count = count if isinstance(count, ir.Value) else intp_t(count)
    size = builder.mul(count, count.type(itemsize))
    kind = ir.FunctionType(ir.VoidType(), (voidptr_t, voidptr_t, size.type, false_bit.type))
    function = get_or_insert_function(builder.module, kind, f"llvm.memmove.p0.p0.i{size.type.width}")
    builder.call(function, [builder.bitcast(dst, voidptr_t), builder.bitcast(src, voidptr_t), size, false_bit])


def create_constant_array(ty, val):
    """A constant array of values of Python, of llvmlite's type."""
    return ir.Constant(ir.ArrayType(ty, len(val)), val)


def get_or_insert_named_metadata(module, name):
    """The named metadata of a module, made where it is not there."""
    try:
        return module.get_named_metadata(name)
    except KeyError:
        return module.add_named_metadata(name)
