"""Allocations and launches of a CUDA device, emulated or real, in a program without Jupyter."""
import json
import os
import pathlib
import subprocess
import sys
import time

from measure import Size

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD", ROOT / "build"))
LIMIT_SECONDS = 1800

COMMON = """
import gc, json, linecache, os, random, sys, time
sys.path.insert(0, HERE)
from measure import size_of
import numpy as np
from numba import cuda
def measure():
    gc.collect()
    cuda.synchronize()
    return (*vars(size_of(os.getpid())).values(), cuda.current_context().get_memory_info().free)
def repeat(work, count, piece, end):
    "As many pieces of the work as the time allows; what was done."
    done = 0
    while done < count and time.monotonic() < end:
        work(piece)
        done += piece
    return done
"""

ALLOCATIONS = """
choice = random.Random(SEED)
shapes = [1, 7, 100, 1024, 4096, 65_537, (3, 5), (64, 64), (100, 1000), 300_000]
types = [np.float32, np.float64, np.int8, np.complex128]
host = np.arange(1000.0)
def allocate(count):
    held = []
    for n in range(count):
        kind = choice.random()
        if kind < 0.8:
            held.append(cuda.device_array(choice.choice(shapes), choice.choice(types)))
        elif kind < 0.95:
            held.append(cuda.to_device(host))
            if n % 100 == 0:
                assert (held[-1].copy_to_host() == host).all()
        elif kind < 0.98:
            held.append(cuda.pinned_array(100, np.float32))
        else:
            held.append(cuda.managed_array(100, np.float32))
        if len(held) > 50:
            del held[choice.randrange(len(held))]
allocate(WARM)
before = measure()
done = repeat(allocate, COUNT, 1_000, END)
print(json.dumps([before, measure(), done]))
"""

LAUNCHES = '''
@cuda.jit
def add(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += x
@cuda.jit
def shifted(a):
    i, part = cuda.threadIdx.x, cuda.shared.array(64, np.float64)
    part[(i + 63) % 64] = a[i]
    cuda.syncthreads()
    a[i] = part[i]
a = cuda.to_device(np.arange(64.0))
def launch(count):
    for n in range(count):
        add[2, 32](a, 1.0)
        shifted[1, 64](a)
        if n % 64 == 63:
            cuda.synchronize()
OWN = """
@cuda.jit
def own(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] * 1.0 + {n} - {n}
"""
def kernels(count):
    for n in range(count):
        if time.monotonic() > END:
            return n
        scope = {'cuda': cuda}
        source = OWN.format(n=n)
        linecache.cache["own"] = len(source), None, source.splitlines(True), "own"
        exec(compile(source, "own", "exec"), scope)
        scope['own'][1, 64](a)
        cuda.synchronize()
    return count
launch(WARM * 64)
kernels(20)
before = measure()
launched = repeat(launch, COUNT, 500, HALF)
middle = measure()
compiled = kernels(KERNELS)
after = measure()
wrong = int((np.sort(a.copy_to_host()) != np.arange(64.0) + WARM * 64 + launched).sum())
print(json.dumps([before, middle, after, wrong, launched, compiled]))
'''


def is_real():
    return os.environ.get("GRIDCELL_DEVICE") == "cuda"


def child(code, soak, **values):
    """What a program printed last, as JSON. For a peer the device is numba's simulator."""
    head = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    head += "" if soak.peer else "import gridcell\ngridcell.activate()\n"
    program = pathlib.Path(soak.scratch, "program.py")
    program.write_text(f"HERE = {os.path.dirname(os.path.abspath(__file__))!r}\n{head}{COMMON}{code}")
    own = {"PYTHONPATH": f"{BUILD / 'python'}", "GRIDCELL_DEVICE": os.environ.get("GRIDCELL_DEVICE", "emulator")}
    result = subprocess.run([soak.peer or sys.executable, program], text=True, capture_output=True,
                            timeout=LIMIT_SECONDS,
                            env={**os.environ, **({"NUMBA_ENABLE_CUDASIM": "1"} if soak.peer else own)})
    if result.returncode:
        raise RuntimeError(f"exit status {result.returncode}: {result.stderr[-1500:]}")
    return json.loads(result.stdout.splitlines()[-1])


def allocations(soak, report):
    """Arrays of many sizes that come and go: none is lost on the device or on the host."""
    count = soak.count(100_000 if is_real() else 1_000_000, quick=20_000)
    before, after, count = child(ALLOCATIONS, soak, COUNT=count, WARM=5_000, SEED=soak.seed, END=soak.end)
    report.tell(f"{count:,} {'real' if is_real() else 'emulated'} allocations")
    report.growth(Size(*before[:4]), Size(*after[:4]), count, "allocation", 8)
    report.figure("device memory lost", before[4] - after[4], " B", 0, 64 << 20 if is_real() else 0)


def launches(soak, report):
    """Launches of two kernels, with and without a barrier, and kernels that are compiled and forgotten."""
    count, kernels = soak.count(500 if soak.peer else 100_000, quick=5_000), soak.count(2_000, quick=50)
    half = (soak.end + time.monotonic()) / 2
    before, middle, after, wrong, count, kernels = child(
        LAUNCHES, soak, COUNT=count, WARM=10, KERNELS=kernels, HALF=half, END=soak.end)
    report.tell(f"{count:,} times two kernels launched, {kernels:,} compiled and forgotten")
    report.figure("wrong items", wrong, "", 0)
    report.growth(Size(*before[:4]), Size(*middle[:4]), count, "launch", 8)
    report.growth(Size(*middle[:4]), Size(*after[:4]), kernels, "kernel that is gone", 4 << 10)
