"""Exit statuses, the kernelspec, and what is said when something is missing."""
import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest


def run(*arguments, env=None, timeout=30):
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True,
                          timeout=timeout, env={**os.environ, **(env or {})})


def check_refused(result, *parts):
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("gridcell: error: ")
    for part in parts:
        assert part in lines[0]


def test_missing_connection_file(gridcell, tmp_path):
    path = tmp_path / "none.json"
    check_refused(run(gridcell, "kernel", "-f", path), str(path), "No such file")
    check_refused(run(gridcell, "kernel"), "no connection file")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"shell_port": "x"}', "\0\xff"])
def test_broken_connection_file(gridcell, tmp_path, text):
    path = tmp_path / "broken.json"
    path.write_text(text)
    check_refused(run(gridcell, "kernel", "-f", path), str(path))


def test_port_in_use(gridcell, connection):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        check_refused(run(gridcell, "kernel", "-f", connection(stdin_port=port)),
                      f"port {port}", "stdin", "in use")


def test_unknown_signature_scheme(gridcell, connection):
    check_refused(run(gridcell, "kernel", "-f", connection(signature_scheme="rot13")), "rot13")


@pytest.mark.parametrize("python", ["/nonexistent/bin/python", "/etc/passwd", "/"])
def test_broken_python_environment(gridcell, connection, python):
    check_refused(run(gridcell, "kernel", "-f", connection(), "--python", python), python)


def test_ports_that_are_0_are_written_back(gridcell, connection):
    path = connection()
    process = subprocess.Popen([gridcell, "-f", path], stderr=subprocess.PIPE)
    try:
        for _ in range(500):
            content = json.loads(path.read_text())
            if content["hb_port"]:
                break
            process.poll()
            os.sched_yield()
            subprocess.run(["sleep", "0.01"])
        ports = [content[name + "_port"] for name in ("shell", "iopub", "stdin", "control", "hb")]
        assert all(ports) and len(set(ports)) == 5
        assert oct(path.stat().st_mode & 0o777) == "0o600"
        assert content["key"] == "secret"
    finally:
        process.terminate()
        assert process.wait(5) == 0


def test_unknown_arguments_are_ignored(gridcell, connection):
    file = connection()
    process = subprocess.Popen([gridcell, "kernel", "-f", file, "--debug", "--x=1"],
                               stderr=subprocess.PIPE, text=True)
    while not json.loads(file.read_text())["hb_port"]:
        assert process.poll() is None
        time.sleep(0.01)
    process.terminate()
    assert process.communicate(timeout=10)[1] == ""  # and nobody is told


def test_the_history_file_of_the_command_line(gridcell, tmp_path):
    from conftest import Kernel
    wrapper = tmp_path / "kernel"
    wrapper.write_text(f"#!/bin/sh\nexec {gridcell} \"$@\" --HistoryManager.hist_file={tmp_path}/own.sqlite\n")
    wrapper.chmod(0o755)
    kernel = Kernel(str(wrapper))
    try:
        kernel.run("'kept'")
        kernel.ask("shutdown_request", {"restart": False}, "control")
        kernel.process.wait(10)
    finally:
        kernel.close()
    assert (tmp_path / "own.sqlite").exists()


def test_version_and_help(gridcell):
    assert re.match(r"gridcell \d+\.\d+\.\d+$", run(gridcell, "--version").stdout.strip())
    assert "install" in run(gridcell, "--help").stdout
    assert run(gridcell).returncode == 2
    check_refused(run(gridcell, "nonsense"), "no command 'nonsense'")


@pytest.mark.parametrize("command", ["kernel", "install", "run", "info", "doctor", "tutorial"])
def test_every_command_has_its_help(gridcell, command, tmp_path):
    for asks in (["--help"], ["-h"]):
        done = run(gridcell, command, *asks, env={"HOME": str(tmp_path)})
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"  gridcell {command} ") and done.stdout in run(gridcell, "--help").stdout
    assert not list(tmp_path.iterdir())  # and nothing was installed


@pytest.mark.parametrize("command", ["install", "run", "info", "doctor", "tutorial"])
def test_unknown_options_are_named(gridcell, command):
    check_refused(run(gridcell, command, "--nonsense"), command, "'--nonsense'")


def test_info_never_fails(gridcell):
    info = json.loads(run(gridcell, "info", "--json").stdout)
    assert info["gridcell"] and info["python"]
    broken = run(gridcell, "info", "--json", "--python", "/nonexistent/python")
    assert broken.returncode == 0
    assert "/nonexistent/python" in json.loads(broken.stdout)["error"]
    assert "gridcell" in run(gridcell, "info").stdout


def diagnose(gridcell, *arguments, **env):
    result = run(gridcell, "doctor", *arguments, env=env)
    assert result.stderr == ""
    return result.returncode, result.stdout


def test_doctor(gridcell, tmp_path):
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": "", "JUPYTER_DATA_DIR": "",
            "JUPYTER_PATH": str(tmp_path / "jupyter"), "GRIDCELL_DEVICE": "emulator"}
    own = ["--python", sys.executable]
    code, text = diagnose(gridcell, *own, **home)
    for line in ("ok       Python " + sys.version.split()[0], "ok       a cell runs",
                 "ok       functions are compiled: LLVM", "ok       CUDA kernels run on: gridcell emulated",
                 "ok       jupyter_client "):
        assert line in text
    assert run(gridcell, "install", "--prefix", tmp_path, env=home).returncode == 0
    (tmp_path / "share/jupyter").rename(tmp_path / "jupyter")
    code, text = diagnose(gridcell, *own, **home)
    assert code == 0 and "PROBLEM" not in text
    assert f"ok       kernelspec {tmp_path}/jupyter/kernels/gridcell/kernel.json\n" in text
    spec = tmp_path / "jupyter/kernels/gridcell/kernel.json"
    spec.write_text(spec.read_text().replace("/gridcell\"", "/away/gridcell\""))
    code, text = diagnose(gridcell, *own, **home)
    assert code == 1 and "/away/gridcell does not exist" in text and f"-> rm -r {spec.parent}\n" in text


