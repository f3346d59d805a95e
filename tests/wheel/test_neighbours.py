"""gridcell beside others: a numba of the environment, a second gridcell, and what is left when it goes."""
import json
import os
import pathlib
import pwd
import subprocess
import sys
import sysconfig
import venv

import pytest

SITE = pathlib.Path(sysconfig.get_path("platlib"))
PACKAGE = SITE / "gridcell"
PYENV = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir, ".pyenv")))
WHEEL = os.environ.get("GRIDCELL_WHEEL")  # scripts/release names the one that it tries
ASK = "import numba, sys; print(getattr(numba, 'whose', 'gridcell'))"
CACHED = """
import gridcell; gridcell.activate()
from numba import njit, vectorize

@njit(cache=True)
def squares(n):
    return sum([i * i for i in range(n)])

@vectorize(["float64(float64)"], cache=True)
def scaled(x):
    return 3 * x

print(squares(1000), scaled(2.0), gridcell.__file__)
"""


def run(*command, **variables):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100, cwd="/",
                          env={**os.environ, **variables})


@pytest.fixture
def own_numba(tmp_path):
    """A folder that has a numba, which is not ours."""
    package = tmp_path / "packages/numba"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("whose = 'own'\n")
    (tmp_path / "ask.py").write_text(ASK)
    return package.parent


@pytest.mark.parametrize("choice, command, whose", [
    ("", ["-c", ASK], "own"),
    ("", ["-c", f"import gridcell; {ASK}"], "own"),
    ("", ["-c", f"import gridcell; gridcell.activate(); {ASK}"], "gridcell"),
    ("", ["-m", "gridcell", "-c", ASK], "gridcell"),
    ("", ["-m", "gridcell", "{folder}/ask.py"], "gridcell"),
    ("", ["-m", "gridcell", "run", "{folder}/ask.py"], "gridcell"),
    ("system", ["-c", f"import gridcell; gridcell.activate(); {ASK}"], "own"),
    ("system", ["-m", "gridcell", "-c", ASK], "own"),
    ("system", ["-m", "gridcell", "{folder}/ask.py"], "own"),
    ("system", ["-m", "gridcell", "run", "{folder}/ask.py"], "own")])
def test_whose_numba(choice, command, whose, own_numba, tmp_path):
    result = run(sys.executable, *(word.replace("{folder}", str(tmp_path)) for word in command),
                 PYTHONPATH=str(own_numba), GRIDCELL_NUMBA=choice)
    assert result.stdout == f"{whose}\n", result.stderr


@pytest.mark.parametrize("options, whose", [([], "gridcell"), (["--env", "GRIDCELL_NUMBA=system"], "own")])
def test_whose_numba_in_a_kernel(options, whose, own_numba, tmp_path, monkeypatch):
    import nbformat
    from nbclient import NotebookClient
    result = run(sys.executable, "-m", "gridcell", "install", "--prefix", tmp_path, "--name", "mine", *options)
    assert result.returncode == 0, result.stderr
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share/jupyter"))
    monkeypatch.setenv("PYTHONPATH", str(own_numba))
    # a cell, and a program that a cell starts
    cells = [ASK, f"import subprocess; print(subprocess.run([sys.executable, '{tmp_path}/ask.py'], text=True,"
                  "capture_output=True).stdout)"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name="mine", timeout=100).execute()
    text = "".join(output.get("text", "") for cell in notebook.cells for output in cell["outputs"])
    assert text.split() == [whose, whose]


def pip(environment, *arguments):
    result = run(sys.executable, "-m", "pip", "--python", environment / "bin/python", "--disable-pip-version-check",
                 *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def files(folder):
    return {path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}


@pytest.fixture
def other(tmp_path):
    """An environment with the packages of this one, and nothing of its own."""
    if not WHEEL:
        pytest.skip("GRIDCELL_WHEEL does not name the wheel")
    folder = tmp_path / "other environment"
    venv.create(folder, with_pip=False)
    ours = SITE / "packages.pth"  # of scripts/release
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "packages.pth").write_text(ours.read_text() if ours.exists() else f"{SITE}\n")
    return folder


def test_uninstalling_leaves_nothing(other):
    before = files(other)
    pip(other, "install", "--no-deps", "--no-index", "--ignore-installed", WHEEL)
    assert (other / "share/jupyter/kernels/gridcell/kernel.json").exists()
    program = run(other / "bin/python", "-m", "gridcell", "-c", "import numba; print(numba.njit(lambda x: x + 1)(41))")
    assert program.stdout == "42\n", program.stderr
    doctor = run(other / "bin/gridcell", "doctor")
    assert doctor.returncode == 0, doctor.stdout
    # what a cell may start: another Python finds our sitecustomize
    children, = other.glob("lib/python*/site-packages/gridcell/children")
    for python in PYENV.glob("versions/3.*/bin/python3"):
        started = run(python, "-c", "print('started')", PYTHONPATH=str(children))
        assert (started.stdout, started.stderr) == ("started\n", ""), python
    pip(other, "uninstall", "--yes", "gridcell")
    assert files(other) == before


def test_two_environments_share_a_cache(other, tmp_path):
    pip(other, "install", "--no-deps", "--no-index", "--ignore-installed", WHEEL)
    file = tmp_path / "cached.py"
    file.write_text(CACHED)
    pythons = [sys.executable, str(other / "bin/python")]
    variables = {"GRIDCELL_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": "", "NUMBA_DEBUG_CACHE": "1"}
    together = [subprocess.Popen([python, file], env={**os.environ, **variables}, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE) for python in pythons * 2]
    outputs = [process.communicate(timeout=100) for process in together]
    assert all("332833500 6.0 " in output for output, _ in outputs), outputs
    for python in pythons:  # what either wrote serves both
        result = run(python, file, **variables)
        assert "332833500 6.0 " in result.stdout and "data saved" not in result.stdout, result.stdout
        assert "data loaded" in result.stdout
    places = {run(python, file, **variables).stdout.splitlines()[-1].split()[-1] for python in pythons}
    assert len(places) == 2, json.dumps(sorted(places))
