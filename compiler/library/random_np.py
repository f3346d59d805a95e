# SPDX-License-Identifier: MIT
"""np.random: NumPy's legacy streams, number by number (runtime/host/random_legacy.c)."""
import numpy as np

from gridcell import _gridcell, seeding
from gridcell.library import ARRAY, NUMBER, compiled, external, form, result_dtype, small

seeding.load()


# --- One number, or an array of them


@compiled
def draw0(f, size):
    if size is None:
        return f()
    else:
        out = np.empty(size, result_dtype(f))
        items = out.ravel()
        for i in range(len(items)):
            items[i] = f()
        return out


@compiled
def draw1(f, a, size):
    if size is None:
        return f(a)
    else:
        out = np.empty(size, result_dtype(f, a))
        items = out.ravel()
        for i in range(len(items)):
            items[i] = f(a)
        return out


@compiled
def draw2(f, a, b, size):
    if size is None:
        return f(a, b)
    else:
        out = np.empty(size, result_dtype(f, a, b))
        items = out.ravel()
        for i in range(len(items)):
            items[i] = f(a, b)
        return out


@compiled
def draw3(f, a, b, c, size):
    if size is None:
        return f(a, b, c)
    else:
        out = np.empty(size, result_dtype(f, a, b, c))
        items = out.ravel()
        for i in range(len(items)):
            items[i] = f(a, b, c)
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
def random_sample(size=None):
    return draw0(one, size)


@compiled
def rand(*shape):
    if len(shape) == 0:
        return one()
    else:
        return draw0(one, shape)


@compiled
def randn(*shape):
    if len(shape) == 0:
        return gauss()
    else:
        return draw0(gauss, shape)


@small
def check(holds):
    if not holds:
        raise ValueError("a parameter of the distribution is out of its range")


# --- Integers and orders


@compiled
def integer(low, high):
    return low + np.int64(external("gridcell_np_interval", np.uint64, np.uint64(high - low - 1)))


@compiled
def randint(low, high=None, size=None):
    if high is None:
        return randint(0, low, size)
    else:
        if low >= high:
            raise ValueError("low >= high")
        return draw2(integer, np.int64(low), np.int64(high), size)


@compiled
def shuffle(x):
    for i in range(len(x) - 1, 0, -1):
        j = np.int64(external("gridcell_np_interval", np.uint64, i))
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
def permutation(x):
    if form(x) == NUMBER:
        out = np.arange(x)
        shuffle(out)
        return out
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
def choice(a, size=None, replace=True):
    items = population(a)
    if len(items) == 0:
        raise ValueError("a cannot be empty unless no samples are taken")
    if size is None:
        return items[randint(0, len(items))]
    else:
        out = np.empty(size, items.dtype)
        row = out.ravel()
        if replace:
            for i in range(len(row)):
                row[i] = items[integer(0, len(items))]
        else:
            if len(row) > len(items):
                raise ValueError("Cannot take a larger sample than population when 'replace=False'")
            order = permutation(len(items))
            for i in range(len(row)):
                row[i] = items[order[i]]
        return out
