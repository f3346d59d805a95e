"""Cells of the first notebook through the other programs that run notebooks and kernels: nbconvert,
papermill, nbval, jupyter run. tests/notebooks/test_console.py has the console."""
import importlib.util
import pathlib
import re
import subprocess
import sys

import nbformat
import pytest

import expectations

pytestmark = pytest.mark.timeout(300)
FIRST_STEPS = pathlib.Path(__file__).resolve().parents[2] / "notebooks/01-first-steps.ipynb"
KERNEL = "gridcell"


def needs(name):
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"{name} is not installed")


def run(*arguments, folder, status=0):
    done = subprocess.run([sys.executable, "-m", *map(str, arguments)], cwd=folder, capture_output=True,
                          text=True, timeout=240)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def write_notebook(path, *cells):
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {
        "name": KERNEL, "display_name": "Python (gridcell)", "language": "python"}})
    for source, metadata in cells:
        notebook.cells.append(nbformat.v4.new_code_cell(source, metadata=metadata))
    nbformat.write(notebook, path)
    return path


def chosen(*words):
    """The cells of the first notebook that hold one of the words, as they are there."""
    return [(cell.source, cell.metadata) for cell in code_cells(FIRST_STEPS)
            if any(word in cell.source for word in words)]


COMPILED = chosen("import math", "def estimate_pi", "estimate_pi.py_func(100_000)")
SHORT = COMPILED + chosen("inspect_cfg", "def label", "def relative_difference")
assert len(COMPILED) == 3 and len(SHORT) == 6


def test_nbconvert(tmp_path):
    path = write_notebook(tmp_path / "in.ipynb", *SHORT)
    run("nbconvert", "--to", "html", "--execute", f"--ExecutePreprocessor.kernel_name={KERNEL}", path,
        folder=tmp_path)
    page = (tmp_path / "in.html").read_text()
    assert "TypingError" in page and "compiled 3.1" in page
    assert "<svg" in page or "data:image/svg+xml" in page


def test_nbconvert_stops_at_an_error(tmp_path):
    path = write_notebook(tmp_path / "bad.ipynb", ("print('before')", {}), ("1 / 0", {}), ("print('after')", {}))
    words = run("nbconvert", "--to", "notebook", "--execute", "--stdout", path, folder=tmp_path, status=1)
    assert "ZeroDivisionError: division by zero" in expectations.ANSI.sub("", words) and "CellExecutionError" in words


@needs("papermill")
def test_papermill(tmp_path):
    path = write_notebook(tmp_path / "in.ipynb", ("n, word = 1, 'none'", {"tags": ["parameters"]}),
                          ("print(n * 2, word)", {}), *COMPILED, ("import sys\nsys.exit(0)", {}))
    run("papermill", path, "out.ipynb", "-k", KERNEL, "-p", "n", "21", "-p", "word", "hello",
        "--no-progress-bar", folder=tmp_path)
    cells = code_cells(tmp_path / "out.ipynb")
    assert cells[1].metadata.tags == ["injected-parameters"] and 'word = "hello"' in cells[1].source
    assert cells[2].outputs[0].text == "42 hello\n"
    assert [fault for cell in cells[3:6] for fault in expectations.cell_faults(cell)] == []


@needs("papermill")
def test_papermill_fails_with_the_cell(tmp_path):
    path = write_notebook(tmp_path / "in.ipynb", ("print('before')", {}), ("%no_such_magic", {}),
                          ("print('after')", {}))
    run("papermill", path, "out.ipynb", "--no-progress-bar", folder=tmp_path, status=1)
    shown = [[output.output_type for output in cell.outputs] for cell in code_cells(tmp_path / "out.ipynb")
             if cell.source.startswith(("print", "%no"))]
    assert shown[0] == ["stream"] and shown[1] and shown[2] == []


@needs("nbval")
def test_nbval(tmp_path):
    path = write_notebook(tmp_path / "short.ipynb", *SHORT)
    printed = run("pytest", "-q", "-p", "no:cacheprovider", "--nbval-lax", f"--nbval-kernel-name={KERNEL}",
                  path, folder=tmp_path)
    assert f"{len(SHORT)} passed" in printed, printed


@needs("nbval")
def test_nbval_compares_what_was_stored(tmp_path):
    path = write_notebook(tmp_path / "stored.ipynb", ("print('same')\n6 * 7", {}),
                          ("1 / 0", {"tags": ["raises-exception"]}), ("import os\nos.getpid()", {}))
    run("nbconvert", "--to", "notebook", "--execute", "--inplace", path, folder=tmp_path)
    assert [fault for cell in code_cells(path) for fault in expectations.cell_faults(cell)] == []
    printed = run("pytest", "-q", "-p", "no:cacheprovider", "--nbval", path, folder=tmp_path, status=1)
    assert "1 failed, 2 passed" in printed and "Cell 2" in printed


def test_jupyter_run(tmp_path):
    script = tmp_path / "steps.py"
    # it waits 10 s for the whole script: no timings
    script.write_text("\n\n".join(source for source, _ in COMPILED))
    printed = run("jupyter_client.runapp", f"--kernel={KERNEL}", script, folder=tmp_path)
    assert re.search(r"compiled 3\.1\d+, plain Python 3\.\d+", printed)
    script.write_text("print('before')\n1 / 0\n")
    assert "ZeroDivisionError" in run("jupyter_client.runapp", f"--kernel={KERNEL}", script, folder=tmp_path,
                                      status=1)
