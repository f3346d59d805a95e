"""Interrupts stop what a cell does, soon, whatever it is; and only that."""
import queue
import subprocess
import time

import pytest

# what runs, and how soon an interrupt has to end it, in seconds; 20 ms on an idle machine
CASES = {
    "sleep": ("import time; print('on', flush=True); time.sleep(60)", 0.5),
    "loop": ("print('on', flush=True)\nwhile True: pass", 0.5),
    "await": ("import asyncio; print('on', flush=True); await asyncio.sleep(60)", 0.5),
    "gather": ("import asyncio; print('on', flush=True)\n"
               "await asyncio.gather(asyncio.sleep(60), asyncio.sleep(60))", 0.5),
    "async loop": ("import asyncio; print('on', flush=True)\nwhile True: await asyncio.sleep(0)", 0.5),
    "subprocess": ("import subprocess; print('on', flush=True); subprocess.run(['sleep', '60'])", 1.0),
    "lock": ("import threading; lock = threading.Lock(); lock.acquire(); print('on', flush=True); "
             "lock.acquire()", 0.5),
    "event": ("import threading; print('on', flush=True); threading.Event().wait()", 0.5),
    "join": ("import threading, time; end = threading.Event()\n"
             "thread = threading.Thread(target=end.wait, args=(20,)); thread.start()\n"
             "print('on', flush=True)\ntry: thread.join()\nfinally: end.set()", 0.5),
    "queue": ("import queue; print('on', flush=True); queue.Queue().get()", 0.5),
    "socket": ("import socket; one, two = socket.socketpair(); print('on', flush=True); one.recv(1)", 0.5),
    "timeit": ("import time\nprint('on', flush=True)\n%timeit time.sleep(0.01)", 0.5),
    "printing": ("print('on', flush=True)\nwhile True: print('x')", 2.0),
}


# programs get the interrupt themselves, and the cell goes on after them, as in IPython; one of %%bash has failed by it
PROGRAMS = {
    "shell": "!echo on; sleep 60\nprint('code', _exit_code)",
    "shell output": "print('on', flush=True)\nx = !sleep 60\nprint('after')",
    "bash": "%%bash\necho on; sleep 60",
}


def interrupt_when_on(kernel, msg_id):
    """Interrupts once the cell has printed `on`; the reply, and how long it took."""
    kernel.wait_for_text("on")
    time.sleep(0.05)
    begin = time.monotonic()
    kernel.manager.interrupt_kernel()
    reply = kernel.receive_reply(msg_id)
    return reply["content"], time.monotonic() - begin


@pytest.fixture(scope="module", params=["signal", "message"])
def kernel(request, gridcell):
    from conftest import Kernel
    shared = Kernel(gridcell, interrupt_mode=request.param)
    yield shared
    shared.close()


@pytest.mark.parametrize("name", CASES)
def test_interrupt(kernel, name):
    code, limit = CASES[name]
    content, seconds = interrupt_when_on(kernel, kernel.client.execute(code))
    assert content["status"] == "error", content
    assert content["ename"] == "KeyboardInterrupt"
    assert seconds < limit
    result = kernel.run("print('alive')")
    assert (result.content["status"], result.text()) == ("ok", "alive\n")


@pytest.mark.parametrize("name", PROGRAMS)
def test_interrupt_of_programs(kernel, name):
    content, seconds = interrupt_when_on(kernel, kernel.client.execute(PROGRAMS[name]))
    assert content.get("ename") == ("CalledProcessError" if name == "bash" else None)
    assert seconds < 1
    result = kernel.run("!pgrep -P {__import__('os').getpid()} -x sleep; true\nprint('alive')")
    assert (result.content["status"], result.text()) == ("ok", "alive\n")


# The signal comes in C code after Python last looked at signals and before the question is sent.
EARLY = """
import ctypes, functools
raise_signal = ctypes.CDLL(None)["raise"]
raise_signal.restype = chr
class Prompt:
    __str__ = staticmethod(functools.partial(raise_signal, 2))
"""


@pytest.mark.parametrize("ask", ["input(Prompt())", "import getpass; getpass.getpass(Prompt())"])
def test_interrupt_just_before_the_question(kernel, ask):
    assert kernel.run(EARLY).content["status"] == "ok"
    assert kernel.run(ask, allow_stdin=True).content["ename"] == "KeyboardInterrupt"
    answered = kernel.client.execute(f"try:\n    {ask}\nexcept KeyboardInterrupt:\n    print(input('again? '))",
                                     allow_stdin=True)
    assert kernel.client.get_stdin_msg(timeout=20)["content"]["prompt"] == "again? "
    kernel.client.input("yes")
    assert kernel.receive_reply(answered)["content"]["status"] == "ok"


def test_interrupt_of_input(kernel):
    msg_id = kernel.client.execute("print('on', flush=True)\ninput('name? ')", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=20)
    content, seconds = interrupt_when_on(kernel, msg_id)
    assert content["ename"] == "KeyboardInterrupt"
    assert seconds < 0.5
    assert kernel.run("1").content["status"] == "ok"


