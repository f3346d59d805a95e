"""pymc: a regression with groups, sampled by NUTS in compiled functions, and what it predicts"""
import logging
import warnings

import numpy as np

warnings.simplefilter("ignore")
import pymc as pm  # noqa: E402
import pytensor  # noqa: E402

logging.getLogger("pymc").setLevel(logging.ERROR)
pytensor.config.cxx = ""
pytensor.config.numba__cache = False
numbers = np.random.default_rng(0)
group, x = numbers.integers(0, 4, 120), numbers.normal(size=120)
y = numbers.normal([0.0, 1.0, 2.0, 3.0])[group] + 2 * x + numbers.normal(size=120) / 2
numba_mode = {"mode": "NUMBA"}

with pm.Model() as model:
    middle, spread = pm.Normal("middle", 0, 5), pm.HalfNormal("spread", 2)
    levels = pm.Normal("levels", middle, spread, shape=4)
    slope, noise = pm.Normal("slope", 0, 10), pm.HalfNormal("noise", 1)
    pm.Normal("y", levels[group] + slope * x, noise, observed=y)
    start = {name: np.asarray(value) for name, value in model.initial_point(0).items()}
    print("logp", repr(float(model.compile_logp(**numba_mode)(start))))
    print("dlogp", *map(repr, model.compile_dlogp(**numba_mode)(start).tolist()))
    trace = pm.sample(30, tune=30, chains=1, cores=1, random_seed=1, progressbar=False, compute_convergence_checks=False,
                      compile_kwargs=numba_mode)
    for name in ("middle", "spread", "slope", "noise"):
        print(name, f"{float(trace.posterior[name].mean()):.8f}")
    drawn = pm.sample_prior_predictive(20, random_seed=2, compile_kwargs=numba_mode)
    print("prior", repr(float(drawn.prior["slope"].mean())))
    drawn = pm.sample_posterior_predictive(trace, random_seed=3, progressbar=False, compile_kwargs=numba_mode)
    print("predicted", f"{float(drawn.posterior_predictive['y'].mean()):.8f}")
