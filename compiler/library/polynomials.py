# SPDX-License-Identifier: MIT
"""Polynomials: NumPy's old functions, coefficients of the highest power first, and those of
numpy.polynomial.polynomial ("low"), of the lowest first."""
import numpy as np

from gridcell.library import ARRAY, FLOAT, TUPLE, compiled, dtype_of, form, kind, result_dtype, small, tuple_full
from gridcell.library.linalg import work_number
from gridcell.library.spectra import eigvals, lstsq
from gridcell.library.views import flat, place


@small
def roots(p):
    """The roots of the polynomial with these coefficients, the highest power first."""
    check_axes(np.ndim(p), "Input must be a rank-1 array.")
    return roots_of(flat(p))


@small
def roots_of(p):
    kept = np.flatnonzero(p)
    if len(kept) == 0:
        return np.empty(0, work_dtype(p).dtype)
    first = kept[0]
    last = kept[len(kept) - 1]
    n = last - first
    companion = np.zeros((n, n), work_dtype(p).dtype)
    for i in range(n):
        companion[0, i] = -p[first + i + 1] / companion.dtype(p[first])
        if i > 0:
            companion[i, i - 1] = 1
    out = np.zeros(n + len(p) - 1 - last, companion.dtype)
    if n > 0:
        out[:n] = eigvals(companion)
    return out


@small
def work_dtype(a):
    return np.empty(0, dtype_of(work_number(a)))


@compiled
def polyval(p, x):
    if form(x) == ARRAY and np.ndim(x) == 0:
        return polyval(p, x[()])
    elif p.ndim == 1:
        result = np.multiply(x, p.dtype(0))
        for c in p:
            result = np.add(np.multiply(result, x), c)
        return result
    else:
        results = np.multiply(x, np.zeros(p.shape[1:], p.dtype))
        for i in range(len(p)):
            results = np.add(np.multiply(results, x), p[i])
        return results


@compiled
def check_axes(ndim, message):
    if ndim == 0:
        raise TypeError("the coefficients of a polynomial are an array of one axis")
    if ndim != 1:
        raise ValueError(message)


@small
def coefficients(p):
    check_axes(np.ndim(p), "Polynomial must be 1d only.")
    return flat(p)


@compiled
def row_or(a, message):
    """The coefficients, of a number too, or a ValueError with the text."""
    if np.ndim(a) == 0:
        return np.full(1, a)
    elif np.ndim(a) == 1:
        return a
    else:
        check_axes(np.ndim(a), message)
        return flat(a)


@compiled
def as_row(a):
    return row_or(a, "Polynomial must be 1d only.")


@compiled
def sum_of(a, b):
    return a + b


@compiled
def item_of(f, a, b):
    """What f gives for items of a and b; only its type is asked for."""
    return f(a.dtype(0), b.dtype(1))


@small
def add_to(row, b):
    row += b


@small
def subtract_from(row, b):
    row -= b


def of_last_powers(join):
    """The coefficients of both, of the same powers joined in a type that holds both."""
    @small
    def function(a1, a2):
        a, b = as_row(a1), as_row(a2)
        out = np.zeros(max(len(a), len(b)), dtype_of(np.add(a.dtype(0), b.dtype(0))))
        left, right = out[len(out) - len(a):], out[len(out) - len(b):]
        left += a
        join(right, b)
        return out

    return function


polyadd = of_last_powers(add_to)
polysub = of_last_powers(subtract_from)


@small
def without_leading(p):
    """Of no coefficients: a zero."""
    if len(p) == 0:
        return np.zeros(1, p.dtype)
    first = 0
    while first < len(p) - 1 and p[first] == 0:
        first += 1
    return p[first:]


@small
def polymul(a1, a2):
    return np.convolve(without_leading(as_row(a1)), without_leading(as_row(a2)))


