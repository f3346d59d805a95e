"""A device without memory: what lets go of some, and who is told to have the rest."""
import pytest
from conftest import Cells

MIB = 1 << 20


@pytest.fixture
def cells(start_kernel):
    fresh = Cells(start_kernel(env={"GRIDCELL_DEVICE": "emulator", "GRIDCELL_EMULATOR_MEMORY": str(100 * MIB)}))
    fresh.ok("import numpy as np\nfrom numba import cuda\n"
             "def mib(n): return cuda.device_array(n << 20, dtype=np.uint8)")
    return fresh


def test_an_exception_does_not_keep_device_memory(cells):
    cells.run("def f():\n    inner = mib(70)\n    1/0\nf()")
    assert cells.result("cuda.current_context().get_memory_info().free >> 20") == "30"
    assert cells.result("a = mib(80); a.size >> 20") == "80"
    assert cells.run("%tb").content["status"] == "ok"


def test_chained_exceptions_let_go_too(cells):
    cells.run("def f():\n    inner = mib(70)\n    1/0\ntry: f()\nexcept ZeroDivisionError as e: raise KeyError(1) from e")
    assert cells.result("a = mib(80); a.size >> 20") == "80"


def test_an_exception_in_hand_is_left_alone(cells):
    code = ("def f():\n    inner = mib(70)\n    1/0\ntry:\n    f()\nexcept ZeroDivisionError:\n    mib(80)")
    assert "inner in f()  70.0 MiB  uint8 (73400320,)" in cells.traceback(code)


def test_the_error_says_who_has_the_memory(cells):
    cells.ok("big = mib(40); view = big[:10]; parts = {'w': [mib(5), mib(4)]}")
    cells.ok("mib(20)")
    number = cells.ok("class Model: pass\nmodel = Model(); model.weights = mib(10)\n7").content["execution_count"] - 1
    text = cells.traceback("def work():\n    own = mib(3)\n    return mib(50)\nwork()")
    words = ("CudaAPIError: [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY: 50.0 MiB asked for, "
             "18.0 MiB of 100.0 MiB free, for an array with shape (52428800,) and data type uint8\n")
    assert words in text
    lines = text.partition(words)[2].splitlines()
    assert lines[0] == "50.0 MiB were asked for; 18.0 MiB of 100.0 MiB are free. On the device:"
    assert [line.split()[:4] for line in lines[1:7]] == [
        ["big", "40.0", "MiB", "uint8"], [f"Out[{number}]", "20.0", "MiB", "uint8"],
        ["model.weights", "10.0", "MiB", "uint8"], ["parts['w'][0]", "5.0", "MiB", "uint8"],
        ["parts['w'][1]", "4.0", "MiB", "uint8"], ["own", "in", "work()", "3.0"]]
    assert lines[7] == "`%reset -f out` lets go of results."
    assert cells.run("mib(50)").content["evalue"].startswith(
        "[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY: 50.0 MiB asked for")
    cells.ok("%reset -f out\ndel big, view")
    assert cells.result("mib(50).size >> 20") == "50"


def test_what_has_no_name_is_counted(cells):
    cells.ok("import functools\nkept = functools.partial(print, mib(30))")
    text = cells.traceback("mib(90)")
    assert "90.0 MiB were asked for; 70.0 MiB of 100.0 MiB are free. On the device:" in text
    assert "others  30.0 MiB  1 without a name" in text
    assert "Nothing of this process is on the device." in cells.traceback("del kept\nmib(101)")
