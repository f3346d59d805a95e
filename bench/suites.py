"""What is measured. A suite is a function that takes a Session and yields (row, unit, value); each
round calls it with a fresh kernel of each contender. A value may be a dict of the values of both."""
import contextlib
import os
import pathlib
import statistics
import tempfile

CALL_OVERHEAD = """
import timeit as _timeit
_calls = _timeit.Timer("add(1.5, 2.5)", globals={"add": add_scalars})
_calls.timeit(1000)
_overhead = min(_calls.repeat(5, 100000)) / 100000
"""

IMPORT = "import numba"
FIRST_JIT = """
from numba import njit
@njit
def count_below(limit):
    total = 0
    for i in range(limit):
        if i % 3 == 0:
            total += i
    return total
assert count_below(1000) == 166833
"""
SECOND_JIT = """
@njit
def add_scalars(a, b):
    return a * 2.0 + b
assert add_scalars(1.5, 2.5) == 5.5
"""
ARRAY_JIT = """
import numpy as np
@njit
def largest(values):
    best = values[0]
    for value in values:
        if value > best:
            best = value
    return best
assert largest(np.arange(1000.0)) == 999.0
"""


def repeated(count, measure):
    return statistics.median(measure() for _ in range(count))


def start(session):
    info, result = session.first_times()
    yield "start to kernel_info", "s", info
    yield "start to first result", "s", result
    pss, rss = session.memory()
    yield "memory after first cell, PSS", "B", pss
    yield "memory after first cell, RSS", "B", rss
    first = session.complete_seconds("import os; os.path.jo")
    yield "completion, the first", "s", first


PRINTS = "for i in range(100_000):\n    print(i)"
LARGE_TEXT = "print(text)"
DISPLAYS = "for i in range(5_000):\n    display(i)"


def kernel(session):
    yield from start(session)
    for _ in range(20):
        session.seconds("pass")
    yield "round trip of pass", "s", repeated(100, lambda: session.seconds("pass"))
    yield "round trip until idle", "s", repeated(50, lambda: session.idle_seconds("pass"))
    session.seconds("import os")
    session.complete_seconds("os.path.jo")
    yield "completion of os.path.jo", "s", repeated(30, lambda: session.complete_seconds("os.path.jo"))
    yield "100,000 prints", "s", session.idle_seconds(PRINTS)
    session.seconds("text = 'x' * 50_000_000")
    yield "50 MB in one string", "s", session.idle_seconds(LARGE_TEXT)
    session.seconds("del text")
    yield "5,000 display()", "s", session.idle_seconds(DISPLAYS)
    yield "!seq 200000", "s", session.idle_seconds("!seq 200000")
    session.drain()
    yield "interrupt time.sleep", "s", session.interrupt_seconds("import time; time.sleep(30)")
    yield "interrupt a Python loop", "s", session.interrupt_seconds("while True:\n    pass")
    threads, share = session.idle_load()
    yield "idle: threads", "", threads
    yield "idle: CPU", "%", share
    yield "import numpy", "s", session.seconds("import numpy")
    # the last one: a kernel that does not answer is of no use afterwards
    yield "interrupt sum(range(10**11))", "s", session.interrupt_seconds("sum(range(10**11))", limit=6)


def jit(session):
    session.first_times()
    import_seconds = session.seconds(IMPORT)
    first_seconds = session.seconds(FIRST_JIT)
    yield "import numba", "s", import_seconds
    yield "first jitted cell", "s", first_seconds
    yield "import and first jitted cell", "s", import_seconds + first_seconds
    yield "second jitted function", "s", session.seconds(SECOND_JIT)
    yield "jitted function of an array", "s", session.seconds(ARRAY_JIT)
    yield "memory after jitted cells, RSS", "B", session.memory()[1]
    yield "call of a 2-scalar function", "s", session.value(CALL_OVERHEAD, "_overhead")


