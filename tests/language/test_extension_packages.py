# SPDX-License-Identifier: MIT
"""Packages of the environment that register their types and functions under an entry point, as vector and awkward do."""
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import BUILD, function_of

from numba import njit
from numba.core.errors import TypingError

PACKAGE = """
import numba

class Plain:
    pass

def thrice(x):
    return x * 3

def register():
    print("registered")
    {failure}
    @numba.extending.overload(thrice)
    def ol_thrice(x):
        return lambda x: x * 3

    class PlainType(numba.types.Type):
        def __init__(self):
            super().__init__(name="Plain")

    numba.extending.typeof_impl.register(Plain)(lambda val, c: PlainType())
    numba.extending.register_model(PlainType)(numba.extending.models.OpaqueModel)
    numba.extending.unbox(PlainType)(lambda typ, obj, c: numba.extending.NativeValue(obj))
"""


@pytest.fixture
def run(tmp_path):
    def run(text, failure=""):
        (tmp_path / "plainly.py").write_text(PACKAGE.replace("{failure}", failure))
        info = tmp_path / "plainly-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plainly\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[numba_extensions]\ninit = plainly:register\n")
        (tmp_path / "program.py").write_text("import plainly\nfrom numba import njit, typeof\n" + text)
        return subprocess.run([sys.executable, "-m", "gridcell", "program.py"], cwd=tmp_path, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": f"{BUILD / 'python'}:{tmp_path}"})
    return run


@pytest.mark.parametrize("text", [
    "@njit\ndef f(p):\n    return 1\nprint(f(plainly.Plain()))\n",
    "@njit\ndef f(x):\n    return plainly.thrice(x)\nprint(f(3) // 9)\n",
    "print(len(str(typeof(plainly.Plain()))) // 5)\n",
], ids=["argument", "function", "typeof"])
def test_packages_register_when_they_are_asked_for(run, text):
    done = run(text + text)
    assert done.stdout == "registered\n1\n1\n", done


def test_programs_that_need_none_do_not_wait_for_them(run):
    """Nor for parts of NumPy that they do not name."""
    done = run("import math, sys\nimport numpy as np\nwas_there = 'numpy.random' in sys.modules\n"
               "@njit\ndef f(x):\n    return math.sin(x) + np.cos(x)\n"
               "print(f(0.0), ('numpy.random' in sys.modules) == was_there)\n"
               "@njit\ndef of_the_library():\n    return np.sort(np.array([2.0, 1.0]))[0] + 0 * np.random.random()\n"
               "print(of_the_library())\n")
    assert done.stdout == "1.0 True\n1.0\n", done


def test_packages_that_fail(run):
    done = run("try:\n    typeof(plainly.Plain())\nexcept ValueError as error:\n    print(str(error)[:21])\n",
               failure="raise KeyError('nothing')")
    assert done.stdout == "registered\nCannot determine Numba\n"[:-2] + "\n", done
    assert "Numba extension module 'plainly' failed to load due to 'KeyError('nothing')'" in done.stderr


# --- Modules as arguments, which the functions of vector take

def test_modules_are_arguments_of_compiled_functions():
    @njit
    def inner(lib, x):
        return lib.copysign(lib.sqrt(lib.absolute(x)), x) + lib.pi

    @njit
    def f(x):
        return inner(np, x)
    assert f(-4.0) == -2.0 + np.pi

    @njit
    def either(lib, x):
        return lib.sin(x) * lib.e
    g = njit(function_of("def f(x):\n    return either(np, x) - either(math, x)\n", either=either, math=math))
    assert g(0.5) == 0.0


def test_what_modules_do_not_have():
    @njit
    def inner(lib):
        return lib.nothing_of_this_name
    f = njit(function_of("def f():\n    return inner(np)\n", inner=inner))
    with pytest.raises(TypingError, match=r"Unknown attribute 'nothing_of_this_name' of type Module\(numpy\)"):
        f()
