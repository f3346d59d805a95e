"""random and np.random inside compiled code: the streams of CPython and NumPy."""
import random

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


def test_monte_carlo(make):
    f = njit(make("import random\ndef f(n):\n    acc = 0\n    for i in range(n):\n        x = random.random()\n"
                  "        y = random.random()\n        if (x**2 + y**2) < 1.0:\n            acc += 1\n"
                  "    return 4.0 * acc / n\n"))
    values = {f(200_000) for _ in range(3)}
    assert len(values) > 1 and all(abs(v - np.pi) < 0.03 for v in values)
