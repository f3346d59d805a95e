"""random and np.random inside compiled code: the streams of CPython and NumPy."""
import random
import re

import numpy as np
import pytest
from numba import njit


def test_random_goes_on(make):
    f = njit(make("import random\ndef f():\n    return random.random()\n"))
    values = [f() for _ in range(1000)]
    assert len(set(values)) > 990 and all(0 <= v < 1 for v in values)
    assert abs(np.mean(values) - 0.5) < 0.06


@pytest.mark.parametrize("seed", [0, 1, 42, 2**31, 2**40 + 7])
def test_python_stream(make, seed):
    f = njit(make("import random\ndef f(s):\n    random.seed(s)\n    return random.random(), random.random()\n"))
    random.seed(seed)
    assert f(seed) == (random.random(), random.random())


@pytest.mark.parametrize("seed", [0, 42, 2**31])
def test_numpy_stream(make, seed):
    f = njit(make("def f(s):\n    np.random.seed(s)\n    return np.random.random(), np.random.random()\n"))
    state = np.random.RandomState(seed)
    assert f(seed) == (state.random_sample(), state.random_sample())


def test_streams_go_on_past_a_block(make):
    """Both generators in turn, over calls that end in the middle of a block of numbers."""
    seed = njit(make("import random\ndef f(s):\n    random.seed(s)\n    np.random.seed(s)\n"))
    draw = njit(make("import random\ndef f(out):\n    for i in range(len(out)):\n"
                     "        out[i] = random.random() if i % 3 else np.random.random()\n"))
    seed(7)
    random.seed(7)
    state = np.random.RandomState(7)
    for count in (1, 311, 1, 312, 313, 2000, 5):
        out = np.empty(count)
        draw(out)
        assert out.tolist() == [random.random() if i % 3 else state.random_sample()
                                for i in range(count)]


def test_words_and_numbers_in_any_order(make):
    """Numbers are made ahead, and given back where words are wanted: runs of either, short and long, odd and even."""
    f = njit(make("def f(runs, seed):\n    np.random.seed(seed)\n    out = np.empty(runs.sum())\n    k = 0\n"
                  "    for i in range(len(runs)):\n        for j in range(runs[i]):\n"
                  "            if i % 3 == 0:\n                out[k] = np.random.random()\n"
                  "            elif i % 3 == 1:\n                out[k] = np.random.randint(0, 5)\n"
                  "            else:\n                out[k] = np.random.choice(7) + np.random.normal()\n"
                  "            k += 1\n    return out\n"))
    rng = np.random.default_rng(4)
    for seed, most in enumerate((2, 3, 20, 700)):
        runs = rng.integers(0, most, 400 if most < 100 else 20)
        assert f(runs, seed).tolist() == f.py_func(runs, seed).tolist()


def test_ranges_of_python_of_every_width(make):
    f = njit(make("import random\n\ndef f(limits):\n    random.seed(5)\n    out = [0.0]\n    for n in limits:\n"
                  "        out.append(float(random.randrange(n)))\n        out.append(random.random())\n"
                  "        out.append(float(random.randint(-n, n)))\n        out.append(random.gauss(0.0, 1.0))\n"
                  "    return out\n"))
    limits = np.array([n for k in range(60) for n in (2**k, 2**k + 1, max(1, 2**k - 1))] * 6)
    assert f(limits) == f.py_func(limits.tolist())


def test_monte_carlo(make):
    f = njit(make("import random\ndef f(n):\n    acc = 0\n    for i in range(n):\n        x = random.random()\n"
                  "        y = random.random()\n        if (x**2 + y**2) < 1.0:\n            acc += 1\n"
                  "    return 4.0 * acc / n\n"))
    values = {f(200_000) for _ in range(3)}
    assert len(values) > 1 and all(abs(v - np.pi) < 0.03 for v in values)


