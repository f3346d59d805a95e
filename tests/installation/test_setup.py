"""scripts/setup: which Python .venv is made of, and what it does without rights. Nothing is installed here:
stand-ins for the package managers write down what they are asked for."""
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import venv

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ("bash", "cat", "cc", "dirname", "env", "llvm-config-19", "meson", "ninja", "pkg-config", "readlink", "rm",
         "sha256sum", "tail")
PYENV = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir, ".pyenv")))
BASE = os.path.realpath(sys.executable)
OTHERS = [str(path) for version in ("3.12", "3.13", "3.14", "3.15") for path in PYENV.glob(f"versions/{version}.*/bin/python3")]
OLD = [str(path) for path in PYENV.glob("versions/3.10.*/bin/python3")]


def write_program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def tree(tmp_path):
    """A checkout with what scripts/setup reads, and a PATH of its own with few programs."""
    scripts = tmp_path / "tree/scripts"
    scripts.mkdir(parents=True)
    for name in ("setup", "describe_python.py"):
        shutil.copy(ROOT / "scripts" / name, scripts)
    (scripts / "requirements.txt").touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    for tool in TOOLS:
        (programs / tool).symlink_to(shutil.which(tool))
    write_program(programs / "dpkg-query", 'test -n "$MISSING" || echo installed')
    write_program(programs / "apt-get", f'echo "$@" >>{tmp_path}/asked')
    write_program(programs / "id", "echo 1000")
    for module in ("ensurepip", "pip"):
        (tmp_path / "modules" / module).mkdir(parents=True)
        (tmp_path / "modules" / module / "__init__.py").touch()
        (tmp_path / "modules" / module / "__main__.py").write_text(
            f"import sys; print(*sys.argv[1:], file=open('{tmp_path}/{module}-asked', 'a'))")
    return scripts.parent


def setup(tree, *arguments, **variables):
    env = {"PATH": str(tree.parent / "programs"), "HOME": str(tree.parent), "PYTHONPATH": str(tree.parent / "modules"),
           **variables}
    return subprocess.run([tree / "scripts/setup", *arguments], cwd=tree.parent, env=env, capture_output=True, text=True,
                          timeout=110)


def version_of(python):
    return subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout


def test_the_python_that_is_named(tree):
    python = OTHERS[0] if OTHERS else BASE
    result = setup(tree, "--python", python)
    assert result.returncode == 0, result.stderr
    assert version_of(tree / ".venv/bin/python") == version_of(python)
    assert (tree.parent / "pip-asked").read_text().endswith(" -r scripts/requirements.txt\n")
    # which it keeps, whatever is active later
    result = setup(tree, VIRTUAL_ENV="/nonexistent")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert version_of(tree / ".venv/bin/python") == version_of(python)


@pytest.mark.skipif(not OTHERS, reason="there is one Python here")
def test_another_python_makes_another_environment(tree):
    assert setup(tree, f"--python={BASE}").returncode == 0
    (tree / ".venv/left").touch()
    assert setup(tree, "--python", OTHERS[0]).returncode == 0
    assert version_of(tree / ".venv/bin/python") == version_of(OTHERS[0]) and not (tree / ".venv/left").exists()


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_an_active_environment(variable, tree, tmp_path):
    active = tmp_path / "active environment"
    venv.EnvBuilder(symlinks=True).create(active)
    before = version_of(active / "bin/python")
    result = setup(tree, **{variable: str(active)})
    assert result.returncode == 0, result.stderr
    assert version_of(tree / ".venv/bin/python") == before
    shutil.rmtree(active)  # which it does not hang on
    assert version_of(tree / ".venv/bin/python") == before


@pytest.mark.skipif(not os.path.exists("/usr/bin/python3"), reason="the system has no Python")
@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
@pytest.mark.parametrize("python", ["/bin/false", *OLD])
def test_an_active_environment_that_it_is_not_for(variable, python, tree, tmp_path):
    programs = tmp_path / "active/bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(python)
    result = setup(tree, **{variable: str(programs.parent)})
    assert result.returncode == 0, result.stderr
    assert f"the Python of {programs.parent} is none that gridcell is for: taking /usr/bin/python3" in result.stderr
    assert version_of(tree / ".venv/bin/python") == version_of("/usr/bin/python3")


@pytest.mark.parametrize("python, reason", [
    pytest.param(OLD[0] if OLD else None, "gridcell is for CPython 3.11 to 3.15",
                 marks=pytest.mark.skipif(not OLD, reason="no Python 3.10 is here")),
    ("/nonexistent/python", "/nonexistent/python is no Python that runs"), ("/bin/true", "is missing")])
def test_a_python_that_it_is_not_for(python, reason, tree, tmp_path):
    result = setup(tree, "--python", python, MISSING="all")
    assert result.returncode == 1 and len(result.stderr.splitlines()) == 1 and reason in result.stderr
    assert not (tree / ".venv").exists() and not (tmp_path / "asked").exists()


@pytest.mark.parametrize("arguments", [["--what"], ["--python"], ["3.12"]])
def test_other_arguments_are_refused(arguments, tree):
    result = setup(tree, *arguments)
    assert result.returncode == 1 and "usage: scripts/setup" in result.stderr and not (tree / ".venv").exists()


def test_without_rights_what_is_there_is_enough(tree, tmp_path):
    result = setup(tree, "--python", BASE, MISSING="all")
    assert result.returncode == 0, result.stderr
    assert "can be done without: ca-certificates gcc" in result.stdout and not (tmp_path / "asked").exists()


@pytest.mark.parametrize("tool, package", [("meson", "meson"), ("ninja", "ninja-build"), ("cc", "gcc libc6-dev"),
                                           ("llvm-config-19", "llvm-19-dev")])
def test_without_rights_what_is_missing_is_named(tool, package, tree, tmp_path):
    (tmp_path / "programs" / tool).unlink()
    result = setup(tree, "--python", BASE, MISSING="all")
    assert result.returncode == 1 and result.stderr == \
        f"setup: Debian packages are missing ({package}): run this as root, or install sudo\n"
    assert not (tree / ".venv").exists() and not (tmp_path / "asked").exists()
