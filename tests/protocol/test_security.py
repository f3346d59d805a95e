"""Who can reach the kernel and its files, as docs/security.md promises it."""
import json
import os
import pathlib
import socket
import stat
import subprocess
import time

import pytest
import zmq
from jupyter_client.session import Session

CHANNELS = ("shell", "control", "stdin", "iopub", "hb")


def refusal(gridcell, file, *options, **env):
    done = subprocess.run([gridcell, "kernel", "-f", file, *options], capture_output=True, text=True,
                          timeout=30, env={**os.environ, **env})
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    return done.stderr


class Started:
    """A kernel by its connection file, spoken to with sockets of one's own."""

    def __init__(self, gridcell, file, *options, **env):
        self.file = file
        self.process = subprocess.Popen([gridcell, "kernel", "-f", file, *options], stderr=subprocess.PIPE,
                                        text=True, env={**os.environ, **env})
        while not self.content["hb_port"]:
            assert self.process.poll() is None, self.process.stderr.read()
            time.sleep(0.01)

    @property
    def content(self):
        return json.loads(self.file.read_text())

    def run(self, code, key=b"", scheme="hmac-sha256", host="127.0.0.1"):
        """The status of the reply to a cell; None when there is none within a second."""
        session, context = Session(key=key, signature_scheme=scheme), zmq.Context()
        dealer = context.socket(zmq.DEALER)
        dealer.ipv6 = ":" in host
        try:
            if self.content.get("transport") == "ipc":
                dealer.connect(f"ipc://{self.content['ip']}-{self.content['shell_port']}")
            else:
                dealer.connect(f"tcp://{f'[{host}]' if ':' in host else host}:{self.content['shell_port']}")
            session.send(dealer, "execute_request", {"code": code, "silent": False})
            if not dealer.poll(10000):
                return None
            return session.recv(dealer)[1]["content"]["status"]
        finally:
            dealer.close(0)
            context.term()

    def end(self):
        """What it wrote to stderr."""
        self.process.terminate()
        return self.process.communicate(timeout=10)[1]


@pytest.mark.parametrize("ip", ["127.0.0.1", "127.8.9.10", "::1"])
def test_without_a_key_this_machine_alone_is_served_with_a_warning(gridcell, connection, ip):
    if ip == "::1":
        try:
            socket.socket(socket.AF_INET6).bind(("::1", 0))
        except OSError:
            pytest.skip("no IPv6 here")
    kernel = Started(gridcell, connection(key="", ip=ip))
    assert kernel.run("1", host=ip) == "ok"
    log = kernel.end().splitlines()
    assert len(log) == 1 and "warning" in log[0] and "the key is empty" in log[0] and ip in log[0]


def test_without_a_key_over_files(gridcell, connection, tmp_path):
    before = os.umask(0)
    try:
        kernel = Started(gridcell, connection(key="", transport="ipc", ip=str(tmp_path / "socket")))
    finally:
        os.umask(before)
    assert kernel.run("1") == "ok"
    files = list(tmp_path.glob("socket-*"))
    assert len(files) == 5 and {stat.S_IMODE(f.stat().st_mode) for f in files} == {0o600}
    log = kernel.end().splitlines()
    assert len(log) == 1 and "the key is empty" in log[0]


@pytest.mark.parametrize("ip", ["*", "0.0.0.0", "::", "[::]", "10.255.255.1", "eth0", "127.0.0.1.example.org"])
@pytest.mark.parametrize("key", ["", None])
def test_without_a_key_no_other_address_is_served(gridcell, connection, ip, key):
    text = refusal(gridcell, connection(key=key, ip=ip))
    assert "the key is empty" in text and ip in text and "--allow-unsigned" in text


def test_a_missing_key_is_an_empty_one(gridcell, connection):
    file = connection(ip="0.0.0.0")
    content = json.loads(file.read_text())
    del content["key"]
    file.write_text(json.dumps(content))
    assert "the key is empty" in refusal(gridcell, file, GRIDCELL_ALLOW_UNSIGNED="0")


