# SPDX-License-Identifier: MIT
"""The command numba, the module paths that programs import, and the classes of errors."""
import importlib
import json
import os
import pickle
import subprocess
import sys

import numba
import numpy as np
import pytest
from conftest import BUILD
from numba import njit
from numba.core import errors

PROGRAM = """import sys
from numba import njit

@njit
def square(x):
    return x * x

print(square(3), sys.argv[1:])
"""


@pytest.fixture
def command(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    script = BUILD / "python" / "gridcell" / "children" / "bin" / "numba"

    def run(*args):
        environment = {**os.environ, "PYTHONPATH": str(BUILD / "python" / "gridcell" / "children"),
                       "GRIDCELL_PYTHON": sys.executable}
        return subprocess.run([script, *args], capture_output=True, text=True, cwd=tmp_path, env=environment,
                              timeout=120)
    return run


def test_command(command, tmp_path):
    about = command("-s", "--sys-json", "about.json")
    assert about.returncode == 0, about.stderr
    assert "Numba Version" in json.loads((tmp_path / "about.json").read_text())
    done = command("--annotate", "--annotate-html", "page.html", "--dump-assembly", "program.py", "a", "-b")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("9 ['a', '-b']\n")
    assert "square (int64)" in done.stdout and ":: int64" in done.stdout and "ASSEMBLY square" in done.stdout
    page = (tmp_path / "page.html").read_text()
    assert "<h2>square</h2>" in page and "return x * x" in page
    assert command().returncode == 2


@pytest.mark.parametrize("path", [
    "numba.core.types.scalars", "numba.core.types.containers", "numba.core.types.npytypes", "numba.core.typing.typeof",
    "numba.core.codegen", "numba.misc.special", "numba.np.ufunc.parallel", "numba._version"])
def test_module(path):
    importlib.import_module(path)


def test_module_contents():
    from numba.core.types.npytypes import Array
    from numba.np.ufunc.parallel import get_thread_count
    assert Array is numba.types.Array
    assert get_thread_count() == numba.config.NUMBA_NUM_THREADS
    f = njit(lambda x: x)
    f(1)
    graph = f.inspect_cfg(f.signatures[0])
    assert (type(graph).__name__, type(graph).__module__) == ("_CFG", "numba.core.codegen")


def test_warning_classes():
    assert issubclass(errors.NumbaDeprecationWarning, DeprecationWarning)
    assert issubclass(errors.NumbaPendingDeprecationWarning, PendingDeprecationWarning)
    assert issubclass(errors.NumbaIRAssumptionWarning, errors.NumbaPedanticWarning)
    assert all(issubclass(getattr(errors, name), errors.NumbaWarning) for name in errors.__all__
               if name.endswith("Warning"))


def test_unsupported_is_both_classes(make):
    for body, opcode in (("import os", "IMPORT_NAME"), ("global Q\n    Q = 1", "STORE_GLOBAL"),
                         ("class A:\n        pass", "LOAD_BUILD_CLASS")):
        with pytest.raises(errors.UnsupportedError, match=f"Use of unsupported opcode .{opcode}. found") as caught:
            njit(make(f"def f():\n    {body}\n"))()
        assert isinstance(caught.value, errors.UnsupportedBytecodeError)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def message_of(function, *args):
    with pytest.raises(errors.TypingError) as caught:
        njit(function)(*args)
    return str(caught.value).split("\n")[1]


def test_leading_lines(make):
    for value, name in (([1, 2], "reflected list(int64)<iv=None>"), ({1}, "reflected set(int64)"),
                        (numba.typed.List([1]), "ListType[int64]")):
        message = message_of(make("def f(x):\n    return x in G\n", G=value), 1)
        assert message == (
            f"The use of a {name} type, assigned to variable 'G' in globals, is not supported as globals are "
            f"considered compile-time constants and there is no known way to compile a {name} type as a constant.")
    message = message_of(make("def f(x):\n    if x:\n        y = 1\n    else:\n        y = 'a'\n    return y\n"), 1)
    assert message.startswith("Cannot unify Literal[int](1) and Literal[str](a) for 'y")
    message = message_of(make("def f(x):\n    return np.linalg.no_such(x)\n"), np.eye(2))
    assert message.startswith("Unknown attribute 'no_such' of type Module(<module 'numpy.linalg'")
    with pytest.raises(errors.TypingError, match="\ncannot type infer runaway recursion\n"):
        make("@njit\ndef f(x):\n    return f(x + 1)\n", njit=njit)(1)


def test_too_few_arguments():
    with pytest.raises(TypeError, match="not enough arguments: expected at least 1, got 0"):
        njit(lambda a, b=1: a)()
    with pytest.raises(TypeError, match="not enough arguments: expected 1, got 0"):
        njit(lambda a: a)()


def test_dtypes_as_arguments():
    f = njit(lambda n, dtype: np.zeros(n, dtype))
    for dtype in (np.int32, np.float32, np.dtype("u1"), np.dtype(np.complex64)):
        assert f(3, dtype).dtype == np.dtype(dtype)
    assert njit(lambda d: d(2.7))(np.int16) == 2
