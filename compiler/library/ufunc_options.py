# SPDX-License-Identifier: MIT
"""The arguments `dtype` and `where` of ufuncs."""
import numpy as np

from gridcell.library import ARRAY, compiled, form
from gridcell.library.views import check_kind, check_truths


@compiled
def as_dtype(x, dtype):
    """An input as the ufunc is to compute with it."""
    if form(x) == ARRAY:
        return x.astype(dtype)
    else:
        return np.array(x).astype(dtype)[()]


@compiled
def put_where(out, result, where):
    """The result where the mask holds; elsewhere `out` stays, or zeros stand."""
    check_truths(where)
    if out is None:
        return np.where(where, result, np.zeros(1, np.result_type(result))[0])
    else:
        check_kind(out, result)
        np.copyto(out, result, "unsafe", where)
        return out
