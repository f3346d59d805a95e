"""Start, interrupt, shutdown, restart, and the end of the launcher."""
import os
import queue
import signal
import subprocess
import sys
import time

import pytest


def wait_for_exit(kernel, timeout=5):
    return kernel.process.wait(timeout)


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("mode", ["signal", "message"])
@pytest.mark.parametrize("code", ["import time\ntime.sleep(30)", "while True: pass",
                                  "import subprocess\nsubprocess.run(['sleep', '30'])",
                                  "import asyncio\nawait asyncio.sleep(30)"])
def test_interrupt(start_kernel, mode, code):
    kernel = start_kernel(interrupt_mode=mode)
    msg_id = kernel.client.execute(code)
    queued = kernel.client.execute("1")
    time.sleep(0.5)
    start = time.monotonic()
    kernel.manager.interrupt_kernel()
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"
    assert time.monotonic() - start < 2
    assert kernel.receive_reply(queued)["content"]["status"] == "aborted"
    assert kernel.run("1").content["status"] == "ok"


def test_interrupt_while_idle_is_harmless(kernel):
    for _ in range(5):
        os.kill(kernel.pid, signal.SIGINT)
        time.sleep(0.02)
        kernel.ask("interrupt_request", {}, "control")
    for _ in range(5):
        assert kernel.run("import time\ntime.sleep(0.01)").content["status"] == "ok"


def catches_interrupt(pid):
    with open(f"/proc/{pid}/status") as status:
        caught = next(line for line in status if line.startswith("SigCgt"))
    return int(caught.split()[1], 16) & 1 << signal.SIGINT - 1


def test_interrupt_while_starting_is_harmless(gridcell, connection):
    for delay in (0, 0.005, 0.02, 0.05):
        # other ports each time: another program may have taken those of the last kernel
        process = subprocess.Popen([gridcell, "kernel", "-f", connection()], stderr=subprocess.PIPE)
        # before main() runs the default action would end it
        while not catches_interrupt(process.pid):
            time.sleep(0.001)
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None, process.stderr.read()
        process.terminate()
        assert process.wait(5) == 0


@pytest.mark.parametrize("channel", ["control", "shell"])
@pytest.mark.parametrize("restart", [False, True])
def test_shutdown(start_kernel, channel, restart):
    kernel = start_kernel()
    start = time.monotonic()
    result = kernel.ask("shutdown_request", {"restart": restart}, channel)
    assert result.content == {"status": "ok", "restart": restart}
    assert result.contents("shutdown_reply") == [{"status": "ok", "restart": restart}]
    assert wait_for_exit(kernel) == 0
    assert time.monotonic() - start < 2.5


def test_shutdown_runs_atexit(start_kernel, tmp_path):
    kernel = start_kernel()
    mark = tmp_path / "mark"
    kernel.run(f"import atexit, pathlib\natexit.register(pathlib.Path({str(mark)!r}).touch)")
    kernel.ask("shutdown_request", {"restart": False}, "control")
    wait_for_exit(kernel)
    assert mark.exists()


@pytest.mark.parametrize("code", [
    "import time\ntime.sleep(60)",
    "while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: pass",
    "import ctypes\nwhile True: ctypes.PyDLL(None).usleep(900_000)",
    "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()"])
def test_shutdown_of_a_stuck_kernel(start_kernel, code):
    kernel = start_kernel()
    kernel.client.execute(code)
    time.sleep(0.3)
    start = time.monotonic()
    msg_id = kernel.send("shutdown_request", {"restart": False}, "control")
    assert kernel.receive_reply(msg_id, "control")["content"]["status"] == "ok"
    wait_for_exit(kernel)
    assert time.monotonic() - start < 2.5


def test_shutdown_ends_children(start_kernel):
    kernel = start_kernel()
    result = kernel.run("import subprocess\nprint(subprocess.Popen(['sleep', '60']).pid)")
    child = int(result.text())
    kernel.ask("shutdown_request", {"restart": False}, "control")
    wait_for_exit(kernel)
    time.sleep(0.1)
    assert not is_alive(child)


def test_restart_on_the_same_ports(start_kernel):
    kernel = start_kernel()
    session = kernel.run("x = 1").reply["header"]["session"]
    kernel.manager.restart_kernel()
    kernel.client.wait_for_ready(timeout=20)
    result = kernel.run("'x' in globals()")
    assert result.contents("execute_result")[0]["data"]["text/plain"] == "False"
    assert result.reply["header"]["session"] != session


