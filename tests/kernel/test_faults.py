"""Compiled code that fails at the machine's level ends its cell, not the kernel."""


def test_endless_recursion_and_unmapped_memory(cells):
    cells.ok("import numpy as np\nfrom numba import njit\n"
             "@njit\ndef deep(n):\n    if n == -1:\n        return 0\n    return deep(n + 1) + n\n"
             "@njit(boundscheck=False)\ndef far(a, i):\n    return a[i]\nkept = 41")
    error = cells.run("deep(1)").content
    assert error["ename"] == "RecursionError" and "'deep'" in error["evalue"]
    error = cells.run("far(np.zeros(3), 10**13)").content
    assert error["ename"] == "SystemError" and "'far'" in error["evalue"] and "line 8" in error["evalue"]
    assert cells.result("kept + 1, float(far(np.ones(3), 2))") == "(42, 1.0)"


def test_a_global_changed_in_a_later_cell(cells):
    cells.ok("from numba import njit\nK = 1\n@njit\ndef f(x):\n    return x + K\n")
    assert cells.result("f(1)") == "2"
    cells.ok("K = 100")
    assert cells.result("f(1)") == "101"


def test_frames_of_compiled_functions(cells):
    cells.ok("from numba import njit\n@njit\ndef g(x):\n    return 1 // x\n\n@njit\ndef f(x):\n    y = x\n    return g(y)\n")
    text = cells.traceback("f(0)")
    assert "ZeroDivisionError" in text and "return g(y)" in text and "return 1 // x" in text

_BAD = """import ctypes, mmap, tempfile
import numpy as np
from numba import njit
def cut():
    file = tempfile.TemporaryFile()
    file.truncate(65536)
    memory = mmap.mmap(file.fileno(), 65536)
    file.truncate(4096)
    return np.frombuffer(memory, np.float64)
def nowhere():
    return np.frombuffer((ctypes.c_char * 8192).from_address(8192), np.float64)
"""


def test_memory_that_is_not_there_in_what_compiled_code_calls(cells):
    cells.ok(_BAD + "kept = np.arange(5.0)[::-1].copy()\n"
             "@njit\ndef total(a):\n    return np.dot(a, a)\n@njit\ndef order(a):\n    a.sort()\n    return a[0]\n"
             "@njit\ndef show(a):\n    print(a)\n@njit(parallel=True)\ndef clear(a):\n    a[:] = 0\n")
    for name in "total", "order", "show", "clear":
        for memory, words in ("cut", "cut short"), ("nowhere", "not there, at address 0x2"):
            error = cells.run(f"{name}({memory}())").content
            assert error["ename"] == "SystemError" and f"'{name}'" in error["evalue"] and words in error["evalue"]
            assert cells.result("order(kept.copy()), total(kept)") == "(0.0, 30.0)"
    assert cells.text("show(kept)") == "[4. 3. 2. 1. 0.]\n"


def test_endless_recursion_on_threads(cells):
    cells.ok("import threading\nfrom concurrent.futures import ThreadPoolExecutor\nfrom numba import njit\n"
             "@njit\ndef deep(n):\n    if n == -1:\n        return 0\n    return deep(n + 1) + n\n"
             "@njit\ndef caught(n):\n    try:\n        return deep(n)\n    except RecursionError:\n        return 7\n"
             "def attempt(n=1):\n    print(caught(n))\n    try:\n        deep(n)\n    except Exception as error:\n"
             "        print(type(error).__name__, 'recursion depth' in str(error))\n")
    for run in ("t = threading.Thread(target=attempt)\nt.start()\nt.join()",
                "with ThreadPoolExecutor(1) as pool:\n    pool.submit(attempt).result()",
                "threading.stack_size(1 << 20)\nt = threading.Thread(target=attempt)\nt.start()\nt.join()\n"
                "threading.stack_size(0)",
                "attempt()"):
        assert cells.text(run) == "7\nRecursionError True\n"
        assert cells.result("deep(-10)") == "-54"
