"""Magics that show compiled code and the device: %cfg %llvm %ptx %gpu_timeit %transfers..."""
import re

import pytest

pytest.importorskip("numpy")

SETUP = """
import numpy as np
from numba import cuda, njit

@njit
def f(x):
    s = 0
    for i in range(x):
        s += i * i
    return s

@cuda.jit
def k(a, b):
    i = cuda.grid(1)
    if i < a.size:
        b[i] = a[i] * 2

@njit
def unused(x):
    return x

@cuda.jit(device=True)
def on_device(x):
    return x

f(3)
a = np.ones(1000, np.float32)
b = np.zeros(1000, np.float32)
k[8, 128](a, b)
"""


@pytest.fixture(scope="module")
def coded(kernel):
    assert kernel.run(SETUP).content["status"] == "ok"
    return kernel


def displayed(outcome, kind):
    return [content["data"][kind] for content in outcome.contents("display_data")
            if kind in content["data"]]


def text_of(outcome):
    return outcome.text() + outcome.text("stderr")


def test_code_of_functions(coded):
    graph = coded.run("%cfg f")
    assert "f(int64)" in text_of(graph) and displayed(graph, "image/svg+xml")[0].startswith("<svg")
    assert "define" in displayed(coded.run("%llvm f"), "text/plain")[0]
    page = displayed(coded.run("%asm f"), "text/html")[0]
    assert "<details open>" in page and "f(int64)" in page
    types = text_of(coded.run("%types f"))
    assert "s += i * i" in types and ":: int64" in types


def test_code_of_kernels(coded):
    (ptx,) = displayed(coded.run("%ptx k"), "text/plain")
    assert ptx.startswith("k(array(float32, 1d, C), array(float32, 1d, C))") and ".entry" in ptx
    graph = coded.run("%cfg k")
    assert "k(array(float32" in text_of(graph) and displayed(graph, "image/svg+xml")[0].startswith("<svg")
    table = text_of(coded.run("%occupancy k"))
    assert re.search(r"^ +256 +\d+ +\d+%", table, re.M) and "registers" in table
    assert len(text_of(coded.run("%occupancy k 128")).splitlines()) == 4
    sass = coded.run("%sass k")
    assert displayed(sass, "text/plain") or "CUDA toolkit" in text_of(sass)


def test_device_and_transfers(coded):
    table = text_of(coded.run("%gpu"))
    assert "memory free" in table and "0 *" in table and "b'" not in table
    coded.run("%transfers")
    assert "no copies" in text_of(coded.run("%transfers"))
    cell = text_of(coded.run("%%transfers\nd = cuda.to_device(a)\nk[8, 128](d, b)\nd.copy_to_host();"))
    assert re.search(r"to device +1 +3.9 KiB", cell) and re.search(r"to host +1 +3.9 KiB", cell)
    assert "k: argument b" in cell and "2 copies, 7.8 KiB" in cell
    line = text_of(coded.run("%transfers e = cuda.to_device(a)"))
    assert re.search(r"to device +1 +3.9 KiB", line) and coded.run("e.size").content["status"] == "ok"
    assert coded.run("%transfers nothing_of_this_name").content["ename"] == "NameError"
    assert text_of(coded.run("%%transfers fetched = e.copy_to_host()\nassert fetched.size == 1000")).count("to host") == 1


def test_gpu_timeit(coded):
    coded.run("d, e = cuda.to_device(a), cuda.to_device(b)")
    report = text_of(coded.run("%gpu_timeit -n 20 -r 3 -b 8000 k[8, 128](d, e)"))
    assert re.search(r"per loop on .*\(3 runs, 20 loops each; ", report)
    assert re.search(r"GB/s, \d+% of the \d+ GB/s", report)
    copying = text_of(coded.run("%%gpu_timeit -n 5 -r 2\nd = cuda.to_device(a)\nd.copy_to_host()"))
    assert "for copies between host and device (7.8 KiB a loop" in copying
    coded.run("r = %gpu_timeit -q -o -n 2 -r 2 k[8, 128](d, e)")
    shown = coded.run("r.loops, len(r.all_runs), r.best <= r.average").contents("execute_result")
    assert shown[0]["data"]["text/plain"] == "(2, 2, True)"


