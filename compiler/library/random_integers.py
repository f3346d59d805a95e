# SPDX-License-Identifier: MIT
"""Random integers of any width, by NumPy's own functions: Generator.integers and np.random.randint."""
import numpy as np

from gridcell import seeding
from gridcell.library import BOOL, NUMBER, UINT, bits, compiled, external, form, kind, small
from gridcell.library.random_np import bitgen, draw_numbers, integer

seeding.load()


@small
def fill(source, low, span, masked, out):
    """Numbers from low to low + span, both uint64 that wrap around, one after the other."""
    n = out.size
    if kind(out) == BOOL:
        external("gridcell_numpy_random_bounded_bool_fill", None, source, low, span, n, masked, out)
    elif bits(out) == 8:
        external("gridcell_numpy_random_bounded_uint8_fill", None, source, low, span, n, masked, out)
    elif bits(out) == 16:
        external("gridcell_numpy_random_bounded_uint16_fill", None, source, low, span, n, masked, out)
    elif bits(out) == 32:
        external("gridcell_numpy_random_bounded_uint32_fill", None, source, low, span, n, masked, out)
    else:
        external("gridcell_numpy_random_bounded_uint64_fill", None, source, low, span, n, masked, out)


@small
def lowest(out):
    if kind(out) == BOOL or kind(out) == UINT:
        return 0
    else:
        return -1 << (bits(out) - 1)


@small
def highest(out):
    if kind(out) == BOOL:
        return 1
    elif kind(out) == UINT:
        return (1 << bits(out)) - 1
    else:
        return ~(-1 << (bits(out) - 1))


@small
def check_low(low, out):
    if kind(out) == UINT or kind(out) == BOOL:
        if low < 0:
            raise ValueError("low is out of bounds")
    if bits(out) < 64 and low < lowest(out):
        raise ValueError("low is out of bounds")


@small
def check_last(last, low, out):
    """Both as int64, or as uint64 where the items are."""
    if last < low:
        raise ValueError("low >= high")
    if bits(out) < 64 and last > highest(out):
        raise ValueError("high is out of bounds")


@small
def draw(source, low, high, out, endpoint, masked):
    check_low(low, out)
    if kind(out) == UINT and bits(out) == 64:
        if high < 0 or (not endpoint and high == 0):
            raise ValueError("low >= high")
        last = np.uint64(high) if endpoint else np.uint64(high) - np.uint64(1)
        check_last(last, np.uint64(low), out)
        fill(source, np.uint64(low), last - np.uint64(low), masked, out)
    else:
        if kind(high) == UINT and np.uint64(high) > np.uint64(1 << 63):
            raise ValueError("high is out of bounds")
        last = np.int64(high) if endpoint else np.int64(high) - 1
        check_last(last, np.int64(low), out)
        fill(source, np.uint64(np.int64(low)), np.uint64(last - np.int64(low)), masked, out)


@small
def drawn(source, low, high, size, dtype, endpoint, masked):
    if size is None:
        out = np.empty(1, dtype)
        draw(source, low, high, out, endpoint, masked)
        return out[0]
    else:
        out = np.empty(size, dtype)
        if out.size > 0:
            draw(source, low, high, out, endpoint, masked)
        return out


@compiled
def one_integer(gen, low, last):
    return low + np.int64(external("gridcell_numpy_random_bounded_uint64", np.uint64, gen, 0, last - low, 0, 0))


@compiled
def integers(gen, low, high=None, size=None, dtype=None, endpoint=False):
    if high is None:
        return integers(gen, 0, low, size, dtype, endpoint)
    elif dtype is not None:
        return drawn(gen, low, high, size, dtype, endpoint, False)
    elif size is not None:
        return drawn(gen, low, high, size, np.int64, endpoint, False)
    else:
        last = np.int64(high) if endpoint else np.int64(high) - 1
        if np.int64(low) > last:
            raise ValueError("low >= high")
        return one_integer(gen, np.int64(low), last)


@compiled
def randint(low, high=None, size=None, dtype=None):
    if high is None:
        return randint(0, low, size, dtype)
    elif dtype is not None:
        return drawn(bitgen(), low, high, size, dtype, False, True)
    elif form(low) != NUMBER or form(high) != NUMBER:
        raise TypeError("the bounds of randint() are numbers")
    else:
        if low >= high:
            raise ValueError("low >= high")
        return draw_numbers(integer, size, np.int64(low), np.int64(high))


@small
def random_bytes(source, length, masked):
    words = np.empty(max(length // 4 + (length % 4 > 0), 1), np.uint32)
    fill(source, np.uint64(0), np.uint64(4294967295), masked, words)
    return words.tobytes()[:length]


@small
def generator_bytes(gen, length):
    return random_bytes(gen, length, False)


@small
def legacy_bytes(length):
    return random_bytes(bitgen(), length, True)
