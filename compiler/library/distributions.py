# SPDX-License-Identifier: MIT
"""np.random: the distributions of NumPy's legacy streams (runtime/host/random/legacy.c)."""
import math

import numpy as np

from gridcell.library import compiled, external
from gridcell.library.random_np import binomial_workspace, bitgen, check, draw_numbers, gauss, one
from gridcell.library.views import axes_of


# --- One number of a distribution


def legacy(name, dtype=np.float64):
    """By the function of the name in legacy.c."""
    symbol = "gridcell_np_" + name

    @compiled
    def one_number(*parameters):
        return external(symbol, dtype, *parameters)

    return one_number


def shared(name, dtype=np.float64):
    """By NumPy's function of the name, which its generators use too."""
    symbol = "gridcell_numpy_random_" + name

    @compiled
    def one_number(*parameters):
        return external(symbol, dtype, bitgen(), *parameters)

    return one_number


one_standard_exponential = legacy("exponential")
one_standard_gamma = legacy("gamma")
one_chisquare = legacy("chisquare")
one_hypergeometric = legacy("hypergeometric", np.int64)
one_poisson = shared("poisson", np.int64)
one_triangular = shared("triangular")


@compiled
def one_uniform(low, high):
    return low + (high - low) * one()


@compiled
def one_normal(loc, scale):
    return loc + scale * gauss()


@compiled
def one_lognormal(mean, sigma):
    return math.exp(mean + sigma * gauss())


@compiled
def one_exponential(scale):
    return scale * one_standard_exponential()


@compiled
def one_gamma(shape, scale):
    return scale * one_standard_gamma(shape)


@compiled
def one_binomial(n, p):
    """binomial() of NumPy's module draws a number even where there is nothing to draw."""
    if n == 0 or p == 0.0:
        one()
    return some_of(n, p)


@compiled
def some_of(n, p):
    return external("gridcell_numpy_random_binomial", np.int64, bitgen(), p, n, binomial_workspace())


@compiled
def one_negative_binomial(n, p):
    return one_poisson((1 - p) / p * one_standard_gamma(n))


@compiled
def one_noncentral_chisquare(df, nonc):
    if nonc == 0:
        return one_chisquare(df)
    if nonc != nonc:
        return nonc
    if df > 1:
        square = one_chisquare(df - 1)
        shifted = gauss() + math.sqrt(nonc)
        return square + shifted * shifted
    count = one_poisson(nonc / 2.0)
    return one_chisquare(df + 2 * count)


@compiled
def one_noncentral_f(dfnum, dfden, nonc):
    top = one_noncentral_chisquare(dfnum, nonc) * dfden
    return top / (one_chisquare(dfden) * dfnum)


# --- Distributions whose parameters are checked one by one (builtins_numpy.def: which have to be given)


def of_none(one_number):
    @compiled
    def function(size=None):
        return draw_numbers(one_number, size)

    return function


def of_one(one_number, is_valid_a, default_a=None):
    @compiled
    def function(a=default_a, size=None):
        check(is_valid_a(a))
        return draw_numbers(one_number, size, np.float64(a))

    return function


def of_two(one_number, is_valid_a, is_valid_b, default_a=None, default_b=None):
    @compiled
    def function(a=default_a, b=default_b, size=None):
        check(is_valid_a(a) and is_valid_b(b))
        return draw_numbers(one_number, size, np.float64(a), np.float64(b))

    return function


@compiled
def positive(x):
    return x > 0


@compiled
def rate(lam):
    """Not so many that an integer would not hold them."""
    if lam > 9223372006484771000.0:
        raise ValueError("lam value too large")
    return lam >= 0


@compiled
def not_negative(x):
    return x >= 0


@compiled
def not_below_0(x):
    """NaN passes as in NumPy, and makes NaNs."""
    return not x < 0


@compiled
def above_1(x):
    return x > 1


@compiled
def chance(p):
    return p > 0 and p <= 1


@compiled
def chance_below_1(p):
    return p > 0 and p < 1


@compiled
def anything(x):
    return True


standard_cauchy = of_none(legacy("standard_cauchy"))
standard_exponential = of_none(one_standard_exponential)
standard_normal = of_none(gauss)

