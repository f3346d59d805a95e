# SPDX-License-Identifier: MIT
"""Norms of rows of numbers."""
import math

import numpy as np

from gridcell.library import COMPLEX, FLOAT, STRING, compiled, dtype_of, form, kind, small


@compiled
def size_unit(x):
    """0 of the floats that norms are computed in."""
    if kind(x) == FLOAT:
        return x.dtype(0)
    elif kind(x) == COMPLEX:
        return abs(x.dtype(0))
    else:
        return 0.0


@compiled
def norm_two(x):
    total = size_unit(x)
    for y in x:
        size = dtype_of(total)(abs(y))
        total += size * size
    return np.sqrt(total)


@small
def norm_row(x, ord):
    if ord is None:
        return norm_two(x)
    elif form(ord) == STRING:
        raise ValueError("Invalid norm order for vectors")
    else:
        return norm_numbered(x, ord)


@compiled
def norm_numbered(x, ord):
    total = size_unit(x)
    real = dtype_of(total)
    if ord == 2:
        return norm_two(x)
    elif ord == math.inf:
        return real(np.max(np.absolute(x), initial=0))
    elif ord == -math.inf:
        return real(np.min(np.absolute(x)))
    elif ord == 0:
        for y in x:
            total += y != 0
        return total
    elif ord == 1:
        for y in x:
            total += abs(y)
        return total
    else:
        for y in x:
            total += real(abs(y)) ** real(ord)
        return total ** real(1.0 / ord)
