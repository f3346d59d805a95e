# SPDX-License-Identifier: MIT
"""Sorting of host and device arrays, as pyculib had it: RadixSort and segmented_sort."""
import contextlib

import numpy as np

from .arguments import on_host, put

_DTYPES = tuple(map(np.dtype, ("f4", "f8", "i4", "u4", "i8", "u8")))


class RadixSort(contextlib.AbstractContextManager):
    """Sorts arrays of up to `maxcount` keys of one dtype; equal keys keep their order."""

    def __init__(self, maxcount, dtype, descending=False, stream=0):
        self.maxcount, self.dtype = int(maxcount), np.dtype(dtype)
        self.descending, self.stream = bool(descending), stream
        if self.dtype not in _DTYPES:
            raise TypeError(f"keys of {self.dtype} are not sorted")
        self._is_open = True

    def close(self):
        """Gives up what it holds; it sorts no more."""
        self._is_open = False

    def __exit__(self, *unused):
        self.close()

    def _keys(self, keys):
        if not self._is_open:
            raise RuntimeError("this RadixSort is closed")
        if np.dtype(keys.dtype) != self.dtype:
            raise TypeError(f"keys of {self.dtype} are expected, not of {keys.dtype}")
        if keys.ndim != 1 or keys.size > self.maxcount:
            raise ValueError(f"one row of at most {self.maxcount} keys is sorted")
        return on_host(keys, self.stream)

    def _order(self, keys, begin_bit, end_bit):
        bits = 8 * self.dtype.itemsize
        end_bit = bits if end_bit is None else end_bit
        if not 0 <= begin_bit < end_bit <= bits:
            raise ValueError(f"keys have no bits {begin_bit} to {end_bit}")
        ranks = _ordered_bits(keys)
        ranks = ranks >> ranks.dtype.type(begin_bit)
        width = end_bit - begin_bit
        if width < bits:
            ranks &= ranks.dtype.type((1 << width) - 1)
        return np.argsort(~ranks if self.descending else ranks, kind="stable")

    def sort(self, keys, vals=None, begin_bit=0, end_bit=None):
        """Sorts `keys` where they are, and `vals` with them; by some of their bits alone."""
        host = self._keys(keys)
        order = self._order(host, begin_bit, end_bit)
        put(keys, host[order], self.stream)
        if vals is not None:
            moved = on_host(vals, self.stream).copy()
            moved[:order.size] = moved[order]
            put(vals, moved, self.stream)

    def select(self, k, keys, vals=None, begin_bit=0, end_bit=None):
        """Brings the first `k` keys of the order to the front."""
        self.sort(keys, vals, begin_bit, end_bit)

    def init_arg(self, size):
        """0, 1, 2, ... as a device array of uint32."""
        from gridcell import cuda
        return cuda.to_device(np.arange(size, dtype=np.uint32), stream=self.stream)

    def argsort(self, keys, begin_bit=0, end_bit=None):
        """Sorts `keys`, and gives where each has been: a device array of uint32."""
        places = self.init_arg(keys.size)
        self.sort(keys, places, begin_bit, end_bit)
        return places

    def argselect(self, k, keys, begin_bit=0, end_bit=None):
        """The first `k` places of argsort."""
        return self.argsort(keys, begin_bit, end_bit)[:k]


def _ordered_bits(keys):
    """Unsigned integers in the order of the keys."""
    size = 8 * keys.dtype.itemsize
    bits = keys.view(f"u{keys.dtype.itemsize}")
    top = bits.dtype.type(1 << size - 1)
    if keys.dtype.kind == "u":
        return bits.copy()
    if keys.dtype.kind == "i":
        return bits ^ top
    return np.where(bits & top, ~bits, bits | top)


def segmented_sort(keys, vals, segments, stream=0):
    """Sorts each part of `keys`, with the uint32 `vals`; `segments`: where parts begin but the first."""
    host_keys, host_vals = on_host(keys, stream).copy(), on_host(vals, stream).copy()
    bounds = [0, *map(int, on_host(segments, stream)), host_keys.size]
    if bounds != sorted(bounds) or bounds[-2] > host_keys.size:
        raise ValueError("segments begin in rising order, within the keys")
    for first, last in zip(bounds, bounds[1:]):
        order = np.argsort(host_keys[first:last], kind="stable")
        host_keys[first:last] = host_keys[first:last][order]
        host_vals[first:last] = host_vals[first:last][order]
    put(keys, host_keys, stream)
    put(vals, host_vals, stream)
