"""The first notebook through the other programs that run notebooks and kernels: nbconvert, papermill,
nbval, jupyter console, jupyter run."""
import importlib.util
import json
import pathlib
import re
import subprocess
import sys

import nbformat
import pytest

import expectations

pytestmark = pytest.mark.timeout(300)
FIRST_STEPS = pathlib.Path(__file__).resolve().parents[2] / "notebooks/first-steps.ipynb"
KERNEL = "gridcell"


def needs(name):
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"{name} is not installed")


def run(*arguments, folder, status=0):
    done = subprocess.run([sys.executable, "-m", *map(str, arguments)], cwd=folder, capture_output=True,
                          text=True, timeout=240)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def faults(path):
    notebook = nbformat.read(path, as_version=4)
    return [fault for cell in notebook.cells for fault in expectations.cell_faults(cell)]


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def write_notebook(path, *cells):
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {
        "name": KERNEL, "display_name": "Python (gridcell)", "language": "python"}})
    for source, tags in cells:
        notebook.cells.append(nbformat.v4.new_code_cell(source, metadata={"tags": tags}))
    nbformat.write(notebook, path)
    return path


def without_errors():
    """The cells that neither raise nor are about that error."""
    return [cell for cell in code_cells(FIRST_STEPS)
            if "raises-exception" not in cell.metadata.get("tags", []) and "label" not in cell.source]


def test_nbconvert(tmp_path):
    run("nbconvert", "--to", "notebook", "--execute", f"--ExecutePreprocessor.kernel_name={KERNEL}",
        "--output-dir", tmp_path, "--output", "done.ipynb", FIRST_STEPS, folder=tmp_path)
    assert faults(tmp_path / "done.ipynb") == []
    run("nbconvert", "--to", "html", "--output-dir", tmp_path, tmp_path / "done.ipynb", folder=tmp_path)
    page = (tmp_path / "done.html").read_text()
    assert "<svg" in page and "TypingError" in page


def test_nbconvert_stops_at_an_error(tmp_path):
    path = write_notebook(tmp_path / "bad.ipynb", ("print('before')", []), ("1 / 0", []), ("print('after')", []))
    words = run("nbconvert", "--to", "notebook", "--execute", "--stdout", path, folder=tmp_path, status=1)
    assert "ZeroDivisionError: division by zero" in expectations.ANSI.sub("", words) and "CellExecutionError" in words


@needs("papermill")
def test_papermill(tmp_path):
    # papermill takes every error for a failure
    path = write_notebook(tmp_path / "in.ipynb", *[(cell.source, []) for cell in without_errors()])
    run("papermill", path, "done.ipynb", "-k", KERNEL, "-p", "note", "given", "--no-progress-bar",
        folder=tmp_path)
    assert faults(tmp_path / "done.ipynb") == []
    injected = code_cells(tmp_path / "done.ipynb")[0]
    assert injected.metadata.tags == ["injected-parameters"] and 'note = "given"' in injected.source


@needs("papermill")
def test_papermill_parameters_and_leaving(tmp_path):
    path = write_notebook(tmp_path / "in.ipynb", ("n, word = 1, 'none'", ["parameters"]),
                          ("print(n * 2, word)", []), ("import sys\nsys.exit(0)", []))
    run("papermill", path, "out.ipynb", "-p", "n", "21", "-p", "word", "hello", "--no-progress-bar",
        folder=tmp_path)
    assert code_cells(tmp_path / "out.ipynb")[2].outputs[0].text == "42 hello\n"
    path = write_notebook(tmp_path / "magic.ipynb", ("%no_such_magic", []))
    run("papermill", path, "out.ipynb", "--no-progress-bar", folder=tmp_path, status=1)


@needs("nbval")
def test_nbval(tmp_path):
    printed = run("pytest", "-q", "-p", "no:cacheprovider", "--nbval-lax", f"--nbval-kernel-name={KERNEL}",
                  FIRST_STEPS, folder=tmp_path)
    assert re.search(rf"\b{len(code_cells(FIRST_STEPS))} passed", printed), printed


@needs("nbval")
def test_nbval_compares_what_was_stored(tmp_path):
    path = write_notebook(tmp_path / "stored.ipynb", ("print('same')\n6 * 7", []), ("1 / 0", ["raises-exception"]),
                          ("import os\nos.getpid()", []))
    run("nbconvert", "--to", "notebook", "--execute", "--inplace", path, folder=tmp_path)
    printed = run("pytest", "-q", "-p", "no:cacheprovider", "--nbval", path, folder=tmp_path, status=1)
    assert "1 failed, 2 passed" in printed and "Cell 2" in printed


@needs("jupyter_console")
def test_jupyter_console(tmp_path):
    pexpect = pytest.importorskip("pexpect")
    console = pexpect.spawn(sys.executable, ["-m", "jupyter_console", "--kernel", KERNEL, "--simple-prompt"],
                            cwd=str(tmp_path), encoding="utf-8", timeout=60, echo=False,
                            dimensions=(40, 200))
    try:
        console.expect(r"In \[1\]: ")
        for number, cell in enumerate(code_cells(FIRST_STEPS), 1):
            expected = cell.metadata.get("expect", {})
            console.sendline(f"done = get_ipython().run_cell({json.dumps(cell.source)})")
            console.expect(rf"In \[{number + 1}\]: ")
            shown = expectations.ANSI.sub("", console.before).replace("\r\n", "\n")
            wanted = expected.get("ename") or expected.get("stdout")
            if wanted:
                assert re.search(wanted.strip("^$"), shown), shown
        console.sendline("input('name? ').upper()")
        console.expect(r"name\? ")
        console.sendline("ada")
        console.expect("'ADA'")
        console.expect(r"In \[\d+\]: ")
    finally:
        console.close(force=True)


def test_jupyter_run(tmp_path):
    script = tmp_path / "steps.py"
    # it waits 10 s for the whole script: no timings
    script.write_text("\n\n".join(cell.source for cell in without_errors()[:2]))
    printed = run("jupyter_client.runapp", f"--kernel={KERNEL}", script, folder=tmp_path)
    assert re.search(r"compiled 3\.1\d+, plain Python 3\.\d+", printed)
    script.write_text("print('before')\n1 / 0\n")
    assert "ZeroDivisionError" in run("jupyter_client.runapp", f"--kernel={KERNEL}", script, folder=tmp_path,
                                      status=1)
