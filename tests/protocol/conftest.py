"""A kernel of the build, spoken to as front ends do."""
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field

import pytest
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpec

TIMEOUT = 20


@dataclass
class Outcome:
    """One request, seen from the front end."""
    reply: dict  # the whole reply message
    messages: list = field(default_factory=list)  # on IOPub, from busy to idle

    @property
    def content(self):
        return self.reply["content"]

    @property
    def types(self):
        return [message["msg_type"] for message in self.messages]

    def contents(self, msg_type):
        return [message["content"] for message in self.messages if message["msg_type"] == msg_type]

    def text(self, name="stdout"):
        return "".join(c["text"] for c in self.contents("stream") if c["name"] == name)


class Kernel:
    """A running kernel and one client of it."""

    def __init__(self, executable, *, interrupt_mode="signal", transport="tcp", key=None, env=None,
                 python=sys.executable, cwd=None):
        spec = KernelSpec(argv=[executable, "kernel", "-f", "{connection_file}", "--python", python],
                          display_name="test", language="python", interrupt_mode=interrupt_mode)
        options = {"env": {**os.environ, **(env or {})}, "stderr": subprocess.PIPE}
        if cwd is not None:
            options["cwd"] = str(cwd)
        while not self.start(spec, transport, key, options):
            pass

    def start(self, spec, transport, key, options):
        """False where another program took a port between its choice and the kernel's start."""
        self.manager = KernelManager(transport=transport)
        self.manager._kernel_spec = spec
        if key is not None:
            self.manager.session.key = key
        self.manager.start_kernel(**options)
        self.client = self.manager.client()
        self.client.start_channels()
        try:
            self.client.wait_for_ready(timeout=TIMEOUT)
            return True
        except RuntimeError as error:
            status = self.process.poll()  # None: it lives, and does not answer
            self.process.kill()
            text = self.process.stderr.read().decode(errors="replace")
            self.close()
            if "already in use" in text:
                return False
            raise RuntimeError(f"{error}; exit status {status}: {text}") from error

    @property
    def pid(self):
        return self.manager.provisioner.pid

    @property
    def process(self):
        return self.manager.provisioner.process

    def close(self):
        self.client.stop_channels()
        if self.manager.has_kernel:
            self.manager.shutdown_kernel(now=True)
        self.manager.cleanup_resources()

    def send(self, msg_type, content, channel="shell", metadata=None, buffers=None):
        message = self.client.session.msg(msg_type, content, metadata=metadata)
        socket = getattr(self.client, f"{channel}_channel").socket
        self.client.session.send(socket, message, buffers=buffers)
        return message["header"]["msg_id"]

    def receive_reply(self, msg_id, channel="shell", timeout=TIMEOUT):
        """The reply to a request; replies to others are passed over."""
        while True:
            reply = getattr(self.client, f"get_{channel}_msg")(timeout=timeout)
            if reply["parent_header"].get("msg_id") == msg_id:
                return reply

    def receive_until_idle(self, msg_id, timeout=TIMEOUT):
        """What IOPub says of a request, from busy to idle."""
        messages = []
        while True:
            message = self.client.get_iopub_msg(timeout=timeout)
            if message["parent_header"].get("msg_id") != msg_id:
                continue
            messages.append(message)
            if message["content"].get("execution_state") == "idle":
                return messages

    def ask(self, msg_type, content, channel="shell", timeout=TIMEOUT, **options):
        msg_id = self.send(msg_type, content, channel, **options)
        return Outcome(self.receive_reply(msg_id, channel, timeout),
                       self.receive_until_idle(msg_id, timeout))

    def run(self, code, timeout=TIMEOUT, **options):
        msg_id = self.client.execute(code, **options)
        return Outcome(self.receive_reply(msg_id, timeout=timeout),
                       self.receive_until_idle(msg_id, timeout))

    def wait_for_text(self, part, timeout=TIMEOUT):
        """Reads IOPub until a stream message holds the text."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            message = self.client.get_iopub_msg(timeout=timeout)
            if part in message["content"].get("text", ""):
                return message
        raise AssertionError(f"no {part!r} in time")


@pytest.fixture
def start_kernel(gridcell):
    """Starts kernels that the test may spoil."""
    kernels = []

    def start(executable=gridcell, **options):
        kernels.append(Kernel(executable, **options))
        return kernels[-1]

    yield start
    for kernel in kernels:
        kernel.close()


@pytest.fixture(scope="module")
def kernel(gridcell):
    """One kernel for the tests of a file, which leave it as they found it."""
    shared = Kernel(gridcell)
    yield shared
    shared.close()


@pytest.fixture
def connection(tmp_path):
    """Makes a connection file with free ports unless told otherwise; returns its path."""
    def make(**fields):
        content = {"shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0,
                   "hb_port": 0, "ip": "127.0.0.1", "transport": "tcp", "key": "secret",
                   "signature_scheme": "hmac-sha256", "kernel_name": "gridcell", **fields}
        path = tmp_path / "connection.json"
        path.touch(0o600)
        path.write_text(json.dumps(content))
        return path
    return make
