"""Kernels under load: gridcell's, and ipykernel's of another environment for comparison."""
import ast
import importlib.util
import os
import pathlib
import queue
import signal
import subprocess
import sys
import time

from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpec

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD", ROOT / "build"))

_path = ROOT / "tests/protocol/conftest.py"
_spec = importlib.util.spec_from_file_location("protocol_fixtures", _path)
_protocol = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_protocol)

READY_SECONDS = 30


class Lost(Exception):
    """The kernel ended, or answers no more."""


class Session(_protocol.Kernel):
    """A kernel that a part of the soak may spoil. What it logs goes to a file: nobody reads a pipe."""

    def __init__(self, scratch, peer=None, env=None, wrapper=()):
        own = [str(BUILD / "gridcell"), "kernel", "-f", "{connection_file}", "--python", sys.executable]
        argv = [peer, "-m", "ipykernel_launcher", "-f", "{connection_file}"] if peer else own
        self.is_peer = bool(peer)
        self.log = pathlib.Path(scratch, f"kernel-{time.monotonic_ns()}.log")
        self.manager = KernelManager()
        self.manager._kernel_spec = KernelSpec(argv=[*wrapper, *argv], display_name="soak",
                                               language="python", interrupt_mode="signal")
        with open(self.log, "wb") as log:
            self.manager.start_kernel(env={**os.environ, "GRIDCELL_HISTORY": f"{scratch}/history.sqlite", **(env or {})},
                                      stderr=log, cwd=str(scratch))
        self.client = self.manager.client()
        self.client.start_channels()
        try:
            self.client.wait_for_ready(timeout=READY_SECONDS)
        except RuntimeError as error:
            self.close()
            raise Lost(f"{error}: {self.log.read_text(errors='replace')[-2000:]}") from error

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    @property
    def is_alive(self):
        return self.process.poll() is None

    def run(self, code, timeout=60, **options):
        try:
            return super().run(code, timeout, **options)
        except queue.Empty:
            raise Lost(self.last_words()) from None

    def last_words(self):
        state = "no answer" if self.is_alive else f"ended with {self.process.poll()}"
        return f"{state}; {self.log.read_text(errors='replace')[-500:]}"

    def ok(self, code, timeout=60):
        outcome = self.run(code, timeout, store_history=False)
        if outcome.content["status"] != "ok":
            raise AssertionError(f"{code[:200]}: {outcome.content.get('ename')}: {outcome.content.get('evalue')}")
        return outcome

    def value(self, expression, timeout=60):
        """A Python literal, from a cell that leaves no trace in the history."""
        msg_id = self.client.execute("", silent=True, user_expressions={"value": expression})
        try:
            reply = self.receive_reply(msg_id, timeout=timeout)["content"]
            self.receive_until_idle(msg_id, timeout)
        except queue.Empty:
            raise Lost(self.last_words()) from None
        answer = reply["user_expressions"]["value"]
        if answer["status"] != "ok":
            raise AssertionError(f"{expression}: {answer.get('ename')}: {answer.get('evalue')}")
        return ast.literal_eval(answer["data"]["text/plain"])

    def wait_until_busy(self, msg_id, timeout=20):
        """Returns when the cell of this request has begun."""
        while True:
            message = self.client.get_iopub_msg(timeout=timeout)
            if message["parent_header"].get("msg_id") == msg_id and message["msg_type"] == "execute_input":
                return

    def interrupt(self):
        os.kill(self.pid, signal.SIGINT)

    def pause(self, seconds):
        os.kill(self.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(self.pid, signal.SIGCONT)


def python_child(code, peer=None, env=None, **options):
    """A plain Python program: gridcell's numba on the path, or the peer's own."""
    paths = {} if peer else {"PYTHONPATH": str(BUILD / "python")}
    return subprocess.Popen([peer or sys.executable, "-c", code], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env={**os.environ, **paths, **(env or {})}, **options)
