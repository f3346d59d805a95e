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
    array.meminfo, array.parent = (null if what is None else what for what in (meminfo, parent))
    return array


__getattr__ = refuse_all("numba.np.arrayobj", "is where numba implements arrays for its compiler; gridcell has its "
                         "own implementation, under the names of NumPy alone.")
