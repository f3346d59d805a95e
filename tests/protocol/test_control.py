"""The control channel and the heartbeat, while nothing and while a cell runs."""
import os
import subprocess
import time

import zmq
from jupyter_client.session import Session


def test_kernel_info(kernel):
    for channel in ("shell", "control"):
        result = kernel.ask("kernel_info_request", {}, channel)
        content = result.content
        assert content["status"] == "ok"
        assert content["implementation"] == "gridcell"
        assert content["protocol_version"] == "5.5"
        assert content["language_info"]["name"] == "python"
        assert content["language_info"]["file_extension"] == ".py"
        assert content["banner"]
        assert result.types == ["status", "status"]


def test_usage(kernel):
    content = kernel.ask("usage_request", {}, "control").content
    assert content["pid"] == kernel.pid
    assert content["kernel_memory"] > 1 << 20
    assert content["host_virtual_memory"]["total"] > content["host_virtual_memory"]["available"]
    assert isinstance(content["gpu"], list)


def test_the_first_usage_reply_has_figures(start_kernel):
    kernel = start_kernel()
    kernel.run("import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass")
    first = kernel.ask("usage_request", {}, "control").content
    assert first["kernel_cpu"] > 0
    assert first["host_cpu_percent"] > 0


def test_usage_counts_children(kernel):
    before = kernel.ask("usage_request", {}, "control").content["kernel_memory"]
    kernel.run("import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', "
               "'text = b\"x\" * (64 << 20); print(1, flush=True); input()'], "
               "stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n_ = child.stdout.readline()")
    during = kernel.ask("usage_request", {}, "control").content["kernel_memory"]
    kernel.run("_ = child.communicate()")
    assert during - before > 60 << 20


FAKE_NVML = """
#include <string.h>
#include <unistd.h>
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { return *count = 2, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **device) { return *device = (void *)(i + 1L), 0; }
int nvmlDeviceGetName(void *device, char *name, unsigned size) { return !strncpy(name, "Fake GPU", size); }
int nvmlDeviceGetMemoryInfo(void *device, unsigned long long *sizes)
{
    return sizes[0] = 16ULL << 30, sizes[1] = 12ULL << 30, sizes[2] = 4ULL << 30, 0;
}
int nvmlDeviceGetUtilizationRates(void *device, unsigned *rates)
{
    return rates[0] = 37, rates[1] = 5, device != (void *)1;
}
struct process { unsigned pid; unsigned long long used; unsigned instance, compute; };
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *list)
{
    list[0] = (struct process){1, 5, 0, 0};
    list[1] = (struct process){getpid(), 7 << 20, 0, 0};
    return *count = device == (void *)1 ? 2 : 1, 0;
}
"""


def test_usage_of_gpus(start_kernel, tmp_path):
    (tmp_path / "nvml.c").write_text(FAKE_NVML)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "libnvidia-ml.so.1",
                    tmp_path / "nvml.c"], check=True)
    path = os.pathsep.join([str(tmp_path), os.environ.get("LD_LIBRARY_PATH", "")])
    kernel = start_kernel(env={"LD_LIBRARY_PATH": path})
    end = time.monotonic() + 20
    while not (gpus := kernel.ask("usage_request", {}, "control").content["gpu"]):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert gpus == [{"index": 0, "name": "Fake GPU", "mem_used_by_kernel": 7 << 20,
                     "mem_used": 4 << 30, "mem_total": 16 << 30, "util": 37},
                    {"index": 1, "name": "Fake GPU", "mem_used_by_kernel": None,
                     "mem_used": 4 << 30, "mem_total": 16 << 30, "util": None}]


def test_connect(kernel):
    ports = kernel.ask("connect_request", {}).content
    assert ports["shell_port"] == kernel.manager.shell_port
    assert ports["control_port"] == kernel.manager.control_port


def test_a_cell_knows_the_last_control_request(kernel):
    asked = kernel.ask("kernel_info_request", {}, "control").reply["parent_header"]["msg_id"]
    result = kernel.run("kernel = get_ipython().kernel\n"
                        "print(kernel.get_parent('control')['header']['msg_id'],"
                        " kernel._parent_ident['control'][0].decode())")
    assert result.text().split() == [asked, kernel.client.session.session]


def test_history_of_an_unknown_kind_is_empty(kernel):
    kernel.run("1")
    assert kernel.ask("history_request", {"hist_access_type": "nonsense"}).content == {
        "status": "ok", "history": []}


