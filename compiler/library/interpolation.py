# SPDX-License-Identifier: MIT
"""Piecewise linear functions through points."""
import numpy as np

from gridcell.library import COMPLEX, NUMBER, compiled, dtype_of, form, kind
from gridcell.library.views import flat


@compiled
def interp(x, xp, fp, left=None, right=None, period=None):
    if period is not None:
        return interp_around(x, xp, fp, float(period))
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    if form(x) == NUMBER:
        return interp_in(float(x), interval_of(float(x), xp, 0), xp, fp, left, right)
    else:
        items = flat(x)
        out = np.empty(x.shape, dtype_of(fp[0] * 1.0))
        row = out.ravel()
        j = 0
        for i in range(len(items)):
            if items[i] == items[i]:  # after NaN the search goes on where it was
                j = interval_of(float(items[i]), xp, j)
            row[i] = interp_in(float(items[i]), j, xp, fp, left, right)
        return out


@compiled
def interp_around(x, xp, fp, period):
    """Of a periodic function: the last point comes before the first, too."""
    if period == 0:
        raise ValueError("period must be a non-zero value")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    length = abs(period)
    places = np.remainder(xp, length)
    order = np.argsort(places)
    places, values = places[order], fp[order]
    around = np.concatenate((places[-1:] - length, places, places[:1] + length))
    return interp(np.remainder(x, length), around, np.concatenate((values[-1:], values, values[:1])))


@compiled
def or_else(value, default):
    """As a number of the kind of default, with a fraction."""
    return dtype_of(default * 1.0)(default if value is None else value)


@compiled
def interval_of(x, xp, guess):
    """The last j with xp[j] <= x, looked for near the guess first; -1 before all, len(xp) behind all.

    Where xp is not in order, it is the one that NumPy finds."""
    n = len(xp)
    if x > xp[n - 1]:
        return n
    if x < xp[0]:
        return -1
    if n <= 4:
        j = 1
        while j < n and x >= xp[j]:
            j += 1
        return j - 1
    guess = max(min(guess, n - 3), 1)
    low, high = 0, n
    if x < xp[guess]:
        if not x < xp[guess - 1]:  # which may be NaN
            return guess - 1
        high = guess - 1
        if guess > 8 and x >= xp[guess - 8]:
            low = guess - 8
    elif x < xp[guess + 1]:
        return guess
    elif x < xp[guess + 2]:
        return guess + 1
    else:
        low = guess + 2
        if guess < n - 9 and x < xp[guess + 8]:
            high = guess + 8
    while low < high:
        middle = low + (high - low) // 2
        if x >= xp[middle]:
            low = middle + 1
        else:
            high = middle
    return low - 1


@compiled
def interp_in(x, j, xp, fp, left, right):
    n = len(xp)
    if x != x:
        return or_else(x, fp[0]) if n > 1 else or_else(None, fp[0])
    if j == n:
        return or_else(right, fp[n - 1])
    if j < 0:
        return or_else(left, fp[0])
    if j == n - 1 or xp[j] == x:  # on a line to an infinite value, this point would be NaN
        return or_else(None, fp[j])
    return on_line(x, float(xp[j]), float(xp[j + 1]), or_else(None, fp[j]), or_else(None, fp[j + 1]))


@compiled
def on_line(x, x0, x1, y0, y1):
    if kind(y0) == COMPLEX:  # NumPy multiplies here, and divides for real numbers: to the last digit
        inverse = 1.0 / (x1 - x0)
        return dtype_of(y0)(complex(along(x, x0, x1, y0.real, y1.real, (y1.real - y0.real) * inverse),
                                    along(x, x0, x1, y0.imag, y1.imag, (y1.imag - y0.imag) * inverse)))
    else:
        return along(x, x0, x1, y0, y1, (y1 - y0) / (x1 - x0))


@compiled
def along(x, x0, x1, y0, y1, slope):
    y = slope * (x - x0) + y0
    if y != y:  # an end is infinite; seen from the other one, the point may not be
        y = slope * (x - x1) + y1
    return y0 * 1.0 if y != y and y0 == y1 else y
