"""gridcell as pip installed it into the environment that runs these tests, and nothing else of it.

scripts/release runs them in a fresh environment; on another machine:
    python3 -m venv trial && trial/bin/pip install gridcell-*.whl pytest pytest-timeout nbclient ipykernel
    trial/bin/python -m pytest --confcutdir tests/wheel tests/wheel
"""
import importlib.metadata
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "notebooks/01-first-steps.ipynb"
SITE = pathlib.Path(sysconfig.get_path("platlib"))
PACKAGE = SITE / "gridcell"
# what manylinux promises of every Linux with the tag's glibc
OF_THE_SYSTEM = re.compile(r"linux-vdso|/ld-linux|lib(c|m|dl|rt|pthread|util|resolv|gcc_s)\.so")
# the newest glibc that a wheel may ask for, and what the builder's may be for that: later ones give symbols of their own
NEWEST_ASKED = (2, 34)
NEWEST_TO_BUILD_WITH = (2, 36)
# fetched for the build, or the system's, whose needs the tag says
HAS_OWN_ZEROMQ = (pathlib.Path(__file__).resolve().parents[2] / "subprojects/libzmq/fetched").exists()
GLIBC_HERE = tuple(int(number) for number in os.confstr("CS_GNU_LIBC_VERSION").split()[1].split("."))
PROGRAM = """
import numpy as np
from numba import cuda, njit, vectorize

@njit
def total(values):
    result = 0.0
    for value in values:
        result += np.sin(value)
    return result

@vectorize
def scaled(x):
    return 2 * x

@vectorize(["float32(float32)"], target="cuda")
def shifted(x):
    return x + 1

@cuda.jit
def fill(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = i

values = np.arange(1000.0)
assert abs(total(values) - np.sin(values).sum()) < 1e-9
assert (scaled(values) == 2 * values).all()
assert (shifted(np.zeros(3, np.float32)) == 1).all()
out = np.zeros(100, np.int64)
fill[4, 32](out)
assert (out == np.arange(100)).all()
print("all is well")
"""
# where it says so, cells run on the Python that the tests run on
CELL = "import sys; from numba import njit; print(njit(lambda x: x + 1)(41), sys.executable, sys.argv[1])"


def run(*command, **options):
    options.setdefault("cwd", "/")
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100, **options)


def python(*arguments, **options):
    return run(sys.executable, *arguments, **options)


def test_package_is_the_installed_one():
    import gridcell
    assert pathlib.Path(gridcell.__file__).parent == PACKAGE
    assert gridcell.__version__ == importlib.metadata.version("gridcell")


def test_a_plain_python_keeps_its_own_numba():
    has_its_own = python("-c", "import numba").returncode == 0
    found = python("-c", "import gridcell, importlib.util; print(importlib.util.find_spec('numba') is not None)")
    assert found.stdout.strip() == str(has_its_own), found.stderr
    asked = python("-c", "import gridcell; gridcell.activate(); import numba; print(numba.__file__)")
    assert asked.stdout.startswith(str(PACKAGE)), asked.stderr


def test_program(tmp_path):
    file = tmp_path / "program with ä.py"
    file.write_text(PROGRAM)
    result = python("-m", "gridcell", file)
    assert result.stdout == "all is well\n", result.stderr


@pytest.mark.parametrize("command", [["-m", "gridcell"], None])
def test_commands(command, tmp_path):
    def gridcell(*arguments):
        program = [sys.executable, *command] if command else [pathlib.Path(sys.executable).parent / "gridcell"]
        return run(*program, *arguments)

    assert gridcell("--version").stdout.split() == ["gridcell", importlib.metadata.version("gridcell")]
    info = json.loads(gridcell("info", "--json").stdout)
    assert info["executable"] == sys.executable and "error" not in info
    doctor = gridcell("doctor")
    assert doctor.returncode == 0, doctor.stdout
    file = tmp_path / "cell.py"
    file.write_text(CELL)
    assert gridcell("run", file, "word").stdout == f"42 {sys.executable} word\n"
    assert gridcell("no-such-command").returncode == 2


def test_tutorial(tmp_path):
    result = python("-m", "gridcell", "tutorial", "--no-lab", tmp_path / "course")
    assert (tmp_path / "course" / NOTEBOOK.name).read_bytes() == NOTEBOOK.read_bytes(), result.stderr


