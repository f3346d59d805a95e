# SPDX-License-Identifier: MIT
"""np.random: NumPy's legacy streams, number by number (runtime/host/random/legacy.c)."""
import numpy as np

from gridcell import _gridcell, seeding
from gridcell.library import (
    ARRAY, BOOL, INT, NUMBER, STRING, UINT, compiled, external, form, kind, result_dtype, small, word_of_numpy)

seeding.load()


@small
def seed_anew():
    external("gridcell_random_seed_anew_np", None)


@small
def seed_words(seed):
    items = np.array(seed)
    if items.size == 0:
        raise ValueError("Seed must be non-empty")
    if items.ndim != 1:
        raise ValueError("Seed array must be 1-d")
    if ((items < 0) | (items > 4294967295)).any():
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    if items.size == 1:
        np.random.seed(np.int64(items.ravel()[0]))
        return
    words = items.astype(np.uint32)
    external("gridcell_random_seed_np_words", None, words, len(words))


# --- One number, or an array of them


@compiled
def draw_numbers(f, size, *parameters):
    if size is None:
        return f(*parameters)
    else:
        out = np.empty(size, result_dtype(f, *parameters))
        items = out.ravel()
        for i in range(len(items)):
            items[i] = f(*parameters)
        return out


@compiled
def one():
    return external("gridcell_np_number", np.float64)


@compiled
def gauss():
    return external("gridcell_np_gauss", np.float64)


@compiled
def bitgen():
    return external("gridcell_np_bitgen", np.uint64)


@compiled
def binomial_workspace():
    """Of the thread: what NumPy worked out of the last n and p."""
    return external("gridcell_np_binomial_workspace", np.uint64)


@compiled
def random_sample(size=None):
    return draw_numbers(one, size)


def by_shape(one_number):
    @compiled
    def function(*shape):
        return one_number() if len(shape) == 0 else draw_numbers(one_number, shape)

    return function


rand = by_shape(one)
randn = by_shape(gauss)


@small
def check(holds):
    if not holds:
        raise ValueError("a parameter of the distribution is out of its range")


# --- Integers and orders


@compiled
def integer(low, high):
    return low + np.int64(up_to(np.uint64(high - low - 1)))


@compiled
def up_to(limit):
    """Bits of the least mask above the limit, drawn until they are no more than that."""
    if limit == np.uint64(0):
        return limit
    if limit > np.uint64(0xffffffff):
        return external("gridcell_np_interval", np.uint64, limit)
    mask = limit | limit >> np.uint64(1)
    mask |= mask >> np.uint64(2)
    mask |= mask >> np.uint64(4)
    mask |= mask >> np.uint64(8)
    mask |= mask >> np.uint64(16)
    x = word_of_numpy() & mask
    while x > limit:
        x = word_of_numpy() & mask
    return x


@compiled
def shuffle(x):
    for i in range(len(x) - 1, 0, -1):
        j = np.int64(up_to(np.uint64(i)))
        swap(x, i, j)


@compiled
def swap(x, i, j):
    if form(x) == ARRAY and np.ndim(x) > 1:
        if i != j:
            kept = x[i].copy()
            x[i] = x[j]
            x[j] = kept
    else:
        kept = x[i]
        x[i] = x[j]
        x[j] = kept


@compiled
def whole(n):
    """A count as int64."""
    if kind(n) == INT or kind(n) == UINT or kind(n) == BOOL:
        return np.int64(n)
    else:
        raise ValueError("a must be an integer or an array")


@compiled
def permutation(x):
    if form(x) == NUMBER:
        out = np.arange(whole(x))
        shuffle(out)
        return out
    elif form(x) == STRING:
        raise IndexError("x must be an integer or at least 1-dimensional")
    elif x.ndim == 1:
        items = x.copy()
        shuffle(items)
        return items
    else:
        order = np.arange(len(x))
        shuffle(order)
        return x[order]


@compiled
def population(a):
    if form(a) == NUMBER:
        return np.arange(a)
    else:
        return a


@compiled
def population_size(a):
    """Of an array, or of the numbers below one, which need no array."""
    if form(a) == NUMBER:
        return whole(a)
    elif form(a) == STRING:
        raise ValueError("a must be an integer or an array")
    else:
        return len(a)


@compiled
def members(a, places):
    """By their places in the population: one, or an array of them."""
    if form(a) == NUMBER:
        return places
    else:
        return a[places]


@compiled
def choice(a, size=None, replace=True, p=None):
    n = population_size(a)
    if n <= 0:
        raise ValueError("a cannot be empty unless no samples are taken")
    elif p is not None:
        return weighed_choice(population(a), size, replace, probabilities(p, n), drawn, 0)
    elif size is None:
        return members(a, integer(0, n))
    elif replace:
        return members(a, draw_numbers(integer, size, 0, n))
    else:
        places = np.empty(size, np.int64)
        check_size(places.size, n)
        places.ravel()[:] = permutation(n)[:places.size]
        return members(a, places)


@small
def check_size(count, n):
    if count > n:
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")


@small
def probabilities(p, n):
    out = np.array(p).astype(np.float64)
    if len(out) != n:
        raise ValueError("'a' and 'p' must have same size")
    if not (out >= 0).all():
        raise ValueError("probabilities are not non-negative")
    if not abs(out.sum() - 1) <= 1.5e-8:
        raise ValueError("probabilities do not sum to 1")
    return out


@compiled
def cumulated(p):
    out = p.cumsum()
    return out / out[len(out) - 1]


@compiled
def places(p, x):
    return np.searchsorted(cumulated(p), x, side="right")


@compiled
def drawn(source, size):
    return draw_numbers(one, size)


@compiled
def weighed_choice(items, size, replace, p, draw, source):
    """draw(source, size) gives numbers from 0 to 1."""
    if size is None:
        return items[places(p, draw(source, None))]
    elif replace:
        return items[places(p, draw(source, size))]
    else:
        return items[distinct_places(np.empty(size, np.int64), p, draw, source)]


@compiled
def distinct_places(out, p, draw, source):
    """Different places, drawn in rounds: those found have no probability in the next."""
    found = out.ravel()
    check_size(len(found), len(p))
    if np.count_nonzero(p) < len(found):
        raise ValueError("Fewer non-zero entries in p than size")
    count = 0
    while count < len(found):
        x = draw(source, len(found) - count)
        for i in range(count):
            p[found[i]] = 0
        for place in places(p, x):
            if not (found[:count] == place).any():
                found[count] = place
                count += 1
    return out
