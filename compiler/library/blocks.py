# SPDX-License-Identifier: MIT
"""np.block: arrays put together from nested lists; np.ix_: index arrays that span a grid."""
import numpy as np

from gridcell.library import BOOL, LIST, NUMBER, TUPLE, compiled, form, kind, small, tuple_full
from gridcell.library.joining import concatenate


# A number that types tell is the length of a tuple of ones here.


@compiled
def block(arrays):
    levels = depth(arrays)
    return joined(arrays, levels, dimensions(arrays, levels))


@compiled
def depth(arrays):
    """How many lists are one in the other."""
    if form(arrays) == LIST or form(arrays) == TUPLE:
        return (1,) + depth(arrays[0])
    else:
        return ()


@compiled
def longer(t, u):
    if len(t) >= len(u):
        return t
    else:
        return u


@compiled
def dimensions(arrays, least):
    if form(arrays) == LIST:
        return dimensions(arrays[0], least)
    elif form(arrays) == TUPLE:
        if len(arrays) == 1:
            return dimensions(arrays[0], least)
        else:
            return longer(dimensions(arrays[0], least), dimensions(arrays[1:], least))
    else:
        return longer(tuple_full(np.ndim(arrays), 1), least)


@compiled
def joined(arrays, levels, axes):
    if form(arrays) == LIST:
        return concatenate([joined(x, levels[1:], axes) for x in arrays], -len(levels))
    elif form(arrays) == TUPLE:
        return concatenate(each_joined(arrays, levels[1:], axes), -len(levels))
    else:
        return with_axes(arrays, axes)


@compiled
def each_joined(arrays, levels, axes):
    if len(arrays) == 0:
        return ()
    else:
        return (joined(arrays[0], levels, axes),) + each_joined(arrays[1:], levels, axes)


@compiled
def with_axes(a, axes):
    if form(a) == NUMBER:
        return np.full(axes, a)
    elif a.ndim < len(axes):
        return a.copy().reshape(axes[a.ndim:] + a.shape)
    else:
        return a.copy()


@small
def ix_(*args):
    return open_grid(args, (), args)


@small
def open_grid(args, before, every):
    if len(args) == 0:
        return ()
    else:
        return (along(args[0], before, args[1:]),) + open_grid(args[1:], before + (1,), every)


@small
def along(a, before, behind):
    if form(a) == LIST:
        return along(np.array(a), before, behind)
    elif kind(a) == BOOL:
        return np.flatnonzero(a).reshape(before + (-1,) + tuple_full(len(behind), 1))
    else:
        if a.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        return a.reshape(before + (len(a),) + tuple_full(len(behind), 1))