@pytest.mark.parametrize("options, env", [(["--allow-unsigned"], {}), ([], {"GRIDCELL_ALLOW_UNSIGNED": "1"})])
def test_a_switch_allows_it(gridcell, connection, options, env):
    kernel = Started(gridcell, connection(key="", ip="0.0.0.0"), *options, **env)
    assert kernel.run("1") == "ok"
    log = kernel.end().splitlines()
    assert len(log) == 1 and "the key is empty" in log[0]


def test_what_goes_over_a_network_in_the_clear_is_said(gridcell, connection):
    kernel = Started(gridcell, connection(ip="0.0.0.0"))
    assert kernel.run("1", key=b"secret") == "ok"
    log = kernel.end().splitlines()
    assert len(log) == 1 and "signed but not encrypted" in log[0]


@pytest.mark.parametrize("mode, is_open", [(0o600, False), (0o400, False), (0o640, True), (0o604, True), (0o602, True)])
def test_an_open_connection_file_is_told(gridcell, connection, mode, is_open):
    ports = {}
    for name in ("shell", "iopub", "stdin", "control", "hb"):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            ports[f"{name}_port"] = taken.getsockname()[1]
    file = connection(**ports)  # so that the kernel writes no file of its own
    file.chmod(mode)
    kernel = Started(gridcell, file)
    assert kernel.run("1", key=b"secret") == "ok"
    log = kernel.end()
    assert ("can run code in this kernel. chmod 600" in log) == is_open and len(log.splitlines()) == is_open


@pytest.mark.parametrize("scheme", ["hmac-sha512", "hmac-sha3_256", "hmac-blake2b", "hmac-blake2s"])
def test_schemes_that_front_ends_have(gridcell, connection, scheme):
    kernel = Started(gridcell, connection(signature_scheme=scheme))
    assert kernel.run("1", key=b"secret", scheme=scheme) == "ok"
    assert kernel.end() == ""


@pytest.mark.parametrize("key", ["secret", ""])
@pytest.mark.parametrize("scheme", ["", "hmac", "hmac-", "hmac-null", "hmac-shake_128", "HMAC-SHA256", "sha256",
                                    "hmac-sha256 ", "rot13"])
def test_other_schemes(gridcell, connection, scheme, key):
    assert f"unknown signature_scheme '{scheme}'" in refusal(gridcell, connection(signature_scheme=scheme, key=key))


# ---- what comes without the right signature

CODE = json.dumps({"code": "forged = True", "silent": False}).encode()
REQUESTS = {
    "execute_request": CODE,
    "shutdown_request": b'{"restart": false}',
    "interrupt_request": b"{}",
    "debug_request": b'{"type": "request", "seq": 1, "command": "evaluate", "arguments": {"expression": "forged"}}',
    "comm_open": b'{"comm_id": "forged", "target_name": "target", "data": {}}',
    "comm_msg": b'{"comm_id": "real", "data": {"forged": true}}',
    "input_reply": b'{"value": "forged"}',
    "complete_request": b'{"code": "forge", "cursor_pos": 5}',
}


def header(msg_type):
    return json.dumps({"msg_id": os.urandom(8).hex(), "msg_type": msg_type, "session": "s", "username": "u",
                       "version": "5.3"}).encode()


def forged(session, msg_type, content, old):
    """Frames of somebody who has seen messages, and has no key."""
    parts = [header(msg_type), b"{}", b"{}", content]
    right = session.sign(parts)
    yield [b"<IDS|MSG>", b"", *parts]
    yield [b"<IDS|MSG>", b"0" * 64, *parts]
    yield [b"<IDS|MSG>", right[:-1] + (b"0" if right[-1:] != b"0" else b"1"), *parts]
    yield [b"<IDS|MSG>", right[:32], *parts]
    yield [b"<IDS|MSG>", right.upper() if right.upper() != right else b"1" * 64, *parts]
    yield [b"<IDS|MSG>", old[0], *parts]  # another message's
    yield [b"<IDS|MSG>", *old]  # one that was sent before, here or on another channel
    yield [b"<IDS|MSG>", old[0], *old[1:4], content]


