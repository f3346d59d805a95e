"""`meson install` and `gridcell install`: what they write, and that it works from there."""
import importlib.util
import json
import marshal
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELSPEC = "share/jupyter/kernels/gridcell"
PROGRAM = """
from numba import njit

@njit
def twice(x):
    return x + x

print(twice(21))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory, gridcell):
    """A prefix that `meson install` filled, away from the build folder."""
    destdir = tmp_path_factory.mktemp("installed")
    build = pathlib.Path(gridcell).parent
    subprocess.run(["meson", "install", "-C", str(build), "--no-rebuild", "--destdir", str(destdir)],
                   check=True, stdout=subprocess.DEVNULL)
    return destdir / "usr/local"


def read_kernelspec(prefix, name="gridcell"):
    folder = prefix / "share/jupyter/kernels" / name
    return json.loads((folder / "kernel.json").read_text())


def test_executable_finds_its_package_beside_itself(installed, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    result = subprocess.run([installed / "bin/gridcell", "run", program], capture_output=True,
                            text=True, timeout=60)
    assert (result.stdout, result.returncode) == ("42\n", 0), result.stderr


def test_package_is_the_one_of_the_sources(installed, package_path):
    staged = {path.relative_to(package_path) for path in pathlib.Path(package_path).rglob("*.py")}
    package = installed / "lib/gridcell/python"
    assert {path.relative_to(package) for path in package.rglob("*.py")} == staged
    assert list(package.glob("gridcell/_gridcell.*.so")) and (package / "gridcell/gridcell-llvm.so").exists()


def test_package_has_its_bytecode(installed):
    folder = installed / "lib/gridcell/python/gridcell/numba"
    cached = pathlib.Path(importlib.util.cache_from_source(str(folder / "__init__.py")))
    place = marshal.loads(cached.read_bytes()[16:]).co_filename
    assert place == "/usr/local/lib/gridcell/python/gridcell/numba/__init__.py"


def test_both_ways_write_the_same_kernelspec(installed, tmp_path, gridcell):
    subprocess.run([gridcell, "install", "--prefix", tmp_path], check=True,
                   stdout=subprocess.DEVNULL)
    ours, mesons = read_kernelspec(tmp_path), read_kernelspec(installed)
    assert ours.pop("argv")[1:4] == mesons.pop("argv")[1:] == ["kernel", "-f", "{connection_file}"]
    ours.pop("env", None)
    assert ours == mesons
    names = {path.name for path in (tmp_path / KERNELSPEC).iterdir()}
    assert names == {path.name for path in (installed / KERNELSPEC).iterdir()}


def test_names_can_be_chosen(tmp_path, gridcell):
    subprocess.run([gridcell, "install", "--prefix", tmp_path, "--name", "other", "--python",
                    sys.executable], check=True, stdout=subprocess.DEVNULL)
    argv = read_kernelspec(tmp_path, "other")["argv"]
    assert os.path.samefile(argv[0], gridcell) and sys.executable in " ".join(argv)


def test_a_missing_python_is_one_line(tmp_path, gridcell):
    result = subprocess.run([gridcell, "kernel", "-f", tmp_path / "none.json", "--python",
                             tmp_path / "no-python"], capture_output=True, text=True, timeout=30)
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
