# SPDX-License-Identifier: MIT
"""Reductions of whole arrays of any number of dimensions, and Python's sum."""
import numpy as np

from gridcell.library import compiled, dtype_of


@compiled
def python_sum(iterable, start=0):
    total = start
    for x in iterable:
        total += x
    return total


@compiled
def array_sum(a):
    total = a.dtype(0) + zero(a.dtype)
    if a.ndim == 0:
        total += a[()]
    elif a.ndim == 1:
        for x in a:
            total += x
    else:
        for part in a:
            total += array_sum(part)
    return total


@compiled
def zero(dtype):
    """0 of the type that sums of the dtype have."""
    return dtype(0) + dtype(0)


@compiled
def array_prod(a):
    total = zero(a.dtype) + a.dtype(1)
    if a.ndim == 0:
        total *= a[()]
    elif a.ndim == 1:
        for x in a:
            total *= x
    else:
        for part in a:
            total *= array_prod(part)
    return total


@compiled
def array_mean(a):
    total = array_sum(a)
    return np.divide(total, dtype_of(total)(a.size))


@compiled
def squared_distance(a, mean):
    total = abs(mean) * 0
    if a.ndim == 0:
        total += abs(a[()] - mean) ** 2
    elif a.ndim == 1:
        for x in a:
            total += abs(x - mean) ** 2
    else:
        for part in a:
            total += squared_distance(part, mean)
    return total


@compiled
def first(a):
    if a.ndim == 0:
        return a[()]
    elif a.ndim == 1:
        return a[0]
    else:
        return first(a[0])


@compiled
def array_min(a):
    if a.size == 0:
        raise ValueError("zero-size array to reduction operation not possible")
    return smallest(a)


@compiled
def smallest(a):
    best = first(a)
    if a.ndim == 1:
        for x in a:
            if x < best or x != x:
                best = x
                if x != x:
                    break
    elif a.ndim > 1:
        for part in a:
            x = smallest(part)
            if x < best or x != x:
                best = x
                if x != x:
                    break
    return best


@compiled
def array_max(a):
    if a.size == 0:
        raise ValueError("zero-size array to reduction operation not possible")
    return largest(a)


@compiled
def largest(a):
    best = first(a)
    if a.ndim == 1:
        for x in a:
            if x > best or x != x:
                best = x
                if x != x:
                    break
    elif a.ndim > 1:
        for part in a:
            x = largest(part)
            if x > best or x != x:
                best = x
                if x != x:
                    break
    return best


@compiled
def array_argmin(a):
    if a.size == 0:
        raise ValueError("attempt to get argmin of an empty sequence")
    items = a.ravel()
    best, place = items[0], 0
    for i in range(1, len(items)):
        if best != best:
            break
        if items[i] < best or items[i] != items[i]:
            best, place = items[i], i
    return place


@compiled
def array_argmax(a):
    if a.size == 0:
        raise ValueError("attempt to get argmax of an empty sequence")
    items = a.ravel()
    best, place = items[0], 0
    for i in range(1, len(items)):
        if best != best:
            break
        if items[i] > best or items[i] != items[i]:
            best, place = items[i], i
    return place


@compiled
def array_any(a):
    if a.ndim == 0:
        return bool(a[()])
    elif a.ndim == 1:
        for x in a:
            if x:
                return True
    else:
        for part in a:
            if array_any(part):
                return True
    return False


@compiled
def array_all(a):
    if a.ndim == 0:
        return bool(a[()])
    elif a.ndim == 1:
        for x in a:
            if not x:
                return False
    else:
        for part in a:
            if not array_all(part):
                return False
    return True


@compiled
def array_count_nonzero(a):
    count = 0
    if a.ndim == 0:
        count += bool(a[()])
    elif a.ndim == 1:
        for x in a:
            count += bool(x)
    else:
        for part in a:
            count += array_count_nonzero(part)
    return count


@compiled
def array_ptp(a):
    return np.subtract(array_max(a), array_min(a))
