"""Several front ends of one kernel, and front ends that come back."""
import json
import os

import pytest
import zmq


class Client:
    """Sockets without any library of Jupyter's, all under one identity, as VS Code has them."""

    def __init__(self, kernel, identity):
        self.kernel, self.context = kernel, zmq.Context()
        self.session = kernel.client.session
        for name, kind in (("shell", zmq.DEALER), ("control", zmq.DEALER), ("stdin", zmq.DEALER),
                           ("iopub", zmq.SUB)):
            socket = self.context.socket(kind)
            socket.linger = 0
            if kind == zmq.SUB:
                socket.subscribe(b"")
            else:
                socket.identity = identity
            socket.connect(f"tcp://127.0.0.1:{getattr(kernel.manager, name + '_port')}")
            setattr(self, name, socket)
        assert self.receive("iopub")["msg_type"] == "iopub_welcome"

    def send(self, channel, msg_type, content, header=b"", **fields):
        parts = [header or json.dumps({
            "msg_id": os.urandom(8).hex(), "session": "s", "username": "u", "version": "5.3",
            "date": "2026-01-01T00:00:00Z", "msg_type": msg_type, **fields}).encode(),
            b"{}", b"{}", json.dumps(content).encode()]
        getattr(self, channel).send_multipart([b"<IDS|MSG>", self.session.sign(parts), *parts])
        return parts[0]

    def receive(self, channel, timeout=10):
        socket = getattr(self, channel)
        assert socket.poll(timeout * 1000), f"nothing on {channel}"
        frames = socket.recv_multipart()
        at = frames.index(b"<IDS|MSG>")
        assert frames[at + 1] == self.session.sign(frames[at + 2:at + 6])
        header, parent, metadata, content = (json.loads(frame) for frame in frames[at + 2:at + 6])
        return {"msg_type": header["msg_type"], "header": header, "parent": parent,
                "content": content, "parent_bytes": frames[at + 3]}

    def receive_until_idle(self, *parents):
        """The messages on iopub of each of these requests, whichever comes first."""
        messages = {parent: [] for parent in parents}
        while any(not of_one or of_one[-1]["content"].get("execution_state") != "idle"
                  for of_one in messages.values()):
            message = self.receive("iopub")
            messages.get(message["parent_bytes"], []).append(message)
        return [messages[parent] for parent in parents]

    def close(self):
        for name in ("shell", "control", "stdin", "iopub"):
            getattr(self, name).close()
        self.context.term()


@pytest.fixture
def connect(kernel):
    clients = []

    def make(identity):
        clients.append(Client(kernel, identity))
        return clients[-1]
    yield make
    for client in clients:
        client.close()


def test_each_gets_its_own_replies_and_all_see_the_output(connect):
    one, two = connect(b"one"), connect(b"two")
    asked = one.send("shell", "execute_request", {"code": "print('of one')"})
    other = two.send("shell", "execute_request", {"code": "print('of two')"})
    assert one.receive("shell")["parent_bytes"] == asked
    assert two.receive("shell")["parent_bytes"] == other
    for client in (one, two):
        for messages, text in zip(client.receive_until_idle(asked, other), ("of one\n", "of two\n")):
            assert [m["content"]["text"] for m in messages if m["msg_type"] == "stream"] == [text]
    assert not one.shell.poll(100) and not two.shell.poll(0)


def test_a_question_to_the_user_goes_to_who_runs_the_cell(connect):
    one, two = connect(b"one"), connect(b"two")
    two.send("shell", "execute_request", {"code": "input('name? ')", "allow_stdin": True})
    assert two.receive("stdin")["content"] == {"prompt": "name? ", "password": False}
    assert not one.stdin.poll(100)
    two.send("stdin", "input_reply", {"value": "me"})
    assert two.receive("shell")["content"]["status"] == "ok"


def test_who_comes_back_under_the_same_identity_takes_over(connect):
    """As after the machine slept: the old connection is not closed yet."""
    before = connect(b"same")
    before.send("shell", "execute_request", {"code": "1"})
    before.receive("shell")
    after = connect(b"same")
    asked = after.send("shell", "execute_request", {"code": "2"})
    assert after.receive("shell")["parent_bytes"] == asked
    asked = after.send("control", "kernel_info_request", {})
    assert after.receive("control")["parent_bytes"] == asked


@pytest.mark.parametrize("header", [
    b'{"msg_id": "a1", "msg_type": "execute_request", "unknown": [1.50, 2e3], "session": "s"}',
    b'{ "session":"s","username":"\\u00e9\\ud83d\\ude00" ,"msg_id":"a2","msg_type":"execute_request"}',
    b'{"msg_id": "a3", "msg_type": "execute_request", "date": 17, "version": null}',
])
def test_the_parent_is_the_header_as_it_was_sent(connect, header):
    client = connect(b"bytes")
    client.send("shell", "execute_request", {"code": "print(1)"}, header=header)
    reply = client.receive("shell")
    assert reply["parent_bytes"] == header and reply["content"]["status"] == "ok"
    types = [message["msg_type"] for message in client.receive_until_idle(header)[0]]
    assert types == ["status", "execute_input", "stream", "status"]


def test_a_second_message_of_the_same_id_is_another_request(connect):
    client = connect(b"twice")
    for code in ("1", "2"):
        header = b'{"msg_id": "same", "msg_type": "execute_request", "n": %s}' % code.encode()
        client.send("shell", "execute_request", {"code": code}, header=header)
        assert client.receive("shell")["content"]["status"] == "ok"


def test_no_two_messages_are_alike(connect):
    """Clients reject what they take for a message sent twice; a forked child counts anew."""
    client = connect(b"ids")
    header = client.send("shell", "execute_request", {
        "code": "import os\npid = os.fork()\nfor i in range(3): display(i)\n"
                "if not pid: os._exit(0)\n_ = os.waitpid(pid, 0)"})
    client.receive("shell")
    ids = [message["header"]["msg_id"] for message in client.receive_until_idle(header)[0]]
    assert len(ids) == len(set(ids))


def test_the_session_name_is_known_to_cells(start_kernel):
    kernel = start_kernel(env={"JPY_SESSION_NAME": "folder/notebook.ipynb"})
    assert kernel.run("print(__session__)").text() == "folder/notebook.ipynb\n"
