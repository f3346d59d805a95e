"""`gridcell doctor` on kernelspecs that start nothing any more, and the one command that mends each."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tomllib
import venv

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def prefix(tmp_path):
    return tmp_path / "an environment ä"


@pytest.fixture
def doctor(gridcell, tmp_path, prefix):
    """What it says of one prefix, line by line, and its status."""
    def run(**variables):
        env = {**os.environ, "HOME": str(tmp_path / "home"), "JUPYTER_PATH": str(prefix / "share/jupyter"),
               "GRIDCELL_DEVICE": "emulator", "XDG_DATA_HOME": "", "JUPYTER_DATA_DIR": "", **variables}
        done = subprocess.run([gridcell, "doctor", "--python", sys.executable], env=env, capture_output=True, text=True,
                              timeout=100)
        assert done.stderr == ""
        return done.returncode, done.stdout.splitlines()
    return run


def install(gridcell, prefix, *options):
    subprocess.run([gridcell, "install", "--prefix", prefix, *options], check=True, stdout=subprocess.DEVNULL)
    return prefix / "share/jupyter/kernels"


def finding(lines, word):
    """The line that has the word, and the advice below it."""
    at = next(i for i, line in enumerate(lines) if word in line)
    return lines[at], lines[at + 1].partition("-> ")[2] if at + 1 < len(lines) else ""


def follow(gridcell, advice, prefix):
    """Does what the advice says."""
    words = shlex.split(advice)
    assert words[:4] == ["gridcell", "install", "--prefix", str(prefix)], advice
    subprocess.run([gridcell, *words[1:]], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("name", ["gridcell", "other"])
def test_a_python_that_is_gone(name, gridcell, doctor, prefix):
    python = prefix / "bin/python"
    spec = install(gridcell, prefix, "--name", name, "--python", python) / name / "kernel.json"
    status, lines = doctor()
    line, advice = finding(lines, str(spec))
    assert status == 1 and line == f"PROBLEM  kernelspec {spec}: {python} does not exist"
    follow(gridcell, advice, prefix)
    assert doctor() == (0, [f"ok       kernelspec {spec}" if str(spec) in each else each for each in lines
                            if advice not in each])
    assert json.loads(spec.read_text())["argv"][-1] == sys.executable


def test_an_executable_that_is_gone(gridcell, doctor, prefix):
    spec = install(gridcell, prefix) / "gridcell/kernel.json"
    spec.write_text(spec.read_text().replace('/gridcell"', '/away/gridcell"'))
    status, lines = doctor()
    line, advice = finding(lines, str(spec))
    assert status == 1 and line.endswith("/away/gridcell does not exist")
    follow(gridcell, advice, prefix)
    assert doctor()[0] == 0


def test_an_interpreter_that_has_no_gridcell_any_more(gridcell, doctor, prefix, package_path):
    venv.create(prefix, with_pip=False)
    spec = install(gridcell, prefix) / "gridcell/kernel.json"
    written = json.loads(spec.read_text())
    written["argv"] = [str(prefix / "bin/python"), "-m", "gridcell", "kernel", "-f", "{connection_file}"]
    spec.write_text(json.dumps(written))
    line, _ = finding(doctor()[1], str(spec))
    assert line == f"PROBLEM  kernelspec {spec}: {prefix}/bin/python has no gridcell that it can import"
    status, lines = doctor(PYTHONPATH=package_path)
    assert finding(lines, str(spec))[0] == f"ok       kernelspec {spec}" and status == 0
    shutil.rmtree(prefix / "bin")
    assert finding(doctor()[1], str(spec))[0].endswith(f"{prefix}/bin/python does not exist")


def test_the_name_python_is_jupyters_own(gridcell, doctor, prefix):
    spec = install(gridcell, prefix) / "gridcell/kernel.json"
    spec.write_text(json.dumps({"argv": ["python", "-m", "gridcell", "kernel"]}))
    assert finding(doctor()[1], str(spec))[0] == f"ok       kernelspec {spec}"


def test_a_file_that_is_no_kernelspec(gridcell, doctor, prefix):
    kernels = install(gridcell, prefix)
    for name, text in {"broken": "{", "other": '{"argv": ["ipython"]}', "empty": "[]"}.items():
        (kernels / name).mkdir()
        (kernels / name / "kernel.json").write_text(text)
    (kernels / "bare").mkdir()
    status, lines = doctor()
    found = [line for line in lines if str(kernels) in line]
    assert sorted(found) == [f"note     kernelspec {kernels}/broken/kernel.json cannot be read: it is no JSON",
                             f"ok       kernelspec {kernels}/gridcell/kernel.json"]
    assert status == 0


def test_it_recommends_what_the_extra_brings(gridcell, tmp_path):
    venv.create(tmp_path / "bare", with_pip=False)
    done = subprocess.run([gridcell, "doctor", "--python", tmp_path / "bare/bin/python"], capture_output=True, text=True,
                          timeout=100, env={**os.environ, "HOME": str(tmp_path)})
    recommended = {line.split()[2] for line in done.stdout.splitlines() if line.startswith("note     without ")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert recommended == set(project["optional-dependencies"]["all"])


def test_a_place_that_no_option_names(gridcell, doctor, prefix, tmp_path):
    install(gridcell, prefix)
    place = tmp_path / "data"
    shutil.move(prefix / "share/jupyter", place)
    spec = place / "kernels/gridcell/kernel.json"
    spec.write_text(spec.read_text().replace('/gridcell"', '/away/gridcell"'))
    _, lines = doctor(JUPYTER_PATH=str(place))
    assert finding(lines, str(spec))[1] == f"rm -r {place}/kernels/gridcell"
