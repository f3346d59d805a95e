# SPDX-License-Identifier: MIT
"""np.pad: the array in the middle of a larger one, whose margins are filled axis by axis."""
import numpy as np

from gridcell.library import (
    A, BOOL, COMPLEX, INT, NUMBER, OTHER, TIME, TUPLE, UINT, compiled, form, kind, small, strided)
from gridcell.library.views import length_plus, number_among, order_of, permuted

MODES = ("constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric",
         "wrap", "empty")
ODD = 100  # added to the modes that mirror


number_of = number_among(MODES, "mode of pad() is not supported")


@small
def pairs_of(given, ndim, dtype):
    """What is given for all sides, for two of each axis, or for every side of every axis."""
    out = np.zeros((ndim, 2), dtype)
    if form(given) == TUPLE:
        out[...] = np.array(given).astype(dtype)
    else:
        out[...] = given
    return out


@small
def grown(shape, widths):
    if len(shape) == 0:
        return ()
    else:
        return (length_plus(length_plus(shape[0], widths[0, 0]), widths[0, 1]),) + grown(shape[1:], widths[1:])


@small
def part_of(out, widths, shape, first):
    """The original area along the axes from `first` on; all of the axes before it."""
    offset = 0
    for i in range(first, out.ndim):
        offset += widths[i, 0] * out.strides[i]
    return strided(out, out.dtype, A, offset, mixed(out.shape, shape, first), out.strides)


@small
def mixed(before, after, first):
    if len(before) == 0:
        return ()
    else:
        return (before[0] if first > 0 else after[0],) + mixed(before[1:], after[1:], first - 1)


@small
def with_margins(out, widths, shape, axis):
    """The area that is done before the axis, with the margins along it."""
    offset = 0
    for i in range(axis + 1, out.ndim):
        offset += widths[i, 0] * out.strides[i]
    return strided(out, out.dtype, A, offset, mixed(out.shape, shape, axis + 1), out.strides)


@compiled
def ramp(row, start, count, step, outer, edge):
    """From the edge outwards to the value that ends the margin, which lies at `start`."""
    for i in range(count):
        row[start + i * step] = ramp_item(row.dtype, i * ((edge - outer) / count) + outer)


@compiled
def ramp_item(dtype, x):
    if kind(dtype) == INT or kind(dtype) == UINT:
        return dtype(np.floor(x))
    else:
        return dtype(x)