LEGACY = """random() rand() randn() uniform() uniform(2,5) normal() normal(3,2) standard_normal() exponential(2.0)
    standard_exponential() standard_gamma(0.5) standard_gamma(3.5) standard_gamma(1.0) gamma(2.5,3.0) beta(0.5,0.7)
    beta(2.0,3.0) chisquare(4.0) f(3.0,5.0) gumbel() laplace(1.0,2.0) logistic() lognormal(0.1,0.5) pareto(3.0)
    weibull(2.0) power(3.0) rayleigh(2.0) standard_t(5.0) standard_cauchy() wald(2.0,3.0) vonmises(0.5,2.0)
    triangular(1.0,2.0,4.0) poisson(3.0) poisson(50.0) binomial(10,0.3) binomial(0,0.5) binomial(5,0.0)
    binomial(200,0.4) negative_binomial(5,0.4) geometric(0.5) geometric(0.05) zipf(2.5) logseries(0.6)
    hypergeometric(5,6,7) hypergeometric(50,60,30)
    noncentral_chisquare(3.0,1.5) noncentral_chisquare(0.5,1.5) noncentral_f(3.0,4.0,1.5)
    randint(7) randint(-5,100) randint(0,2**40) random_sample(5) normal(1.0,2.0,(2,3)) randint(0,10,4) rand(2,3) randn(4)
    choice(10) choice(10,5) choice(10,4,False) permutation(9) dirichlet(np.array((1.0,2.0,0.5)))
    multinomial(20,np.array((0.2,0.3,0.5))) multinomial(5,np.array((0.0,1.0,0.0))) poisson(2.0,6) binomial(20,0.5,5)""".split()


def test_distributions_of_numpy(make):
    for call in LEGACY:
        body = f"np.random.{call}"
        f = njit(make("def f():\n    np.random.seed(1234)\n"
                      f"    return np.random.random(), {body}, {body}, np.random.randint(5), {body}, np.random.random()\n"))
        for got, want in zip(f(), f.py_func()):
            assert np.array_equal(got, want), f"{call}: {got!r} for {want!r}"


def test_distributions_of_smaller_floats(make):
    """Parameters of 32 and 16 bits are the numbers that they are."""
    calls = [("np.random", call) for call in LEGACY] + [("g", call) for call in GENERATOR]
    for width in (32, 16):
        few = [(owner, re.sub(r"\d+\.\d+(?=[,)])", rf"np.float{width}(\g<0>)", call)) for owner, call in calls]
        few = [f"{owner}.{call}" for owner, call in few if "np.float" in call]
        for group in (few[i::4] for i in range(4)):
            f = njit(make(f"def f(g):\n    np.random.seed(5)\n    return ({', '.join(group)})\n"))
            results = [function(np.random.default_rng(4)) for function in (f, f.py_func)]
            for call, got, want in zip(group, *results):
                assert np.allclose(got, want, rtol=1e-6), f"{call}: {got!r} for {want!r}"


def test_shuffles(make, rng):
    f = njit(make("def f(a):\n    np.random.seed(3)\n    np.random.shuffle(a)\n    return a, np.random.permutation(a)\n"))
    for a in (np.arange(20), rng.random((7, 3))):
        for got, want in zip(f(a.copy()), f.py_func(a.copy())):
            assert np.array_equal(got, want)


PYTHON = """random() uniform(2.0,5.0) randint(1,6) randrange(100) randrange(3,1000,7) getrandbits(5) getrandbits(50)
    gauss(1.0,2.0) normalvariate(1.0,2.0) lognormvariate(0.1,0.3) expovariate(1.5) vonmisesvariate(0.3,2.0)
    gammavariate(2.5,1.5) gammavariate(0.7,1.5) gammavariate(1.0,2.0) betavariate(2.0,3.0) paretovariate(3.0)
    weibullvariate(1.0,2.0) triangular() triangular(1.0,5.0,2.0)""".split()


def test_distributions_of_python(make):
    for call in PYTHON:
        f = njit(make(f"import random\ndef f():\n    random.seed(99)\n    return random.{call}, random.random(), random.{call}, random.{call}\n"))
        assert f() == f.py_func(), call


