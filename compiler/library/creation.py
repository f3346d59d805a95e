# SPDX-License-Identifier: MIT
"""New arrays with numbers in them."""
import math

import numpy as np

from gridcell.library import (
    A, COMPLEX, FLOAT, INT, TIME, compiled, dtype_of, is_span, kind, small, strided, tuple_full, tuple_set)
from gridcell.library.views import check_order, length_times


@compiled
def arange(start=None, stop=None, step=None, dtype=None):
    if start is None:
        if stop is None:
            raise TypeError("arange() requires stop to be specified")
        return arange(0, stop, step, dtype)
    elif kind(start) == TIME:
        return arange_of_times(start, stop, step)
    elif kind(stop) == TIME:
        return arange_of_times(dtype_of(stop)(start), stop, step)
    elif stop is None:
        zero = dtype_of(start * 0)(0)
        return arange_filled(zero, start, zero + 1 if step is None else step, dtype)
    elif step is None:
        return arange_filled(start, stop, dtype_of(start * 0)(1), dtype)
    else:
        return arange_filled(start, stop, step, dtype)


@compiled
def arange_of_times(start, stop, step):
    """Dates, or spans of time; numbers count the unit of `start`."""
    if stop is None:
        return arange_of_times(dtype_of(start)(0), start, step)
    elif kind(stop) != TIME:
        return arange_of_times(start, start + dtype_of(start - start)(stop), step)
    elif is_span(stop) != is_span(start):
        return arange_of_times(start, start + stop, step)
    elif step is None:
        return arange_of_times(start, stop, dtype_of(stop - start)(1))
    elif kind(step) != TIME:
        return arange_of_times(start, stop, dtype_of(stop - start)(step))
    else:
        return steps_of_times(start, stop, step, start + step + (stop - stop))