def test_terminate(start_kernel):
    kernel = start_kernel()
    kernel.process.terminate()
    assert wait_for_exit(kernel, 3) == 0


def test_a_cell_that_ends_the_process_has_no_answer(start_kernel):
    """So that nbclient speaks of a dead kernel, not of an error in the cell."""
    kernel = start_kernel()
    kernel.client.execute("import os, signal\nprint('before', flush=True)\n"
                          "os.kill(os.getpid(), signal.SIGTERM)\nwhile True: pass")
    kernel.wait_for_text("before")
    assert wait_for_exit(kernel, 3) == 0
    with pytest.raises(queue.Empty):
        kernel.client.get_shell_msg(timeout=0.2)
    with pytest.raises(queue.Empty):
        while True:
            assert kernel.client.get_iopub_msg(timeout=0.2)["msg_type"] != "error"


@pytest.mark.parametrize("code", ["exit()", "quit()", "exit"])
def test_exit_in_a_cell(start_kernel, code):
    kernel = start_kernel()
    result = kernel.run(code)
    assert result.content["status"] == "ok"
    assert result.content["payload"][0]["source"] == "ask_exit"
    # a front end that finds the kernel gone does not read the reply
    time.sleep(0.2)
    assert kernel.process.poll() is None
    assert wait_for_exit(kernel) == 0


def test_a_front_end_ends_the_kernel_that_a_cell_ended(start_kernel):
    kernel = start_kernel()
    kernel.run("exit")
    started = time.monotonic()
    kernel.ask("shutdown_request", {"restart": False}, "control")
    assert wait_for_exit(kernel) == 0
    assert time.monotonic() - started < 0.9


