"""Option pricing, risk, and series of prices."""
import math

import numpy as np
from numba import prange

from programs import PARALLEL, SERIAL, program

BOTH = (SERIAL, PARALLEL)


def normal_distribution(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def options(rng, n):
    return rng.uniform(80, 120, n), rng.uniform(80, 120, n), rng.uniform(0.1, 2.0, n), 0.02, 0.3


@program(options, 8, 30_000, "loops", normal_distribution, modes=BOTH)
def black_scholes_of_loops(prices, strikes, years, rate, volatility):
    calls, puts = np.empty_like(prices), np.empty_like(prices)
    for i in prange(len(prices)):
        spread = volatility * math.sqrt(years[i])
        d1 = (math.log(prices[i] / strikes[i]) + (rate + 0.5 * volatility ** 2) * years[i]) / spread
        d2 = d1 - spread
        later = strikes[i] * math.exp(-rate * years[i])
        calls[i] = prices[i] * normal_distribution(d1) - later * normal_distribution(d2)
        puts[i] = later * normal_distribution(-d2) - prices[i] * normal_distribution(-d1)
    return calls, puts


@program(options, 8, 30_000, "arrays", modes=BOTH)
def black_scholes_of_arrays(prices, strikes, years, rate, volatility):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(prices / strikes) + (rate + 0.5 * volatility ** 2) * years) / spread
    d2 = d1 - spread
    n1 = 1.0 / (1.0 + np.exp(-1.5976 * d1 - 0.07056 * d1 ** 3))
    n2 = 1.0 / (1.0 + np.exp(-1.5976 * d2 - 0.07056 * d2 ** 3))
    calls = prices * n1 - strikes * np.exp(-rate * years) * n2
    return calls, np.where(calls > 1.0, calls, 0.0).mean()


@program(lambda rng, n: (100.0, 105.0, 1.0, 0.03, 0.25, n), 10, 700, "arrays")
def binomial_american_put(price, strike, years, rate, volatility, steps):
    dt = years / steps
    up = np.exp(volatility * np.sqrt(dt))
    p = (np.exp(rate * dt) - 1 / up) / (up - 1 / up)
    powers = np.arange(steps, -steps - 1, -2).astype(np.float64)
    values = np.maximum(strike - price * up ** powers, 0.0)
    for step in range(steps - 1, -1, -1):
        values = np.exp(-rate * dt) * (p * values[:-1] + (1 - p) * values[1:])
        prices = price * up ** np.arange(step, -step - 1, -2).astype(np.float64)
        values = np.maximum(values, strike - prices)
    return values[0]


@program(lambda rng, n: (100.0, 1.0, 0.03, 0.25, n), 2000, 20_000, "loops", modes=BOTH, tolerance=0.2)
def asian_option_by_chance(price, years, rate, volatility, paths):
    np.random.seed(3)
    dt = years / 30
    total = 0.0
    for _ in prange(paths):
        at, added = price, 0.0
        for _ in range(30):
            at *= math.exp((rate - 0.5 * volatility ** 2) * dt + volatility * math.sqrt(dt) * np.random.normal())
            added += at
        total += max(added / 30 - price, 0.0)
    return math.exp(-rate * years) * total / paths


@program(lambda rng, n: (rng.normal(0, 0.01, (n, 20)), rng.uniform(0, 1, 20), 0.05), 40, 3000, "arrays", modes=BOTH)
def value_at_risk(returns, weights, level):
    share = weights / weights.sum()
    of_all = returns @ share
    in_order = np.sort(of_all)
    worst = in_order[:int(level * len(in_order))]
    return -in_order[len(worst)], -worst.mean(), np.sqrt(share @ np.cov(returns.T) @ share)


@program(lambda rng, n: (np.cumsum(rng.normal(0, 1, n)) + 200.0, 12, 26), 60, 50_000, "loops")
def moving_averages_and_signals(prices, short, long):
    n = len(prices)
    fast, slow = np.empty(n), np.empty(n)
    fast[0] = slow[0] = prices[0]
    a, b = 2.0 / (short + 1), 2.0 / (long + 1)
    trades, cash, held = 0, 1000.0, 0.0
    for i in range(1, n):
        fast[i] = a * prices[i] + (1 - a) * fast[i - 1]
        slow[i] = b * prices[i] + (1 - b) * slow[i - 1]
        if fast[i] > slow[i] and fast[i - 1] <= slow[i - 1] and cash > 0:
            held, cash = cash / prices[i], 0.0
            trades += 1
        elif fast[i] < slow[i] and fast[i - 1] >= slow[i - 1] and held > 0:
            cash, held = held * prices[i], 0.0
            trades += 1
    return trades, cash + held * prices[-1], fast[-5:]


@program(lambda rng, n: (np.cumsum(rng.normal(0, 1, n)) + 500.0, 20), 50, 30_000, "arrays", modes=BOTH)
def bands_and_drawdown(prices, window):
    sums = np.cumsum(prices)
    squares = np.cumsum(prices ** 2)
    middle = (sums[window:] - sums[:-window]) / window
    spread = np.sqrt(np.maximum((squares[window:] - squares[:-window]) / window - middle ** 2, 0.0))
    above = np.count_nonzero(prices[window:] > middle + 2 * spread)
    returns = np.diff(np.log(prices))
    peak, fall = prices[0], 0.0
    for price in prices:
        peak = max(peak, price)
        fall = max(fall, (peak - price) / peak)
    return above, returns.std() * np.sqrt(252.0), fall


@program(lambda rng, n: (n, n, 100.0, 0.05, 0.2), 12, 200, "mixed")
def crank_nicolson(space, steps, strike, rate, volatility):
    s = np.linspace(0.0, 3 * strike, space + 1)
    v = np.maximum(strike - s, 0.0)
    dt = 1.0 / steps
    i = np.arange(1, space)
    a = 0.25 * dt * (volatility ** 2 * i ** 2 - rate * i)
    b = -0.5 * dt * (volatility ** 2 * i ** 2 + rate)
    c = 0.25 * dt * (volatility ** 2 * i ** 2 + rate * i)
    for _ in range(steps):
        right = a * v[:-2] + (1 + b) * v[1:-1] + c * v[2:]
        right[0] += a[0] * strike
        d, e = np.empty(space - 1), np.empty(space - 1)
        d[0], e[0] = -c[0] / (1 - b[0]), right[0] / (1 - b[0])
        for k in range(1, space - 1):
            m = 1 - b[k] + a[k] * d[k - 1]
            d[k] = -c[k] / m
            e[k] = (right[k] + a[k] * e[k - 1]) / m
        v[space - 1] = e[space - 2]
        for k in range(space - 3, -1, -1):
            v[k + 1] = e[k] - d[k] * v[k + 2]
    return v