@small
def divided(u, v):
    """Quotient and remainder, the remainder as long as u."""
    if len(u) == 0 or len(v) == 0:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    rest = u * v.dtype(1) + np.true_divide(u.dtype(0), 1)
    n = max(len(u) - len(v) + 1, 1)
    quotient = np.zeros(n, rest.dtype)
    scale = 1.0 / v[0]
    for k in range(len(u) - len(v) + 1):
        d = scale * rest[k]
        quotient[k] = d
        rest[k:k + len(v)] -= d * v
    return quotient, rest


@small
def polydiv(u, v):
    quotient, rest = divided(as_row(u), as_row(v))
    first = 0
    while first < len(rest) - 1 and abs(rest[first]) <= 1e-8:
        first += 1
    return quotient, rest[first:].copy()


@small
def polyder(p, m=1):
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    row = coefficients(p)
    out = np.multiply(row, np.ones(1, np.int64)) if kind(p) < FLOAT else row.copy()
    for _ in range(m):
        n = max(len(out) - 1, 0)
        out = out[:n] * np.arange(n, 0, -1)
    return out


@small
def constant_of(k, i):
    """Of the i-th integration."""
    if np.ndim(k) == 0:
        return k
    elif len(k) == 1:
        return k[0]
    else:
        return k[i]


@small
def polyint(p, m=1, k=0.0):
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    out = np.true_divide(coefficients(p), 1)
    for i in range(m):
        longer = np.zeros(len(out) + 1, out.dtype)
        longer[:len(out)] = out / np.arange(len(out), 0, -1)
        longer[len(out)] = constant_of(k, i)
        out = longer
    return out


@small
def times_weights(a, w):
    if w is None:
        return a
    elif a.ndim == 1:
        return a * w
    else:
        return a * w.reshape((len(w), 1))


@small
def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """Least squares: the coefficients, for each column of y, and how they vary together."""
    if full:
        raise NotImplementedError("polyfit(full=True) is not available in compiled code")
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if np.ndim(x) != 1:
        raise TypeError("expected 1D vector for x")
    if len(x) == 0:
        raise TypeError("expected non-empty vector for x")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")
    columns = times_weights(np.vander(np.true_divide(x, 1), deg + 1), w)
    values = times_weights(np.true_divide(y, 1), w)
    scale = np.sqrt((columns * columns).sum(0))
    scaled = columns / scale
    found = lstsq(scaled, values, len(x) * np.finfo(np.float64).eps if rcond is None else rcond)[0]
    if not cov:
        return unscaled(found, scale)
    elif len(x) <= deg + 1:
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    else:
        base = np.linalg.inv(np.dot(scaled.T, scaled)) / np.outer(scale, scale)
        left = np.square(np.dot(scaled, found) - values).sum(0) / (len(x) - deg - 1)
        return unscaled(found, scale), np.multiply(base if y.ndim == 1 else base[:, :, None], left)


@small
def unscaled(found, scale):
    if found.ndim == 1:
        return found / scale
    else:
        return found / scale.reshape((len(scale), 1))


@small
def poly(seq):
    """The coefficients of the polynomial with these roots, or of a matrix."""
    if seq.ndim == 2:
        return poly(eigvals(seq))
    else:
        roots = np.true_divide(seq, 1)
        out = np.ones(1, roots.dtype)
        for root in roots:
            longer = np.append(out, out[:1] * 0)
            longer[1:] -= root * out
            out = longer
        return out


# --- numpy.polynomial.polynomial


@small
def trimseq(seq):
    n = len(seq)
    while n > 1 and seq[n - 1] == 0:
        n -= 1
    return seq[:n]


@compiled
def one_series(a, dtype, trim):
    row = row_or(np.asarray(a), "Coefficient array is not 1-d")
    if len(row) == 0:
        raise ValueError("Coefficient array is empty")
    return (trimseq(row) if trim else row).astype(dtype)


@compiled
def each_series(out, alist, dtype, trim):
    if len(alist) > 0:
        out.append(one_series(alist[0], dtype, trim))
        each_series(out, alist[1:], dtype, trim)


