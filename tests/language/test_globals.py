"""A jitted function notices that a global or captured variable has changed."""
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from numba import njit, prange, vectorize
from numba.core.errors import NumbaWarning

from conftest import BUILD

pytestmark = pytest.mark.filterwarnings("ignore:.*has changed since")


def test_a_number(make):
    f = njit(make("K = 3\n\ndef f(x):\n    return x + K\n"))
    assert f(1) == 4
    f.py_func.__globals__["K"] = 10
    assert f(1) == 11 and f(1) == 11
    f.py_func.__globals__["K"] = 2.5  # another type, too
    assert f(1) == 3.5
    f.py_func.__globals__["OTHER"] = 5
    assert f(1) == 3.5


def test_an_array(make):
    f = njit(make("A = np.arange(3)\n\ndef f(i):\n    return A[i]\n"))
    assert f(2) == 2
    f.py_func.__globals__["A"] = np.arange(3) * 7
    assert f(2) == 14


def test_a_function_that_is_called(make):
    f = make("K = 1\n\n@njit\ndef g(x):\n    return x * K\n\n@njit\ndef h(x):\n    return g(x) + 1\n\n"
             "@njit\ndef f(x):\n    return h(x) * 2\n", njit=njit)
    space = f.py_func.__globals__
    assert f(3) == 8
    space["K"] = 10
    assert f(3) == 62
    space["g"] = njit(make("def g(x):\n    return -x\n", "g"))
    assert f(3) == -4 and space["h"](3) == -2


def test_a_captured_variable(make):
    make_f = make("def outer(k):\n    def change(v):\n        nonlocal k\n        k = v\n    def f(x):\n        return x + k\n"
                  "    return f, change\n", "outer")
    plain, change = make_f(5)
    f = njit(plain)
    assert f(1) == 6
    change(50)
    assert f(1) == 51


def test_declared_signatures(make):
    f = njit(["int64(int64)", "float64(float64)"])(make("K = 3\n\ndef f(x):\n    return x + K\n"))
    assert f(1) == 4 and f(1.5) == 4.5
    f.py_func.__globals__["K"] = 10
    assert f(1) == 11 and f(1.5) == 11.5 and len(f.signatures) == 2
    with pytest.raises(TypeError):
        f(1j)


def test_equal_values_are_the_same(make):
    f = njit(make("K = 300\n\ndef f(x):\n    return x + K\n"))
    f(1)
    compiled = f.overloads
    f.py_func.__globals__["K"] = int("300")
    assert f(1) == 301 and list(compiled) == list(f.overloads) and f.stats.cache_hits is not None


def test_said_once(run_python):
    code = ("import gridcell; gridcell.activate()\nfrom numba import njit\nK = 1\n"
            "@njit\ndef f(x):\n    return x + K\n@njit\ndef g(x):\n    return x - K\n"
            "for K in range(4):\n    print(f(1), g(1))\n")
    done = run_python(code=code)
    assert done.stdout == "1 1\n2 0\n3 -1\n4 -2\n" and done.stderr.count("has changed since 'f' was compiled") == 1


def test_the_switch(make, monkeypatch):
    f = njit(make("K = 3\n\ndef f(x):\n    return x + K\n"))
    assert f(1) == 4
    monkeypatch.setenv("GRIDCELL_WATCH_GLOBALS", "0")
    f.py_func.__globals__["K"] = 10
    assert f(1) == 4
    monkeypatch.delenv("GRIDCELL_WATCH_GLOBALS")
    f.py_func.__globals__["K"] = 20
    assert f(1) == 21


def test_the_warning_names_the_switch():
    """In a process of its own: it is said once."""
    program = ("from numba import njit\nK = 1\n@njit\ndef f():\n    return K\nf()\nK = 2\nf()\n")
    run = subprocess.run([sys.executable, "-c", "import gridcell; gridcell.activate()\n"
                          "import linecache\nsource = " + repr(program) + "\n"
                          "linecache.cache['cell'] = (1, None, source.splitlines(True), 'cell')\n"
                          "exec(compile(source, 'cell', 'exec'), {'__name__': 'cell'})\n"],
                         env={**os.environ, "PYTHONPATH": str(BUILD / "python")}, capture_output=True, text=True)
    assert "GRIDCELL_WATCH_GLOBALS=0" in run.stderr, run.stderr


def test_large_arrays_stay_outside_of_the_code():
    """Of what is larger than a MiB the code has the address of a copy: compiling took a minute for 80 MB."""
    table = np.arange(300000.0)

    @njit
    def item(i):
        return table[i]

    @njit(parallel=True)
    def total():
        s = 0.0
        for i in prange(table.size):
            s += table[i]
        return s
    assert item(7) == 7 and len(item.inspect_llvm(item.signatures[0])) < table.nbytes / 4
    assert total() == table.sum() and njit(lambda i: item(i) + 1)(3) == 4
    table[7] = -1
    assert item(7) == 7  # frozen, as smaller ones are
    part = njit(lambda: table[5:9])()
    part[0] = 100
    assert item(5) == 5 and part.flags.owndata
