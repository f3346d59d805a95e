# SPDX-License-Identifier: MIT
"""np.random: the distributions of NumPy's legacy streams (runtime/host/random/legacy.c)."""
import math

import numpy as np

from gridcell.library import compiled, external
from gridcell.library.random_np import bitgen, check, draw0, draw1, draw2, draw3, gauss, one
from gridcell.library.views import axes_of


@compiled
def one_uniform(low, high):
    return low + (high - low) * one()


@compiled
def uniform(low=0.0, high=1.0, size=None):
    return draw2(one_uniform, float(low), float(high), size)


@compiled
def one_normal(loc, scale):
    return loc + scale * gauss()


@compiled
def normal(loc=0.0, scale=1.0, size=None):
    check(scale >= 0)
    return draw2(one_normal, float(loc), float(scale), size)


@compiled
def one_standard_normal():
    return gauss()


@compiled
def standard_normal(size=None):
    return draw0(one_standard_normal, size)


@compiled
def one_lognormal(mean, sigma):
    return math.exp(mean + sigma * gauss())


@compiled
def lognormal(mean=0.0, sigma=1.0, size=None):
    check(sigma >= 0)
    return draw2(one_lognormal, float(mean), float(sigma), size)


@compiled
def one_exponential(scale):
    return scale * external("gridcell_np_exponential", np.float64)


@compiled
def exponential(scale=1.0, size=None):
    check(scale >= 0)
    return draw1(one_exponential, float(scale), size)


@compiled
def one_standard_exponential():
    return external("gridcell_np_exponential", np.float64)


@compiled
def standard_exponential(size=None):
    return draw0(one_standard_exponential, size)


@compiled
def one_standard_gamma(shape):
    return external("gridcell_np_gamma", np.float64, shape)


@compiled
def standard_gamma(shape, size=None):
    check(shape >= 0)
    return draw1(one_standard_gamma, float(shape), size)


@compiled
def one_gamma(shape, scale):
    return scale * external("gridcell_np_gamma", np.float64, shape)


@compiled
def gamma(shape, scale=1.0, size=None):
    check(shape >= 0 and scale >= 0)
    return draw2(one_gamma, float(shape), float(scale), size)


@compiled
def one_beta(a, b):
    return external("gridcell_np_beta", np.float64, a, b)


@compiled
def beta(a, b, size=None):
    check(a > 0 and b > 0)
    return draw2(one_beta, float(a), float(b), size)


@compiled
def one_chisquare(df):
    return external("gridcell_np_chisquare", np.float64, df)


@compiled
def chisquare(df, size=None):
    check(df > 0)
    return draw1(one_chisquare, float(df), size)


@compiled
def one_f(dfnum, dfden):
    return external("gridcell_np_f", np.float64, dfnum, dfden)


@compiled
def f(dfnum, dfden, size=None):
    check(dfnum > 0 and dfden > 0)
    return draw2(one_f, float(dfnum), float(dfden), size)


@compiled
def one_pareto(a):
    return external("gridcell_np_pareto", np.float64, a)


@compiled
def pareto(a, size=None):
    check(a > 0)
    return draw1(one_pareto, float(a), size)


@compiled
def one_weibull(a):
    return external("gridcell_np_weibull", np.float64, a)


@compiled
def weibull(a, size=None):
    check(a >= 0)
    return draw1(one_weibull, float(a), size)


@compiled
def one_power(a):
    return external("gridcell_np_power", np.float64, a)


@compiled
def power(a, size=None):
    check(a > 0)
    return draw1(one_power, float(a), size)


@compiled
def one_rayleigh(scale):
    return external("gridcell_np_rayleigh", np.float64, scale)


@compiled
def rayleigh(scale=1.0, size=None):
    check(scale >= 0)
    return draw1(one_rayleigh, float(scale), size)


@compiled
def one_standard_t(df):
    return external("gridcell_np_standard_t", np.float64, df)


@compiled
def standard_t(df, size=None):
    check(df > 0)
    return draw1(one_standard_t, float(df), size)


@compiled
def one_standard_cauchy():
    return external("gridcell_np_standard_cauchy", np.float64)


@compiled
def standard_cauchy(size=None):
    return draw0(one_standard_cauchy, size)


@compiled
def one_wald(mean, scale):
    return external("gridcell_np_wald", np.float64, mean, scale)


@compiled
def wald(mean, scale, size=None):
    check(mean > 0 and scale > 0)
    return draw2(one_wald, float(mean), float(scale), size)


@compiled
def one_vonmises(mu, kappa):
    return external("gridcell_np_vonmises", np.float64, mu, kappa)


@compiled
def vonmises(mu, kappa, size=None):
    check(kappa >= 0)
    return draw2(one_vonmises, float(mu), float(kappa), size)


@compiled
def one_geometric(p):
    return external("gridcell_np_geometric", np.int64, p)


@compiled
def geometric(p, size=None):
    check(p > 0 and p <= 1)
    return draw1(one_geometric, float(p), size)