def test_timeit_of_asynchronous_launches(coded):
    coded.run("d, e = cuda.to_device(a), cuda.to_device(b)")
    assert "Timed launches only" not in text_of(coded.run("%timeit -n 5 -r 2 k[8, 128](d, e)"))
    coded.run("import gridcell.ipython.timing as t\nlaunches = [3]\nkept = t.unwaited_launches\n"
              "t.unwaited_launches = lambda: launches[0]")
    try:
        report = text_of(coded.run("%timeit -n 5 -r 2 launches[0] += 1"))
        assert report.count("\n") == 2 and "%gpu_timeit" in report and "cuda.synchronize()" in report
        assert "Timed" not in text_of(coded.run("%timeit -n 5 -r 2 launches[0] = 1"))
        assert not text_of(coded.run("%timeit -q -n 5 -r 2 launches[0] += 1"))
    finally:
        coded.run("t.unwaited_launches = kept")


def test_xray(coded):
    outcome = coded.run("%xray k[8, 128](a, b)")
    (table,), (page,) = displayed(outcome, "text/plain"), displayed(outcome, "text/html")
    assert table.startswith("k[8, 128]") and re.search(r"a\[i\] +global +load +32 +125 +125", table)
    assert "Nothing stands out" in table and "<table>" in page and "<code>a[i]</code>" in page
    assert not outcome.contents("execute_result")
    cell = displayed(coded.run("%%xray --device T4\nk[8, 128](a, b)\nprint(b[3])\nk[(4, 2), (64, 2)](a, b)"), "text/plain")
    assert [text.splitlines()[0] for text in cell] == ["k[8, 128]", "k[(4, 2), (64, 2)]"] and "on T4" in cell[0]
    coded.run("found = %xray -o k[8, 128](a, b)")
    assert coded.run("print(found.total['global_requests'])").text() == "64\n"
    assert coded.run("%xray k[8, 128](a)").content["ename"] == "TypeError"
    assert coded.run("k[8, 128](a, b)").content["status"] == "ok"
    assert "_LaunchConfiguration" in coded.run("print(type(k[8, 128]))").text()
    coded.run("made_before = k[8, 128]")
    (table,) = displayed(coded.run("%xray made_before(a, b)"), "text/plain")
    assert table.startswith("k[8, 128]") and not coded.run("%xray 3").contents("execute_result")


def test_xray_of_many_launches(coded):
    outcome = coded.run("%%xray\nfor n in range(25):\n    k[8, 128](a, b)")
    assert len(displayed(outcome, "text/plain")) == 10 and "15 more launches are not shown; %%xray -o" in outcome.text()


def test_roofline(coded):
    outcome = coded.run("%roofline --gpu L40S k[8, 128](a, b); k[4, 128](a, b)")
    (text,), (page,) = displayed(outcome, "text/plain"), displayed(outcome, "text/html")
    assert text.startswith("roofline, modelled for L40S") and "2. k[4, 128]: bound by" in text
    assert "<svg" in page and "864 GB/s" in page
    coded.run("found = %roofline -o k[8, 128](a, b)")
    assert coded.run("print(len(found.points), found.device)").text() == "1 A100\n"


def test_compare_kernels(coded):
    coded.run("b[:] = 0")  # what is there from before would hide what a variant leaves out
    outcome = coded.run("%%compare_kernels -r 3 --gpu T4\nk[8, 128](a, b)\nk[4, 128](a, b)")
    (text,), (page,) = displayed(outcome, "text/plain"), displayed(outcome, "text/html")
    assert "the first" in text and "WRONG" in text and "k[4, 128] is wrong" in text and "at least, on T4" in text
    assert "<svg" in page and "</table>" in page


def test_variants_before_one_that_fails(coded):
    outcome = coded.run("%%compare_kernels -r 3\nk[8, 128](a, b)\nk[8, 128](a)")
    (text,) = displayed(outcome, "text/plain")
    assert "the first" in text and outcome.content["ename"] == "TypeError"