TIMED = """
import timeit as _timeit
def _best(function, *arguments):
    function(*arguments)
    return min(_timeit.repeat(lambda: function(*arguments), number=1, repeat=15))
"""
PROGRAMS = {
    "monte_carlo_pi(1e6)": ("""
import random
from numba import njit
@njit
def monte_carlo_pi(samples):
    inside = 0
    for _ in range(samples):
        x = random.random()
        y = random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / samples
""", "_best(monte_carlo_pi, 1_000_000)"),
    "maximum of 32x32x32 float32": ("""
import numpy as np
from numba import njit
@njit
def maximum(a, b, c):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                c[i, j, k] = max(a[i, j, k], b[i, j, k])
cube = [np.random.rand(32, 32, 32).astype(np.float32) for _ in range(3)]
""", "_best(maximum, *cube)"),
    "gaussian ufunc, 1e7 float32": ("""
import math, numpy as np
from numba import vectorize
@vectorize(["float32(float32, float32, float32)"])
def gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * np.float32(2.5066282))
points = np.random.uniform(-3, 3, 10_000_000).astype(np.float32)
""", "_best(gaussian, points, np.float32(0), np.float32(1))"),
    "sin*exp ufunc, 1e6 float64": ("""
import math, numpy as np
from numba import vectorize
@vectorize(["float64(float64, float64)"])
def sin_exp(x, y):
    return math.sin(x) * math.exp(y)
angles = np.random.rand(1_000_000)
""", "_best(sin_exp, angles, angles)"),
}


def cpu(session):
    session.first_times()
    session.seconds(TIMED)
    for name, (source, call) in PROGRAMS.items():
        session.seconds(source)
        yield name, "s", session.value(f"_result = {call}", "_result")


def compiler(session, names=None):
    """All functions of the set, or those named."""
    import functions
    session.first_times()
    session.seconds(f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
                    "import compiler_worker; compiler_worker.prepare()")
    for case in functions.CASES:
        name = case.function.__name__
        if names and name not in names:
            continue
        compile_seconds, run_seconds = session.value(
            f"_times = compiler_worker.measure_named({name!r})", "_times")
        yield f"compile: {name}", "s", compile_seconds
        yield f"run: {name}", "s", run_seconds


CACHED_MODULE = """
import numpy as np
from numba import njit

@njit(cache=True)
def add(a, b):
    return a + b

@njit(cache=True)
def mandelbrot(width, height, limit):
    out = np.zeros((height, width), np.int64)
    for y in range(height):
        for x in range(width):
            c = complex(-2 + 3 * x / width, -1 + 2 * y / height)
            z = 0j
            for k in range(limit):
                z = z * z + c
                if abs(z) > 2:
                    break
            out[y, x] = k
    return out

@njit(cache=True)
def summary(a):
    quarters = np.percentile(a, np.array([25.0, 50.0, 75.0]))
    counts = np.histogram(a, 10)[0]
    return np.sort(a)[0] + np.median(a) + quarters.sum() + counts.max() + np.unique(np.floor(a)).size

@njit(cache=True)
def words(text):
    counts = {}
    for word in text.split():
        key = word.lower().strip(",.")
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
    return len(counts)
"""
CACHED_CALLS = {"scalars": "add(1, 2)", "Mandelbrot set": "mandelbrot(8, 8, 8)",
                "NumPy statistics": "summary(np.arange(50.0))", "words of a text": "words('to be or not to be')"}


def cache(session):
    """First calls of functions with cache=True, in a process that keeps their code and in the next."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "cached_functions.py").write_text(CACHED_MODULE)
        for state in ("nothing kept", "kept"):
            with contextlib.nullcontext(session) if state == "nothing kept" else session.again() as opened:
                opened.first_times()
                opened.seconds(f"import sys, numpy as np; sys.path.insert(0, {folder!r})")
                yield f"import numba, {state}", "s", opened.seconds("from cached_functions import *")
                for name, call in CACHED_CALLS.items():
                    yield f"first call, {name}, {state}", "s", opened.seconds(call)


def emulator(session):
    """CUDA kernels on the emulated device beside numba's simulator, per step of their work, for the
    simulator takes only small sizes; and beside gridcell's own compiled prange loops."""
    import kernels
    session.first_times()
    is_peer = session.manager.kernel_name == "peer"
    if is_peer:
        session.seconds("import os; os.environ['NUMBA_ENABLE_CUDASIM'] = '1'")
    session.seconds(f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
                    "import kernel_worker")
    for case in kernels.CASES:
        if is_peer and case.is_by_warps:
            continue
        size = "'small', repeats=1" if is_peer else "'emulator'"
        launch, step = session.value(
            f"_times = kernel_worker.kernel_seconds({case.name!r}, {size})", "_times")
        yield f"simulator: {case.name}", "s", step
        if not is_peer:
            loops = session.value(f"_time = kernel_worker.loops_seconds({case.name!r})", "_time")
            yield f"loops: {case.name}", "s", {"ours": launch, "peer": loops}


SUITES = {"kernel": kernel, "jit": jit, "cpu": cpu, "compiler": compiler, "cache": cache,
          "emulator": emulator}
