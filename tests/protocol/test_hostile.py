"""Frames that no front end sends: each is dropped with a line in the log, and the kernel lives."""
import json
import os
import random
import socket as sockets

import pytest
import zmq


@pytest.fixture
def dealer(kernel):
    context = zmq.Context()
    opened = []

    def connect(channel):
        socket = context.socket(zmq.DEALER)
        socket.linger = 1000
        socket.connect(f"tcp://127.0.0.1:{getattr(kernel.manager, channel + '_port')}")
        opened.append(socket)
        return socket

    yield connect
    for socket in opened:
        socket.close()
    context.term()


def signed(kernel, *parts):
    session = kernel.client.session
    return [b"<IDS|MSG>", session.sign(list(parts)), *parts]


def header(**fields):
    return json.dumps({"msg_id": os.urandom(8).hex(), "msg_type": "execute_request",
                       "session": "s", "username": "u", "version": "5.3", **fields}).encode()


def nonsense(kernel):
    code = b'{"code": "1"}'
    yield [b""]
    yield [b"<IDS|MSG>"]
    yield [b"<IDS|MSG>"] * 20
    yield [b"<IDS|MSG>", b"", b"{}", b"{}", b"{}"]
    yield [b"<IDS|MSG>", b"", header(), b"{}", b"{}", code]
    yield [b"<IDS|MSG>", b"0" * 64, header(), b"{}", b"{}", code]
    yield [b"<IDS|MSG>", b"\xff" * 1000, header(), b"{}", b"{}", code]
    yield [b"x" * 100] * 100
    yield signed(kernel, b"", b"", b"", b"")
    yield signed(kernel, b"{}", b"{}", b"{}", b"{}")
    yield signed(kernel, b"[1]", b"{}", b"{}", b"{}")
    yield signed(kernel, b"null", b"null", b"null", b"null")
    yield signed(kernel, header(), b"{}", b"{}", b"{")
    yield signed(kernel, header(), b"{}", b"[]", code)
    yield signed(kernel, header(), b"{}", b"{}", b'{"code": "\xff\xfe"}')
    yield signed(kernel, header(), b"{}", b"{}", b"[" * 1_000_000)
    yield signed(kernel, header(), b"{}", b"{}", b'{"a":' * 100_000)
    yield signed(kernel, header(msg_type=5), b"{}", b"{}", code)
    yield signed(kernel, header(msg_type="x" * 100_000), b"{}", b"{}", code)
    yield signed(kernel, header(msg_type="\0"), b"{}", b"{}", code)
    yield signed(kernel, header(msg_id=None), b"{}", b"{}", code)
    yield signed(kernel, header(msg_type="comm_msg"), b"{}", b"{}", b"{}")
    yield signed(kernel, header(msg_type="comm_msg"), b"{}", b"{}", b'{"comm_id": "none"}')
    yield signed(kernel, header(msg_type="comm_open"), b"{}", b"{}", b'{"comm_id": 5}')
    yield signed(kernel, header(msg_type="input_reply"), b"{}", b"{}", b"{}")
    for msg_type in ("complete", "inspect", "is_complete", "history", "comm_info", "execute"):
        for content in (b"{}", b'{"code": 5, "cursor_pos": "x"}', b'{"code": "a", "cursor_pos": -9}',
                        b'{"code": "a", "cursor_pos": 99999999999, "detail_level": {}}',
                        b'{"code": "1", "user_expressions": 7, "silent": 3, "hist_access_type": 1}',
                        b'{"hist_access_type": "tail", "n": -5, "output": "x", "raw": []}',
                        b'{"target_name": {}}'):
            yield signed(kernel, header(msg_type=msg_type + "_request"), b"{}", b"{}", content)


@pytest.mark.parametrize("channel", ["shell", "control", "stdin", "hb"])
def test_nonsense_is_survived(kernel, dealer, channel):
    socket = dealer(channel)
    for frames in nonsense(kernel):
        socket.send_multipart(frames)
    # what failed among them aborts what is queued behind it
    while kernel.run("6 * 7", timeout=30).content["status"] != "ok":
        pass