def test_gpu_timeline(coded):
    coded.run("@cuda.jit\ndef fresh(v):\n    v[cuda.grid(1)] = 1")
    outcome = coded.run("%%gpu_timeline -s trace.json\nd = cuda.to_device(np.zeros(256))\nfresh[2, 128](d)\n"
                        "cuda.synchronize()")
    (text,), (page,) = displayed(outcome, "text/plain"), displayed(outcome, "text/html")
    assert "compilation" in text and "kernels" in text and "<svg" in page
    found = coded.run("import json; print({e.get('cat') for e in json.load(open('trace.json'))['traceEvents']}); "
                      "import os; os.remove('trace.json')").text()
    assert all(f"'{kind}'" in found for kind in ("compile", "pass", "to device", "launch", "wait", "kernel"))
    failed = coded.run("%%gpu_timeline\nfresh[2, 128](d)\n1 / 0")
    assert failed.content["ename"] == "ZeroDivisionError" and "launches" in displayed(failed, "text/plain")[0]


def test_interrupted_xray(coded):
    coded.run("@cuda.jit\ndef ever(v):\n    i = cuda.grid(1)\n    while v[i] < 2:\n        v[i] = 1")
    outcome = coded.run("import _thread, threading, os, signal\n"
                        "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                        "%xray ever[4, 64](np.zeros(256))")
    (table,) = displayed(outcome, "text/plain")
    assert "interrupted: the counts so far" in table and "v[i]" in table
    assert outcome.content["ename"] == "KeyboardInterrupt"
    outcome = coded.run("threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                        "%roofline ever[4, 64](np.zeros(256))")
    (text,) = displayed(outcome, "text/plain")
    assert "1. ever[4, 64]: interrupted, so far bound by" in text and outcome.content["ename"] == "KeyboardInterrupt"


def test_a_device_function_by_itself(coded):
    coded.run("import numba\n@cuda.jit(device=True)\ndef alone(v):\n    return v * v\n"
              "alone.compile_device((numba.float32,))")
    for magic, word in (("llvm", "define"), ("ptx", ".visible .func"), ("asm", ".visible .func")):
        (text,) = displayed(coded.run(f"%{magic} alone"), "text/plain")
        assert text.startswith("alone(float32)") and word in text
    assert "of itself there is %llvm and %ptx" in text_of(coded.run("%occupancy alone"))


@pytest.mark.parametrize("line, words", [
    ("%xray", "there is no launch"), ("%xray 1 + 1", "no kernel was launched"),
    ("%xray -z k", "no option -z"), ("%xray -d", "-d takes a value"), ("%roofline --gpu", "--gpu takes a value"),
    ("%%gpu_timeline -s\n1", "-s takes a value"), ("%xray -d H900 k[8, 128](a, b)", "known are V100, T4"),
    ("%%compare_kernels\n1", "no kernel was launched"), ("%%compare_kernels -r no\nk", "-r takes a number"),
    ("%%gpu_timeline -q\n1", "no option -q"),
    ("%roofline", "there is no launch: %roofline"), ("%roofline --gpu K9 k[8, 128](a, b)", "known are V100, T4"),
    ("%cfg", "takes a jitted function"), ("%asm 3", "int is no jitted function"),
    ("%llvm nothing", "NameError"), ("%llvm unused", "has not been compiled yet"),
    ("%cfg on_device", "is a device function"), ("%ptx on_device", "compile_device((numba.float32,))"),
    ("%%xray\nlaunch = k[8, 128]\n", "no kernel was launched"), ("%xray 3", "no kernel was launched"),
    ("%ptx f", "takes a CUDA kernel"), ("%gpu_timeit -z f", "no option -z"),
    ("%gpu_timeit", "takes a statement")])
def test_usage(coded, line, words):
    result = coded.run(line)
    assert "UsageError" in text_of(result) and words in text_of(result)


def test_display_of_a_graph_is_a_picture(coded):
    """As the last expression of a cell; its text is not the picture's source."""
    for ending in ("", ".display()", ".pretty_printer()"):
        outcome = coded.run(f"f.inspect_cfg(f.signatures[0]){ending}")
        data = outcome.contents("execute_result")[0]["data"]
        assert "<svg" in data["image/svg+xml"] and "data:image/svg+xml" in data["text/html"]
        assert "<svg" not in data["text/plain"] and "<svg" not in outcome.text()