@compiled
def steps_of_times(start, stop, step, like):
    span = dtype_of(like - like)
    by = count_of(span(step))
    if by == 0:
        raise ZeroDivisionError("division by zero")
    out = np.empty(max(0, -(-count_of(span(stop - start)) // by)), dtype_of(like))
    counts = out.view(np.int64)
    first = count_of(dtype_of(like)(start))
    for i in range(len(counts)):
        counts[i] = first + i * by
    return out


@small
def count_of(time):
    return np.full(1, time).view(np.int64)[0]


@compiled
def distance(start, stop):
    """Between integers as a float, where it may not fit in one."""
    if kind(start) == INT and kind(stop) == INT:
        step = stop - start
        return float(step) if (step < 0) == (stop < start) else float(stop) - float(start)
    else:
        return stop - start


@compiled
def count_of_steps(start, stop, step):
    steps = distance(start, stop) / step
    if kind(steps) == COMPLEX:  # as far as both parts reach, as in NumPy
        return min(count_of_steps(0.0, steps.real, 1.0), count_of_steps(0.0, steps.imag, 1.0))
    else:
        if not -9.2e18 <= steps <= 9.2e18:
            raise ValueError("arange: cannot compute length" if steps != steps else "Maximum allowed size exceeded")
        if steps == 0.0 and start != stop:  # a part of a step, too small for a number
            return 0 if math.copysign(1.0, steps) < 0 else 1
        return max(0, math.ceil(steps))


@compiled
def arange_filled(start, stop, step, dtype):
    if step == 0:
        raise ZeroDivisionError("division by zero")
    count = count_of_steps(start, stop, step)
    if dtype is None:
        out = np.empty(count, dtype_of(start + 0 * step + 0 * stop))
        fill_steps(out, start, step)
        return out
    else:
        out = np.empty(count, dtype)
        fill_steps(out, start, step)
        return out


@compiled
def fill_steps(out, start, step):
    if len(out) > 0:
        out[0] = start  # also where the step is infinite
    for i in range(1, len(out)):
        out[i] = start + i * step


@small
def misordered(shape, order):
    """An array in an order that there is not, or that is another array's."""
    check_order(order)
    raise ValueError("only 'C' or 'F' order is permitted")
    return np.zeros(shape)


@small
def misordered_like(a, order):
    check_order(order)
    return a


@small
def full_of(shape, value, dtype=None, order="C"):
    if dtype is None:
        return full_of(shape, value, value.dtype, order)
    else:
        out = np.empty(shape, dtype, order)
        out[...] = value
        return out


@small
def full_like_of(a, value, dtype=None, order="K", subok=True, shape=None):
    if shape is None:
        return full_like_of(a, value, dtype, order, subok, a.shape)
    elif dtype is None:
        return full_like_of(a, value, a.dtype, order, subok, shape)
    else:
        out = np.empty_like(a, dtype, order, subok, shape)
        out[...] = value
        return out


@compiled
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=None):
    if num < 0:
        raise ValueError("Number of samples must be non-negative.")
    if np.ndim(start) > 0 or np.ndim(stop) > 0:
        if axis is None:
            return lines(start, stop, num, endpoint, retstep, dtype)
        elif retstep:
            out, step = lines(start, stop, num, endpoint, retstep, dtype)
            return np.moveaxis(out, 0, axis), step
        else:
            return np.moveaxis(lines(start, stop, num, endpoint, retstep, dtype), 0, axis)
    parts = num - 1 if endpoint else num
    width = stop * 1.0 - start * 1.0
    step = width / parts if parts > 0 else width * math.nan
    out = np.empty(num, dtype_of(step))
    fill_line(out, start, stop, step, parts)
    if endpoint and num > 1:
        out[num - 1] = stop
    return spaced(out, step, retstep, dtype)


@small
def spaced(out, step, retstep, dtype):
    """What linspace gives, of its numbers and their distance."""
    if retstep:
        return out, step
    elif dtype is None:
        return out
    elif kind(dtype) < FLOAT:
        return np.floor(out).astype(dtype)
    else:
        return out.astype(dtype)


@small
def lines(start, stop, num, endpoint, retstep, dtype):
    """From array to array, side by side along a new first axis."""
    parts = num - 1 if endpoint else num
    width = np.true_divide(stop - start, 1)
    step = width / width.dtype(parts if parts > 0 else math.nan)
    out = np.empty((num,) + step.shape, step.dtype)
    for i in range(num):
        out[i] = start + i * step if parts > 0 else start + step * 0
    if parts == 0 and num > 0:
        out[0] = start
    if endpoint and num > 1:
        out[num - 1] = stop
    return spaced(out, step, retstep, dtype)


@compiled
def fill_line(out, start, stop, step, parts):
    for i in range(len(out)):
        out[i] = start + i * step if parts > 0 else start


@compiled
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=None):
    powers = np.power(float(base), linspace(start, stop, num, endpoint, False, None, axis))
    if dtype is None:
        return powers
    else:
        return powers.astype(dtype)


@compiled
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=None):
    if np.ndim(start) > 0 or np.ndim(stop) > 0:
        return geometric_lines(start, stop, num, endpoint, dtype, axis)
    if start == 0 or stop == 0:
        raise ValueError("Geometric sequence cannot include zero")
    if kind(start + stop) == COMPLEX:
        first, last = np.complex128(start), np.complex128(stop)
        sign = first / abs(first)  # numbers on one line through zero become real: their powers are
        out = sign * np.power(10.0 + 0j, linspace(np.log10(first / sign), np.log10(last / sign), num, endpoint))
    else:
        sign = -1.0 if start < 0 else 1.0
        out = sign * np.power(10.0, linspace(math.log10(start * sign), math.log10(stop * sign), num, endpoint))
    if num > 0:
        out[0] = start
        if endpoint and num > 1:
            out[num - 1] = stop
    if dtype is None:
        return out
    else:
        return out.astype(dtype)


@compiled
def geometric_lines(start, stop, num, endpoint, dtype, axis):
    """From array to array of real numbers, both of one sign."""
    if np.any(np.equal(start, 0)) or np.any(np.equal(stop, 0)):
        raise ValueError("Geometric sequence cannot include zero")
    sign = np.sign(np.multiply(start, 1.0))
    low, high = np.log10(np.multiply(start, sign)), np.log10(np.multiply(stop, sign))
    out = sign * np.power(10.0, linspace(low, high, num, endpoint))
    if num > 0:
        out[0] = start
        if endpoint and num > 1:
            out[num - 1] = stop
    moved = np.moveaxis(out, 0, 0 if axis is None else axis)
    if dtype is None:
        return moved
    else:
        return moved.astype(dtype)


