# SPDX-License-Identifier: MIT
"""numba.np.arrayobj: arrays in code that programs write with llvmlite's builder."""
from gridcell.absent import refuse_all


def make_array(array_type):
    """A function of (context, builder, value), which gives an array by its parts."""
    from numba.core.cgutils import create_struct_proxy
    return create_struct_proxy(array_type)


def populate_array(array, data, shape, strides, itemsize, meminfo, parent=None):
    """Says where an array lies; shape and strides: values of tuples, or their items. Numbers are llvmlite's values."""
    from numba.core import cgutils
    builder = array._builder
    axes = [cgutils.pack_array(builder, row, cgutils.intp_t) if isinstance(row, (tuple, list)) else row
            for row in (shape, strides)]
    items = cgutils.intp_t(1)
    for length in cgutils.unpack_tuple(builder, axes[0], axes[0].type.count):
        items = builder.mul(items, length, flags=["nsw"])
    null = cgutils.voidptr_t(None)
    array.data, array.nitems, array.itemsize = builder.bitcast(data, array.data.type), items, itemsize
    array.shape, array.strides = axes
    array.parent, array.meminfo = null, null if meminfo is None else meminfo
    if parent is not None:
        array.parent = parent
    return array


def _empty_nd_impl(context, builder, arrtype, shapes):
    """A new array of a contiguous type, by its parts; `shapes`: the lengths, as values."""
    from numba.core import cgutils, types
    array = make_array(arrtype)(context, builder)
    size = cgutils.intp_t(context.get_abi_sizeof(context.get_data_type(arrtype.dtype)))
    strides, total, overflows = [], size, cgutils.false_bit
    for length in shapes if arrtype.layout == "F" else reversed(shapes):
        strides.append(total)
        pair = builder.smul_with_overflow(total, length)
        total = builder.extract_value(pair, 0)
        overflows = builder.or_(overflows, builder.extract_value(pair, 1))
    with builder.if_then(overflows, likely=False):
        context.call_conv.return_user_exc(builder, ValueError, (
            "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",))
    meminfo = context.nrt.meminfo_alloc(builder, total)
    return populate_array(array, context.nrt.meminfo_data(builder, meminfo), list(shapes),
                          strides if arrtype.layout == "F" else strides[::-1], context.get_constant(types.intp, size.constant),
                          meminfo)


def normalize_indices(context, builder, index_types, indices):
    """The types and values of an index, part by part, for basic_indexing."""
    from numba.core import types
    return tuple(map(types.unliteral, index_types)), tuple(indices)


def basic_indexing(context, builder, aryty, ary, index_types, indices, boundscheck=False):
    """(address, shape, strides) of what an index of integers, slices, `...` and None gives of an array by its parts;
    shape and strides are tuples of values. An index that is too large raises IndexError, with boundscheck."""
    from numba.core import cgutils, types
    lengths, steps = (cgutils.unpack_tuple(builder, part, aryty.ndim) for part in (ary.shape, ary.strides))
    place, shape, strides, axis = builder.ptrtoint(ary.data, cgutils.intp_t), [], [], 0
    taken = sum(not isinstance(kind, (types.EllipsisType, types.NoneType)) for kind in index_types)
    for kind, index in zip(index_types, indices):
        if isinstance(kind, types.NoneType):
            shape.append(cgutils.intp_t(1))
            strides.append(cgutils.intp_t(0))
            continue
        if isinstance(kind, types.EllipsisType):
            end = axis + aryty.ndim - taken
            shape += lengths[axis:end]
            strides += steps[axis:end]
            axis = end
            continue
        if isinstance(kind, types.Integer):
            start = _wrapped(context, builder, kind, index, lengths[axis])
            if boundscheck:
                _check_bounds(context, builder, start, lengths[axis])
        elif isinstance(kind, types.SliceType):
            start, length, step = _sliced(context, builder, kind, index, lengths[axis])
            shape.append(length)
            strides.append(builder.mul(steps[axis], step))
        else:
            raise NotImplementedError(f"an index of type {kind} is none that gives a part of an array where it lies")
        place = builder.add(place, builder.mul(start, steps[axis]))
        axis += 1
    return builder.inttoptr(place, ary.data.type), (*shape, *lengths[axis:]), (*strides, *steps[axis:])


def _wrapped(context, builder, kind, index, length):
    """An index as one that counts from the start."""
    from numba.core import cgutils, types
    index = context.cast(builder, index, kind, types.int64)
    if not kind.signed:
        return index
    is_negative = builder.icmp_signed("<", index, cgutils.intp_t(0))
    return builder.select(is_negative, builder.add(index, length), index)


def _check_bounds(context, builder, index, length):
    with builder.if_then(builder.icmp_unsigned(">=", index, length), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))


def _sliced(context, builder, kind, value, length):
    """(first index, how many, step) of a slice of so many items."""
    from numba.core import types

    def part(length, piece):
        start, stop, step = piece.indices(length)
        count = 0
        if step > 0 and start < stop:
            count = (stop - start - 1) // step + 1
        elif step < 0 and stop < start:
            count = (start - stop - 1) // -step + 1
        return start, count, step
    signature = types.UniTuple(types.int64, 3)(types.int64, kind)
    from numba.core import cgutils
    return cgutils.unpack_tuple(builder, context.compile_internal(builder, part, signature, [length, value]), 3)


__getattr__ = refuse_all("numba.np.arrayobj", "is where numba implements arrays for its compiler; gridcell has its "
                         "own implementation, under the names of NumPy alone.")
