"""The `numba` of gridcell in an ordinary interpreter, and helpers to compare with plain Python."""
import copy
import itertools
import linecache
import math
import os
import pathlib
import sys
import zlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# whether whole tables of cases are tried, of which a run in passing takes a sample (tests/conftest.py)
WHOLE = os.environ.get("GRIDCELL_TESTS") == "whole"
BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD", ROOT / "build"))
sys.path.insert(0, str(BUILD / "python"))

import gridcell

gridcell.activate()

_serial = itertools.count()


def function_of(source, name="f", **namespace):
    """The function `name` that `source` defines, with its text where the compiler looks for it."""
    file = f"<language test {next(_serial)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace.setdefault("np", np)
    namespace.setdefault("math", math)
    exec(compile(source, file, "exec"), namespace)
    return namespace[name]


def same_reals(x, y, within):
    """NaN and infinities where they are, and the rest within what is allowed for each."""
    with np.errstate(all="ignore"):
        near = np.abs(x - y) <= within
    return np.where(np.isnan(y), np.isnan(x), np.where(np.isinf(y), x == y, near)).all()


def same_floats(got, want, rtol, atol=0):
    """Part by part: NaN in one part of a complex number is not NaN in the other."""
    x, y = np.asarray(got), np.asarray(want)
    if y.dtype.kind not in "fc":
        return (x == y).all()
    sizes = np.abs([y.real, y.imag])
    within = atol + rtol * np.where(np.isfinite(sizes), sizes, 0).sum(0)
    return same_reals(x.real, y.real, within) and same_reals(x.imag, y.imag, within)


def same(got, want, rtol=0):
    """Whether two results are equal in value and type; floats within rtol."""
    if isinstance(want, tuple):
        return isinstance(got, tuple) and len(got) == len(want) and all(
            same(g, w, rtol) for g, w in zip(got, want))
    if isinstance(want, np.ndarray):
        return isinstance(got, np.ndarray) and got.shape == want.shape and same_floats(got, want, rtol)
    if isinstance(want, (float, np.floating, complex, np.complexfloating)):
        return same_floats(got, want, rtol)
    return got == want


def check_calls(f, calls):
    """Of a jitted function: each call gives what plain Python gives."""
    for args in calls:
        assert same(f(*args), f.py_func(*args), rtol=1e-14), args


def outcome(function, *args):
    """The result, or the class and text of the exception."""
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def outcome_on_copies(function, args):
    """The same by repr, and what became of the arguments."""
    args = copy.deepcopy(args)
    try:
        return repr(function(*args)), repr(args)
    except Exception as error:  # compared, whatever it is
        return type(error), str(error), repr(args)


def resident():
    """KiB of memory that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


@pytest.fixture
def rng(request):
    """Numbers that differ from test to test, not from run to run."""
    return np.random.default_rng(zlib.crc32(request.node.name.encode()))


@pytest.fixture
def make():
    return function_of


@pytest.fixture
def counted():
    """How much was allocated and released; this is counted while the test runs."""
    from numba.core.runtime import _nrt_python as nrt, rtsys
    was_on = nrt.memsys_stats_enabled()
    nrt.memsys_enable_stats()
    yield rtsys.get_allocation_stats
    if not was_on:
        nrt.memsys_disable_stats()


@pytest.fixture
def run_python(tmp_path):
    """Run code in a fresh interpreter with gridcell on its path."""
    import subprocess

    def run(*args, code=None, env=None, timeout=120):
        if code is not None:
            path = tmp_path / "script.py"
            path.write_text(code)
            args = (*args, str(path))
        environment = {**os.environ, "PYTHONPATH": str(BUILD / "python"), **(env or {})}
        return subprocess.run([sys.executable, *args], capture_output=True, text=True,
                              env=environment, timeout=timeout, cwd=tmp_path)
    return run


@pytest.fixture
def prints(run_python):
    """Run code as run_python does: this must be what it prints."""
    def check(expected, *args, **options):
        done = run_python(*args, **options)
        assert done.stdout == expected, done.stderr
    return check
