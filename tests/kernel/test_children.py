"""Python programs that cells start find the same `numba`, and keep what else they have."""
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("import numba\n@numba.njit\ndef f(x):\n    return x + 1\n"
                    "print(f(41), '/gridcell/numba/' in numba.__file__)\n")
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
    (tmp_path / "work.py").write_text("import numba\ndef where(x):\n    return '/gridcell/numba/' in numba.__file__\n")
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
        code = "import sitecustomize, numba; print(own_greeting, sitecustomize.__file__); print('/gridcell/numba/' in numba.__file__)"
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


SPAWNING = """
import multiprocessing, subprocess, sys
from concurrent.futures import ProcessPoolExecutor
import numba

@numba.njit
def add(x):
    return x + 1

def work(x):
    import numba.cuda
    return int(add(x)), "/gridcell/numba/" in numba.__file__

if __name__ == "__main__":
    assert "/gridcell/numba/" in numba.__file__
    for way in "spawn", "forkserver", "fork":
        with multiprocessing.get_context(way).Pool(1) as pool:
            print(way, *pool.map(work, [41]))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        print("executor", *pool.map(work, [41]))
    found = subprocess.run([sys.executable, "-c", "import numba; print(42, '/gridcell/numba/' in numba.__file__)"],
                           capture_output=True, text=True)
    print("program", found.stdout.strip() + found.stderr)
"""


@pytest.mark.parametrize("runner", ["run", "-m gridcell", "-m gridcell -m"])
def test_processes_of_scripts(gridcell, tmp_path, runner):
    """Every way in which a script makes processes, beside another package of the name."""
    (tmp_path / "other/numba").mkdir(parents=True)
    (tmp_path / "other/numba/__init__.py").write_text("raise ImportError('another numba')")
    (tmp_path / "spawning.py").write_text(SPAWNING)
    package = pathlib.Path(gridcell).parent / "python"
    command = {"run": [gridcell, "run", "spawning.py"],
               "-m gridcell": [sys.executable, "-m", "gridcell", "spawning.py"],
               "-m gridcell -m": [sys.executable, "-m", "gridcell", "-m", "spawning"]}[runner]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, env={
        **os.environ, "PYTHONPATH": f"{tmp_path}/other:{package}", "VIRTUAL_ENV": sys.prefix})
    assert done.stderr == ""
    assert done.stdout == "".join(f"{way} (42, True)\n" for way in ("spawn", "forkserver", "fork", "executor")) \
        + "program 42 True\n"