beta = of_two(legacy("beta"), positive, positive)
chisquare = of_one(one_chisquare, positive)
exponential = of_one(one_exponential, not_below_0, 1.0)
f = of_two(legacy("f"), positive, positive)
gamma = of_two(one_gamma, not_negative, not_below_0, default_b=1.0)
geometric = of_one(legacy("geometric", np.int64), chance)
gumbel = of_two(shared("gumbel"), anything, not_below_0, 0.0, 1.0)
laplace = of_two(shared("laplace"), anything, not_below_0, 0.0, 1.0)
logistic = of_two(shared("logistic"), anything, not_below_0, 0.0, 1.0)
lognormal = of_two(one_lognormal, anything, not_below_0, 0.0, 1.0)
logseries = of_one(legacy("logseries", np.int64), chance_below_1)
negative_binomial = of_two(one_negative_binomial, positive, chance)
noncentral_chisquare = of_two(one_noncentral_chisquare, positive, not_below_0)
normal = of_two(one_normal, anything, not_below_0, 0.0, 1.0)
pareto = of_one(legacy("pareto"), positive)
poisson = of_one(one_poisson, rate, 1.0)
power = of_one(legacy("power"), positive)
rayleigh = of_one(legacy("rayleigh"), not_below_0, 1.0)
standard_gamma = of_one(one_standard_gamma, not_negative)
standard_t = of_one(legacy("standard_t"), positive)
uniform = of_two(one_uniform, anything, anything, 0.0, 1.0)
vonmises = of_two(legacy("vonmises"), anything, not_negative)
wald = of_two(legacy("wald"), positive, positive)
weibull = of_one(legacy("weibull"), not_negative)
zipf = of_one(legacy("zipf", np.int64), above_1)


# --- Other distributions


@compiled
def binomial(n, p, size=None):
    check(n >= 0 and p >= 0 and p <= 1)
    return draw_numbers(one_binomial, size, np.int64(n), np.float64(p))


@compiled
def hypergeometric(ngood, nbad, nsample, size=None):
    check(ngood >= 0 and nbad >= 0 and nsample >= 0 and nsample <= ngood + nbad)
    return draw_numbers(one_hypergeometric, size, np.int64(ngood), np.int64(nbad), np.int64(nsample))


@compiled
def noncentral_f(dfnum, dfden, nonc, size=None):
    check(dfnum > 0 and dfden > 0 and nonc >= 0)
    return draw_numbers(one_noncentral_f, size, np.float64(dfnum), np.float64(dfden), np.float64(nonc))


@compiled
def triangular(left, mode, right, size=None):
    check(left <= mode and mode <= right and left < right)
    return draw_numbers(one_triangular, size, np.float64(left), np.float64(mode), np.float64(right))


@compiled
def check_shares(n, pvals):
    if n < 0:
        raise ValueError("n < 0")
    total = 0.0
    for j in range(len(pvals)):
        if not (pvals[j] >= 0 and pvals[j] <= 1):
            raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
        if j < len(pvals) - 1:
            total += pvals[j]
    if total > 1.0 + 1e-12:
        raise ValueError("sum(pvals[:-1]) > 1.0")


@compiled
def multinomial(n, pvals, size=None):
    check_shares(n, pvals)
    if size is None:
        out = np.zeros(len(pvals), np.int64)
        multinomial_row(n, pvals, out)
        return out
    else:
        out = np.zeros(axes_of(size) + (len(pvals),), np.int64)
        rows = out.reshape((out.size // max(len(pvals), 1), len(pvals)))
        for i in range(len(rows)):
            multinomial_row(n, pvals, rows[i])
        return out


@compiled
def multinomial_row(n, pvals, out):
    left = np.int64(n)
    share = 1.0
    for j in range(len(pvals) - 1):
        out[j] = some_of(left, pvals[j] / share)
        left -= out[j]
        if left <= 0:
            break
        share -= pvals[j]
    if left > 0 and len(pvals) > 0:
        out[len(pvals) - 1] = left


@compiled
def dirichlet(alpha, size=None):
    for j in range(len(alpha)):
        if not alpha[j] > 0:
            raise ValueError("alpha <= 0")
    if size is None:
        out = np.empty(len(alpha))
        dirichlet_row(alpha, out)
        return out
    else:
        out = np.empty(axes_of(size) + (len(alpha),))
        rows = out.reshape((out.size // max(len(alpha), 1), len(alpha)))
        for i in range(len(rows)):
            dirichlet_row(alpha, rows[i])
        return out


@compiled
def dirichlet_row(alpha, out):
    total = 0.0
    for j in range(len(alpha)):
        out[j] = one_standard_gamma(np.float64(alpha[j]))
        total += out[j]
    scale = 1 / total
    for j in range(len(alpha)):
        out[j] *= scale