def test_random_frames(kernel, dealer):
    chance = random.Random(1)
    socket = dealer("shell")
    pieces = [b"<IDS|MSG>", b"", b"{}", b"[]", b"\0", header(), b"0" * 64]
    for _ in range(500):
        socket.send_multipart(chance.choices(pieces, k=chance.randint(1, 9)))
    assert kernel.run("6 * 7", timeout=30).content["status"] == "ok"


def test_replayed_message_runs_once(kernel, dealer):
    kernel.run("runs = 0")
    frames = signed(kernel, header(), b"{}", b"{}", b'{"code": "runs += 1"}')
    socket = dealer("shell")
    for _ in range(3):
        socket.send_multipart(frames)
    assert socket.poll(5000)
    socket.recv_multipart()
    result = kernel.run("runs")
    assert result.contents("execute_result")[0]["data"]["text/plain"] == "1"


def test_bytes_that_are_not_zeromq(kernel):
    for channel in ("shell", "control", "iopub", "stdin", "hb"):
        with sockets.create_connection(("127.0.0.1", getattr(kernel.manager, channel + "_port"))) as s:
            s.sendall(b"GET / HTTP/1.0\r\n\r\n" + os.urandom(1000))
    assert kernel.run("1").content["status"] == "ok"


def resident_bytes(pid):
    with open(f"/proc/{pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("size", [3 << 30, 1 << 40, (1 << 63) - 1, (1 << 64) - 1])
@pytest.mark.parametrize("channel", ["shell", "control", "iopub", "stdin", "hb"])
def test_oversized_messages(kernel, channel, size):
    """Whoever announces such a frame is cut off before anything is set aside for it."""
    before = resident_bytes(kernel.pid)
    greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
    kind = b"SUB" if channel == "iopub" else b"DEALER"
    ready = b"\x05READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
    with sockets.create_connection(("127.0.0.1", getattr(kernel.manager, channel + "_port"))) as s:
        s.settimeout(10)
        s.sendall(greeting + b"\x04" + bytes([len(ready)]) + ready)
        s.sendall(b"\x02" + size.to_bytes(8, "big"))
        try:
            while s.recv(4096):
                pass
        except ConnectionResetError:
            pass
    assert resident_bytes(kernel.pid) - before < 10 << 20
    assert kernel.run("1").content["status"] == "ok"


def test_strange_subscriptions(kernel):
    context = zmq.Context()
    socket = context.socket(zmq.XSUB)
    socket.linger = 1000
    socket.connect(f"tcp://127.0.0.1:{kernel.manager.iopub_port}")
    for frame in (b"\x01\xff\xfe", b"\x01a\0b", b"\x00", b"\x05junk", b"", b"\x01" + b"x" * 5000):
        socket.send(frame)
    assert kernel.run("1").content["status"] == "ok"
    socket.close()
    context.term()


def test_many_identities_and_large_buffers(kernel, dealer):
    socket = dealer("shell")
    frames = signed(kernel, header(), b"{}", b"{}", b'{"code": "1"}')
    socket.send_multipart([b"one", b"two"] + frames + [b"\0" * 50_000_000])
    assert socket.poll(10000)
    reply = socket.recv_multipart()
    assert reply[:3] == [b"one", b"two", b"<IDS|MSG>"]


def test_a_dropped_message_is_logged(start_kernel):
    kernel = start_kernel()
    context = zmq.Context()
    socket = context.socket(zmq.DEALER)
    socket.connect(f"tcp://127.0.0.1:{kernel.manager.shell_port}")
    socket.send_multipart([b"<IDS|MSG>", b"0" * 64, b"{}", b"{}", b"{}", b"{}"])
    socket.close()
    context.term()
    kernel.run("1")
    kernel.ask("shutdown_request", {"restart": False}, "control")
    kernel.process.wait(5)
    log = kernel.process.stderr.read().decode()
    assert "a message on the shell channel was dropped: the signature is wrong" in log