def start_pdb(kernel):
    """A cell that stands in pdb's prompt; its id."""
    msg_id = kernel.client.execute(
        "import pdb\ndef look():\n    inner = 5\n    pdb.set_trace()\n    return inner\n"
        "print('on', flush=True)\nresult = look()", allow_stdin=True)
    request = kernel.client.get_stdin_msg(timeout=20)
    assert "db> " in request["content"]["prompt"] or "(Pdb) " in request["content"]["prompt"]
    return msg_id


def test_pdb_talks(kernel):
    msg_id = start_pdb(kernel)
    kernel.client.input("p inner * 2")
    kernel.client.get_stdin_msg(timeout=20)
    kernel.client.input("continue")
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    messages = kernel.receive_until_idle(msg_id)
    assert "10\n" in "".join(m["content"].get("text", "") for m in messages)


def test_interrupt_in_pdb_ends_the_cell(kernel):
    msg_id = start_pdb(kernel)
    content, seconds = interrupt_when_on(kernel, msg_id)
    assert content["status"] == "error"
    assert content["ename"] == "KeyboardInterrupt"
    assert seconds < 1
    with pytest.raises(queue.Empty):
        kernel.client.get_stdin_msg(timeout=0.3)
    result = kernel.run("print('alive')")
    assert (result.content["status"], result.text()) == ("ok", "alive\n")


def test_the_user_may_catch_it(kernel):
    msg_id = kernel.client.execute("import time\ntry:\n    print('on', flush=True); time.sleep(60)\n"
                                   "except KeyboardInterrupt:\n    print('caught')")
    assert interrupt_when_on(kernel, msg_id)[0]["status"] == "ok"
    assert kernel.wait_for_text("caught")
    assert kernel.run("1").content["status"] == "ok"


def test_an_interrupt_of_nothing_does_nothing(kernel):
    kernel.manager.interrupt_kernel()
    time.sleep(0.1)
    assert kernel.run("import time; time.sleep(0.2); print('whole')").text() == "whole\n"


def test_queued_cells_are_aborted(kernel):
    first = kernel.client.execute("import time; print('on', flush=True); time.sleep(60)")
    second = kernel.client.execute("print('never')")
    assert interrupt_when_on(kernel, first)[0]["ename"] == "KeyboardInterrupt"
    assert kernel.receive_reply(second)["content"]["status"] == "aborted"
    assert kernel.run("print('later')").text() == "later\n"


def test_an_awaited_handler_can_clean_up(kernel):
    msg_id = kernel.client.execute(
        "import asyncio\nprint('on', flush=True)\ntry:\n    await asyncio.sleep(60)\n"
        "finally:\n    print('cleaned')")
    content, _ = interrupt_when_on(kernel, msg_id)
    assert content["ename"] == "KeyboardInterrupt"
    kernel.wait_for_text("cleaned")


C_LOOPS = {
    "sum": "sum(range(10**11))",
    "max of large numbers": "max(range(2**65, 2**65 + 10**12))",
    "set": "set(range(10**9))",
    "itertools": "import itertools; sum(itertools.repeat(1))",
    "map": "max(map(int, itertools.repeat('5')))",
    "regular expression": "import re; re.match(r'(a+)+b', 'a' * 50)",
}


@pytest.mark.parametrize("name", C_LOOPS)
def test_interrupt_of_c_loops(kernel, name):
    kernel.run("kept = [1, 2]; import itertools")
    msg_id = kernel.client.execute("print('on', flush=True)\n" + C_LOOPS[name])
    content, seconds = interrupt_when_on(kernel, msg_id)
    assert content["ename"] == "KeyboardInterrupt"
    assert seconds < 1
    assert kernel.run("sum(range(10**6)), kept").contents("execute_result")[0]["data"]["text/plain"] == \
        "(499999500000, [1, 2])"


DEAF = "print('on', flush=True); any(itertools.repeat(0))"  # C code that never looks


def ask_about_deaf_code(kernel, code=DEAF, **options):
    kernel.run("import itertools, time")
    msg_id = kernel.client.execute(code, **options)
    kernel.wait_for_text("on")
    time.sleep(0.05)
    begin = time.monotonic()
    kernel.manager.interrupt_kernel()
    text = kernel.wait_for_text("Interrupted, but the cell is in C code")["content"]["text"]
    assert time.monotonic() - begin < 1
    assert "called from line 1 of the cell" in text
    return msg_id


def test_deaf_c_code_leaves_a_choice(start_kernel):
    kernel = start_kernel()
    # the code ends by itself here, whatever the machine's speed: the interrupt was kept,
    # and so are the variables
    code = ("x = 1; n = 10**7; begin = time.perf_counter(); any(itertools.repeat(0, n)); "
            "n *= int(3 / (time.perf_counter() - begin)) + 1; "
            "print('on', flush=True); any(itertools.repeat(0, n)); x = 2")
    msg_id = ask_about_deaf_code(kernel, code, allow_stdin=True)
    assert "Type end to end the kernel now" in kernel.client.get_stdin_msg(timeout=5)["content"]["prompt"]
    kernel.client.input("wait")
    assert kernel.receive_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"
    assert kernel.run("x").contents("execute_result")[0]["data"]["text/plain"] == "1"


