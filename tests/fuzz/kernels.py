"""Generated CUDA kernels on the emulated device, beside a plain simulation of their threads: as they are, and
under debug=True, which must find what is wrong and nothing else. GRIDCELL_DEVICE names another device.

usage: kernels.py [--seed N] [--time SECONDS] [--count KERNELS] [--keep-going] [--show] [--ptx]
"""
import argparse
import faulthandler
import itertools
import linecache
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

from kernel_threads import SHARED, simulate
from kernel_writer import COUNTERS, HELPERS, KINDS, PARAMETERS, Writer

LIMITS = {"float16": 2e-3, "complex64": 1e-5}
TABLE = [3, 1, 4, 1, 5, 9, 2]
DEBUG = {"debug": True, "opt": False}
PTXAS = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")



def make_launches(chance, axes):
    for _ in range(3):
        if axes == 1:
            block, grid = (chance.choice((1, 7, 31, 32, 33, 64, 96, 128, SHARED)), 1, 1), \
                (chance.choice((1, 2, 3, 5)), 1, 1)
        else:
            block, grid = chance.choice(((8, 4), (3, 5), (32, 4), (16, 8), (1, 40), (33, 2))) + (1,), \
                (chance.choice((1, 2, 3)), chance.choice((1, 2)), 1)
        if axes == 3:
            block, grid = chance.choice(((4, 3, 2), (8, 4, 4), (16, 2, 3), (1, 7, 9), (33, 1, 2))), \
                (chance.choice((1, 2)), 1, chance.choice((1, 2)))
        threads = math.prod(grid + block)
        n = max(1, chance.choice((threads, threads - 1, threads // 2, threads + 9, 3 * threads + 1, 1, threads - 33)))
        yield grid, block, n, chance.randrange(0, 4), chance.randrange(10**6), chance.random() < 0.04


def make_arguments(n, k, seed, is_short, layout):
    import numpy as np
    rng = np.random.default_rng(seed)
    extent = max(n, SHARED + 1)
    a = rng.integers(-9, 100, 2 * extent, np.int32)[::layout][:extent]
    m = rng.integers(0, 50, (SHARED, 4))
    counts = np.zeros(COUNTERS, np.int32 if seed % 2 else np.int64)
    most = np.full(COUNTERS, 5, np.int64)
    most[COUNTERS - 1] = 2000
    own = n - 1 if is_short and n > 1 else n
    record = np.dtype([("a", np.int32), ("b", np.float64), ("c", np.int16, 2)], align=bool(seed % 3))
    bits = np.full(COUNTERS + 1, 9, np.uint32 if seed % 3 else np.uint64)
    return [n, k, a, rng.integers(-40, 40, extent) * 0.25, np.asfortranarray(m) if layout > 1 else m,
            np.zeros(own, np.int64), np.zeros(own), counts, most, rng.integers(0, 50, n).astype(np.float16),
            (rng.integers(0, 50, n) * 0.25).astype(np.complex128 if seed % 2 else np.complex64),
            np.zeros(own, record), bits, np.zeros(COUNTERS, np.float64 if seed % 5 else np.float32)]


def damaged(chance, source):
    """The source without one of its barriers, or with items of shared memory that nobody sets; or None."""
    barriers = [found.span() for found in re.finditer(r"cuda\.sync(threads|warp)\(\)", source)]
    settings = [found.span(1) for found in re.finditer(rf"range\(t, ({SHARED}), T\)", source)]
    spans = barriers if barriers and chance.random() < 0.8 else settings
    if not spans:
        return None
    start, end = chance.choice(spans)
    return source[:start] + ("pass" if spans is barriers else str(SHARED - 40)) + source[end:]


def make_names(seed, number, source):
    """The functions of the kernel, in one file, where `inspect` finds them."""
    import numba
    import numpy as np
    from numba import cuda
    file, text = f"<kernel {seed} {number}>", f"{HELPERS}\n\n{source}"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"cuda": cuda, "TABLE": np.array(TABLE)}
    names |= {name: getattr(numba, name) for name in KINDS}
    exec(compile(text, file, "exec"), names)
    for name in ("helper", "meet_reversed", "meet_sum"):
        names[name] = cuda.jit(device=True)(names[name])
    return names


def difference(got, expected, source):
    """Where the arrays that a kernel left differ from the simulation's, or None."""
    import numpy as np
    # the simulation has no float32, which parts of complex64 are
    is_single = re.search(r"abs\(c\[|\]\.imag", source) and got[PARAMETERS.split(", ").index("c")].dtype == np.complex64
    for name, left, right in zip(PARAMETERS.split(", "), got, expected):
        if not isinstance(left, np.ndarray):
            continue
        for field in left.dtype.names or (None,):
            ours, theirs = (left[field], right[field]) if field else (left, right)
            limit = LIMITS.get(str(ours.dtype), 1e-5 if is_single and ours.dtype.kind == "f" else 1e-9)
            is_same = np.isclose(ours, theirs, limit, limit)
            if not is_same.all():
                wrong = np.flatnonzero(~is_same)[:8]
                return (f"{name}{'.' + field if field else ''}{wrong.tolist()} is {ours.ravel()[wrong].tolist()}, "
                        f"not {theirs.ravel()[wrong].tolist()}")
    return None


def compare(kernel, launch, got, expected, findings, failure, source):
    """None, or how the kernel differs from the simulation. `findings`: what debug=True has to find."""
    try:
        kernel[launch](*got)
    except IndexError as error:
        return None if failure else repr(error)
    except RuntimeError as error:
        return None if findings else repr(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if findings:
        return f"found nothing of {findings}"
    return f"no IndexError ({failure})" if failure else difference(got, expected, source)


def check(seed, number):
    """None, or what is wrong with the kernel of this number."""
    from numba import cuda
    chance = random.Random(f"{seed} {number}")
    writer = Writer(chance)
    source = writer.source()
    layout, launches = chance.choice((1, 1, 1, 2)), list(make_launches(chance, writer.axes))
    variants = [{}] + [{"opt": False}] * (chance.random() < 0.15) + [DEBUG] * (chance.random() < 0.5)
    worse = damaged(chance, source) if chance.random() < 0.25 else None
    if worse:
        source, variants = worse, [DEBUG]
    function = make_names(seed, number, source)["kernel"]
    kernels = [(options, cuda.jit(**options)(function)) for options in variants]
    for grid, block, *data in launches:
        expected, findings, failure = make_arguments(*data, layout), set(), None
        try:
            simulate(f"{HELPERS}\n\n{source}", grid, block, expected, {"TABLE": TABLE}, findings)
        except IndexError as error:
            failure = error
        for options, kernel in kernels:
            report = compare(kernel, (grid, block, 0, SHARED * 16), make_arguments(*data, layout), expected,
                             findings if options is DEBUG else None, failure, source)
            if report:
                return (f"seed {seed}, kernel {number}, {options}, grid {grid}, block {block}, n {data[0]}, "
                        f"k {data[1]}: {report}\n{source}")
    return None


def check_ptx(seed, number):
    """None, or what ptxas says to the PTX of the kernel of this number."""
    import numba
    from numba import cuda
    chance = random.Random(f"{seed} {number}")
    function = make_names(seed, number, Writer(chance).source())["kernel"]
    types = tuple(numba.typeof(item) for item in make_arguments(9, 1, chance.randrange(9), False, 1))
    options = chance.choice(({}, {}, {"debug": True, "opt": False}, {"lineinfo": True}, {"fastmath": True}))
    with tempfile.TemporaryDirectory() as folder:
        for route, cc in itertools.product(("nvptx", "nvvm"), ((7, 5), (8, 0), (9, 0))):
            os.environ["GRIDCELL_PTX"] = route
            said = f"seed {seed}, kernel {number}, {options}, {route}, {cc}"
            try:
                ptx, _ = cuda.compile(function, types, cc=cc, **options)
            except Exception as error:
                return f"{said}: {type(error).__name__}: {error}"
            path = pathlib.Path(folder) / "code.ptx"
            path.write_text(ptx)
            done = subprocess.run([PTXAS, f"-arch=sm_{cc[0]}{cc[1]}", path, "-o", path.with_suffix(".o")],
                                  capture_output=True, text=True)
            if done.returncode:
                return f"{said}: {done.stderr}"
    return None


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--first", type=int, default=0, help="the number of the first kernel")
    parser.add_argument("--time", type=float, default=1e9)
    parser.add_argument("--count", type=int, default=10**9)
    parser.add_argument("--keep-going", action="store_true", help="report more than the first failure")
    parser.add_argument("--show", action="store_true", help="print the sources and run nothing")
    parser.add_argument("--ptx", action="store_true", help="compile for GPUs and run ptxas; run nothing")
    options = parser.parse_args(arguments)
    faulthandler.enable()
    warnings.simplefilter("ignore")
    if options.show:
        for number in range(options.first, options.first + min(options.count, 10)):
            print(Writer(random.Random(f"{options.seed} {number}")).source())
        return 0
    build = pathlib.Path(os.environ.get("GRIDCELL_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
    sys.path.insert(0, str(build / "python"))
    os.environ.setdefault("GRIDCELL_DEVICE", "emulator")
    import gridcell
    gridcell.activate()
    found, done, until = 0, 0, time.monotonic() + options.time
    for number in range(options.first, options.first + options.count):
        if time.monotonic() > until or (found and not options.keep_going):
            break
        print(f"\r{number} ", end="", file=sys.stderr, flush=True)  # what it was if the process ends
        report = (check_ptx if options.ptx else check)(options.seed, number)
        done += 1
        if report:
            found += 1
            print(report, flush=True)
    print(f"seed {options.seed}: {done} kernels, {found} failures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
