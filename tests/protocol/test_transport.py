"""Encrypted sockets and other ways to reach the kernel."""
import json
import subprocess
import time

import pytest
import zmq
from jupyter_client.session import Session


def wait_for_ports(path):
    for _ in range(500):
        content = json.loads(path.read_text())
        if content["hb_port"]:
            return content
        time.sleep(0.01)
    raise AssertionError("the kernel wrote no ports")


@pytest.mark.skipif(not zmq.has("curve"), reason="this libzmq has no CurveZMQ")
def test_curve(gridcell, connection):
    public, secret = zmq.curve_keypair()
    path = connection(curve_publickey=public.decode(), curve_secretkey=secret.decode())
    process = subprocess.Popen([gridcell, "kernel", "-f", path])
    context = zmq.Context()
    try:
        port = wait_for_ports(path)["shell_port"]
        session = Session(key=b"secret")

        def ask(socket):
            socket.linger = 0
            socket.connect(f"tcp://127.0.0.1:{port}")
            session.send(socket, session.msg("kernel_info_request", {}))
            return socket.poll(1000)

        encrypted = context.socket(zmq.DEALER)
        encrypted.curve_publickey, encrypted.curve_secretkey = zmq.curve_keypair()
        encrypted.curve_serverkey = public
        plain = context.socket(zmq.DEALER)
        assert ask(encrypted)
        assert not ask(plain)
        encrypted.close()
        plain.close()
    finally:
        process.terminate()
        process.wait(5)
        context.term()


@pytest.mark.parametrize("scheme", ["hmac-sha512", "hmac-md5"])
def test_signature_schemes(gridcell, connection, scheme):
    path = connection(signature_scheme=scheme)
    process = subprocess.Popen([gridcell, "kernel", "-f", path])
    context = zmq.Context()
    try:
        session = Session(key=b"secret", signature_scheme=scheme)
        socket = context.socket(zmq.DEALER)
        socket.linger = 0
        socket.connect(f"tcp://127.0.0.1:{wait_for_ports(path)['shell_port']}")
        session.send(socket, session.msg("execute_request", {"code": "1"}))
        assert socket.poll(5000)
        _, frames = session.feed_identities(socket.recv_multipart())
        assert session.deserialize(frames)["content"]["status"] == "ok"
        socket.close()
    finally:
        process.terminate()
        process.wait(5)
        context.term()
