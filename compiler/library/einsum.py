# SPDX-License-Identifier: MIT
"""np.einsum of subscripts that are known when the code is compiled.

The compiler makes of each operand a view whose axes are those of the result, then the summed
ones (with stride 0 where the operand lacks an axis), and calls einsum() with the views and the
shapes of both.
"""
import numpy as np

from gridcell.library import A, compiled, strided
from gridcell.library.views import product


@compiled
def einsum(views, kept, summed):
    if len(kept) == 0:
        return total(views, summed)
    else:
        out = np.empty(kept, np.result_type(views))
        fill(views, summed, out)
        return out


@compiled
def check_diagonal(operand, first, other):
    if first != other:
        raise ValueError(f"dimensions in operand {operand} for collapsing index don't match ({first} != {other})")


@compiled
def unit(views):
    """0, of the type that sums of products have."""
    return np.result_type(views)(0)


@compiled
def fill(views, summed, out):
    if out.ndim == 0:
        out[()] = total(views, summed)
    else:
        for i in range(len(out)):
            fill(each_at(views, i), summed, out[i:i + 1].reshape(out.shape[1:]))


@compiled
def each_at(views, i):
    if len(views) == 0:
        return ()
    else:
        a = views[0]
        part = strided(a, a.dtype, A, i * a.strides[0], a.shape[1:], a.strides[1:])
        return (part,) + each_at(views[1:], i)


@compiled
def total(views, summed):
    if len(summed) == 0:
        return np.result_type(views)(each_product(views))
    elif len(summed) == 1:
        result = unit(views)
        for i in range(summed[0]):
            result += product_at(views, i)
        return np.result_type(views)(result)
    else:
        result = unit(views)
        for i in range(summed[0]):
            result += total(each_at(views, i), summed[1:])
        return np.result_type(views)(result)


@compiled
def product_at(views, i):
    if len(views) == 1:
        return views[0][i]
    else:
        return views[0][i] * product_at(views[1:], i)


@compiled
def each_product(views):
    if len(views) == 1:
        return views[0][()]
    else:
        return views[0][()] * each_product(views[1:])