@small
def eye(N, M=None, k=0, dtype=None, order="C"):
    if order == "F":
        return eye(N if M is None else M, N, -k, dtype).T
    elif order != "C":
        return misordered((N, N), order)
    elif dtype is None:
        return eye(N, M, k, np.float64)
    else:
        columns = N if M is None else M
        out = np.zeros((N, columns), dtype)
        put_ones(out, k)
        return out


@compiled
def put_ones(out, k):
    for i in range(max(0, -k), min(out.shape[0], out.shape[1] - k)):
        out[i, i + k] = 1


@small
def identity(n, dtype=None):
    return eye(n, None, 0, dtype)


@compiled
def tri(N, M=None, k=0, dtype=None):
    if dtype is None:
        return tri(N, M, k, np.float64)
    else:
        rows, columns = max(N, 0), max(N if M is None else M, 0)
        out = np.zeros((rows, columns), dtype)
        k = min(max(k, -rows - 1), columns)
        for i in range(rows):
            for j in range(min(columns, i + k + 1)):
                out[i, j] = 1
        return out


@compiled
def tril(m, k=0):
    return triangle(as_matrix(m), k, True)


@compiled
def triu(m, k=0):
    return triangle(as_matrix(m), k - 1, False)


@small
def as_matrix(m):
    if m.ndim == 1:
        return np.broadcast_to(m, (len(m), len(m)))
    else:
        return m


@compiled
def triangle(m, k, lower):
    """The part up to the k-th diagonal, or that behind it."""
    out = np.zeros(m.shape, m.dtype)
    copy_triangle(m, out, k, lower)
    return out


@compiled
def copy_triangle(m, out, k, lower):
    if m.ndim > 2:
        for i in range(len(m)):
            copy_triangle(m[i], out[i], k, lower)
    else:
        rows, columns = m.shape
        k = min(max(k, -rows - 1), columns)
        for i in range(rows):
            middle = min(columns, max(0, i + k + 1))
            for j in range(0 if lower else middle, middle if lower else columns):
                out[i, j] = m[i, j]


@compiled
def triangle_indices(n, m, k, lower):
    k = min(max(k, -n - 1), m)  # beyond these nothing changes
    length_times(m, n)  # there are no more than these
    count = 0
    for i in range(n):
        middle = min(m, max(0, i + k + 1))
        count += middle if lower else m - middle
    rows = np.empty(count, np.int64)
    columns = np.empty(count, np.int64)
    at = 0
    for i in range(n):
        middle = min(m, max(0, i + k + 1))
        for j in range(0 if lower else middle, middle if lower else m):
            rows[at] = i
            columns[at] = j
            at += 1
    return rows, columns


@compiled
def tril_indices(n, k=0, m=None):
    return triangle_indices(n, n if m is None else m, k, True)


@compiled
def triu_indices(n, k=0, m=None):
    return triangle_indices(n, n if m is None else m, k - 1, False)


@small
def check_matrix(arr):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")


@compiled
def tril_indices_from(arr, k=0):
    check_matrix(arr)
    return triangle_indices(arr.shape[0], arr.shape[1], k, True)


@compiled
def triu_indices_from(arr, k=0):
    check_matrix(arr)
    return triangle_indices(arr.shape[0], arr.shape[1], k - 1, False)


@compiled
def diag_indices(n, axes=None):
    if axes is None:
        return same_rows(np.arange(n), (0, 0))
    elif axes < 0:
        return ()
    else:
        return same_rows(np.arange(n), tuple_full(axes, 0))


@small
def same_rows(rows, each):
    if len(each) == 0:
        return ()
    else:
        return (rows,) + same_rows(rows, each[1:])


@small
def diag_indices_from(arr):
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    for n in arr.shape:
        if n != arr.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
    return same_rows(np.arange(arr.shape[0]), arr.shape)