def test_deaf_c_code_can_be_ended(start_kernel):
    kernel = start_kernel()
    msg_id = ask_about_deaf_code(kernel, allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=5)
    kernel.client.input("end")
    content = kernel.receive_reply(msg_id)["content"]
    assert (content["status"], content["evalue"]) == ("error", "the kernel was ended")
    kernel.process.wait(10)


def test_deaf_c_code_without_input(start_kernel):
    kernel = start_kernel()
    ask_about_deaf_code(kernel, allow_stdin=False)
    with pytest.raises(queue.Empty):
        kernel.client.get_stdin_msg(timeout=0.2)
    assert kernel.process.poll() is None


WORK = """
import os, time, numpy as np
os.environ["GRIDCELL_DEVICE"] = "emulator"
from numba import cuda, njit, vectorize
@cuda.jit
def counted(sums, turns):
    for turn in range(turns):
        sums[cuda.grid(1)] += 0.5 * turn
counted[2, 32](np.zeros(64), 3)
A = np.random.default_rng(1).random((200, 200))
@njit
def svd(a):
    return np.linalg.svd(a)[1][0]
@njit
def loop(n):
    s = 0
    for i in range(n):
        s += i ^ (s & 7)
    return s
@vectorize(['f8(f8)'])
def add(x):
    s = 0.0
    while s < 5:
        s += x
    return s
svd(np.eye(3)), loop(3)
"""
MOMENTS = {
    "linear algebra": "while True: svd(A)",
    "NumPy's own": "while True: np.linalg.svd(A)",
    "sleep": "time.sleep(60)",
    "compiled loop": "loop(10**13)",
    "emulated kernel": "counted[2, 32](np.zeros(64), 10**13)",
    "ufunc": "while True: add(np.ones(1000))",
    "input": "input()",
}


@pytest.mark.parametrize("name", MOMENTS)
def test_an_interrupt_strikes_its_cell_alone(kernel, name):
    """Cells that wait behind it run to their end, also those that enter compiled code by NumPy."""
    assert kernel.run(WORK).content["status"] == "ok"
    for delay in 0.0, 0.05:
        first = kernel.client.execute("print('on', flush=True)\n" + MOMENTS[name], stop_on_error=False,
                                      allow_stdin=name == "input")
        others = [kernel.client.execute(code, stop_on_error=False)
                  for code in ("add(np.ones(5))", "svd(A)", "time.sleep(0.05)", "add(np.ones(5)); loop(10**6)")]
        kernel.wait_for_text("on")
        time.sleep(delay)
        kernel.manager.interrupt_kernel()
        assert kernel.receive_reply(first)["content"].get("ename") == "KeyboardInterrupt"
        for other in others:
            assert kernel.receive_reply(other)["content"]["status"] == "ok"


LATE_WAIT = """
#include <poll.h>
#include <time.h>
int wait_late(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 150000000L);
    return poll(0, 0, 60000);
}
"""


def test_a_system_call_begun_after_the_signal_ends(kernel, tmp_path):
    """As where it comes between Python's last look at signals and the call of time.sleep(), which is short."""
    (tmp_path / "late.c").write_text(LATE_WAIT)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "late.so", tmp_path / "late.c"], check=True)
    kernel.run(f"import ctypes; late = ctypes.CDLL('{tmp_path}/late.so')")
    cells = [kernel.client.execute("print('on', flush=True)\nlate.wait_late()", stop_on_error=False) for _ in range(2)]
    for cell in cells:
        kernel.wait_for_text("on")
        kernel.manager.interrupt_kernel()
        assert kernel.receive_reply(cell)["content"]["ename"] == "KeyboardInterrupt"


def test_an_interrupt_as_soon_as_a_cell_is_heard_of(kernel):
    """From execute_input on the cell can be interrupted, also where the exception rises in a callback, whose errors are
    told and no more."""
    assert kernel.run("import time\ndef wait(info): time.sleep(0.3)\n"
                      "get_ipython().events.register('pre_run_cell', wait)").content["status"] == "ok"
    for _ in range(3):
        cell = kernel.client.execute("while True: pass")
        while True:
            message = kernel.client.get_iopub_msg(timeout=20)
            if message["msg_type"] == "execute_input" and message["parent_header"]["msg_id"] == cell:
                break
        kernel.manager.interrupt_kernel()
        assert kernel.receive_reply(cell)["content"]["ename"] == "KeyboardInterrupt"
        assert kernel.run("1").content["status"] == "ok"
    kernel.run("get_ipython().events.unregister('pre_run_cell', wait)")
