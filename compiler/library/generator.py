# SPDX-License-Identifier: MIT
"""Methods of np.random.Generator objects, by the functions that NumPy exports for its generators.

The compiler passes a Generator as the address of its bitgen_t.
"""
import numpy as np

from gridcell import seeding
from gridcell.library import A, F, FLOAT, NUMBER, bits, compiled, external, form, kind, layout, small
from gridcell.library.random_integers import one_integer
from gridcell.library.random_np import check_size, draw_numbers, members, population, population_size, probabilities
from gridcell.library.random_np import binomial_workspace, weighed_choice
from gridcell.library.views import flat

seeding.load()


def number(name, dtype=np.float64):
    """What draws one number of the distribution by NumPy's function of the name."""
    symbol = "gridcell_numpy_random_" + name

    @compiled
    def one(gen, *parameters):
        return external(symbol, dtype, gen, *parameters)

    return one


@compiled
def check(holds, message):
    """ValueError, where a parameter is none of the distribution's."""
    if not holds:
        raise ValueError(message)


@compiled
def check_range(low, high):
    if not np.isfinite(np.float64(high) - np.float64(low)):
        raise OverflowError("high - low range exceeds valid bounds")
    check(low <= high, "high - low < 0")


@compiled
def floats(size, dtype):
    if dtype is None:
        return np.empty(size, np.float64)
    else:
        return np.empty(size, dtype)


@compiled
def check_type(holds):
    if not holds:
        raise TypeError("`out` has not the dtype of the numbers that are drawn")


@small
def row_to_fill(out, size, dtype):
    """The numbers of the caller's array, as they lie in memory."""
    check_type(kind(out) == FLOAT and bits(out) == bits(floats(0, dtype)))
    check(layout(out) != A, "Supplied output array must be contiguous, writable, aligned, and in machine byte-order.")
    if size is not None:
        check(out.shape == ((size,) if form(size) == NUMBER else size), "size must match out.shape when used together")
    return flat(out.T) if layout(out) == F else flat(out)


@compiled
def draw_floats(one, short, gen, size, dtype, out, *parameters):
    """Numbers of float64 by `one`, of float32 by `short`."""
    if out is not None:
        items = row_to_fill(out, size, dtype)
        for i in range(len(items)):
            items[i] = short(gen, *parameters) if bits(out) == 32 else one(gen, *parameters)
        return out
    elif bits(dtype) == 32:
        return draw_numbers(short, size, gen, *parameters)
    else:
        return draw_numbers(one, size, gen, *parameters)


@compiled
def bounded(gen, last):
    return np.int64(external("gridcell_numpy_random_bounded_uint64", np.uint64, gen, 0, last, 0, 0))


@compiled
def choice(gen, a, size=None, replace=True, p=None):
    n = population_size(a)
    if p is not None:
        return weighed_choice(population(a), size, replace, probabilities(p, n), random, gen)
    elif size is None:
        return members(a, one_integer(gen, 0, n - 1))
    else:
        chosen = np.empty(size, np.int64)
        row = chosen.ravel()
        if replace:
            for i in range(len(row)):
                row[i] = one_integer(gen, 0, n - 1)
        else:
            check_size(len(row), n)
            draw_distinct(gen, row, n)
        return members(a, chosen)


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


def of_floats(name):
    one, short = number(name), number(name + "_f", np.float32)

    @compiled
    def method(gen, size=None, dtype=None, out=None):
        return draw_floats(one, short, gen, size, dtype, out)

    return method


standard_normal = of_floats("standard_normal")
random = of_floats("standard_uniform")
ziggurat_exponential = of_floats("standard_exponential")


@compiled
def inverted_exponentials(gen, out, items):
    """By the logarithm rather than the ziggurat; the items are those of `out`, in a row."""
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
        return ziggurat_exponential(gen, size, dtype, out)


@compiled
def inverted(gen, size, dtype, out):
    if out is not None:
        return inverted_exponentials(gen, out, row_to_fill(out, size, dtype))
    elif size is None:
        return inverted(gen, 1, dtype, out)[0]
    else:
        made = floats(size, dtype)
        return inverted_exponentials(gen, made, flat(made))


one_standard_gamma = number("standard_gamma")


@compiled
def short_standard_gamma(gen, shape):
    return external("gridcell_numpy_random_standard_gamma_f", np.float32, gen, np.float32(shape))


@compiled
def standard_gamma(gen, shape, size=None, dtype=None, out=None):
    check(not shape < 0, "shape < 0")
    return draw_floats(one_standard_gamma, short_standard_gamma, gen, size, dtype, out, np.float64(shape))


# --- Distributions whose parameters are checked one by one (builtins_numpy.def: which have to be given)


