# SPDX-License-Identifier: MIT
"""Methods of np.random.Generator objects, by the functions that NumPy exports for its generators.

The compiler passes a Generator as the address of its bitgen_t.
"""
import numpy as np

from gridcell import seeding
from gridcell.library import bits, compiled, external
from gridcell.library.random_integers import one_integer
from gridcell.library.random_np import (
    check_size, draw1, draw2, draw3, population, probabilities, weighed_choice)

seeding.load()


@compiled
def draw4(f, gen, a, b, c, size):
    if size is None:
        return f(gen, a, b, c)
    else:
        out = np.empty(size, np.float64)
        items = out.ravel()
        for i in range(len(items)):
            items[i] = f(gen, a, b, c)
        return out


@compiled
def check(holds, message):
    """ValueError, where a parameter is none of the distribution's."""
    if not holds:
        raise ValueError(message)


@compiled
def check_range(low, high):
    if not np.isfinite(float(high) - float(low)):
        raise OverflowError("high - low range exceeds valid bounds")
    check(low <= high, "high - low < 0")


@compiled
def floats(size, dtype):
    if dtype is None:
        return np.empty(size, np.float64)
    else:
        return np.empty(size, dtype)


@compiled
def draw_floats(one, short, gen, size, dtype, out):
    """Numbers of float64 by `one`, of float32 by `short`."""
    if out is not None:
        items = out.ravel()
        for i in range(len(items)):
            items[i] = short(gen) if bits(out) == 32 else one(gen)
        return out
    elif bits(dtype) == 32:
        return draw1(short, gen, size)
    else:
        return draw1(one, gen, size)


@compiled
def bounded(gen, last):
    return np.int64(external("gridcell_numpy_random_bounded_uint64", np.uint64, gen, 0, last, 0, 0))


@compiled
def choice(gen, a, size=None, replace=True, p=None):
    items = population(a)
    n = len(items)
    if p is not None:
        return weighed_choice(items, size, replace, probabilities(p, n), random, gen)
    elif size is None:
        return items[one_integer(gen, 0, n - 1)]
    else:
        chosen = np.empty(size, np.int64)
        row = chosen.ravel()
        if replace:
            for i in range(len(row)):
                row[i] = one_integer(gen, 0, n - 1)
        else:
            check_size(len(row), n)
            draw_distinct(gen, row, n)
        return items[chosen]


@compiled
def draw_distinct(gen, out, n):
    """Different numbers below n in random order, by the method that NumPy takes for so many."""
    count = len(out)
    if n > 10000 and count > n // 50:
        order = np.arange(n)
        shuffle_down(gen, order, n, max(n - count, 1))
        out[:] = order[n - count:]
    else:
        is_taken = np.zeros(n, np.bool_)
        for j in range(n - count, n):
            x = bounded(gen, j)
            if is_taken[x]:
                x = j
            is_taken[x] = True
            out[j - n + count] = x
        shuffle_down(gen, out, count, 1)


@compiled
def shuffle_down(gen, x, n, first):
    for i in range(n - 1, first - 1, -1):
        j = bounded(gen, i)
        kept = x[j]
        x[j] = x[i]
        x[i] = kept


@compiled
def one_standard_normal(gen):
    return external("gridcell_numpy_random_standard_normal", np.float64, gen)


@compiled
def short_standard_normal(gen):
    return external("gridcell_numpy_random_standard_normal_f", np.float32, gen)


@compiled
def standard_normal(gen, size=None, dtype=None, out=None):
    return draw_floats(one_standard_normal, short_standard_normal, gen, size, dtype, out)


@compiled
def one_standard_exponential(gen):
    return external("gridcell_numpy_random_standard_exponential", np.float64, gen)


@compiled
def short_standard_exponential(gen):
    return external("gridcell_numpy_random_standard_exponential_f", np.float32, gen)


@compiled
def inverted_exponentials(gen, out):
    """By the logarithm rather than the ziggurat."""
    items = out.ravel()
    if bits(out) == 32:
        external("gridcell_numpy_random_standard_exponential_inv_fill_f", None, gen, len(items), items)
    else:
        external("gridcell_numpy_random_standard_exponential_inv_fill", None, gen, len(items), items)
    return out


@compiled
def standard_exponential(gen, size=None, dtype=None, method="zig", out=None):
    if method == "inv":
        return inverted(gen, size, dtype, out)
    else:
        return draw_floats(one_standard_exponential, short_standard_exponential, gen, size, dtype, out)


@compiled
def inverted(gen, size, dtype, out):
    if out is not None:
        return inverted_exponentials(gen, out)
    elif size is None:
        return inverted_exponentials(gen, floats(1, dtype))[0]
    else:
        return inverted_exponentials(gen, floats(size, dtype))


@compiled
def one_random(gen):
    return external("gridcell_numpy_random_standard_uniform", np.float64, gen)


@compiled
def short_random(gen):
    return external("gridcell_numpy_random_standard_uniform_f", np.float32, gen)


@compiled
def random(gen, size=None, dtype=None, out=None):
    return draw_floats(one_random, short_random, gen, size, dtype, out)


