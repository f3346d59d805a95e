# SPDX-License-Identifier: MIT
"""Bits of numbers: counted, packed into bytes, taken out of them."""
import numpy as np

from gridcell.library import BOOL, FLOAT, INT, bits, compiled, kind, small, tuple_set, tuple_take
from gridcell.library.views import flat, order_of, place, rows_along, unpermuted


@compiled
def bitwise_count(x):
    """How many bits are set in the absolute value."""
    bits_of = x & x  # floats have none
    left = np.uint64(abs(np.int64(bits_of))) if kind(x) == INT else np.uint64(bits_of)
    left -= (left >> np.uint64(1)) & np.uint64(0x5555555555555555)
    left = (left & np.uint64(0x3333333333333333)) + ((left >> np.uint64(2)) & np.uint64(0x3333333333333333))
    left = (left + (left >> np.uint64(4))) & np.uint64(0x0f0f0f0f0f0f0f0f)
    return np.uint8((left * np.uint64(0x0101010101010101)) >> np.uint64(56))


@small
def check_order(bitorder):
    if bitorder != "big" and bitorder != "little":
        raise ValueError("'order' must be either 'little' or 'big'")


@compiled
def pack_row(row, out, is_big):
    for i in range(len(out)):
        byte = 0
        for k in range(min(8, len(row) - 8 * i)):
            if row[8 * i + k]:
                byte |= 128 >> k if is_big else 1 << k
        out[i] = byte


@small
def packbits(a, axis=None, bitorder="big"):
    check_order(bitorder)
    if kind(a) >= FLOAT:
        raise TypeError("Expected an input array of integer or boolean data type")
    if axis is None:
        items = flat(a)
        out = np.empty((len(items) + 7) // 8, np.uint8)
        pack_row(items, out, bitorder == "big")
        return out
    else:
        order = order_of(a, (axis,))
        rows = rows_along(a, order, (axis,))
        out = np.empty((len(rows), (a.shape[axis] + 7) // 8), np.uint8)
        for i in range(len(rows)):
            pack_row(rows[i], out[i], bitorder == "big")
        shape = tuple_set(a.shape, place(axis, a.ndim), out.shape[1])
        return unpermuted(out.reshape(tuple_take(shape, order)), order)


@compiled
def unpack_row(row, out, is_big):
    for i in range(len(out)):
        if i // 8 < len(row):
            out[i] = (row[i // 8] >> (7 - i % 8 if is_big else i % 8)) & 1
        else:
            out[i] = 0


@small
def length_of(total, count):
    """How many of so many bits are wanted."""
    if count is None:
        return total
    else:
        if count < 0 and total + count < 0:
            raise ValueError("-count larger than number of elements")
        return total + count if count < 0 else count


@small
def unpackbits(a, axis=None, count=None, bitorder="big"):
    check_order(bitorder)
    if kind(a) == INT or kind(a) == BOOL or bits(a) != 8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if axis is None:
        items = flat(a)
        out = np.empty(length_of(8 * len(items), count), np.uint8)
        unpack_row(items, out, bitorder == "big")
        return out
    else:
        order = order_of(a, (axis,))
        rows = rows_along(a, order, (axis,))
        out = np.empty((len(rows), length_of(8 * a.shape[axis], count)), np.uint8)
        for i in range(len(rows)):
            unpack_row(rows[i], out[i], bitorder == "big")
        shape = tuple_set(a.shape, place(axis, a.ndim), out.shape[1])
        return unpermuted(out.reshape(tuple_take(shape, order)), order)