def test_extras():
    """Of which doctor recommends `all`, and the search for NVIDIA's compilers takes `cuda`."""
    needed = importlib.metadata.requires("gridcell")
    extras = {extra: {re.match(r"[\w-]+", line)[0] for line in needed if re.search(rf"extra == .{extra}.", line)}
              for extra in importlib.metadata.metadata("gridcell").get_all("Provides-Extra")}
    assert extras == {"all": {"jedi", "debugpy", "comm", "matplotlib"},
                      "cuda": {"nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvrtc-cu12", "nvidia-nvjitlink-cu12"}}


def test_installing_registers_the_kernel():
    spec = json.loads(pathlib.Path(sys.prefix, "share/jupyter/kernels/gridcell/kernel.json").read_text())
    assert spec["argv"] == ["python", "-m", "gridcell", "kernel", "-f", "{connection_file}"]
    from jupyter_client.kernelspec import KernelSpecManager
    assert "gridcell" in KernelSpecManager().find_kernel_specs()


def test_install_writes_a_kernelspec(tmp_path):
    result = python("-m", "gridcell", "install", "--prefix", tmp_path, "--name", "mine", "--display-name", "Mine",
                    "--env", "GRIDCELL_NUMBA=system")
    spec = json.loads((tmp_path / "share/jupyter/kernels/mine/kernel.json").read_text())
    assert spec["argv"][:4] == [sys.executable, "-m", "gridcell", "kernel"], result.stderr
    assert spec["env"] == {"GRIDCELL_NUMBA": "system"} and spec["display_name"] == "Mine"


def execute(notebook):
    from nbclient import NotebookClient
    NotebookClient(notebook, kernel_name="gridcell", timeout=100).execute()
    return "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))


def test_kernel():
    import nbformat
    cells = ["import numba, sys", "print(sys.executable, sys.argv[0], __name__)",
             "import os; os.closerange(3, 100)", "import sqlite3; print(numba.njit(lambda x: x + 1)(41))"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    text = execute(notebook)
    assert f"{sys.executable} ipykernel_launcher.py __main__" in text and "42\n" in text


def test_the_debugger_shows_no_frame_of_the_start():
    import nbformat
    cell = ("import sys\nfrom IPython.core.debugger import Pdb\ndebugger = Pdb()\ndebugger.reset()\n"
            "print(debugger.get_stack(sys._getframe(), None)[0][0][0].f_code.co_name)")
    assert execute(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])) == "<module>\n"


def test_notebook():
    import nbformat
    assert "emulated device" in execute(nbformat.read(NOTEBOOK, as_version=4))


def all_libraries():
    return [*PACKAGE.glob("*.so*"), *(SITE / "gridcell.libs").glob("*.so*")]


@pytest.mark.skipif(not HAS_OWN_ZEROMQ, reason="ZeroMQ's source could not be fetched")
def test_nothing_is_asked_of_the_system_but_its_c_library():
    assert len(all_libraries()) > 3
    for library in all_libraries():
        for line in run("ldd", library).stdout.splitlines():
            assert OF_THE_SYSTEM.search(line) or f"{SITE}/gridcell" in line, f"{library.name}: {line}"


def glibc_of_tag():
    return max(tuple(int(number) for number in found) for found in re.findall(
        r"-manylinux_(\d+)_(\d+)_x86_64", importlib.metadata.distribution("gridcell").read_text("WHEEL")))


@pytest.mark.skipif(not shutil.which("readelf"), reason="there is no readelf here")
def test_no_library_asks_for_a_newer_glibc_than_the_tag_says():
    for library in all_libraries():
        asked = run("readelf", "--version-info", "--wide", library).stdout
        versions = [tuple(map(int, found)) for found in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", asked)]
        assert max(versions) <= glibc_of_tag(), library.name
        if not HAS_OWN_ZEROMQ:
            continue
        assert "GLIBC_ABI_DT_RELR" not in asked, f"{library.name}: only glibc 2.36 reads its relocations"
        assert "GLIBCXX" not in asked, f"{library.name}: libstdc++ is to be within"


@pytest.mark.skipif(not HAS_OWN_ZEROMQ or GLIBC_HERE > NEWEST_TO_BUILD_WITH,
                    reason="built with what asks for newer symbols")
def test_tag():
    assert glibc_of_tag() <= NEWEST_ASKED


def test_every_file_is_known_to_pip():
    known = {os.path.realpath(file.locate()) for file in importlib.metadata.files("gridcell")}
    there = {os.path.realpath(file) for folder in (PACKAGE, SITE / "gridcell.libs") for file in folder.rglob("*")
             if file.is_file() and "__pycache__" not in file.parts}
    assert there <= known
