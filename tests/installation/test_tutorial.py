"""`gridcell tutorial`: the notebooks come out, what the user has stays, and JupyterLab opens on them."""
import os
import pathlib
import subprocess
import sys
import venv

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.relative_to(ROOT / "notebooks") for path in (ROOT / "notebooks").rglob("*.ipynb")
                   if ".ipynb_checkpoints" not in path.parts)
LAB = "import os, sys; print('lab', sys.argv[1:], os.environ.get('PYTHONPATH'))"


@pytest.fixture(params=["executable", "package"])
def tutorial(request, gridcell, package_path, tmp_path):
    """Runs the command in a folder of its own."""
    command = [gridcell] if request.param == "executable" else [sys.executable, "-m", "gridcell"]

    def run(*arguments, **variables):
        env = {**os.environ, "VIRTUAL_ENV": sys.prefix, **variables}
        if request.param == "package":
            env["PYTHONPATH"] = os.pathsep.join(filter(None, [package_path, env.get("PYTHONPATH")]))
        return subprocess.run([*command, "tutorial", *arguments], cwd=tmp_path, env=env, capture_output=True, text=True,
                              timeout=60)
    return run


def read_all(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_all_notebooks_come_out(tutorial, tmp_path):
    result = tutorial("--no-lab", "my course/ä")
    assert result.returncode == 0, result.stderr
    assert NOTEBOOKS and read_all(tmp_path / "my course/ä") == {name: (ROOT / "notebooks" / name).read_bytes()
                                                                for name in NOTEBOOKS}
    assert len(result.stdout.splitlines()) == len(NOTEBOOKS)


def test_what_the_user_has_stays(tutorial, tmp_path):
    name = NOTEBOOKS[0]
    tutorial("--no-lab")
    folder = tmp_path / "gridcell-tutorial"
    (folder / name).write_text("mine")
    before = read_all(folder)
    result = tutorial("--no-lab")
    assert read_all(folder) == before
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [["kept", f"gridcell-tutorial/{name},"]]


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_what_is_no_file_stays(kind, tutorial, tmp_path):
    place = tmp_path / "out" / NOTEBOOKS[0]
    place.parent.mkdir(parents=True)
    if kind == "link":
        place.symlink_to(tmp_path / "elsewhere")
    else:
        place.mkdir()
    result = tutorial("--no-lab", "out")
    assert result.returncode == 0 and result.stdout.startswith("kept"), result.stderr
    assert not (tmp_path / "elsewhere").exists() and place.is_symlink() == (kind == "link")


@pytest.fixture
def fake_lab(tmp_path):
    """A folder for PYTHONPATH, whose JupyterLab says how it was started."""
    package = tmp_path / "fake/jupyterlab"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(LAB)
    return package.parent


def test_jupyterlab_opens_on_the_folder(tutorial, fake_lab, tmp_path):
    result = tutorial("out", "--no-browser", "--port=8900", PYTHONPATH=str(fake_lab))
    opened = result.stdout.splitlines()[-1]
    assert opened.startswith(f"lab {[str(tmp_path / 'out'), '--no-browser', '--port=8900']}"), result.stderr
    # what was set to find the package is not handed on
    assert opened.endswith(str(fake_lab))


def test_without_jupyterlab_one_command_is_named(gridcell, tmp_path):
    bare = tmp_path / "bare environment"
    venv.create(bare, with_pip=False)
    result = subprocess.run([gridcell, "tutorial", tmp_path / "out"], capture_output=True, text=True, timeout=60,
                            env={**os.environ, "VIRTUAL_ENV": str(bare)})
    assert result.stdout.splitlines()[-1].endswith(f": '{bare}/bin/python' -m pip install jupyterlab matplotlib"), result.stderr
    assert read_all(tmp_path / "out").keys() == set(NOTEBOOKS) and result.returncode == 0


def test_without_matplotlib_jupyterlab_opens_after_a_line(fake_lab, package_path, tmp_path):
    # None: what finds no such module
    code = "import sys; sys.modules['matplotlib'] = None; from gridcell import tutorial; tutorial.main(['out'])"
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60,
                            env={**os.environ, "PYTHONPATH": os.pathsep.join([package_path, str(fake_lab)])})
    *_, advice, opened = [line for line in result.stdout.splitlines() if "the kernel yet" not in line]
    assert advice.endswith(" -m pip install matplotlib") and opened.startswith("lab "), result.stderr


@pytest.mark.parametrize("arguments", [["file"], ["file/below"], ["--what"]])
def test_a_folder_that_cannot_be_is_one_line(arguments, tutorial, tmp_path):
    (tmp_path / "file").touch()
    result = tutorial(*arguments)
    assert result.returncode == 2 and result.stdout == ""
    assert len(result.stderr.splitlines()) == 1 and arguments[0] in result.stderr