@small
def in_the_middle(row):
    return row[(len(row) - 1) // 2:len(row) // 2 + 1]


@compiled
def summary(items, mode):
    """The mean or median of items, rounded where they are integers."""
    if kind(items) == COMPLEX:
        return items.dtype(np.mean(items if mode == 4 else in_the_middle(np.sort(items))))
    x = np.mean(items) if mode == 4 else np.median(items)
    if kind(items) == INT or kind(items) == UINT:
        return items.dtype(np.rint(x))
    else:
        return items.dtype(x)


@compiled
def one_of(items, mode):
    if mode == 3:
        return items.max()
    elif mode == 6:
        return items.min()
    else:
        return summary(items, mode)


@compiled
def odd_value(body, i, step):
    """At place i, of items mirrored at the ends in place and in value; the ends count once where step is 1."""
    n = len(body)
    period = n - step
    if period == 0:
        return body[0]
    turns = (i + period) // (2 * period)
    k = i - turns * 2 * period
    x = body[k] if k >= 0 else 2 * body[0] - body[step - 1 - k]
    return x + 2 * turns * (body[n - 1] - body[0])


@small
def source_place(i, n, mode):
    """Of the item that stands at place i, which lies outside of 0 to n."""
    if mode == 9:
        return i % n
    period = 2 * n if mode == 8 else max(2 * n - 2, 1)
    at = i % period
    if at < n:
        return at
    return period - 1 - at if mode == 8 else period - at


@compiled
def fill_computed(row, body, before, after, mode, ends, lengths):
    """The margins whose values are computed from the body, which only numbers have."""
    n = len(body)
    if kind(row) == TIME or kind(row) == OTHER:
        raise ValueError("this mode of pad() takes numbers")
    elif mode == 2:
        ramp(row, 0, before, 1, ends[0] * 1.0, body[0] * 1.0)
        ramp(row, len(row) - 1, after, -1, ends[1] * 1.0, body[n - 1] * 1.0)
    else:
        left = n if lengths[0] < 0 else min(lengths[0], n)
        right = n if lengths[1] < 0 else min(lengths[1], n)
        row[:before] = one_of(body[:left], mode)
        row[before + n:] = one_of(body[n - right:], mode)


@compiled
def fill_line(row, before, after, mode, constants, ends, lengths):
    n = len(row) - before - after
    last = before + n
    body = row[before:last].copy()
    if mode == 0:
        row[:before] = constants[0]
        row[last:] = constants[1]
    elif mode == 1:
        row[:before] = body[0]
        row[last:] = body[n - 1]
    elif mode < 7:
        fill_computed(row, body, before, after, mode, ends, lengths)
    elif mode < 10:
        for i in range(before):
            row[i] = body[source_place(i - before, n, mode)]
        for i in range(after):
            row[last + i] = body[source_place(n + i, n, mode)]
    elif mode > ODD:
        fill_odd(row, body, before, after, 1 if mode == ODD + 7 else 0)


@compiled
def fill_odd(row, body, before, after, step):
    if kind(row) == BOOL or kind(row) == TIME or kind(row) == OTHER:
        raise ValueError("this mode of pad() takes numbers")
    else:
        for i in range(before):
            row[i] = odd_value(body, i - before, step)
        for i in range(after):
            row[before + len(body) + i] = odd_value(body, len(body) + i, step)


@small
def fill_axis(out, widths, shape, axis, mode, constants, ends, lengths):
    area = with_margins(out, widths, shape, axis)
    order = order_of(area, (axis,))
    lines = permuted(area, order).copy()
    rows = lines.reshape((lines.size // max(out.shape[axis], 1), out.shape[axis]))
    for i in range(len(rows)):
        fill_line(rows[i], widths[axis, 0], widths[axis, 1], mode, constants[axis], ends[axis], lengths[axis])
    permuted(area, order)[...] = lines


@small
def pad(array, pad_width, mode=None, constant_values=0, end_values=0, stat_length=None, reflect_type="even"):
    if form(array) == NUMBER:
        return np.full((), array)
    elif array.ndim == 0:
        return array.copy()
    else:
        number = number_of(mode) + (ODD if reflect_type == "odd" else 0)
        if kind(np.array(pad_width)) != INT and kind(np.array(pad_width)) != UINT:
            raise TypeError("`pad_width` must be of integral type.")
        widths = pairs_of(pad_width, array.ndim, np.int64)
        if widths.min() < 0:
            raise ValueError("index can't contain negative values")
        lengths = pairs_of(1 if stat_length is None else stat_length, array.ndim, np.int64)
        if lengths.min() < 0:
            raise ValueError("index can't contain negative values")
        out = np.zeros(grown(array.shape, widths), array.dtype)
        part_of(out, widths, array.shape, 0)[...] = array
        fill_axes(out, widths, array.shape, number, pairs_of(constant_values, array.ndim, array.dtype),
                  pairs_of(end_values, array.ndim, array.dtype),
                  np.full_like(lengths, -1) if stat_length is None else lengths)
        return out


@small
def fill_axes(out, widths, shape, mode, constants, ends, lengths):
    for axis in range(len(shape)):
        if shape[axis] == 0 and mode % ODD != 0 and mode % ODD != 10 and widths[axis].max() > 0:
            raise ValueError("can't extend empty axis %s using modes other than 'constant' or 'empty'", axis)
        if out.size > 0 and mode != 10:
            fill_axis(out, widths, shape, axis, mode, constants, ends, lengths)