@compiled
def one_zipf(a):
    return external("gridcell_np_zipf", np.int64, a)


@compiled
def zipf(a, size=None):
    check(a > 1)
    return draw1(one_zipf, float(a), size)


@compiled
def one_logseries(p):
    return external("gridcell_np_logseries", np.int64, p)


@compiled
def logseries(p, size=None):
    check(p > 0 and p < 1)
    return draw1(one_logseries, float(p), size)


@compiled
def one_hypergeometric(ngood, nbad, nsample):
    return external("gridcell_np_hypergeometric", np.int64, ngood, nbad, nsample)


@compiled
def hypergeometric(ngood, nbad, nsample, size=None):
    check(ngood >= 0 and nbad >= 0 and nsample >= 0 and nsample <= ngood + nbad)
    return draw3(one_hypergeometric, np.int64(ngood), np.int64(nbad), np.int64(nsample), size)


@compiled
def one_poisson(lam):
    return external("gridcell_numpy_random_poisson", np.int64, bitgen(), lam)


@compiled
def poisson(lam=1.0, size=None):
    check(lam >= 0)
    return draw1(one_poisson, float(lam), size)


@compiled
def one_gumbel(loc, scale):
    return external("gridcell_numpy_random_gumbel", np.float64, bitgen(), loc, scale)


@compiled
def gumbel(loc=0.0, scale=1.0, size=None):
    check(scale >= 0)
    return draw2(one_gumbel, float(loc), float(scale), size)


@compiled
def one_laplace(loc, scale):
    return external("gridcell_numpy_random_laplace", np.float64, bitgen(), loc, scale)


@compiled
def laplace(loc=0.0, scale=1.0, size=None):
    check(scale >= 0)
    return draw2(one_laplace, float(loc), float(scale), size)


@compiled
def one_logistic(loc, scale):
    return external("gridcell_numpy_random_logistic", np.float64, bitgen(), loc, scale)


@compiled
def logistic(loc=0.0, scale=1.0, size=None):
    check(scale >= 0)
    return draw2(one_logistic, float(loc), float(scale), size)


@compiled
def one_triangular(left, mode, right):
    return external("gridcell_numpy_random_triangular", np.float64, bitgen(), left, mode, right)


@compiled
def triangular(left, mode, right, size=None):
    check(left <= mode and mode <= right and left < right)
    return draw3(one_triangular, float(left), float(mode), float(right), size)


@compiled
def one_binomial(n, p):
    return binomial_number(n, p, np.zeros(40, np.int64))


@compiled
def binomial(n, p, size=None):
    check(n >= 0 and p >= 0 and p <= 1)
    return draw2(one_binomial, np.int64(n), float(p), size)


@compiled
def one_negative_binomial(n, p):
    return external("gridcell_numpy_random_poisson", np.int64, bitgen(), (1 - p) / p * external("gridcell_np_gamma", np.float64, n))


@compiled
def negative_binomial(n, p, size=None):
    check(n > 0 and p > 0 and p <= 1)
    return draw2(one_negative_binomial, float(n), float(p), size)


@compiled
def one_noncentral_chisquare(df, nonc):
    if nonc == 0:
        return external("gridcell_np_chisquare", np.float64, df)
    if df > 1:
        square = external("gridcell_np_chisquare", np.float64, df - 1)
        shifted = gauss() + math.sqrt(nonc)
        return square + shifted * shifted
    count = one_poisson(nonc / 2.0)
    return external("gridcell_np_chisquare", np.float64, df + 2 * count)


@compiled
def noncentral_chisquare(df, nonc, size=None):
    check(df > 0 and nonc >= 0)
    return draw2(one_noncentral_chisquare, float(df), float(nonc), size)


@compiled
def one_noncentral_f(dfnum, dfden, nonc):
    top = one_noncentral_chisquare(dfnum, nonc) * dfden
    return top / (external("gridcell_np_chisquare", np.float64, dfden) * dfnum)


@compiled
def noncentral_f(dfnum, dfden, nonc, size=None):
    check(dfnum > 0 and dfden > 0 and nonc >= 0)
    return draw3(one_noncentral_f, float(dfnum), float(dfden), float(nonc), size)


@compiled
def binomial_number(n, p, workspace):
    return external("gridcell_numpy_random_binomial", np.int64, bitgen(), p, n, workspace)


@compiled
def multinomial(n, pvals, size=None):
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
    workspace = np.zeros(40, np.int64)
    for j in range(len(pvals) - 1):
        out[j] = binomial_number(left, pvals[j] / share, workspace)
        left -= out[j]
        if left <= 0:
            break
        share -= pvals[j]
    if left > 0:
        out[len(pvals) - 1] = left


@compiled
def dirichlet(alpha, size=None):
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
        out[j] = one_standard_gamma(float(alpha[j]))
        total += out[j]
    scale = 1 / total
    for j in range(len(alpha)):
        out[j] *= scale
