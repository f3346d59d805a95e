# SPDX-License-Identifier: MIT
"""numba.core.typing.arraydecl: what an index of an array gives."""
import collections
import operator

from gridcell.absent import refuse_all
from numba.core import types
from numba.core.errors import TypingError

Indexing = collections.namedtuple("Indexing", ("idx", "result", "advanced"))


def get_array_index_type(ary, idx):
    """The types of the index and of what it gives, and whether that is a copy; None where the array takes none such."""
    from numba.core.typing.context import Context
    if not isinstance(ary, types.Array):
        return None
    try:
        result = Context().resolve_function_type(operator.getitem, (ary, idx), {}).return_type
    except TypingError:
        return None
    parts = tuple(types.unliteral(part) for part in idx) if isinstance(idx, types.BaseTuple) else (types.unliteral(idx),)
    kinds = tuple((types.int64 if part.signed else types.uint64) if isinstance(part, types.Integer) else part for part in parts)
    is_advanced = any(isinstance(part, (types.Array, types.List)) for part in parts)
    return Indexing(types.Tuple(kinds) if isinstance(idx, types.BaseTuple) else kinds[0], result, is_advanced)


__getattr__ = refuse_all("numba.core.typing.arraydecl", "is where numba types arrays for its compiler; gridcell has its own "
                         "implementation, under the names of NumPy alone.")
