"""Environments that another release of the same Python made: their packages, our standard library."""
import pathlib
import subprocess
import sys

import pytest
from conftest import Cells

VERSION = "python{}.{}".format(*sys.version_info[:2])


def _install(root, release):
    """Something that looks like an installation of that release, whose library is broken."""
    (root / "bin").mkdir(parents=True)
    (root / "lib" / VERSION / "site-packages").mkdir(parents=True)
    (root / "include" / VERSION).mkdir(parents=True)
    (root / "bin/python").symlink_to(pathlib.Path(sys.executable).resolve())
    (root / "lib" / VERSION / "os.py").write_text("raise RuntimeError('of another release')\n")
    (root / "include" / VERSION / "patchlevel.h").write_text(
        f'#define PY_MAJOR_VERSION\t3\n/* Version as a string */\n#define PY_VERSION      \t"{release}"\n')
    return root


@pytest.fixture
def base(tmp_path):
    return _install(tmp_path / "base", "{}.{}.99".format(*sys.version_info[:2]))


def _cells(start_kernel, root):
    (root / "lib" / VERSION / "site-packages/own_package.py").write_text("where = __file__\n")
    return Cells(start_kernel(python=str(root / "bin/python"), env={"VIRTUAL_ENV": ""}))


def _check(cells, root):
    assert cells.text("import os, sys, own_package\nprint(own_package.where, sys.prefix, sys.executable)").split() \
        == [str(root / "lib" / VERSION / "site-packages/own_package.py"), str(root), str(root / "bin/python")]
    assert cells.result("import multiprocessing as m, math\n"
                        "with m.get_context('fork').Pool(1) as pool: r = pool.map(math.sqrt, [4])\nr") == "[2.0]"


def test_an_installation_of_another_release(start_kernel, base):
    cells = _cells(start_kernel, base)
    _check(cells, base)
    packages = "[p for p in sys.path if p.endswith('-packages') and p != site.USER_SITE]"
    assert cells.result(f"import site; {packages}") == repr([str(base / "lib" / VERSION / "site-packages")])
    cells.kernel.ask("shutdown_request", {"restart": False}, "control")
    cells.kernel.process.wait(10)
    log = cells.kernel.process.stderr.read().decode()
    assert f"cells run in Python {sys.version.split()[0]}" in log and "is of another release" in log


@pytest.mark.parametrize("release", ["{}.{}.99", "{}.{}.99.final.0"])
def test_a_venv_of_another_release(start_kernel, base, tmp_path, release):
    root = tmp_path / "venv"
    (root / "bin").mkdir(parents=True)
    (root / "lib" / VERSION / "site-packages").mkdir(parents=True)
    (root / "bin/python").symlink_to(base / "bin/python")
    (root / "pyvenv.cfg").write_text(f"home = {base}/bin\ninclude-system-site-packages = false\n"
                                     f"version = {release.format(*sys.version_info[:2])}\n")
    _check(_cells(start_kernel, root), root)


def test_a_venv_of_the_same_release(start_kernel, tmp_path):
    base = getattr(sys, "_base_executable", sys.executable)
    subprocess.run([base, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    _check(_cells(start_kernel, tmp_path / "venv"), tmp_path / "venv")
