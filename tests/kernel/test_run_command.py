"""`gridcell run`: scripts and notebooks without Jupyter."""
import json
import subprocess


def notebook(*cells):
    return {"cells": [{"cell_type": "code", "metadata": {"tags": tags}, "source": source, "outputs": []}
                      for source, tags in cells] + [{"cell_type": "markdown", "source": "# x", "metadata": {}}],
            "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_script(run_file):
    done = run_file("a.py", "import sys\nprint(sys.argv[1:], __name__, __file__[-4:])\n", "x", "y")
    assert (done.stdout, done.returncode) == ("['x', 'y'] __main__ a.py\n", 0)


def test_script_exit_status(run_file):
    assert run_file("a.py", "raise SystemExit(7)").returncode == 7
    assert run_file("a.py", "import sys; sys.exit()").returncode == 0
    done = run_file("a.py", "import sys; sys.exit('message')")
    assert (done.returncode, done.stderr) == (1, "message\n")
    done = run_file("a.py", "def f():\n    1/0\nf()\n")
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr and "line 2" not in done.stdout


def test_script_imports_its_neighbours(run_file, tmp_path):
    (tmp_path / "neighbour_of_test.py").write_text("value = 3\n")
    assert run_file("a.py", "import neighbour_of_test\nprint(neighbour_of_test.value)").stdout == "3\n"


def test_ipy_script(run_file):
    done = run_file("a.ipy", "x = !echo hi\nprint(x)\n%time y = 1\n")
    assert done.stdout.startswith("['hi']\nCPU times: ") and done.returncode == 0


def test_atexit(run_file):
    assert run_file("a.py", "import atexit\natexit.register(print, 'bye')\n").stdout == "bye\n"


def test_notebook(run_file):
    done = run_file("n.ipynb", notebook(("print('a')\n", []), (["x = 5\n", "x"], []), ("x + 1;", [])))
    assert (done.stdout, done.returncode) == ("a\n5\n", 0)


def test_notebook_with_a_page(run_file):
    assert "Return the number of items" in run_file("n.ipynb", notebook(("len?", []))).stdout


def test_notebook_stops_at_an_error(run_file):
    done = run_file("n.ipynb", notebook(("1/0", []), ("print('never')", [])))
    assert done.returncode == 1 and done.stdout == "" and "ZeroDivisionError" in done.stderr


def test_notebook_may_raise(run_file):
    done = run_file("n.ipynb", notebook(("1/0", ["raises-exception"]), ("print('on')", [])))
    assert (done.returncode, done.stdout) == (0, "on\n")


def test_notebook_goes_on_after_errors(gridcell, tmp_path):
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps(notebook(("print('a')", []), ("1/0", []), ("print('b')", []),
                                        ("nope", []), ("1/0", ["raises-exception"]), ("def", []))))

    def run(*arguments):
        return subprocess.run([gridcell, "run", *arguments], capture_output=True, text=True, timeout=60)

    done = run("--allow-errors", path)
    assert (done.returncode, done.stdout) == (1, "a\nb\n")
    assert "ZeroDivisionError" in done.stderr and "NameError" in done.stderr and "SyntaxError" in done.stderr
    assert done.stderr.endswith("gridcell: 3 of 6 code cells failed: 2 4 6\n")
    path.write_text(json.dumps(notebook(("print('a')", []))))
    done = run("--allow-errors", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "a\n", "")
    done = run("--allow-errors", tmp_path / "a.py")
    assert done.returncode == 2 and "--allow-errors is for notebooks" in done.stderr


def test_arguments_of_a_script_are_its_own(run_file):
    done = run_file("a.py", "import sys\nprint(sys.argv[1:])\n", "--help", "--allow-errors", "-h")
    assert done.stdout == "['--help', '--allow-errors', '-h']\n"


def test_jitted_functions_beside_magics(run_file):
    """The compiler reads what Python compiled, and not the lines of the file."""
    done = run_file("a.ipy", """import numba, inspect
%time y = 1
x = !echo hi
@numba.njit
def f(a):
    return a + 1
print(f(41), inspect.getsource(f).splitlines()[1])
@numba.njit
def g(a):
    return a.nothing
g(1)
""")
    assert "42 def f(a):" in done.stdout
    assert done.returncode == 1 and "invalid syntax" not in done.stderr and "a.ipy" in done.stderr
    assert "nothing" in done.stderr and "line 10" in done.stderr


def test_bad_files(run_file, gridcell, tmp_path):
    done = subprocess.run([gridcell, "run", tmp_path / "none.py"], capture_output=True, text=True)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    done = run_file("n.ipynb", "not json")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_input_from_the_terminal(run_file, gridcell, tmp_path):
    path = tmp_path / "a.py"
    path.write_text("print(input('? ') * 2)")
    done = subprocess.run([gridcell, "run", path], input="ab\n", capture_output=True, text=True)
    assert done.stdout == "? abab\n"