@compiled
def one_standard_cauchy(gen):
    return external("gridcell_numpy_random_standard_cauchy", np.float64, gen)


@compiled
def standard_cauchy(gen, size=None):
    return draw1(one_standard_cauchy, gen, size)


@compiled
def one_standard_gamma(gen, shape):
    return external("gridcell_numpy_random_standard_gamma", np.float64, gen, shape)


@compiled
def short_standard_gamma(gen, shape):
    return external("gridcell_numpy_random_standard_gamma_f", np.float32, gen, shape)


@compiled
def standard_gamma(gen, shape, size=None, dtype=None, out=None):
    check(not shape < 0, "shape < 0")
    if out is not None:
        items = out.ravel()
        for i in range(len(items)):
            items[i] = short_standard_gamma(gen, np.float32(shape)) if bits(out) == 32 else one_standard_gamma(
                gen, float(shape))
        return out
    elif bits(dtype) == 32:
        return draw2(short_standard_gamma, gen, np.float32(shape), size)
    else:
        return draw2(one_standard_gamma, gen, float(shape), size)


@compiled
def one_beta(gen, a, b):
    return external("gridcell_numpy_random_beta", np.float64, gen, a, b)


@compiled
def beta(gen, a, b, size=None):
    check(not a <= 0, "a <= 0")
    check(not b <= 0, "b <= 0")
    return draw3(one_beta, gen, float(a), float(b), size)


@compiled
def one_chisquare(gen, df):
    return external("gridcell_numpy_random_chisquare", np.float64, gen, df)


@compiled
def chisquare(gen, df, size=None):
    check(not df <= 0, "df <= 0")
    return draw2(one_chisquare, gen, float(df), size)


@compiled
def one_f(gen, dfnum, dfden):
    return external("gridcell_numpy_random_f", np.float64, gen, dfnum, dfden)


@compiled
def f(gen, dfnum, dfden, size=None):
    check(not dfnum <= 0, "dfnum <= 0")
    check(not dfden <= 0, "dfden <= 0")
    return draw3(one_f, gen, float(dfnum), float(dfden), size)


@compiled
def one_gumbel(gen, loc, scale):
    return external("gridcell_numpy_random_gumbel", np.float64, gen, loc, scale)


@compiled
def gumbel(gen, loc=0.0, scale=1.0, size=None):
    check(not scale < 0, "scale < 0")
    return draw3(one_gumbel, gen, float(loc), float(scale), size)


@compiled
def one_laplace(gen, loc, scale):
    return external("gridcell_numpy_random_laplace", np.float64, gen, loc, scale)


@compiled
def laplace(gen, loc=0.0, scale=1.0, size=None):
    check(not scale < 0, "scale < 0")
    return draw3(one_laplace, gen, float(loc), float(scale), size)


@compiled
def one_logistic(gen, loc, scale):
    return external("gridcell_numpy_random_logistic", np.float64, gen, loc, scale)


@compiled
def logistic(gen, loc=0.0, scale=1.0, size=None):
    check(not scale < 0, "scale < 0")
    return draw3(one_logistic, gen, float(loc), float(scale), size)


@compiled
def one_lognormal(gen, mean, sigma):
    return external("gridcell_numpy_random_lognormal", np.float64, gen, mean, sigma)


@compiled
def lognormal(gen, mean=0.0, sigma=1.0, size=None):
    check(not sigma < 0, "sigma < 0")
    return draw3(one_lognormal, gen, float(mean), float(sigma), size)


@compiled
def one_standard_t(gen, df):
    return external("gridcell_numpy_random_standard_t", np.float64, gen, df)


@compiled
def standard_t(gen, df, size=None):
    check(not df <= 0, "df <= 0")
    return draw2(one_standard_t, gen, float(df), size)


@compiled
def one_pareto(gen, a):
    return external("gridcell_numpy_random_pareto", np.float64, gen, a)


@compiled
def pareto(gen, a, size=None):
    check(not a <= 0, "a <= 0")
    return draw2(one_pareto, gen, float(a), size)


@compiled
def one_weibull(gen, a):
    return external("gridcell_numpy_random_weibull", np.float64, gen, a)


@compiled
def weibull(gen, a, size=None):
    check(not a < 0, "a < 0")
    return draw2(one_weibull, gen, float(a), size)


@compiled
def one_power(gen, a):
    return external("gridcell_numpy_random_power", np.float64, gen, a)


@compiled
def power(gen, a, size=None):
    check(not a <= 0, "a <= 0")
    return draw2(one_power, gen, float(a), size)


@compiled
def one_rayleigh(gen, scale):
    return external("gridcell_numpy_random_rayleigh", np.float64, gen, scale)


@compiled
def rayleigh(gen, scale=1.0, size=None):
    check(not scale < 0, "scale < 0")
    return draw2(one_rayleigh, gen, float(scale), size)


@compiled
def one_triangular(gen, left, mode, right):
    return external("gridcell_numpy_random_triangular", np.float64, gen, left, mode, right)


@compiled
def triangular(gen, left, mode, right, size=None):
    check(left <= mode, "left > mode")
    check(mode <= right, "mode > right")
    check(left != right, "left == right")
    return draw4(one_triangular, gen, float(left), float(mode), float(right), size)