def test_seeds_of_the_host(make):
    f = njit(make("import random\ndef f():\n    return np.random.random(), np.random.normal(), random.random()\n"))
    for seed in (5, 6):
        np.random.seed(seed)
        random.seed(seed)
        got = f()
        state = np.random.RandomState(seed)
        assert got == (state.random_sample(), state.normal(), random.Random(seed).random())


def check_methods(make, calls):
    """Calls of methods of a generator give NumPy's numbers."""
    for call in calls:
        f = njit(make(f"def f(g):\n    return g.{call}, g.{call}, g.random()\n"))
        for got, want in zip(f(np.random.default_rng(5)), f.py_func(np.random.default_rng(5))):
            assert np.array_equal(got, want), f"{call}: {got!r} for {want!r}"


GENERATOR = """random() standard_normal() normal(2.0,3.0) standard_exponential() exponential(2.0) uniform(1.0,3.0) integers(10)
    integers(-3,50) integers(0,2**40) integers(1,6,endpoint=True) gamma(2.0,3.0) standard_gamma(0.5) beta(2.0,3.0) poisson(4.0)
    binomial(20,0.3) geometric(0.2) chisquare(3.0) gumbel() laplace() logistic() lognormal() pareto(3.0) weibull(2.0)
    power(2.0) rayleigh() standard_t(4.0) standard_cauchy() triangular(0.0,1.0,3.0) vonmises(0.0,2.0) wald(1.0,2.0) zipf(2.0)
    f(3.0,4.0) logseries(0.5) negative_binomial(5,0.5) noncentral_chisquare(3.0,1.0) random(5) normal(0.0,1.0,(2,3)) integers(0,9,size=7)
    permutation(10)""".split()


def test_generators(make):
    check_methods(make, GENERATOR)
    f = njit(make("def f(g, a):\n    g.shuffle(a)\n    return a\n"))
    assert np.array_equal(f(np.random.default_rng(5), np.arange(30)), f.py_func(np.random.default_rng(5), np.arange(30)))


WEIGHTS = np.array([0.1, 0.2, 0.3, 0.2, 0.2])


def test_choice_with_probabilities(make):
    f = njit(make("""
def f(p):
    np.random.seed(7)
    return (np.random.choice(5, 4, True, p), np.random.choice(5, p=p), np.random.choice(5, (2, 2), False, p),
            np.random.choice(np.arange(5) * 2.5, 5, p=p), np.random.random())
"""))
    for got, want in zip(f(WEIGHTS), f.py_func(WEIGHTS)):
        assert np.array_equal(got, want)
    with pytest.raises(ValueError, match="sum to 1"):
        f(WEIGHTS * 2)
    with pytest.raises(ValueError, match="same size"):
        f(WEIGHTS[:3])


def test_choice_of_a_generator(make):
    f = njit(make("""
def f(g, p, rows):
    return (g.choice(5, 4, p=p), g.choice(5, (2, 2), False, p), g.choice(5, p=p), g.choice(rows, 3),
            g.choice(rows, 3, replace=False), g.choice(20000, 1000, False), g.choice(20000, 100, False), g.random())
"""))
    rows = np.arange(12.0).reshape(4, 3)
    for got, want in zip(f(np.random.default_rng(5), WEIGHTS, rows), f.py_func(np.random.default_rng(5), WEIGHTS, rows)):
        assert np.array_equal(got, want)


INTEGERS = [(0, 10, t) for t in "bool_ int8 uint8 int16 uint16 int32 uint32 int64 uint64".split()[1:]] + [
    (0, 2, "bool_"), (-128, 128, "int8"), (0, 256, "uint8"), (-5, 6, "int16"), (0, 2**16, "uint16"),
    (-2**31, 2**31, "int32"), (0, 2**32, "uint32"), (-2**62, 2**62, "int64"), (3, 4, "uint8"), (0, 2**40, "uint64")]


