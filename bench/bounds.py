"""What bounds checks cost the functions of the set: default against boundscheck=False, in one process,
run after run in turn. Prints the ratios of run and compile times of each, and their geometric means.

usage: bounds.py [--rounds N] [NAME...]
"""
import argparse
import importlib
import statistics
import time
import types

import gridcell
gridcell.activate()

import numba
import numpy as np

import functions

WAYS = ({"boundscheck": False}, {})


def jitted(case, options):
    """The function and its helpers, compiled anew, with globals of their own."""
    names = dict(importlib.import_module(case.function.__module__).__dict__)
    for function in (*case.helpers, case.function):
        copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        names[function.__name__] = numba.njit(**options)(copy)
    return names[case.function.__name__]


def seconds(function, arguments):
    start = time.thread_time()
    function(*arguments)
    return time.thread_time() - start


def measure(case, rounds):
    """((run seconds, compile seconds) unchecked, the same by default)."""
    small, large = (case.make(np.random.default_rng(1), size) for size in (case.small, case.large))
    runs, compiles = ([], []), ([], [])
    for _ in range(rounds):
        made = [jitted(case, options) for options in WAYS]
        for way, function in enumerate(made):
            compiles[way].append(seconds(function, small))
        if seconds(made[0], large) > 0.5:
            continue
        for _ in range(7):
            for way, function in enumerate(made):
                runs[way].append(seconds(function, large))
    return [(min(run), min(compiled)) for run, compiled in zip(runs, compiles)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    numba.njit(lambda x: x + 1)(1)
    ratios = []
    for case in functions.CASES:
        name = case.function.__name__
        if options.names and name not in options.names:
            continue
        (run, compiled), (checked_run, checked_compiled) = measure(case, options.rounds)
        ratios.append((checked_run / run, checked_compiled / compiled))
        print(f"{name:<28}{run * 1e3:>10.3f} ms {ratios[-1][0]:>6.3f}"
              f"{compiled * 1e3:>10.2f} ms {ratios[-1][1]:>6.3f}", flush=True)
    for what, column in zip(("run", "compile"), zip(*ratios)):
        print(f"{what}: geometric mean {statistics.geometric_mean(column):.3f}, largest {max(column):.2f}")


if __name__ == "__main__":
    main()