@compiled
def one_vonmises(gen, mu, kappa):
    return external("gridcell_numpy_random_vonmises", np.float64, gen, mu, kappa)


@compiled
def vonmises(gen, mu, kappa, size=None):
    check(not kappa < 0, "kappa < 0")
    return draw3(one_vonmises, gen, float(mu), float(kappa), size)


@compiled
def one_wald(gen, mean, scale):
    return external("gridcell_numpy_random_wald", np.float64, gen, mean, scale)


@compiled
def wald(gen, mean, scale, size=None):
    check(not mean <= 0, "mean <= 0")
    check(not scale <= 0, "scale <= 0")
    return draw3(one_wald, gen, float(mean), float(scale), size)


@compiled
def one_noncentral_chisquare(gen, df, nonc):
    return external("gridcell_numpy_random_noncentral_chisquare", np.float64, gen, df, nonc)


@compiled
def noncentral_chisquare(gen, df, nonc, size=None):
    check(not df <= 0, "df <= 0")
    check(not nonc < 0, "nonc < 0")
    return draw3(one_noncentral_chisquare, gen, float(df), float(nonc), size)


@compiled
def one_noncentral_f(gen, dfnum, dfden, nonc):
    return external("gridcell_numpy_random_noncentral_f", np.float64, gen, dfnum, dfden, nonc)


@compiled
def noncentral_f(gen, dfnum, dfden, nonc, size=None):
    check(not dfnum <= 0, "dfnum <= 0")
    check(not dfden <= 0, "dfden <= 0")
    check(not nonc < 0, "nonc < 0")
    return draw4(one_noncentral_f, gen, float(dfnum), float(dfden), float(nonc), size)


@compiled
def one_poisson(gen, lam):
    return external("gridcell_numpy_random_poisson", np.int64, gen, lam)


@compiled
def poisson(gen, lam=1.0, size=None):
    check(lam >= 0, "lam < 0 or lam is NaN")
    check(lam <= 9223372006484771000.0, "lam value too large")
    return draw2(one_poisson, gen, float(lam), size)


@compiled
def one_geometric(gen, p):
    return external("gridcell_numpy_random_geometric", np.int64, gen, p)


@compiled
def geometric(gen, p, size=None):
    check(0 < p <= 1, "p <= 0, p > 1 or p contains NaNs")
    return draw2(one_geometric, gen, float(p), size)


@compiled
def one_zipf(gen, a):
    return external("gridcell_numpy_random_zipf", np.int64, gen, a)


@compiled
def zipf(gen, a, size=None):
    check(a > 1, "a <= 1 or a is NaN")
    return draw2(one_zipf, gen, float(a), size)


@compiled
def one_logseries(gen, p):
    return external("gridcell_numpy_random_logseries", np.int64, gen, p)


@compiled
def logseries(gen, p, size=None):
    check(0 <= p < 1, "p < 0, p >= 1 or p is NaN")
    return draw2(one_logseries, gen, float(p), size)


@compiled
def one_normal(gen, loc, scale):
    return external("gridcell_numpy_random_normal", np.float64, gen, loc, scale)


@compiled
def normal(gen, loc=0.0, scale=1.0, size=None):
    check(not scale < 0, "scale < 0")
    return draw3(one_normal, gen, float(loc), float(scale), size)


@compiled
def one_exponential(gen, scale):
    return external("gridcell_numpy_random_exponential", np.float64, gen, scale)


@compiled
def exponential(gen, scale=1.0, size=None):
    check(not scale < 0, "scale < 0")
    return draw2(one_exponential, gen, float(scale), size)


@compiled
def one_gamma(gen, shape, scale):
    return external("gridcell_numpy_random_gamma", np.float64, gen, shape, scale)


@compiled
def gamma(gen, shape, scale=1.0, size=None):
    check(not shape < 0, "shape < 0")
    check(not scale < 0, "scale < 0")
    return draw3(one_gamma, gen, float(shape), float(scale), size)


@compiled
def one_negative_binomial(gen, n, p):
    return external("gridcell_numpy_random_negative_binomial", np.int64, gen, n, p)


@compiled
def negative_binomial(gen, n, p, size=None):
    check(not n <= 0, "n <= 0")
    check(0 < p <= 1, "p <= 0, p > 1 or p contains NaNs")
    return draw3(one_negative_binomial, gen, float(n), float(p), size)


@compiled
def one_uniform(gen, low, high):
    return external("gridcell_numpy_random_uniform", np.float64, gen, low, high - low)


@compiled
def uniform(gen, low=0.0, high=1.0, size=None):
    check_range(low, high)
    return draw3(one_uniform, gen, float(low), float(high), size)


@compiled
def one_binomial(gen, n, p):
    return external("gridcell_numpy_random_binomial", np.int64, gen, p, n, np.zeros(40, np.int64))


@compiled
def binomial(gen, n, p, size=None):
    check(not n < 0, "n < 0")
    check(0 <= p <= 1, "p < 0, p > 1 or p is NaN")
    return draw3(one_binomial, gen, np.int64(n), float(p), size)
