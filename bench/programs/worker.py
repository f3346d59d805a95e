"""A process that measures one program, with gridcell or with numba: the first line of JSON names it and is answered by
what compiling, checking and the first large run showed, each further line by the least time of some runs.

usage: worker.py ours|peer"""
import collections.abc
import ctypes
import importlib
import json
import math
import pathlib
import sys
import time

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from pairs import numba_of, one_line  # noqa: E402

SEED = 7
RUN_SECONDS = 0.15  # of the runs whose least time counts
MOST_RUNS = 400


def copied(value):
    if isinstance(value, tuple):
        return tuple(map(copied, value))
    return value.copy() if isinstance(value, (np.ndarray, list, set)) else value


def flat(value):
    """The numbers and texts of a result."""
    if isinstance(value, (tuple, list)):
        return [item for part in value for item in flat(part)]
    if isinstance(value, collections.abc.Mapping):
        return flat(sorted(value.items()))
    if isinstance(value, set):
        return flat(sorted(value))
    if isinstance(value, (np.ndarray, np.generic)):
        return value.ravel().tolist()
    return [value if isinstance(value, (str, int, float, complex)) else repr(type(value))]


def same(a, b, tolerance):
    a, b = flat(a), flat(b)
    return len(a) == len(b) and all(close(x, y, tolerance) for x, y in zip(a, b))


def close(x, y, tolerance):
    if isinstance(x, str):
        return x == y
    return abs(x - y) <= tolerance * (1 + max(abs(x), abs(y))) or (math.isnan(abs(x)) and math.isnan(abs(y)))


def digest(value):
    """What a large result is compared by: some items, and two sums."""
    items = flat(value)
    texts = [item for item in items if isinstance(item, str)]
    numbers = np.array([item for item in items if not isinstance(item, str)], complex)
    sums = [numbers.sum(), np.abs(numbers).sum()] if len(numbers) else []
    return [len(items), *texts[:50], *(part for number in [*numbers[:: len(numbers) // 50 + 1], *sums]
                                       for part in (number.real, number.imag))]


def compiled(program, jit):
    """The jitted function; its module's globals name the jitted helpers, and itself."""
    names = importlib.import_module(program.function.__module__).__dict__
    jitted = {f.__name__: jit(f) for f in (*program.helpers, program.function)}
    names.update(jitted)
    return jitted[program.name]


def kibibytes(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field))


def least_seconds(function, arguments, clock):
    """Of single runs: a machine with other work gives some of them both of its processors."""
    times = []
    while len(times) < 3 or (sum(times) < RUN_SECONDS and len(times) < MOST_RUNS):
        start = clock()
        function(*arguments)
        times.append(clock() - start)
    return min(times)


class Measured:
    def __init__(self, numba, name, mode):
        import programs
        program, = (known for known in programs.load() if known.name == name)
        options = {word: True for word in mode.split() if word != programs.SERIAL}
        self.clock = time.perf_counter if "parallel" in options else time.thread_time
        small = program.make(np.random.default_rng(SEED), program.small)
        of_python, of_jit = copied(small), copied(small)
        expected = program.function(*of_python)
        self.function = compiled(program, lambda function: numba.njit(**options)(function))
        start = time.thread_time()
        found = self.function(*of_jit)
        self.compile_seconds = time.thread_time() - start
        self.is_right = same([expected, of_python], [found, of_jit], program.tolerance)
        self.large = program.make(np.random.default_rng(SEED), program.large)

    def first_run(self):
        """By how much the memory of the process grows in the first large run, and its result."""
        arguments = copied(self.large)
        ctypes.CDLL(None).malloc_trim(0)  # or what compiling left would serve the run
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        before = kibibytes("VmRSS")
        result = self.function(*arguments)
        grown = kibibytes("VmHWM") - before
        return {"compile": self.compile_seconds, "is_right": self.is_right, "kibibytes": grown,
                "peak": kibibytes("VmHWM"), "digest": digest([result, arguments])}

    def run(self):
        return {"run": least_seconds(self.function, copied(self.large), self.clock)}


def answer(measured, numba, asked):
    try:
        if measured:
            return measured, measured.run()
        measured = Measured(numba, *asked)
        return measured, measured.first_run()
    except Exception as error:
        return measured, {"failure": one_line(error)}


def main():
    numba, measured = numba_of(sys.argv[1]), None
    for line in sys.stdin:
        measured, said = answer(measured, numba, json.loads(line))
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