def test_integers_of_any_width(make):
    for low, high, name in INTEGERS:
        f = njit(make(f"def f(g):\n    return (g.integers({low}, {high}, dtype=np.{name}), g.integers({low}, {high}, 9, np.{name}),\n"
                      f"            g.integers({low}, {high} - 1, (2, 3), np.{name}, endpoint=True), g.random())\n"))
        for got, want in zip(f(np.random.default_rng(5)), f.py_func(np.random.default_rng(5))):
            assert np.array_equal(got, want) and (np.ndim(got) == 0 or got.dtype == want.dtype), (low, high, name)
        f = njit(make(f"def f():\n    np.random.seed(9)\n    return (np.random.randint({low}, {high}, 9, np.{name}),\n"
                      f"            np.random.randint({low}, {high}, dtype=np.{name}), np.random.random())\n"))
        for got, want in zip(f(), f.py_func()):
            assert np.array_equal(got, want), (low, high, name)
    f = njit(make("def f(g, low, high):\n    return g.integers(low, high, 5, np.uint64), g.integers(low, high, 5, np.uint64, True)\n"))
    big = np.uint64(2**64 - 1)
    for low, high in ((np.uint64(0), big), (np.uint64(2**63), big), (np.uint64(2**63 + 1), np.uint64(2**63 + 9)), (0, big)):
        for got, want in zip(f(np.random.default_rng(5), low, high), f.py_func(np.random.default_rng(5), low, high)):
            assert np.array_equal(got, want)


def test_integers_out_of_bounds(make):
    g = np.random.default_rng(1)
    f = njit(make("def f(g, a, b):\n    return g.integers(a, b, 3, np.int8)\n"))
    for a, b, words in ((-129, 5, "low is out of bounds"), (0, 129, "high is out of bounds"), (5, 5, "low >= high")):
        with pytest.raises(ValueError, match=words):
            f(g, a, b)
    h = njit(make("def f(g, a, b):\n    return g.integers(a, b, dtype=np.uint64)\n"))
    with pytest.raises(ValueError, match="low is out of bounds"):
        h(g, -1, 5)


FLOATS = """random(dtype=np.float32) random(5,dtype=np.float32) random((2,3),np.float32) standard_normal(dtype=np.float32)
    standard_normal(7,np.float32) standard_exponential(7,np.float32) standard_exponential(dtype=np.float32)
    standard_exponential(4,method='inv') standard_exponential(4,np.float32,'inv') standard_gamma(2.5,6,np.float32)
    standard_gamma(0.3,6,dtype=np.float32) random(3,dtype='f4') random(out=np.zeros(4))
    random(out=np.zeros(4,np.float32),dtype=np.float32)
    standard_normal(out=np.zeros((2,2),np.float32),dtype=np.float32) standard_gamma(1.5,out=np.zeros(3))""".split()


def test_floats_of_generators(make):
    for call in FLOATS:
        f = njit(make(f"def f(g):\n    return g.{call}, g.{call}, g.random()\n"))
        for got, want in zip(f(np.random.default_rng(5)), f.py_func(np.random.default_rng(5))):
            assert np.array_equal(got, want) and (np.ndim(got) == 0 or got.dtype == want.dtype), f"{call}: {got!r} for {want!r}"


VECTORS = """hypergeometric(5,6,7) hypergeometric(50,60,30,4) multinomial(20,np.array((0.2,0.3,0.5)))
    multinomial(20,[0.2,0.3,0.5],(2,3)) dirichlet(np.array((1.0,2.0,0.5))) dirichlet((1.0,2.0),3)
    dirichlet(np.array((0.01,0.02,0.05)),5) bytes(7) bytes(8) bytes(1) bytes(0) permuted(np.arange(12).reshape(3,4))
    permuted(np.arange(12).reshape(3,4),axis=0) permuted(np.arange(12).reshape(3,4),axis=1) permuted(np.arange(9))
    permutation(np.arange(12).reshape(3,4),axis=1) permutation(np.arange(12).reshape(3,4)) permutation(6)""".split()


