"""Output goes to the cell that started the thread or task that writes it."""
import time

import pytest


def collect(kernel, msg_ids, seconds):
    """Stream text by request, from what IOPub brings in the given time."""
    texts = {msg_id: "" for msg_id in msg_ids}
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            message = kernel.client.get_iopub_msg(timeout=left)
        except Exception:  # queue.Empty: the time is over
            break
        if message["msg_type"] == "stream" and message["parent_header"]["msg_id"] in texts:
            texts[message["parent_header"]["msg_id"]] += message["content"]["text"]
    return texts


def run_two(kernel, first, second, seconds=1.0):
    """Runs two cells and returns what each one has printed in the end."""
    ids = []
    for code in (first, second):
        ids.append(kernel.client.execute(code))
        assert kernel.receive_reply(ids[-1])["content"]["status"] == "ok"
    texts = collect(kernel, ids, seconds)
    return texts[ids[0]], texts[ids[1]]


# name: what two cells run, and what each of them shows in the end
CELLS = {
    "threads": (
        "import threading, time\n"
        "def work():\n    for i in range(5):\n        time.sleep(0.1); print('thread', i)\n"
        "threading.Thread(target=work).start()", "print('second')",
        "".join(f"thread {i}\n" for i in range(5)), "second\n"),
    "threads of threads": (
        "import threading, time\n"
        "def child():\n    time.sleep(0.2); print('child')\n"
        "def work():\n    time.sleep(0.2); threading.Thread(target=child).start()\n"
        "threading.Thread(target=work).start()", "time.sleep(0.1); print('second')",
        "child\n", "second\n"),
    "raw threads and pools": (
        "import _thread, time\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "def work(text, after): time.sleep(after); print(text, flush=True)\n"
        "_ = _thread.start_new_thread(work, ('raw', 0.2))\n"
        "time.sleep(0.05)\npool = ThreadPoolExecutor(1); _ = pool.submit(work, 'pool', 0.4)", "print('second')",
        "raw\npool\n", "second\n"),
    "tasks": (
        "import asyncio\nasync def work():\n    for i in range(4):\n"
        "        await asyncio.sleep(0.05); print('task', i)\n"
        "task = asyncio.create_task(work())", "print('second')\nawait asyncio.sleep(0.1)\nprint('end')",
        "".join(f"task {i}\n" for i in range(4)), "second\nend\n"),
    "a loop on a thread that serves all cells": (
        "import asyncio, os, threading, time\nr, w = os.pipe()\nloop = asyncio.new_event_loop()\n"
        "loop.add_reader(r, lambda: print(os.read(r, 99).decode()))\n"
        "async def work():\n    await asyncio.sleep(0.1); print('task')\n"
        "_ = loop.call_soon(loop.create_task, work())\n"
        "threading.Thread(target=loop.run_forever, daemon=True).start()", "_ = os.write(w, b'read'); time.sleep(0.2)",
        "task\n", "read\n"),
    "callbacks of the loop": (
        "import asyncio\n_ = asyncio.get_event_loop().call_later(0.2, print, 'later')", "print('second')",
        "later\n", "second\n"),
}


@pytest.mark.parametrize("name", CELLS)
def test_output_goes_to_the_cell_that_began_it(kernel, name):
    first, second, *expected = CELLS[name]
    assert list(run_two(kernel, first, second)) == expected


def test_displays_and_errors_of_threads(kernel):
    msg_id = kernel.client.execute(
        "import threading, time\n"
        "def work():\n    time.sleep(0.2); display('shown'); raise ValueError('in thread')\n"
        "threading.Thread(target=work).start()")
    kernel.receive_reply(msg_id)
    kernel.client.execute("1")
    shown = message = None
    while "in thread" not in (message or {}).get("content", {}).get("text", ""):
        message = kernel.client.get_iopub_msg(timeout=20)
        if message["msg_type"] == "display_data":
            shown = message
    assert shown["parent_header"]["msg_id"] == message["parent_header"]["msg_id"] == msg_id


def test_cells_that_print_at_once_do_not_break_each_others_text(kernel):
    """Two writers take turns; their text is still gathered, not one message per line."""
    ids = [kernel.client.execute(
        "import threading, time\ngo = threading.Event()\n"
        "def work(name):\n    go.wait()\n"
        "    for i in range(2000):\n        print(name)\n        if i % 100 == 0: time.sleep(0)\n"
        "threading.Thread(target=work, args=('a',)).start()"),
        kernel.client.execute("threading.Thread(target=work, args=('b',)).start(); go.set()")]
    for msg_id in ids:
        kernel.receive_reply(msg_id)
    texts = collect(kernel, ids, 1.5)
    assert texts == {ids[0]: "a\n" * 2000, ids[1]: "b\n" * 2000}


def test_a_thread_knows_its_request(kernel):
    msg_id = kernel.client.execute(
        "import threading, time\n"
        "def work():\n    time.sleep(0.2); print(get_ipython().get_parent()['header']['msg_id'],\n"
        "        get_ipython().kernel.get_parent()['header']['msg_id'])\n"
        "threading.Thread(target=work).start()")
    kernel.receive_reply(msg_id)
    second = kernel.client.execute("1")
    kernel.receive_reply(second)
    assert collect(kernel, [msg_id, second], 0.6)[msg_id] == f"{msg_id} {msg_id}\n"


def test_threads_that_cannot_start_say_so(kernel):
    result = kernel.run("import _thread\n_thread.start_new_thread()")
    assert result.content["ename"] == "TypeError"
    result = kernel.run("_thread.start_new_thread(5, ())")
    assert result.content["evalue"] == "first arg must be callable"