def test_unknown_requests_get_busy_and_idle_only(kernel):
    for channel in ("shell", "control"):
        msg_id = kernel.send("no_such_request", {}, channel)
        assert [m["msg_type"] for m in kernel.receive_until_idle(msg_id)] == ["status", "status"]


def test_execute_on_control(kernel):
    result = kernel.ask("execute_request", {"code": "6 * 7"}, "control")
    assert result.content["status"] == "ok"
    assert result.contents("execute_result")[0]["data"]["text/plain"] == "42"


def test_answers_while_a_cell_runs(kernel):
    """A cell that holds the GIL in C: only a thread without Python can answer."""
    busy = "import ctypes\nfor _ in range(3): ctypes.PyDLL(None).usleep(900_000)"
    msg_id = kernel.client.execute(busy)
    time.sleep(0.2)
    start = time.monotonic()
    for channel in ("control", "shell"):
        question = kernel.send("kernel_info_request", {}, channel)
        kernel.receive_reply(question, channel)
    heartbeat(kernel)
    assert time.monotonic() - start < 1.5
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"


def test_kernel_info_on_shell_waits_its_turn_but_not_long(kernel):
    cell = kernel.client.execute("import time\ntime.sleep(0.3)")
    question = kernel.send("kernel_info_request", {})
    first = kernel.client.get_shell_msg(timeout=5)
    second = kernel.client.get_shell_msg(timeout=5)
    assert [m["parent_header"]["msg_id"] for m in (first, second)] == [cell, question]
    cell = kernel.client.execute("import time\ntime.sleep(3)")
    question = kernel.send("kernel_info_request", {})
    first = kernel.client.get_shell_msg(timeout=5)
    assert first["parent_header"]["msg_id"] == question
    kernel.receive_reply(cell)
    assert [m["msg_type"] for m in kernel.receive_until_idle(question)] == ["status", "status"]
    assert kernel.run("1").content["status"] == "ok"


def heartbeat(kernel, frames=(b"ping",)):
    context = zmq.Context()
    socket = context.socket(zmq.REQ)
    socket.linger = 0
    socket.connect(f"tcp://127.0.0.1:{kernel.manager.hb_port}")
    socket.send_multipart(frames)
    assert socket.poll(2000)
    assert socket.recv_multipart() == list(frames)
    socket.close()
    context.term()


def test_heartbeat_echoes(kernel):
    heartbeat(kernel)
    heartbeat(kernel, (b"", b"\x00\xff", b"x" * 1000))


def test_a_new_subscriber_is_welcomed(kernel):
    context = zmq.Context()
    socket = context.socket(zmq.SUB)
    socket.linger = 0
    socket.subscribe(b"")
    socket.connect(f"tcp://127.0.0.1:{kernel.manager.iopub_port}")
    assert socket.poll(2000)
    session = Session(key=kernel.manager.session.key)
    _, frames = session.feed_identities(socket.recv_multipart())
    message = session.deserialize(frames)
    assert message["msg_type"] == "iopub_welcome"
    assert message["content"] == {"subscription": ""}
    assert message["parent_header"] == {}
    socket.close()
    context.term()


def test_comm_with_buffers(kernel):
    kernel.run("from comm import create_comm, get_comm_manager\n"
               "def opened(comm, message):\n"
               "    comm.on_msg(lambda m: comm.send({'echo': m['content']['data']},"
               " buffers=m['buffers']))\n"
               "get_comm_manager().register_target('echo', opened)")
    opening = kernel.send("comm_open", {"comm_id": "c1", "target_name": "echo", "data": {}})
    kernel.receive_until_idle(opening)
    info = kernel.ask("comm_info_request", {"target_name": "echo"}).content
    assert info["comms"] == {"c1": {"target_name": "echo"}}
    asking = kernel.send("comm_msg", {"comm_id": "c1", "data": {"n": 1}}, buffers=[b"\0\1\2"])
    answers = [m for m in kernel.receive_until_idle(asking) if m["msg_type"] == "comm_msg"]
    assert answers[0]["content"] == {"comm_id": "c1", "data": {"echo": {"n": 1}}}
    assert [bytes(b) for b in answers[0]["buffers"]] == [b"\0\1\2"]


def test_unknown_comm_target_is_closed(kernel):
    opening = kernel.send("comm_open", {"comm_id": "c2", "target_name": "nobody", "data": {}})
    types = [m["msg_type"] for m in kernel.receive_until_idle(opening)]
    assert "comm_close" in types
