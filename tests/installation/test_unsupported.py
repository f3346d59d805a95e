"""Interpreters and machines that gridcell is not for are told so in one line, before anything is half done."""
import importlib.util
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT_FOR = "%d.%d" % sys.version_info[:2]
PYENV = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir, ".pyenv")))
# of versions that the build is not for, those that are here
OTHERS = [str(path) for path in sorted(PYENV.glob("versions/3.*/bin/python3")) if f"/{BUILT_FOR}." not in str(path)]


@pytest.fixture(params=OTHERS or [pytest.param(None, marks=pytest.mark.skip("no other Python is here"))],
                ids=lambda path: path.split("/")[-3] if path else "none")
def other(request):
    return request.param


def run(*command, **variables):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100, cwd="/",
                          env={**os.environ, **variables})


@pytest.mark.parametrize("suffix, named, way", [
    (".cpython-313-x86_64-linux-gnu.so", "CPython 3.13 (x86_64-linux-gnu)", "pip install gridcell gets"),
    (".cpython-310-x86_64-linux-gnu.so", "CPython 3.10 (x86_64-linux-gnu)", "gridcell is for CPython 3.11 to 3.15"),
    (".cpython-316-x86_64-linux-gnu.so", "CPython 3.16 (x86_64-linux-gnu)", "gridcell is for CPython 3.11 to 3.15"),
    (".cpython-314t-x86_64-linux-gnu.so", "CPython 3.14t (x86_64-linux-gnu)", "gridcell is for CPython 3.11 to 3.15"),
    (".cpython-312-x86_64-linux-musl.so", "CPython 3.12 (x86_64-linux-musl)", "with glibc"),
    (".cpython-312-aarch64-linux-gnu.so", "CPython 3.12 (aarch64-linux-gnu)", "on x86-64 Linux"),
    (".cpython-312-i386-linux-gnu.so", "CPython 3.12 (i386-linux-gnu)", "on x86-64 Linux"),
    (".pypy310-pp73-x86_64-linux-gnu.so", "PyPy 3.10 (x86_64-linux-gnu)", "gridcell is for CPython"),
    (".so", "one of modules named *.so", "gridcell is for CPython")])
def test_what_stands_against_an_interpreter(suffix, named, way, tmp_path):
    spec = importlib.util.spec_from_file_location("unfit", ROOT / "runtime/python/gridcell/unfit.py")
    unfit = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(unfit)
    assert "without its machine code" in unfit.explain(tmp_path, suffix, "/bin/python")
    (tmp_path / "_gridcell.cpython-311-x86_64-linux-gnu.so").touch()
    text = unfit.explain(str(tmp_path), suffix, "/bin/python")
    assert f"is for CPython 3.11 (x86_64-linux-gnu), and /bin/python is {named}: " in text
    assert way in text and "\n" not in text


def test_import_names_what_the_package_is_for(other, package_path):
    result = run(other, "-c", "import gridcell", PYTHONPATH=package_path)
    last = result.stderr.splitlines()[-1]
    assert last.startswith("ImportError: the gridcell in ") and f"is for CPython {BUILT_FOR} (" in last
    program = run(other, "-m", "gridcell", "doctor", PYTHONPATH=package_path)
    assert program.returncode == 1 and last.removeprefix("ImportError: ") in program.stderr.splitlines()[-1]
    if "3.10" <= run(other, "-c", "import sys; print('%d.%02d' % sys.version_info[:2])").stdout:
        assert len(program.stderr.splitlines()) == 1


def test_machine_code_in_another_place(package_path, tmp_path):
    """Which a finder knows, as that of an editable installation does."""
    package = tmp_path / "gridcell"
    package.mkdir()
    for name in ("__init__.py", "unfit.py"):
        shutil.copy(os.path.join(package_path, "gridcell", name), package)
    code = """
import importlib.machinery, sys
class Finder:
    def find_spec(name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, None) if name == "gridcell._gridcell" else None
if sys.argv[1:]:
    sys.meta_path.insert(0, Finder)
import gridcell; print("imported")"""
    assert run(sys.executable, "-c", code, "finder", PYTHONPATH=str(tmp_path)).stdout == "imported\n"
    without = run(sys.executable, "-c", code, PYTHONPATH=str(tmp_path))
    assert without.stderr.endswith(f"ImportError: the gridcell in {package} is without its machine code: install it again\n")


def test_doctor_says_it_of_an_environment(other, gridcell):
    result = run(gridcell, "doctor", "--python", other)
    first = next(line for line in result.stdout.splitlines() if line.startswith("PROBLEM"))
    assert result.returncode == 1 and f"is for CPython {BUILT_FOR} (" in first and other in first, result.stdout
    assert "no cell runs" not in result.stdout and result.stderr == ""


def meson_setup(folder, *options):
    return run("meson", "setup", folder, ROOT, *options)


def assert_is_refused(result, folder, *words):
    last = [line for line in result.stdout.splitlines() if "ERROR: " in line]
    assert result.returncode and len(last) == 1, result.stdout
    assert all(word in last[0] for word in words) and not (folder / "build.ninja").exists()


@pytest.mark.parametrize("system, family", [("linux", "riscv64"), ("linux", "x86"), ("linux", "arm"), ("darwin", "aarch64"),
                                            ("freebsd", "x86_64")])
def test_building_for_another_machine_is_refused(system, family, tmp_path):
    machine = tmp_path / "machine"
    machine.write_text(f"[binaries]\nc = 'cc'\n[host_machine]\nsystem = '{system}'\ncpu_family = '{family}'\n"
                       f"cpu = '{family}'\nendian = 'little'\n")
    result = meson_setup(tmp_path / "build", "--cross-file", machine)
    assert_is_refused(result, tmp_path / "build", "x86-64 or arm64 Linux with glibc", f"this is {system} on {family}")


def test_building_with_another_c_library_is_refused(tmp_path):
    (tmp_path / "features.h").touch()  # which says nothing of glibc
    result = meson_setup(tmp_path / "build", f"-Dc_args=-I{tmp_path}")
    assert_is_refused(result, tmp_path / "build", "x86-64 or arm64 Linux with glibc", "musl")


@pytest.mark.parametrize("other", [path for path in OTHERS if not re.search(r"/3\.1[1-5]\.", path)], indirect=True)
def test_building_for_another_python_is_refused(other, tmp_path):
    version = run(other, "-c", "import sys; print(sys.version.split()[0])").stdout.strip()
    result = meson_setup(tmp_path / "build", f"-Dpackage_python={other}")
    assert_is_refused(result, tmp_path / "build", other, f"is cpython {version}: gridcell is for CPython 3.11 to 3.15")