def of_none(one):
    @compiled
    def method(gen, size=None):
        return draw_numbers(one, size, gen)

    return method


def of_one(one, check_a, default_a=None):
    @compiled
    def method(gen, a=default_a, size=None):
        check_a(a)
        return draw_numbers(one, size, gen, np.float64(a))

    return method


def of_two(one, check_a, check_b, default_a=None, default_b=None):
    @compiled
    def method(gen, a=default_a, b=default_b, size=None):
        check_a(a)
        check_b(b)
        return draw_numbers(one, size, gen, np.float64(a), np.float64(b))

    return method


def positive(name):
    message = f"{name} <= 0"

    @compiled
    def check_it(x):
        check(not x <= 0, message)

    return check_it


def not_negative(name):
    message = f"{name} < 0"

    @compiled
    def check_it(x):
        check(not x < 0, message)

    return check_it


@compiled
def anything(x):
    pass


@compiled
def rate(lam):
    check(lam >= 0, "lam < 0 or lam is NaN")
    check(lam <= 9223372006484771000.0, "lam value too large")


@compiled
def chance(p):
    check(0 < p <= 1, "p <= 0, p > 1 or p contains NaNs")


@compiled
def chance_below_1(p):
    check(0 <= p < 1, "p < 0, p >= 1 or p is NaN")


@compiled
def above_1(a):
    check(a > 1, "a <= 1 or a is NaN")


standard_cauchy = of_none(number("standard_cauchy"))

one_beta = number("beta")
beta = of_two(one_beta, positive("a"), positive("b"))
chisquare = of_one(number("chisquare"), positive("df"))
exponential = of_one(number("exponential"), not_negative("scale"), 1.0)
f = of_two(number("f"), positive("dfnum"), positive("dfden"))
gamma = of_two(number("gamma"), not_negative("shape"), not_negative("scale"), default_b=1.0)
geometric = of_one(number("geometric", np.int64), chance)
gumbel = of_two(number("gumbel"), anything, not_negative("scale"), 0.0, 1.0)
laplace = of_two(number("laplace"), anything, not_negative("scale"), 0.0, 1.0)
logistic = of_two(number("logistic"), anything, not_negative("scale"), 0.0, 1.0)
lognormal = of_two(number("lognormal"), anything, not_negative("sigma"), 0.0, 1.0)
logseries = of_one(number("logseries", np.int64), chance_below_1)
negative_binomial = of_two(number("negative_binomial", np.int64), positive("n"), chance)
noncentral_chisquare = of_two(number("noncentral_chisquare"), positive("df"), not_negative("nonc"))
normal = of_two(number("normal"), anything, not_negative("scale"), 0.0, 1.0)
pareto = of_one(number("pareto"), positive("a"))
poisson = of_one(number("poisson", np.int64), rate, 1.0)
power = of_one(number("power"), positive("a"))
rayleigh = of_one(number("rayleigh"), not_negative("scale"), 1.0)
standard_t = of_one(number("standard_t"), positive("df"))
vonmises = of_two(number("vonmises"), anything, not_negative("kappa"))
wald = of_two(number("wald"), positive("mean"), positive("scale"))
weibull = of_one(number("weibull"), not_negative("a"))
zipf = of_one(number("zipf", np.int64), above_1)


# --- Distributions whose parameters depend on each other

one_noncentral_f = number("noncentral_f")
one_triangular = number("triangular")


@compiled
def noncentral_f(gen, dfnum, dfden, nonc, size=None):
    check(not dfnum <= 0, "dfnum <= 0")
    check(not dfden <= 0, "dfden <= 0")
    check(not nonc < 0, "nonc < 0")
    return draw_numbers(one_noncentral_f, size, gen, np.float64(dfnum), np.float64(dfden), np.float64(nonc))


@compiled
def triangular(gen, left, mode, right, size=None):
    check(left <= mode, "left > mode")
    check(mode <= right, "mode > right")
    check(left != right, "left == right")
    return draw_numbers(one_triangular, size, gen, np.float64(left), np.float64(mode), np.float64(right))


@compiled
def one_uniform(gen, low, high):
    return external("gridcell_numpy_random_uniform", np.float64, gen, low, high - low)


@compiled
def uniform(gen, low=0.0, high=1.0, size=None):
    check_range(low, high)
    return draw_numbers(one_uniform, size, gen, np.float64(low), np.float64(high))


@compiled
def one_binomial(gen, n, p):
    return external("gridcell_numpy_random_binomial", np.int64, gen, p, n, binomial_workspace())


@compiled
def binomial(gen, n, p, size=None):
    check(not n < 0, "n < 0")
    check(0 <= p <= 1, "p < 0, p > 1 or p is NaN")
    return draw_numbers(one_binomial, size, gen, np.int64(n), np.float64(p))
