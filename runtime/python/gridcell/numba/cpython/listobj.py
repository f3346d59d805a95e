# SPDX-License-Identifier: MIT
"""numba.cpython.listobj: lists, for generators of code."""
from gridcell import _gridcell as _extension
from numba.core import cgutils
from numba.core.written import text


class ListInstance:
    """A list's items, which lie one after another: `size`, how many there are, and `data`, the address of the first. Items
    are numbers, and others that are one value in memory."""

    def __init__(self, context, builder, list_type, list_val):
        self._context, self._builder, self._type, self.value = context, builder, list_type, list_val

    def _load(self, name, kind):
        place = cgutils.pointer_add(self._builder, self.value, _extension.extension_addresses()[name])
        return self._builder.load(self._builder.bitcast(place, kind.as_pointer()))

    @property
    def dtype(self):
        """The type of the items."""
        return self._type.dtype

    @property
    def size(self):
        """How many items there are."""
        return self._load("row_len", cgutils.intp_t)

    @property
    def data(self):
        """The address of the first item."""
        item = text.data_type(self.dtype).as_pointer()
        return self._builder.bitcast(self._load("memory_data", cgutils.voidptr_t), item)

    def getitem(self, idx):
        """The item of a number from 0 on, which is not looked at."""
        return self._context.unpack_value(self._builder, self.dtype, self._builder.gep(self.data, [idx]))

    def setitem(self, idx, val, incref=True, decref_old_value=True):
        """Puts an item that is a number to the place of one."""
        self._context.pack_value(self._builder, self.dtype, val, self._builder.gep(self.data, [idx]))


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
