# SPDX-License-Identifier: MIT
"""The random module: CPython's stream and how CPython turns it into distributions."""
import math
import operator
import random

from gridcell import seeding
from gridcell.library import compiled, external, word_of_python
from gridcell.library.merging import first_place_by
from gridcell.library.numbers import bit_length

import numpy as np

seeding.load()

NORMAL = 4 * math.exp(-0.5) / math.sqrt(2.0)
GAMMA = 1.0 + math.log(4.5)
LOG4 = math.log(4.0)
TURN = 2.0 * math.pi


@compiled
def seed_anew():
    external("gridcell_random_seed_anew_py", None)


@compiled
def getrandbits(k):
    if k < 0 or k > 64:
        raise ValueError("getrandbits() takes 0 to 64 bits in compiled code")
    return external("gridcell_py_bits", np.uint64, np.int64(k))


@compiled
def below(n):
    """A number from 0 to n - 1."""
    limit = np.uint64(n)
    if limit > np.uint64(0xffffffff) or limit == np.uint64(0):
        return np.int64(external("gridcell_py_below", np.uint64, limit))
    x = highest_bits(limit)
    while x >= limit:
        x = highest_bits(limit)
    return np.int64(x)


@compiled
def highest_bits(limit):
    """As many of a word's bits as the limit has."""
    return word_of_python() >> np.uint64(32 - bit_length(np.int64(limit)))


@compiled
def randrange(start, stop=None, step=1):
    if stop is None:
        return randrange(0, start, step)
    else:
        if step == 0:
            raise ValueError("zero step for randrange()")
        width = stop - start
        count = (width + step - 1) // step if step > 0 else (width + step + 1) // step
        if count <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * below(count)


@compiled
def randint(a, b):
    return randrange(a, b + 1)


@compiled
def shuffle(x):
    for i in range(len(x) - 1, 0, -1):
        j = below(i + 1)
        kept = x[i]
        x[i] = x[j]
        x[j] = kept


@compiled
def choice(seq):
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[below(len(seq))]


@compiled
def choices(population, weights=None, cum_weights=None, k=1):
    if cum_weights is not None:
        return weighed(population, cum_weights, k)
    elif weights is not None:
        total = weights[0] - weights[0]
        sums = [total for _ in range(0)]
        for w in weights:
            total += w
            sums.append(total)
        return weighed(population, sums, k)
    else:
        n = float(len(population))
        if k > 0 and n == 0:
            raise IndexError("Cannot choose from an empty sequence")
        return [population[int(math.floor(random.random() * n))] for _ in range(k)]


first_above = first_place_by(operator.gt)


@compiled
def weighed(population, sums, k):
    if len(sums) != len(population):
        raise ValueError("The number of weights does not match the population")
    total = sums[len(sums) - 1] + 0.0
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    if not math.isfinite(total):
        raise ValueError("Total of weights must be finite")
    # the last place is for all that is above the other sums
    last = len(sums) - 1
    return [population[first_above(sums, random.random() * total, 0, last)] for _ in range(k)]


@compiled
def sample(population, k):
    n = len(population)
    if k < 0 or k > n:
        raise ValueError("Sample larger than population or is negative")
    few = 21
    if k > 5:
        few += 4 ** int(math.ceil(math.log(k * 3) / math.log(4)))
    places = [0] * k
    if n <= few:
        pool = [i for i in range(n)]
        for i in range(k):
            j = below(n - i)
            places[i] = pool[j]
            pool[j] = pool[n - i - 1]
    else:
        taken = set([-1])
        for i in range(k):
            j = below(n)
            while j in taken:
                j = below(n)
            taken.add(j)
            places[i] = j
    return [population[i] for i in places]


@compiled
def triangular(low=0.0, high=1.0, mode=None):
    u = random.random()
    if mode is None:
        c = 0.5
    else:
        if high == low:
            return low * 1.0
        c = (mode - low) / (high - low)
    if u > c:
        return high + (low - high) * math.sqrt((1.0 - u) * (1.0 - c))
    return low + (high - low) * math.sqrt(u * c)


@compiled
def gauss(mu=0.0, sigma=1.0):
    return mu + external("gridcell_py_gauss", np.float64) * sigma


@compiled
def normalvariate(mu=0.0, sigma=1.0):
    while True:
        u1 = random.random()
        u2 = 1.0 - random.random()
        z = NORMAL * (u1 - 0.5) / u2
        if z * z / 4.0 <= -math.log(u2):
            break
    return mu + z * sigma


@compiled
def lognormvariate(mu, sigma):
    return math.exp(normalvariate(mu, sigma))


@compiled
def expovariate(lambd=1.0):
    return -math.log(1.0 - random.random()) / lambd


@compiled
def vonmisesvariate(mu, kappa):
    if kappa <= 1e-6:
        return TURN * random.random()
    s = 0.5 / kappa
    r = s + math.sqrt(1.0 + s * s)
    while True:
        z = math.cos(math.pi * random.random())
        d = z / (r + z)
        u2 = random.random()
        if u2 < 1.0 - d * d or u2 <= (1.0 - d) * math.exp(d):
            break
    q = 1.0 / r
    f = (q + z) / (1.0 + q * z)
    if random.random() > 0.5:
        return (mu + math.acos(f)) % TURN
    return (mu - math.acos(f)) % TURN


@compiled
def gammavariate(alpha, beta):
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    if alpha > 1.0:
        ainv = math.sqrt(2.0 * alpha - 1.0)
        while True:
            u1 = random.random()
            if not (1e-7 < u1 and u1 < 0.9999999):
                continue
            u2 = 1.0 - random.random()
            v = math.log(u1 / (1.0 - u1)) / ainv
            x = alpha * math.exp(v)
            z = u1 * u1 * u2
            r = alpha - LOG4 + (alpha + ainv) * v - x
            if r + GAMMA - 4.5 * z >= 0.0 or r >= math.log(z):
                return x * beta
    elif alpha == 1.0:
        return -math.log(1.0 - random.random()) * beta
    while True:
        b = (math.e + alpha) / math.e
        p = b * random.random()
        x = p ** (1.0 / alpha) if p <= 1.0 else -math.log((b - p) / alpha)
        u1 = random.random()
        if p > 1.0:
            if u1 <= x ** (alpha - 1.0):
                break
        elif u1 <= math.exp(-x):
            break
    return x * beta


@compiled
def betavariate(alpha, beta):
    y = gammavariate(alpha, 1.0)
    if y:
        return y / (y + gammavariate(beta, 1.0))
    return 0.0


@compiled
def paretovariate(alpha):
    return (1.0 - random.random()) ** (-1.0 / alpha)


@compiled
def weibullvariate(alpha, beta):
    return alpha * (-math.log(1.0 - random.random())) ** (1.0 / beta)
