"""iminuit: fits by cost functions that are compiled"""
import iminuit
import numba as nb
import numpy as np
from iminuit.cost import ExtendedUnbinnedNLL, LeastSquares, UnbinnedNLL

rng = np.random.default_rng(4)
sample = np.append(rng.normal(0.5, 0.1, 3000), rng.exponential(1.0, 3000))


@nb.njit(fastmath=False)
def norm_pdf(x, mu, sigma):
    z = (x - mu) / sigma
    return np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi) / sigma


@nb.njit
def model(x, fraction, mu, sigma, slope):
    return fraction * norm_pdf(x, mu, sigma) + (1 - fraction) * np.exp(-x / slope) / slope


@nb.njit(parallel=True)
def density(x, n, mu, sigma):
    return n, n * norm_pdf(x, mu, sigma)


@nb.njit
def line(x, par):
    return par[0] + par[1] * x + par[2] * np.sin(x)


@nb.cfunc("double(double, double)")
def rosenbrock(x, y):
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


def show(name, minuit):
    print(name, minuit.valid, *("%.6f" % value for value in minuit.values), *("%.5f" % error for error in minuit.errors))


minuit = iminuit.Minuit(UnbinnedNLL(sample, model), fraction=0.4, mu=0.4, sigma=0.2, slope=0.8)
minuit.limits["fraction"], minuit.limits["sigma", "slope"] = (0, 1), (1e-3, None)
show("unbinned", minuit.migrad())
minuit = iminuit.Minuit(ExtendedUnbinnedNLL(sample[:3000], density), n=2500, mu=0.4, sigma=0.2)
minuit.limits["sigma", "n"] = (1e-3, None)
show("extended", minuit.migrad())
x = np.linspace(0, 5, 200)
minuit = iminuit.Minuit(LeastSquares(x, 1 + 2 * x + 0.5 * np.sin(x) + rng.normal(0, 0.1, 200), 0.1, line), (0.0, 0.0, 0.0))
show("line", minuit.migrad())
show("valley", iminuit.Minuit(rosenbrock.ctypes, x=0.1, y=0.3, name=("x", "y")).migrad())
