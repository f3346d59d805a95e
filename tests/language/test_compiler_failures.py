# SPDX-License-Identifier: MIT
"""A defect of the compiler is an error with a report, and the session goes on: every pass, failing in every way."""
import threading

import numpy as np
import pytest
from conftest import function_of
from gridcell import _gridcell
from numba import cfunc, cuda, float64, guvectorize, int64, jit, njit, vectorize
from numba.core import errors

WAYS = "fault", "trap", "division", "recursion", "assert", "abort", "llvm"
PASSES = _gridcell.pass_names()
SECRET = "a word that is nobody's business"
SOURCE = ("def f(x):\n    s = 0.0\n    for i in range(3):\n        s += x * i + NUMBER + len(SECRET)\n    return s\n")
KERNEL = "def f(a):\n    i = cuda.grid(1)\n    if i < a.size:\n        a[i] += NUMBER\n"
WAITING = ("def f(a):\n    s = cuda.shared.array(32, float64)\n    i = cuda.threadIdx.x\n    s[i] = a[i]\n    cuda.syncthreads()\n"
           "    a[i] = s[31 - i] + NUMBER\n")


@pytest.fixture(autouse=True)
def reports(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDCELL_REPORT_DIR", str(tmp_path / "of" / "ours"))
    return tmp_path / "of" / "ours"


def plain(source=SOURCE):
    return function_of(source, NUMBER=73451234, SECRET=SECRET, cuda=cuda, float64=float64)


def on_host():
    return njit(plain())(2)


def on_device(source=KERNEL):
    a = np.zeros(32)
    cuda.jit(plain(source))[1, 32](a)
    return a.sum()


def for_gpu():
    return cuda.compile_ptx(plain(KERNEL), (float64[:],), cc=(8, 0))[0].count("entry")


def survives(name, way, run, want, reports):
    """Whether the pass was reached; then it failed, said so, and all went on."""
    _gridcell.provoke(name, way)
    try:
        got = run()
    except errors.LoweringError as error:
        text = str(error)
    else:
        assert got == want
        return False
    assert f'internal: the compiler failed in its pass "{name}"' in text
    files = list(reports.iterdir())
    assert len(files) == 1 and str(files[0]) in text, text
    report = files[0].read_text()
    files[0].unlink()
    assert "--- source\ndef f(" in report and "Python 3." in report and "--- where the compiler stood\n  " in report
    assert SECRET not in report and "73451234" not in report
    assert run() == want
    return True


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("run", [on_host, on_device, lambda: on_device(WAITING), for_gpu],
                         ids=["host", "device", "barrier", "gpu"])
def test_every_pass(run, way, reports):
    want = run()
    reached = {name for name in PASSES if survives(name, way, run, want, reports)}
    assert reached >= {"lower", "verify", "types", "typed", "resolve", "resolved", "codegen", "flow", "llvm-verify"}
    _gridcell.provoke("lower", way)  # what was not reached is not left behind
    with pytest.raises(errors.LoweringError):
        on_host()


def test_every_pass_is_reached_somewhere():
    """For the list above: a pass that no case reaches is not tried."""
    missed = set(PASSES)
    for run in on_host, on_device, lambda: on_device(WAITING), for_gpu:
        for name in list(missed):
            _gridcell.provoke(name, "assert")
            try:
                run()
            except errors.LoweringError:
                missed.discard(name)
    _gridcell.provoke("lower", "assert")
    with pytest.raises(errors.LoweringError):
        on_host()
    assert missed == {"keep"} or not missed, missed


def entries():
    def a_dispatcher(f):
        return njit(f)(2)

    def a_signature(f):
        return njit("f8(i8)")(f)

    def a_ufunc(f):
        return vectorize(["f8(i8)"])(f)

    def a_late_ufunc(f):
        return vectorize(f)(np.arange(3))

    def a_callback(f):
        return cfunc("f8(i8)")(f)

    def a_callee(f):
        inner = njit(f)
        return njit(lambda x: inner(x) + 1)(2)

    def a_parallel(f):
        return njit(parallel=True)(f)(2)

    def a_gufunc(f):
        g = function_of("def g(a, out):\n    out[0] = f(a[0])\n", "g", f=njit(f))
        return guvectorize([(int64[:], float64[:])], "(n)->()")(g)(np.arange(3))
    return [value for name, value in sorted(locals().items()) if callable(value)]


@pytest.mark.parametrize("enter", entries())
@pytest.mark.parametrize("name", ["lower", "types", "resolve", "codegen", "optimise", "object", "load"])
def test_every_entry(enter, name, reports):
    for way in "fault", "assert":
        _gridcell.provoke(name, way)
        with pytest.raises(errors.LoweringError, match="the compiler failed in its pass"):
            enter(plain())
        enter(plain())


def test_a_plain_jit_falls_back():
    for name in "types", "codegen", "object":
        f = jit(nopython=False)(plain())
        _gridcell.provoke(name, "fault")
        with pytest.warns(errors.NumbaWarning, match="the compiler failed in its pass"):
            assert f(2) == plain()(2)
        assert f(2) == plain()(2)


def test_what_was_compiled_before_goes_on():
    before = njit(plain())
    want = before(2)
    for name in "object", "load":
        _gridcell.provoke(name, "fault")
        with pytest.raises(errors.LoweringError):
            on_host()
        assert before(2) == want and before(2.5) == plain()(2.5)
        assert "define" in list(before.inspect_llvm().values())[0]
    del before


def test_texts_of_inspection():
    for call in "inspect_llvm", "inspect_asm", "inspect_types":
        f = njit(plain())
        f(2)
        getattr(f, call)()


def test_threads_go_on():
    """Locks are let go: other threads compile after a failure on this one, and after one on their own."""
    for name in "lower", "types", "codegen", "optimise", "object", "load":
        for way in "fault", "abort", "recursion":
            _gridcell.provoke(name, way)
            failed, got = [], []

            def run():
                try:
                    got.append(on_host())
                except errors.LoweringError:
                    failed.append(1)
            thread = threading.Thread(target=run)
            thread.start()
            thread.join(60)
            assert not thread.is_alive() and failed == [1]
            threads = [threading.Thread(target=run) for _ in range(3)]
            [thread.start() for thread in threads]
            got.append(on_host())
            [thread.join(60) for thread in threads]
            assert not any(thread.is_alive() for thread in threads)
            assert len(got) == 4 and len(set(got)) == 1


def test_places_of_reports(reports, monkeypatch, tmp_path):
    def text():
        _gridcell.provoke("codegen", "fault")
        with pytest.raises(errors.LoweringError) as got:
            on_host()
        return str(got.value)
    text()
    assert (reports.stat().st_mode & 0o777, *[file.stat().st_mode & 0o777 for file in reports.iterdir()]) == (0o700, 0o600)
    monkeypatch.setenv("GRIDCELL_REPORT_DIR", "/proc/nowhere")
    assert "No report of it could be written to /proc/nowhere" in text()
    monkeypatch.setenv("GRIDCELL_REPORT_DIR", "")
    assert "report" not in text()
    monkeypatch.delenv("GRIDCELL_REPORT_DIR")
    monkeypatch.setenv("GRIDCELL_CACHE_DIR", str(tmp_path / "cache"))
    assert f"{tmp_path}/cache/reports/" in text()


def test_what_was_compiled_before_a_lost_jit_can_be_called_and_be_a_value(reports):
    """The JIT that is made after a failure to load knows nothing of the code before it."""
    half = njit("float64(float64)")(function_of("def f(x):\n    return x / 2\n"))
    assert survives("load", "fault", on_host, plain()(2), reports)
    third = njit("float64(float64)")(function_of("def f(x):\n    return x / 3\n"))
    chosen = function_of("def f(x, given):\n    r = []\n    for g in FUNCTIONS:\n        r.append(g(x))\n"
                         "    return r, half(x), given(x)\n", FUNCTIONS=(half, third), half=half)
    assert njit(chosen)(-6.0, half) == ([-3.0, -2.0], -3.0, -3.0)


def test_a_broken_heap_is_the_end(run_python):
    """Not a hang: the allocator's lock may be held."""
    code = ("import gridcell; gridcell.activate()\nfrom gridcell import _gridcell\nfrom numba import njit\n"
            "@njit\ndef f(x):\n    return x\n_gridcell.provoke('codegen', 'heap')\nf(1)\n")
    done = run_python(code=code)
    assert done.returncode != 0 and "free()" in done.stderr