@compiled
def vander(x, N=None, increasing=False):
    if np.ndim(x) != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    columns = len(x) if N is None else N
    out = np.empty((len(x), columns), np.result_type(x, np.int64))
    for i in range(len(x)):
        item = out.dtype(x[i])
        power = out.dtype(1)
        for j in range(columns):
            out[i, j if increasing else columns - 1 - j] = power
            power = item if j == 0 else out.dtype(power * item)
    return out


@small
def meshgrid(*xi, indexing="xy", sparse=False, copy=True):
    shape = lengths(xi)
    if indexing != "xy" and indexing != "ij":
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    if indexing == "ij" or len(xi) < 2:
        return grids(xi, shape, shape, 0, sparse)
    else:
        swapped = tuple_set(tuple_set(shape, 0, shape[1]), 1, shape[0])
        return grids(xi, shape, swapped, 1, sparse)


@small
def lengths(xi):
    if len(xi) == 0:
        return ()
    else:
        return (np.size(xi[0]),) + lengths(xi[1:])


@small
def grids(xi, left, shape, swaps, sparse):
    """One array a coordinate, which changes along the coordinate's axis alone."""
    if len(xi) == 0:
        return ()
    else:
        place = len(shape) - len(xi)
        axis = 1 - place if swaps == 1 and place < 2 else place
        items = np.ravel(xi[0])
        if sparse:
            line = items.reshape(tuple_set(tuple_full(len(shape), 1), axis, items.size)).copy()
            return (line,) + grids(xi[1:], left, shape, swaps, sparse)
        spread = strided(items, items.dtype, A, 0, shape,
                         tuple_set(tuple_full(len(shape), 0), axis, items.itemsize))
        return (spread.copy(),) + grids(xi[1:], left, shape, swaps, sparse)


@small
def indices(dimensions, dtype=None, sparse=False):
    if dtype is None:
        return indices(dimensions, np.int64, sparse)
    elif sparse:
        return sparse_indices(dimensions, dimensions, dtype)
    else:
        out = np.empty((len(dimensions),) + dimensions, dtype)
        for k in range(len(dimensions)):
            numbers = np.arange(dimensions[k])
            out[k] = strided(numbers, numbers.dtype, A, 0, dimensions,
                             tuple_set(tuple_full(len(dimensions), 0), k, 8))
        return out


@small
def sparse_indices(left, dimensions, dtype):
    if len(left) == 0:
        return ()
    else:
        ones = tuple_full(len(dimensions), 1)
        numbers = np.arange(left[0]).astype(dtype).reshape(tuple_set(ones, len(dimensions) - len(left), left[0]))
        return (numbers,) + sparse_indices(left[1:], dimensions, dtype)


# --- Windows


@small
def window(M, count):
    """Ones: so many as the window has items, which is the number asked for where that is an integer."""
    if kind(M) < FLOAT:
        return np.ones(max(M, 0))
    elif not count <= 9.2e18:
        raise ValueError("arange: cannot compute length" if count != count else "Maximum allowed size exceeded")
    else:
        return np.ones(max(0, math.ceil(max(count, -1.0))))


@compiled
def bartlett(M):
    out = window(M, 0.0 if M < 1 else (M - (1 - M)) / 2)
    for i in range(len(out) if M > 1 else 0):
        n = 1 - M + 2 * i
        out[i] = 1 + n / (M - 1) if n <= 0 else 1 - n / (M - 1)
    return out


@compiled
def cosines(M, a, b, c):
    out = window(M, 0.0 if M < 1 else (M - (1 - M)) / 2)
    for i in range(len(out) if M > 1 else 0):
        angle = math.pi * (2 * i - (M - 1)) / (M - 1)
        out[i] = a + b * math.cos(angle) + c * math.cos(2 * angle)
    return out


@compiled
def blackman(M):
    return cosines(M, 0.42, 0.5, 0.08)


@compiled
def hamming(M):
    return cosines(M, 0.54, 0.46, 0.0)


@compiled
def hanning(M):
    return cosines(M, 0.5, 0.5, 0.0)


@compiled
def kaiser(M, beta):
    out = window(M, float(M))
    half = (M - 1) / 2
    for i in range(len(out) if M != 1 else 0):
        out[i] = np.i0(beta * math.sqrt(1 - ((i - half) / half) ** 2)) / np.i0(float(beta))
    return out
