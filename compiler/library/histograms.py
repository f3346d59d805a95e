# SPDX-License-Identifier: MIT
"""Histograms: counts, or sums of weights, of what falls between edges."""
import math

import numpy as np

from gridcell.library import ARRAY, BOOL, FLOAT, LIST, NUMBER, STRING, TUPLE, compiled, form, kind, small
from gridcell.library.reductions import array_max, array_min
from gridcell.library.sorting import search_right
from gridcell.library.views import contiguous, flat


@compiled
def histogram(a, bins=10, range=None, density=False, weights=None):
    items = flat(a)
    if weights is not None:
        check_weights(a, weights)
    if form(bins) == STRING:
        if weights is not None:
            raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
        return histogram(a, bin_count(items, bins, range), range, density)
    elif form(bins) == NUMBER:
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        low, high = bounds(items, range)
        edges = finite_edges(low, high, bins)
        return scaled(counted_evenly(items, edges, low, high, weighing(items, weights)), edges, density), edges
    else:
        edges = contiguous(bins)
        return scaled(counted(items, edges, weighing(items, weights)), edges, density), edges


@compiled
def finite_edges(low, high, bins):
    edges = np.linspace(low, high, bins + 1)
    for k in range(bins):
        if edges[k] >= edges[k + 1]:
            raise ValueError(f"Too many bins for data range. Cannot create {bins} finite-sized bins.")
    return edges


@small
def check_weights(a, weights):
    if np.shape(a) != np.shape(weights):
        raise ValueError("weights should have the same shape as a.")


@small
def weighing(items, weights):
    """The weight of each item: a 1 for all where none are given."""
    if weights is None:
        return 1
    else:
        return flat(weights)


@compiled
def counts_for(n, weights):
    if form(weights) == NUMBER:
        return np.zeros(n, np.int64)
    elif kind(weights) == BOOL:
        return np.zeros(n, np.int64)
    else:
        return np.zeros(n, weights.dtype)


@compiled
def weight(weights, i):
    if form(weights) == NUMBER:
        return weights
    else:
        return weights[i]


@small
def scaled(counts, edges, density):
    if density:
        return counts / np.diff(edges) / counts.sum()
    else:
        return counts


@compiled
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    if form(bins) == STRING:
        return histogram_bin_edges(a, bin_count(flat(a), bins, range), range)
    elif form(bins) == ARRAY:
        return bins
    else:
        low, high = bounds(flat(a), range)
        return np.linspace(low, high, bins + 1)


# --- How many bins


@compiled
def bin_count(items, rule, range):
    """By one of NumPy's rules for the width of a bin."""
    low, high = bounds(items, range)
    x = items[(items >= low) & (items <= high)]
    if len(x) == 0:
        return 1
    width = bin_width(x, rule)
    if kind(items) < FLOAT and width > 0 and width < 1:
        width = 1.0
    return max(1, int(math.ceil((high - low) / width))) if width > 0 else 1


@compiled
def bin_width(x, rule):
    n = float(len(x))
    spread = float(array_max(x)) - float(array_min(x))
    root = n ** (1.0 / 3.0)
    if rule == "sqrt":
        return spread / math.sqrt(n)
    if rule == "rice":
        return spread / (2.0 * root)
    sturges = spread / (math.log2(n) + 1.0)
    if rule == "sturges":
        return sturges
    if rule == "scott":
        return (24.0 * math.pi ** 0.5 / n) ** (1.0 / 3.0) * float(np.std(x))
    if rule == "doane":
        return doane_width(x, n, spread)
    if rule != "fd" and rule != "auto":
        raise ValueError("not a valid estimator for `bins`")
    quartiles = 2.0 * float(np.percentile(x, 75) - np.percentile(x, 25)) / root
    if rule == "fd":
        return quartiles
    return min(max(quartiles, spread / math.sqrt(n) / 2.0), sturges)


@compiled
def doane_width(x, n, spread):
    if n <= 2:
        return 0.0
    deviation = float(np.std(x))
    if deviation <= 0:
        return 0.0
    skewness = float(np.mean(((x - np.mean(x)) / deviation) ** 3))
    scale = math.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
    return spread / (1.0 + math.log2(n) + math.log2(1.0 + abs(skewness) / scale))