def test_doctor_of_another_release(gridcell, tmp_path):
    """Whose packages are used, while cells run in the Python that the kernel embeds."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'import sys; sys.version = \"3.11.99 (x)\"; "
                      "exec(sys.argv[1])' \"$2\"\n")
    python.chmod(0o755)
    code, text = diagnose(gridcell, "--python", python, HOME=str(tmp_path))
    own = sys.version.split()[0]
    assert f"note     a cell runs in Python {own}, which gridcell was built with; the environment has 3.11.99\n" in text
    code, text = diagnose(gridcell, "--python", sys.executable, HOME=str(tmp_path))
    assert "ok       a cell runs\n" in text and "which gridcell was built with" not in text


def test_doctor_without_an_environment(gridcell, tmp_path):
    code, text = diagnose(gridcell, "--python", "/nonexistent/python", HOME=str(tmp_path))
    assert code == 1
    assert "PROBLEM  Python: /nonexistent/python: No such file" in text


def test_doctor_of_an_empty_environment(gridcell, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "empty"], check=True)
    code, text = diagnose(gridcell, "--python", tmp_path / "empty/bin/python", HOME=str(tmp_path))
    assert code == 1
    assert "ok       a cell runs" in text
    assert "PROBLEM  NumPy is missing" in text and "-> pip install numpy" in text
    assert "note     without jedi" in text and "note     there is no Jupyter" in text


def spec_of(folder):
    return json.loads((folder / "kernel.json").read_text())


def test_install_user(gridcell, tmp_path):
    env = {"HOME": str(tmp_path), "XDG_DATA_HOME": "", "JUPYTER_DATA_DIR": ""}
    assert run(gridcell, "install", "--user", env=env).returncode == 0
    folder = tmp_path / ".local/share/jupyter/kernels/gridcell"
    spec = spec_of(folder)
    assert spec["argv"] == [os.path.realpath(gridcell), "kernel", "-f", "{connection_file}"]
    assert spec["display_name"] == "Python (gridcell)"
    assert spec["language"] == "python"
    assert spec["interrupt_mode"] == "signal"
    assert spec["kernel_protocol_version"] == "5.5"
    assert (folder / "logo-32x32.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "logo-64x64.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (folder / "logo-svg.svg").read_bytes()


def test_install_with_names(gridcell, tmp_path):
    assert run(gridcell, "install", "--prefix", tmp_path, "--name=my.kernel", "--display-name",
               "Mine é", "--python", "/usr/bin/python3").returncode == 0
    spec = spec_of(tmp_path / "share/jupyter/kernels/my.kernel")
    assert spec["argv"][-2:] == ["--python", "/usr/bin/python3"]
    assert spec["display_name"] == "Mine é"


def test_install_with_a_relative_python(gridcell, tmp_path):
    """The front end starts the kernel elsewhere."""
    (tmp_path / "env/bin").mkdir(parents=True)
    (tmp_path / "env/bin/python").symlink_to(sys.executable)
    os.symlink(tmp_path / "env", tmp_path / "current")

    def installed(given, cwd, *options):
        subprocess.run([gridcell, "install", "--prefix", tmp_path, "--python", given, *options], cwd=cwd, check=True,
                       capture_output=True, env={**os.environ, "PATH": f"{tmp_path}/env/bin:/usr/bin:/bin"})
        return spec_of(tmp_path / "share/jupyter/kernels/gridcell")["argv"][-1]

    for given, cwd in (("env/bin/python", tmp_path), ("./env/bin/python", tmp_path), ("bin/python", tmp_path / "env"),
                       ("./python", tmp_path / "env/bin"), ("python", "/")):
        assert installed(given, cwd) == f"{tmp_path}/env/bin/python"
    assert installed("../current/bin/python", tmp_path / "env") == f"{tmp_path}/env/../current/bin/python"
    check_refused(run(gridcell, "install", "--prefix", tmp_path, "--python", "none/bin/python"), "none/bin/python")
    check_refused(run(gridcell, "install", "--prefix", tmp_path, "--python", "no_such_python"), "no_such_python")
    done = subprocess.run([gridcell, "install", "--sys-prefix", "--python", "bin/python"], cwd=tmp_path / "env",
                          capture_output=True, text=True)
    assert done.returncode == 0
    assert spec_of(tmp_path / "env/share/jupyter/kernels/gridcell")["argv"][-1] == f"{tmp_path}/env/bin/python"


def test_install_sys_prefix(gridcell, tmp_path):
    assert run(gridcell, "install", "--sys-prefix", env={"VIRTUAL_ENV": str(tmp_path)}
               ).returncode == 0
    spec = spec_of(tmp_path / "share/jupyter/kernels/gridcell")
    assert spec["argv"][-1] == f"{tmp_path}/bin/python"


def test_install_refuses(gridcell, tmp_path):
    check_refused(run(gridcell, "install", "--name", "../x", "--prefix", tmp_path), "name")
    check_refused(run(gridcell, "install", "--user", "--prefix", tmp_path), "only one")
    check_refused(run(gridcell, "install", "--wrong"), "--wrong")
    check_refused(run(gridcell, "install", "--prefix", "/proc/none"), "/proc/none")
