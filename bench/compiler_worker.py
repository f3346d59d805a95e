"""Measures the functions of the set in this process, with whichever numba it imports. Seconds are of
this thread on a CPU, so that what else the machine does counts little."""
import importlib
import time

import numba
import numpy as np

import functions


def same(a, b):
    if isinstance(a, tuple):
        return all(same(x, y) for x, y in zip(a, b))
    return a == b if isinstance(a, str) else np.allclose(a, b, rtol=1e-9, atol=1e-12)


def seconds(function, arguments):
    start = time.thread_time()
    function(*arguments)
    return time.thread_time() - start


def compiled(case):
    """The jitted function; its module's globals name the jitted helpers, and itself."""
    names = importlib.import_module(case.function.__module__).__dict__
    jitted = {f.__name__: numba.njit(f) for f in (*case.helpers, case.function)}
    names.update(jitted)
    return jitted[case.function.__name__]


def measure(case, generator):
    """(seconds to compile, seconds of a run)."""
    small = case.make(generator, case.small)
    expected = case.function(*small)
    function = compiled(case)
    first = seconds(function, small)
    if not same(expected, function(*small)):
        raise AssertionError(f"{case.function.__name__} gives {function(*small)}, not {expected}")
    compile_seconds = first - min(seconds(function, small) for _ in range(3))
    large = case.make(generator, case.large)
    return compile_seconds, min(seconds(function, large) for _ in range(9))


def prepare():
    """What a compiler sets up once."""
    numba.njit(lambda x: x + 1)(1)


def measure_named(name):
    """(seconds to compile, seconds of a run) of one function of the set, on fresh random inputs."""
    case, = (case for case in functions.CASES if case.function.__name__ == name)
    return measure(case, np.random.default_rng())