def test_the_end_of_the_launcher_ends_the_kernel(gridcell, connection):
    launcher = ("import os, subprocess, sys, time\n"
                "env = {**os.environ, 'JPY_PARENT_PID': str(os.getpid())}\n"
                "process = subprocess.Popen(sys.argv[1:], env=env, start_new_session=True)\n"
                "print(process.pid, flush=True)\n"
                "time.sleep(60)\n")
    parent = subprocess.Popen([sys.executable, "-c", launcher, gridcell, "kernel", "-f",
                               str(connection())], stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    time.sleep(0.5)
    assert is_alive(pid)
    parent.kill()
    parent.wait()
    end = time.monotonic() + 3
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not is_alive(pid)


def test_idle_costs_nothing(kernel):
    def cpu_ticks():
        with open(f"/proc/{kernel.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    kernel.run("pass")
    time.sleep(0.2)
    before = cpu_ticks()
    time.sleep(1)
    assert cpu_ticks() - before <= 1


def test_few_threads(start_kernel):
    kernel = start_kernel()
    kernel.run("1")
    assert len(os.listdir(f"/proc/{kernel.pid}/task")) <= 5


def test_ipc_transport(start_kernel):
    kernel = start_kernel(transport="ipc")
    assert kernel.run("print(1)").text() == "1\n"
    files = [f"{kernel.manager.ip}-{port}" for port in kernel.manager.ports]
    assert all(map(os.path.exists, files))
    kernel.ask("shutdown_request", {"restart": False}, "control")
    wait_for_exit(kernel)
    assert not any(map(os.path.exists, files))


def test_unsigned(start_kernel):
    kernel = start_kernel(key=b"")
    assert kernel.run("print(1)").text() == "1\n"


def crash(kernel, code):
    """The text before the kernel dies of a cell, and the error that tells why."""
    msg_id = kernel.client.execute(code)
    text, error = "", None
    while not error:
        message = kernel.client.get_iopub_msg(timeout=10)
        text += message["content"].get("text", "")
        if message["msg_type"] == "error":
            error = message
    assert error["parent_header"]["msg_id"] == msg_id
    return text, error["content"]


@pytest.mark.parametrize("code, name, where", [
    ("ctypes.string_at(0)", "SIGSEGV", "in libc"), ("ctypes.CDLL(None).abort()", "SIGABRT", "in libc"),
    ("thread = threading.Thread(target=lambda: ctypes.CFUNCTYPE(None)(16)())\n"
     "thread.start(); thread.join()", "SIGSEGV", "address 0x10")])
def test_a_crash_is_told(start_kernel, code, name, where):
    kernel = start_kernel()
    text, error = crash(kernel, f"import ctypes, threading\nprint('before')\n{code}")
    assert text == "before\n"
    assert name in error["evalue"] and where in error["evalue"]
    assert "Cell In[1], line 3" in error["traceback"][0]
    assert wait_for_exit(kernel) == -getattr(signal, name)
    log = kernel.process.stderr.read().decode()
    assert error["traceback"][0] in log and log.count("\n") < 15


def test_a_crash_in_deep_recursion_is_told_in_few_lines(start_kernel):
    kernel = start_kernel()
    kernel.run("import ctypes\ndef f(n):\n    if n: return f(n - 1)\n    ctypes.string_at(0)")
    _, error = crash(kernel, "f(50)")
    assert error["traceback"][0].split("\n")[2:] == [
        "  Cell In[1], line 4, in f", "  Cell In[1], line 3, in f (50 times)", "  Cell In[2], line 1"]


# The thread that tells of crashes has one itself.
IO_CRASH = """
import ctypes, os, signal
for task in os.listdir("/proc/self/task"):
    if open(f"/proc/self/task/{task}/comm").read() == "gridcell-io\\n":
        ctypes.CDLL(None).tgkill(os.getpid(), int(task), signal.SIGSEGV)
"""


def test_a_crash_of_the_io_thread_is_in_the_log(start_kernel):
    kernel = start_kernel()
    kernel.client.execute(IO_CRASH)
    assert wait_for_exit(kernel) == -signal.SIGSEGV
    assert "The kernel died of SIGSEGV in libc" in kernel.process.stderr.read().decode()


def test_a_crash_of_a_forked_child_stays_there(kernel):
    result = kernel.run("import os\npid = os.fork()\nif not pid:\n    os.abort()\n"
                        "print(os.waitpid(pid, 0)[1] & 127)")
    assert result.text() == "6\n"


def test_restarts_leave_nothing(start_kernel, tmp_path):
    kernel = start_kernel(env={"TMPDIR": str(tmp_path)})
    ports, pids, counts = kernel.manager.get_connection_info(), [], []
    for i in range(8):
        kernel.run("import subprocess, threading, time\n"
                   "child = subprocess.Popen(['sleep', '1000'])\n"
                   "threading.Thread(target=time.sleep, args=(0.1,)).start()")
        pids += [kernel.pid, int(kernel.run("print(child.pid)").text())]
        kernel.manager.restart_kernel(now=i % 4 == 3)
        kernel.client.stop_channels()
        kernel.client = kernel.manager.client()
        kernel.client.start_channels()
        kernel.client.wait_for_ready(timeout=20)
        counts.append(len(os.listdir(f"/proc/{kernel.pid}/fd")))
    assert kernel.manager.get_connection_info() == ports
    assert len(set(counts)) <= 2 and not os.listdir(tmp_path)
    assert not any(is_alive(pid) for pid in pids)


def test_a_restart_asked_of_a_dead_kernel_leaves_the_next_alone(start_kernel):
    kernel = start_kernel()
    os.kill(kernel.pid, signal.SIGKILL)
    kernel.process.wait(5)
    kernel.manager.restart_kernel(now=False)  # sends a shutdown_request that only the new kernel can get
    kernel.client.wait_for_ready(timeout=20)
    for _ in range(15):
        assert kernel.run("6 * 7").contents("execute_result")
        time.sleep(0.1)


MARK = "user.gridcell.kills"


def has_marks(folder):
    try:
        os.setxattr(folder, "user.gridcell.test", b"1")
        return True
    except OSError:
        return False


def test_the_kernel_after_one_without_memory_says_so(start_kernel):
    kernel = start_kernel()
    connection_file = kernel.manager.connection_file
    if not has_marks(connection_file):
        pytest.skip("the file system has no extended attributes")
    mark = os.getxattr(connection_file, MARK)

    def restart(mark):
        os.setxattr(connection_file, MARK, mark)
        os.kill(kernel.pid, signal.SIGKILL)
        kernel.process.wait(5)
        kernel.manager.restart_kernel(now=True)
        kernel.client.wait_for_ready(timeout=20)

    restart(mark)  # killed, but not for that reason
    assert kernel.run("1").text("stderr") == ""
    restart(b"-1")
    assert kernel.run("1", silent=True).text("stderr") == ""
    assert "memory had run out" in kernel.run("1").text("stderr")
    assert kernel.run("1").text("stderr") == ""
    kernel.client.shutdown()
    wait_for_exit(kernel)
    assert MARK not in os.listxattr(connection_file)
