# SPDX-License-Identifier: MIT
"""Loops over arrays of a program's own (arrays.py), in the program's words: an iterator, its model and its code."""
from numba.core import types
from numba.core.datamodel import models
from numba.core.decorators import always_jit as njit
from numba.core.extension import calls
from numba.core.imputils import RefType, iternext_impl
from numba.core.typing.context import Context


@njit
def item_of(array, index):
    return array[index]


class OwnArrayIterator(types.SimpleIteratorType):
    """What loops over values of a class below types.Array have."""

    def __init__(self, array):
        self.array = array
        item = Context().resolve_function_type(item_of, (array, types.intp), {}).return_type
        super().__init__(f"iter({array})", item)


@models.register_default(OwnArrayIterator)
class OwnArrayIteratorModel(models.StructModel):
    """The index that comes next, and the array."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("index", types.EphemeralPointer(types.intp)), ("array", fe_type.array)])


@calls.lower_builtin("getiter", types.Array)
def _getiter(context, builder, sig, args):
    from numba.core import cgutils
    made = context.make_helper(builder, sig.return_type)
    made.index = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    made.array = args[0]
    context.nrt.incref(builder, sig.args[0], args[0])
    return made._getvalue()


@calls.lower_builtin("iternext", OwnArrayIterator)
@iternext_impl(RefType.NEW)
def _iternext(context, builder, sig, args, result):
    from numba.core import cgutils
    kind = sig.args[0]
    iterator = context.make_helper(builder, kind, value=args[0])
    array = context.make_array(kind.array)(context, builder, iterator.array)
    index = builder.load(iterator.index)
    is_there = builder.icmp_signed("<", index, builder.extract_value(array.shape, 0))
    result.set_valid(is_there)
    with builder.if_then(is_there):
        item = context.compile_internal(builder, item_of, kind.yield_type(kind.array, types.intp), [iterator.array, index])
        result.yield_(item)
        builder.store(cgutils.increment_index(builder, index), iterator.index)