@compiled
def as_series(alist, trim=True):
    """The rows of coefficients, of the one type of floats or complex numbers that holds them all."""
    dtype = dtype_of(np.true_divide(np.result_type(alist)(1), 1))
    if form(alist) == TUPLE:
        out = [one_series(alist[0], dtype, trim)]
        each_series(out, alist[1:], dtype, trim)
        return out
    else:
        return [one_series(a, dtype, trim) for a in alist]


@small
def low_row(c):
    """The coefficients as floats, of which there are some."""
    row = row_or(c, "Coefficient array is not 1-d")
    if len(row) == 0:
        raise ValueError("Coefficient array is empty")
    return np.true_divide(row, 1)


@small
def low_add(c1, c2):
    a, b = low_row(c1), low_row(c2)
    out = np.zeros(max(len(a), len(b)), result_dtype(item_of, sum_of, a, b))
    out[:len(a)] += a
    out[:len(b)] += b
    return trimseq(out)


@small
def low_sub(c1, c2):
    return low_add(c1, -low_row(c2))


@small
def low_mul(c1, c2):
    return trimseq(np.convolve(trimseq(low_row(c1)), trimseq(low_row(c2))))


@small
def low_div(c1, c2):
    a, b = trimseq(low_row(c1)), trimseq(low_row(c2))
    if b[len(b) - 1] == 0:
        raise ZeroDivisionError("polynomial division by zero")
    if len(a) < len(b):
        rest = a.astype(result_dtype(item_of, sum_of, a, b))
        return rest[:1] * 0, rest
    quotient, rest = divided(a[::-1].copy(), b[::-1].copy())
    n = max(len(b) - 1, 1)
    return quotient[::-1].copy(), trimseq(rest[::-1][:n].copy())


@compiled
def low_val(x, c, tensor=True):
    """With `tensor` every polynomial of c, along its first axis, is evaluated for every item of x."""
    if len(c) == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    p = np.true_divide(c[::-1], 1)
    if form(x) == ARRAY and np.ndim(x) == 0:
        return low_val(x[()], c, tensor)
    elif tensor and c.ndim > 1 and np.ndim(x) > 0:
        return polyval(p.reshape(c.shape + tuple_full(x.ndim, 1)), x)
    else:
        return polyval(p, x)


@small
def along_first(c, axis):
    """The coefficients as floats, along the first axis."""
    if np.ndim(c) == 0:
        return np.true_divide(np.full(1, c), 1)
    else:
        return np.moveaxis(np.true_divide(c, 1), place(axis, c.ndim), 0).copy()


@small
def powers(count, a):
    """The numbers from 1 on, along the first of a's axes."""
    return np.arange(1, count + 1).reshape((count,) + tuple_full(len(a.shape[1:]), 1))


@small
def low_der(c, m=1, scl=1, axis=0):
    if m < 0:
        raise ValueError("The order of derivation must be non-negative")
    out = along_first(c, axis)
    if m > 0 and m >= len(out):
        return np.moveaxis(out[:1] * 0, 0, axis)
    for _ in range(m):
        out = out[1:] * (powers(len(out) - 1, out) * scl)
    return np.moveaxis(out, 0, axis)


@small
def low_int(c, m=1, k=0, lbnd=0, scl=1, axis=0):
    if m < 0:
        raise ValueError("The order of integration must be non-negative")
    if np.ndim(k) > 0 and np.size(k) > m:
        raise ValueError("Too many integration constants")
    out = along_first(c, axis)
    for i in range(m):
        if len(out) == 0:
            raise IndexError("index 0 is out of bounds for axis 0 with size 0")
        out = out * scl
        if len(out) == 1 and (out == 0).all():
            out += low_constant(k, i)
        else:
            longer = np.zeros((len(out) + 1,) + out.shape[1:], out.dtype)
            longer[1:] = out / powers(len(out), out)
            longer[0] = low_constant(k, i) - polyval(longer[::-1], lbnd)
            out = longer
    return np.moveaxis(out, 0, axis)


@small
def low_constant(k, i):
    """Of the i-th integration; 0 where none is left."""
    if np.ndim(k) == 0:
        return k if i == 0 else k * 0
    else:
        return k[i] if i < len(k) else k.dtype(0)
