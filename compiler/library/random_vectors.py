# SPDX-License-Identifier: MIT
"""Distributions whose numbers are vectors, and orders: of np.random and np.random.Generator."""
import numpy as np

from gridcell import seeding
from gridcell.library import NUMBER, STRING, compiled, external, form, small
from gridcell.library.distributions import standard_normal as legacy_normal
from gridcell.library.generator import number, one_beta, one_standard_gamma, standard_normal
from gridcell.library.spectra import svd
from gridcell.library.random_np import binomial_workspace, draw_numbers, swap, whole
from gridcell.library.shapes import swapaxes
from gridcell.library.views import axes_of, flat, order_of, put_out, rows_along, unpermuted

seeding.load()


# --- Counts


one_hypergeometric = number("hypergeometric", np.int64)


@compiled
def hypergeometric(gen, ngood, nbad, nsample, size=None):
    if ngood < 0 or nbad < 0 or nsample < 0:
        raise ValueError("ngood, nbad and nsample must not be negative")
    if ngood + nbad < nsample:
        raise ValueError("ngood + nbad < nsample")
    return draw_numbers(one_hypergeometric, size, gen, np.int64(ngood), np.int64(nbad), np.int64(nsample))


@small
def rows_of(size, n, dtype):
    """An array of zeros for vectors of n items, and its rows."""
    if size is None:
        out = np.zeros(n, dtype)
        return out, out.reshape((1, n))
    else:
        out = np.zeros(axes_of(size) + (n,), dtype)
        return out, out.reshape((out.size // max(n, 1), n))


@compiled
def multinomial(gen, n, pvals, size=None):
    p = np.array(pvals).astype(np.float64)
    if n < 0:
        raise ValueError("n < 0")
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
    if p[:len(p) - 1].sum() > 1.0 + 1e-12:
        raise ValueError("sum(pvals[:-1]) > 1.0")
    out, rows = rows_of(size, len(p), np.int64)
    for row in rows:
        external("gridcell_numpy_random_multinomial", None, gen, np.int64(n), row, p, len(p), binomial_workspace())
    return out


# --- Points


@compiled
def dirichlet(gen, alpha, size=None):
    a = np.array(alpha).astype(np.float64)
    if not (a >= 0).all():
        raise ValueError("alpha < 0")
    out, rows = rows_of(size, len(a), np.float64)
    if len(a) > 0:
        if a.max() < 0.1:
            broken_sticks(gen, a, rows)
        else:
            gamma_shares(gen, a, rows)
    return out


@compiled
def gamma_shares(gen, alpha, rows):
    for row in rows:
        total = 0.0
        for j in range(len(alpha)):
            row[j] = one_standard_gamma(gen, alpha[j])
            total += row[j]
        scale = 1 / total
        for j in range(len(alpha)):
            row[j] *= scale


@compiled
def broken_sticks(gen, alpha, rows):
    """For small alphas, whose gammas may all be zero."""
    k = len(alpha)
    behind = alpha.copy()
    for j in range(k - 2, -1, -1):
        behind[j] += behind[j + 1]
    if behind[0] > 0:
        for row in rows:
            rest = 1.0
            for j in range(k - 1):
                v = one_beta(gen, alpha[j], behind[j + 1])
                row[j] = rest * v
                rest *= 1 - v
                if behind[j + 1] == 0:
                    break
            row[k - 1] = rest


@small
def check_moments(mean, cov):
    if mean.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if cov.ndim != 2:
        raise ValueError("cov must be 2 dimensional and square")
    if cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if mean.shape[0] != cov.shape[0]:
        raise ValueError("mean and cov must have same length")
    if mean.size == 0:
        raise ValueError("mean and cov must have one item or more")


@compiled
def moments(mean, cov):
    """The mean as a row and the covariance as a matrix."""
    center, spread = np.array(mean).astype(np.float64), np.array(cov).astype(np.float64)
    check_moments(center, spread)
    if spread.ndim == 2:
        return flat(center), spread
    else:
        return flat(center), flat(spread).reshape((1, spread.size))


@compiled
def legacy_multivariate_normal(mean, cov, size=None):
    center, spread = moments(mean, cov)
    out, rows = rows_of(size, len(center), np.float64)
    x = legacy_normal(rows.shape)
    u, s, v = svd(spread)
    rows[...] = np.dot(x, np.sqrt(s).reshape((len(s), 1)) * v) + center
    return out


@compiled
def multivariate_normal(gen, mean, cov, size=None):
    center, spread = moments(mean, cov)
    out, rows = rows_of(size, len(center), np.float64)
    x = standard_normal(gen, rows.shape)
    u, s, v = svd(spread)
    rows[...] = np.dot(x, (u * np.sqrt(s)).T) + center
    return out


# --- Orders


@compiled
def shuffle_items(gen, x):
    for i in range(len(x) - 1, 0, -1):
        swap(x, i, np.int64(external("gridcell_numpy_random_interval", np.uint64, gen, i)))


@compiled
def shuffle(gen, x, axis=0):
    if np.ndim(x) > 1:
        shuffle_items(gen, swapaxes(x, 0, axis))
    else:
        shuffle_items(gen, x)


@compiled
def permutation(gen, x, axis=0):
    if form(x) == NUMBER:
        out = np.arange(whole(x))
        shuffle_items(gen, out)
        return out
    elif form(x) == STRING:
        raise np.exceptions.AxisError(axis, 0)
    elif x.ndim == 1:
        items = x.copy()
        shuffle_items(gen, items)
        return items
    else:
        order = np.arange(x.shape[axis])
        shuffle_items(gen, order)
        return np.take(x, order, axis)


@compiled
def permuted(gen, x, axis=None, out=None):
    if out is not None:
        return put_out(out, permuted(gen, x, axis))
    elif axis is None:
        items = x.copy()
        shuffle_items(gen, items.reshape(items.size))
        return items
    else:
        order = order_of(x, (axis,))
        rows = rows_along(x, order, (axis,)).copy()
        for row in rows:
            shuffle_items(gen, row)
        return unpermuted(rows.reshape(np.transpose(x, order).shape), order)