@small
def bounds(items, limits):
    if limits is None:
        low = 0.0
        high = 1.0
        if len(items) > 0:
            low = float(array_min(items))
            high = float(array_max(items))
    else:
        low = float(limits[0])
        high = float(limits[1])
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError("autodetected range is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return low, high


@compiled
def counted_evenly(items, edges, low, high, weights):
    n = len(edges) - 1
    up = 1.0 if high - low > 1e-290 else 2.0 ** 600
    scale = n / ((high - low) * up)
    out = counts_for(n + 1, weights)  # the last is no bin
    if form(weights) == NUMBER:
        count_blocks(items, edges, low, high, up, scale, out)
    else:
        count_exactly(items, 0, len(items), edges, low, high, up, scale, weights, out)
    return out[:n].copy()


@compiled
def count_exactly(items, begin, end, edges, low, high, up, scale, weights, out):
    """The bin that a product tells is at most one off; the edges say whether it is."""
    last = len(edges) - 2
    for i in range(begin, end):
        x = items[i]
        if low <= x and x <= high:
            k = np.uint64(min(last, np.int64((float(x) - low) * up * scale)))
            is_above = x >= edges[k + np.uint64(1)] and x < high
            out[k + np.uint64(is_above) - np.uint64(x < edges[k])] += weight(weights, i)


@compiled
def count_blocks(items, edges, low, high, up, scale, out):
    """Blocks without items close to an edge are counted by the product alone."""
    n = len(edges) - 1
    block = 512
    bins = np.empty(block, np.int32)
    doubt = 4e-15 * (n + max(abs(low), abs(high)) * scale)  # how far off the product can be, in bins
    is_even = up == 1.0 and doubt < 0.01 and n < 2 ** 30
    careful = 0  # blocks ahead that are likely to have such items
    for begin in range(0, len(items), block):
        size = min(block, len(items) - begin)
        close = np.int32(1)
        if careful == 0 and is_even:
            close = find_bins(items, begin, size, low, scale, doubt, np.int32(n), bins)
            if close > 0:
                close -= settle_ends(items, begin, size, low, high, np.int32(n - 1), bins)
        if close == 0:
            for j in range(size):
                out[np.uint32(bins[j])] += 1
        else:
            careful = 15 if careful == 0 else careful - 1
            count_exactly(items, begin, begin + size, edges, low, high, up, scale, 1, out)


@compiled
def find_bins(items, begin, size, low, scale, doubt, n, bins):
    """The bin of each item, n outside of all; how many are too close to an edge to tell."""
    close = np.int32(0)
    for j in range(size):
        place = (float(items[begin + j]) - low) * scale
        close += np.int32(abs(place - np.rint(place)) <= doubt)
        bins[j] = np.int32(place) if place >= 0 and place < n else n
    return close


@compiled
def settle_ends(items, begin, size, low, high, last, bins):
    """How many items are at an end of the range, as the least and the largest of all often are. These are close to an
    edge, but there is no doubt about them."""
    count = np.int32(0)
    for j in range(size):
        x = float(items[begin + j])
        is_largest = x == high
        if is_largest or x == low:
            bins[j] = last if is_largest else np.int32(0)
            count += np.int32(1)
    return count


@compiled
def counted(items, edges, weights):
    n = len(edges) - 1
    for i in range(n):
        if edges[i] > edges[i + 1]:
            raise ValueError("`bins` must increase monotonically, when an array")
    out = counts_for(n, weights)
    for i in range(len(items)):
        k = search_right(edges, items[i]) - 1
        if k == n and items[i] == edges[n]:
            k -= 1
        if 0 <= k and k < n:
            out[k] += weight(weights, i)
    return out


# --- Of two dimensions


@small
def edges_for(items, bins, range, i):
    if form(bins) == ARRAY:
        if len(bins) == 2:  # of bins, one for each axis
            return edges_for(items, np.int64(bins[i]), range, i)
        else:
            return increasing(bins)
    elif form(bins) == NUMBER:
        if bins < 1:
            raise ValueError("`bins` must be positive")
        low, high = bounds(items, range)
        return np.linspace(low, high, bins + 1)
    else:
        return increasing(np.array(bins))


@small
def increasing(bins):
    edges = bins.astype(np.float64)
    if (np.diff(edges) < 0).any():
        raise ValueError("`bins` must be monotonically increasing")
    return edges


@compiled
def bin_of(edges, x):
    k = search_right(edges, x) - 1
    return k - 1 if x == edges[len(edges) - 1] else k


@compiled
def fill_table(x, y, across, down, weights, out):
    for i in range(len(x)):
        k = bin_of(across, x[i])
        m = bin_of(down, y[i])
        if 0 <= k and k < out.shape[0] and 0 <= m and m < out.shape[1]:
            out[k, m] += weight(weights, i)


@small
def each_axis(x):
    """What is meant for the first axis, and for the second."""
    if form(x) == TUPLE or form(x) == LIST:
        return x[0], x[1]
    else:
        return x, x


@compiled
def histogram2d(x, y, bins=10, range=None, density=False, weights=None):
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    both = each_axis(bins)
    limits = each_axis(range)
    across = edges_for(flat(x), both[0], limits[0], 0)
    down = edges_for(flat(y), both[1], limits[1], 1)
    out = np.zeros((len(across) - 1, len(down) - 1))
    fill_table(x, y, across, down, weighing(flat(x), weights), out)
    if density:
        total = out.sum()
        out = out / np.diff(across).reshape((out.shape[0], 1)) / np.diff(down) / total
    return out, across, down