def test_vectors_of_generators(make):
    check_methods(make, VECTORS)
    f = njit(make("def f(g, a):\n    g.shuffle(a, axis=1)\n    return a\n"))
    table = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(f(np.random.default_rng(5), table.copy()), f.py_func(np.random.default_rng(5), table.copy()))


def test_multivariate_normal(make):
    mean, cov = np.array([1.0, -2.0, 0.5]), np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.5]])
    f = njit(make("def f(g, m, c):\n    return g.multivariate_normal(m, c), g.multivariate_normal(m, c, (2, 3)), g.random()\n"))
    for got, want in zip(f(np.random.default_rng(5), mean, cov), f.py_func(np.random.default_rng(5), mean, cov)):
        np.testing.assert_allclose(got, want, rtol=1e-12)
    f = njit(make("def f(m, c):\n    np.random.seed(4)\n    return np.random.multivariate_normal(m, c), "
                  "np.random.multivariate_normal(m, c, 5), np.random.random()\n"))
    for got, want in zip(f(mean, cov), f.py_func(mean, cov)):
        np.testing.assert_allclose(got, want, rtol=1e-12)
    with pytest.raises(ValueError, match="same length"):
        f(mean[:2], cov)


def test_seeds_of_other_kinds(make):
    f = njit(make("def f(a):\n    np.random.seed(a)\n    return np.random.random(), np.random.normal(), np.random.bytes(5)\n"))
    for words in (np.array([1, 2, 3]), np.array([2**32 - 1, 7]), np.array([5], np.uint32)):
        assert f(words) == f.py_func(words)
    with pytest.raises(ValueError, match="between 0"):
        f(np.array([-1]))
    anew = njit(make("import random\ndef f():\n    np.random.seed(1)\n    random.seed(1)\n    np.random.seed()\n    random.seed()\n"
                     "    np.random.seed(None)\n    return np.random.random(), random.random()\n"))
    values = [anew() for _ in range(3)]
    assert len({v for v, _ in values}) == 3 and len({v for _, v in values}) == 3


def test_samples_of_python(make):
    f = njit(make("""
import random
def f(items, weights):
    random.seed(8)
    return (random.sample(items, 4), random.sample(items, 50), random.sample(range(1000), 3), random.choices(items, k=5),
            random.choices(items, weights, k=6), random.choices(items, cum_weights=weights, k=2), random.random())
"""))
    items, weights = [float(i) for i in range(60)], [i + 1 for i in range(60)]
    assert f(items, weights) == f.py_func(items, weights)
    g = njit(make("import random\ndef f(a, k):\n    return random.sample(a, k)\n"))
    with pytest.raises(ValueError, match="larger than population"):
        g([1, 2], 3)


def test_seeds_past_32_bits(make):
    f = njit(make("def f(n):\n    np.random.seed(n)\n    return np.random.rand()\n"))
    assert f(2**32 - 1) == f.py_func(2**32 - 1)
    for seed in (2**32, -1):
        with pytest.raises(ValueError, match="Seed must be between 0 and 2"):
            f(seed)


def test_binomials_by_turns(make):
    """What is kept of the last n and p serves no others."""
    f = njit(make("""def f(gen):
    np.random.seed(3)
    out = []
    for k in range(60):
        n, p = (20, 0.3) if k % 3 == 0 else (200, 0.4) if k % 3 == 1 else (20, 0.6)
        out.append(gen.binomial(n, p))
        out.append(np.random.binomial(n, p))
    return out
"""))
    assert f(np.random.default_rng(5)) == f.py_func(np.random.default_rng(5))


@pytest.mark.parametrize("text", ["xy", b"x"])
def test_permutations_of_texts(text):
    for function, first in ((lambda x: np.random.permutation(x), ()),
                            (lambda g, x: g.permutation(x), (np.random.default_rng(1),))):
        with pytest.raises(IndexError) as wanted:
            function(*first, text)
        with pytest.raises(type(wanted.value)) as got:
            njit(function)(*first, text)
        assert str(got.value) == str(wanted.value)