def test_nothing_without_a_signature_has_an_effect(start_kernel):
    kernel = start_kernel()
    session, context, sockets = kernel.client.session, zmq.Context(), []
    kernel.run("import gridcell\nruns, forged, opened = 0, False, []\n"
               "get_ipython().kernel.comm_manager.register_target('target', lambda *a: opened.append(a))")
    parts = [header("execute_request"), b"{}", b"{}", b'{"code": "runs += 1", "silent": false}']
    old = [session.sign(parts), *parts]
    for channel in CHANNELS:
        s = context.socket(zmq.XSUB if channel == "iopub" else zmq.DEALER)
        s.connect(f"tcp://127.0.0.1:{getattr(kernel.manager, channel + '_port')}")
        sockets.append(s)
    sockets[0].send_multipart([b"<IDS|MSG>", *old])
    assert sockets[0].poll(5000)
    sockets[0].recv_multipart()
    for s in sockets:
        for msg_type, content in REQUESTS.items():
            for frames in forged(session, msg_type, content, old):
                s.send_multipart(frames)
    assert kernel.run("runs, forged, opened").contents("execute_result")[0]["data"]["text/plain"] == "(1, False, [])"
    for s in sockets[:3]:
        assert not s.poll(200)  # no answer either
    for s in sockets:
        s.close(0)
    context.term()
    assert kernel.process.poll() is None


def test_opening_a_comm_imports_nothing(kernel):
    """As early versions of ipykernel did with target_module."""
    kernel.send("comm_open", {"comm_id": "c", "target_name": "antigravity", "target_module": "antigravity", "data": {}})
    kernel.send("comm_open", {"comm_id": "d", "target_name": "antigravity.fly", "data": {}})
    assert kernel.run("import sys; 'antigravity' in sys.modules"
                      ).contents("execute_result")[0]["data"]["text/plain"] == "False"


# ---- files

def test_files_of_a_session_are_for_this_user(start_kernel, tmp_path):
    """With a umask that forbids nobody anything."""
    before = os.umask(0)
    try:
        kernel = start_kernel(env={
            "GRIDCELL_HISTORY": str(tmp_path / "h/history.sqlite"), "GRIDCELL_CACHE_DIR": str(tmp_path / "cache"),
            "GRIDCELL_CACHE": "all", "TMPDIR": str(tmp_path), "IPYTHONDIR": str(tmp_path / "ipython")})
        kernel.run("import numba\n@numba.njit\ndef f(x): return x + 1\nf(1)\n'shown'")
        kernel.run("kept = {'a': 1}\n%store kept")
        kernel.ask("debug_request", {"type": "request", "seq": 1, "command": "dumpCell",
                                     "arguments": {"code": "a_cell = 1"}}, "control")
        kernel.ask("history_request", {"hist_access_type": "tail", "n": 1, "raw": True, "output": False})
        found = {p.relative_to(tmp_path): stat.S_IMODE(p.lstat().st_mode)
                 for p in tmp_path.rglob("*") if not p.is_socket()}
        kernel.ask("shutdown_request", {"restart": False}, "control")
        kernel.process.wait(10)
    finally:
        os.umask(before)
    names = " ".join(map(str, found))
    tops = ("h", "cache", "ipython", f"ipykernel_{kernel.pid}")
    for part in ("h/history.sqlite", "cache/", f"ipykernel_{kernel.pid}/", "profile_default/db/autorestore/kept"):
        assert part in names
    for path, mode in found.items():
        if path.parts[0] in tops:
            assert not mode & 0o022, path  # nobody else can change what is loaded later
    for top in tops:
        assert not found[pathlib.Path(top)] & 0o077, top  # nor look into it


def test_what_others_may_have_written_is_not_unpickled(start_kernel, tmp_path):
    file = tmp_path / "profile_default/db/autorestore/kept"
    kernel = start_kernel(env={"IPYTHONDIR": str(tmp_path)})
    kernel.run("kept = 5\n%store kept\nkept = 6")
    assert kernel.run("%store -r\nkept").contents("execute_result")[0]["data"]["text/plain"] == "5"
    file.chmod(0o666)
    outcome = kernel.run("kept = 7\n%store -r\nkept")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "7"
    assert "may have been written by another user" in outcome.text()
    assert "'kept' -> '<unavailable>'" in " ".join(kernel.run("%store").text().split()).replace("kept ->", "'kept' ->")
