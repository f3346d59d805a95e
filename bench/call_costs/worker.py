"""Times calls by each kind of argument in this process, with whichever numba it imports: a JSON line with the
names is answered by {name: [seconds from Python, the same among a dozen versions, seconds between jitted
functions] or a text that says why not}, and an empty one by all names."""
import json
import pathlib
import sys
import time
import warnings

import numpy as np
from numba import njit

import arguments

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from pairs import one_line  # noqa: E402

SECONDS = 0.004  # of a round
TURNS = 2000  # of a loop that calls from compiled code


def best(call, rounds=7):
    """Seconds of a call, the least of some rounds; `call` is told how often."""
    count = 1
    while True:
        seconds = call(count)
        if seconds > SECONDS or count > 10**7:
            break
        count *= 4
    return min([seconds, *(call(count) for _ in range(rounds))]) / count


def repeated(function, values):
    """Loops without names of the outer kind, as timeit has them."""
    space = {"f": function, "clock": time.perf_counter, "values": values}
    names = [f"v{i}" for i in range(len(values))]
    exec(f"def call(count, f=f, clock=clock):\n"
         f"    {', '.join(names) + ',' if names else '_'} = values\n"
         f"    turns = range(count)\n"
         f"    start = clock()\n"
         f"    for _ in turns:\n"
         f"        f({', '.join(names)})\n"
         f"    return clock() - start\n", space)
    return space["call"]


def takes(count):
    space = {}
    exec(f"def f({', '.join(f'a{i}' for i in range(count))}):\n    return 0\n", space)
    return space["f"]


def from_python(values, is_crowded):
    function = njit(takes(len(values)))
    if is_crowded:
        for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float32, bool):
            function(*(np.zeros(2, dtype) for _ in values))
    function(*values)
    return best(repeated(function, values))


def between_functions(values):
    inner, count = njit(takes(len(values))), len(values)
    names = ", ".join(f"a{i}" for i in range(count))
    # what the callee gives back is different each time, so that the loop stays
    space = {"inner": inner}
    exec(f"def outer(turns, {names}):\n"
         f"    total = 0\n"
         f"    for i in range(turns):\n"
         f"        total += inner({names}) ^ (total + i)\n"
         f"    return total\n", space)
    outer = njit(space["outer"])
    outer(1, *values)

    def call(turns):
        start = time.perf_counter()
        outer(turns, *values)
        return time.perf_counter() - start
    return best(call)


def measured(values):
    try:
        return [from_python(values, False), from_python(values, True), between_functions(values)]
    except Exception as error:
        return one_line(error)


def main():
    warnings.simplefilter("ignore")
    known = {name: (value,) for name, value in arguments.arguments()}
    known.update(arguments.several())
    for line in sys.stdin:
        names = json.loads(line)
        print(json.dumps({name: measured(known[name]) for name in names} if names else list(known)), flush=True)


main()
