"""numba-stats: densities and distribution functions"""
import numpy as np
from numba_stats import expon, norm, poisson, t, truncnorm, uniform

x = np.linspace(0.1, 3, 100)
print("norm", norm.pdf(x, 1.0, 2.0).sum(), norm.cdf(x, 1.0, 2.0).sum(), norm.ppf(x / 4, 0.0, 1.0).sum())
print("expon", expon.pdf(x, 0.0, 2.0).sum(), expon.cdf(x, 0.0, 2.0).sum())
print("uniform", uniform.pdf(x, 0.5, 1.0).sum())
print("truncnorm", truncnorm.pdf(x, 0.0, 2.0, 1.0, 0.5).sum())
print("poisson", poisson.pmf(np.arange(10), 2.5).sum())
print("t", t.cdf(x, 3.0, 0.0, 1.0).sum())
