"""Cells that print faster than front ends read: nothing is lost, and memory stays bounded."""
import json
import os
import signal
import subprocess
import sys
import time

import pytest

LIMITS = {"GRIDCELL_BACKLOG_MB": "8", "GRIDCELL_PATIENCE": "2"}

# A subscriber that stops, and reads on when it is told to.
SUBSCRIBER = """
import json, os, signal, sys, zmq
socket = zmq.Context().socket(zmq.SUB)
socket.linger = 0
socket.subscribe(b"")
socket.connect(sys.argv[1])
socket.recv_multipart()
print("on", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
texts = []
while socket.poll(3000):
    content = json.loads(socket.recv_multipart()[-1])
    if content.get("name") == "stderr":
        texts.append(content["text"])
print(json.dumps(texts), flush=True)
"""


def endpoint(kernel):
    info = kernel.manager.get_connection_info()
    if info["transport"] == "ipc":
        return f"ipc://{info['ip']}-{info['iopub_port']}"
    return f"tcp://{info['ip']}:{info['iopub_port']}"


def resident_mib(pid, field="VmRSS"):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field)) // 1024


@pytest.fixture
def stopped():
    """Starts subscribers that take nothing."""
    processes = []

    def start(kernel):
        process = subprocess.Popen([sys.executable, "-c", SUBSCRIBER, endpoint(kernel)],
                                   stdout=subprocess.PIPE, text=True)
        processes.append(process)
        assert process.stdout.readline() == "on\n"
        os.waitpid(process.pid, os.WUNTRACED)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.parametrize("transport", ["tcp", "ipc"])
def test_a_dead_subscriber_costs_bounded_memory_and_time(start_kernel, stopped, transport):
    kernel = start_kernel(env=LIMITS, transport=transport)
    process = stopped(kernel)
    before = resident_mib(kernel.pid)
    msg_id = kernel.client.execute("line = 'x' * 999\nfor _ in range(50_000): print(line)")
    messages = kernel.receive_until_idle(msg_id, timeout=60)
    text = "".join(m["content"]["text"] for m in messages if m["msg_type"] == "stream")
    assert len(text) == 50_000_000
    assert resident_mib(kernel.pid, "VmHWM") - before < 40
    os.kill(process.pid, signal.SIGCONT)
    told = json.loads(process.stdout.readline())
    assert any("output is missing" in text for text in told)
    kernel.process.terminate()
    assert b"took no output for 2 s" in kernel.process.stderr.read()


@pytest.mark.parametrize("code", [
    "line = 'x' * 999\nfor _ in range(40_000): print(line)",
    "import os\n_ = os.system('yes | head -c 40000000')",
    "!yes | head -c 40000000",
    "from IPython.display import display\n"
    "for _ in range(40): display({'text/plain': 'x' * 1_000_000}, raw=True)",
])
def test_a_slow_reader_loses_nothing(start_kernel, code):
    kernel = start_kernel(env={"GRIDCELL_BACKLOG_MB": "2"})
    msg_id = kernel.client.execute(code)
    time.sleep(1)  # the kernel has to wait now
    size = 0
    for message in kernel.receive_until_idle(msg_id, timeout=60):
        content = message["content"]
        if content.get("name") == "stdout":
            size += len(content["text"].replace("\r", ""))
        size += len(content.get("data", {}).get("text/plain", ""))
    assert size == 40_000_000


def test_a_waiting_cell_can_be_interrupted(start_kernel, stopped):
    kernel = start_kernel(env={"GRIDCELL_BACKLOG_MB": "2", "GRIDCELL_PATIENCE": "1000"})
    stopped(kernel)
    msg_id = kernel.client.execute("while True: print('x' * 999)")
    time.sleep(1)
    kernel.manager.interrupt_kernel()
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"
