"""Python programs that cells start find the same `numba`, and keep what else they have."""
import textwrap

import pytest


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("import numba\n@numba.njit\ndef f(x):\n    return x + 1\n"
                    "print(f(41), 'gridcell' in numba.__file__)\n")
    return path


def test_shell_command(cells, program):
    assert cells.text(f"import sys\n!{{sys.executable}} {program}").split() == ["42", "True"]


def test_script_magic(cells, program):
    cells.ok("import os, sys\nos.environ['PYTHON'] = sys.executable")
    assert cells.text(f"%%bash\n$PYTHON {program}").split() == ["42", "True"]


def test_subprocess_without_numba_loads_nothing(cells):
    code = "import sys; print([n for n in sys.modules if n.split('.')[0] in ('numba', 'numpy')])"
    assert cells.text(f"import sys, subprocess\nprint(subprocess.run([sys.executable, '-c', {code!r}],"
                      " capture_output=True, text=True).stdout)").split() == ["[]"]


def test_spawned_process(cells, tmp_path):
    (tmp_path / "work.py").write_text("import numba\ndef where(x):\n    return 'gridcell' in numba.__file__\n")
    text = cells.text(textwrap.dedent(f"""
        import sys, multiprocessing
        sys.path.insert(0, {str(tmp_path)!r})
        import work
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(pool.map(work.where, [1]))
    """))
    assert text.strip() == "[True]"


def test_own_sitecustomize_runs(cells, program, tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import builtins\nbuiltins.own_greeting = 'hello'\n")
    text = cells.text(textwrap.dedent(f"""
        import os, sys, subprocess
        where = dict(os.environ, PYTHONPATH=os.environ["PYTHONPATH"] + ":" + {str(folder)!r})
        code = "import sitecustomize, numba; print(own_greeting, sitecustomize.__file__); print('gridcell' in numba.__file__)"
        print(subprocess.run([sys.executable, "-c", code], env=where, capture_output=True, text=True).stdout)
    """))
    assert text.split() == ["hello", str(folder / "sitecustomize.py"), "True"]


def test_numba_of_the_environment_on_request(cells, program):
    text = cells.text(textwrap.dedent("""
        import os, sys, subprocess
        where = dict(os.environ, GRIDCELL_NUMBA="system")
        code = "import sys; print(any('gridcell' in str(f) for f in sys.meta_path))"
        print(subprocess.run([sys.executable, "-c", code], env=where, capture_output=True, text=True).stdout)
    """))
    assert text.strip() == "False"
